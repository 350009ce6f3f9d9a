//! `refute variables`: the names that claims of a manifest may use.

use clap::Args;
use refute_shared::families::{self, Family};
use refute_shared::language::{Reach, Role, Variable};
use refute_shared::text::known;
use serde_json::{Value, json};

use super::exit::{Failure, Output};

/// The names that claims of a manifest may use, with their types and meanings
#[derive(Args, Debug)]
#[command(after_help = "Example: refute variables graph-nim\nThe language of claims: refute help language")]
pub struct Variables {
    /// The family, such as graph-nim
    family: String,
    /// One JSON list
    #[arg(long)]
    json: bool,
}

impl Variables {
    pub fn run(&self) -> Result<Output, Failure> {
        let unknown = || Failure::wrong(format!("unknown family '{}'; {}", self.family, known(&self.family, families::ids())));
        let family = families::find(&self.family).ok_or_else(unknown)?;
        let variables = family.variables();
        if self.json {
            return Ok(Output::line(variables.iter().map(to_json).collect::<Value>()));
        }
        if variables.is_empty() {
            return Ok(Output::page(&format!("{}: no claims can be stated about it\n", family.id())));
        }
        let mut text = format!("{}: {}\n", family.id(), family.about());
        for (role, heading) in [
            (Role::Parameter, "of the position itself"),
            (Role::Predicted, "solved, and what 'predict' is compared with"),
            (Role::Solved, "solved: in 'where' and 'says' only"),
        ] {
            let is_of_position = |variable: &&Variable| variable.role == role && variable.reach != Reach::Whole;
            let chosen: Vec<&Variable> = variables.iter().filter(is_of_position).collect();
            if !chosen.is_empty() {
                text += &format!("\n{heading}\n");
            }
            for Variable { name, of, meaning, .. } in chosen {
                text += &format!("  {name}: {of}; {meaning}\n");
            }
        }
        text += &relations(family, &variables);
        Ok(Output::page(&text))
    }
}

/// Which names `at` sets, and what claims about a whole may use.
fn relations(family: &dyn Family, variables: &[Variable]) -> String {
    let names = |is_meant: fn(&Variable) -> bool| {
        variables.iter().filter(|variable| is_meant(variable)).map(|variable| variable.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let mut text = String::new();
    let set = names(|variable| variable.is_set);
    if !set.is_empty() {
        text += &format!("\nof another position: at(...) sets {set}\n");
    }
    if let Some(whole) = family.whole() {
        let both = names(|variable| variable.reach == Reach::Both);
        text += &format!("\nof a {whole}: claims with per = \"{whole}\" use these, and {both}\n");
        for Variable { name, of, meaning, .. } in variables.iter().filter(|variable| variable.reach == Reach::Whole) {
            text += &format!("  {name}: {of}; {meaning}\n");
        }
    }
    text
}

fn to_json(variable: &Variable) -> Value {
    let role = match variable.role {
        Role::Parameter => "parameter",
        Role::Predicted => "predicted",
        Role::Solved => "solved",
    };
    let per = match variable.reach {
        Reach::Position => "position",
        Reach::Whole => "whole",
        Reach::Both => "both",
    };
    let (of, set) = (variable.of.to_string(), variable.is_set);
    json!({ "name": variable.name, "type": of, "role": role, "meaning": variable.meaning, "set": set, "per": per })
}
