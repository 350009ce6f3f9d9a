//! `refute variables`: the names that claims of a manifest may use.

use clap::Args;
use refute_shared::families;
use refute_shared::language::{Role, Variable};
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
            let chosen: Vec<&Variable> = variables.iter().filter(|variable| variable.role == role).collect();
            if !chosen.is_empty() {
                text += &format!("\n{heading}\n");
            }
            for Variable { name, of, meaning, .. } in chosen {
                text += &format!("  {name}: {of}; {meaning}\n");
            }
        }
        Ok(Output::page(&text))
    }
}

fn to_json(variable: &Variable) -> Value {
    let role = match variable.role {
        Role::Parameter => "parameter",
        Role::Predicted => "predicted",
        Role::Solved => "solved",
    };
    json!({ "name": variable.name, "type": variable.of.to_string(), "role": role, "meaning": variable.meaning })
}
