//! `refute claims`: every claim with its source.

use clap::Args;
use refute_shared::families::{self, Family};
use refute_shared::text::known;
use serde_json::{Value, json};

use super::exit::{Failure, Output};

/// Every claim with its source, kind, hypothesis and prediction
#[derive(Args, Debug)]
#[command(after_help = "Example: refute claims --family graph-nim")]
pub struct Claims {
    /// Only the claims of this family
    #[arg(long, value_name = "FAMILY")]
    family: Option<String>,
    /// One JSON list
    #[arg(long)]
    json: bool,
}

impl Claims {
    pub fn run(&self) -> Result<Output, Failure> {
        let chosen = chosen(self.family.as_deref())?;
        if self.json {
            let list: Vec<Value> = chosen.iter().flat_map(|family| to_json(*family)).collect();
            return Ok(Output::line(Value::from(list)));
        }
        Ok(Output::page(&chosen.into_iter().map(text).collect::<Vec<_>>().join("\n")))
    }
}

fn text(family: &dyn Family) -> String {
    let claims = family.claims();
    let mut text = format!("{}: {} claims\n{}\n", family.id(), claims.len(), family.about());
    let mut paper = None;
    for claim in &claims {
        if paper != Some(&claim.source.paper) {
            paper = Some(&claim.source.paper);
            text += &format!("\n{}, {}\n", claim.source.paper.title, claim.source.paper.cite);
        }
        text += &format!("\n{} ({})\n", claim.id, claim.kind.word());
        text += &format!("  source: {}\n  where:  {}\n  says:   {}\n", claim.source.line(), claim.hypothesis, claim.statement);
    }
    text
}

fn chosen(family: Option<&str>) -> Result<Vec<&'static dyn Family>, Failure> {
    let Some(id) = family else { return Ok(families::FAMILIES.to_vec()) };
    let unknown = || Failure::wrong(format!("--family: unknown family '{id}'; {}", known(id, families::ids())));
    Ok(vec![families::find(id).ok_or_else(unknown)?])
}

fn to_json(family: &'static dyn Family) -> impl Iterator<Item = Value> {
    family.claims().into_iter().map(move |claim| {
        json!({
            "id": claim.id,
            "family": family.id(),
            "source": claim.source.line(),
            "kind": claim.kind.word(),
            "hypothesis": claim.hypothesis,
            "statement": claim.statement,
        })
    })
}
