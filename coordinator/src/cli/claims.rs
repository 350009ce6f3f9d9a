//! `refute claims`: every claim with its source.

use clap::Args;
use refute_shared::claim::Claim;
use refute_shared::families::{self, Family};
use refute_shared::text::{known, quoted};
use serde_json::{Value, json};

use super::exit::{Failure, Output};

/// Every claim with its source, kind, hypothesis and prediction
#[derive(Args, Debug)]
#[command(after_help = "Examples: refute claims --family graph-nim, refute claims --source \"section 4.2\"")]
pub struct Claims {
    /// Only the claims of this family
    #[arg(long, value_name = "FAMILY")]
    family: Option<String>,
    /// Only the claims whose source reads so: an item, a section, a paper
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
    /// One JSON list
    #[arg(long)]
    json: bool,
}

impl Claims {
    pub fn run(&self) -> Result<Output, Failure> {
        let families = chosen(self.family.as_deref())?.into_iter().map(|family| (family, self.claims(family)));
        // A family without claims is shown where all are asked for.
        let chosen: Vec<_> = families.filter(|(_, claims)| self.source.is_none() || !claims.is_empty()).collect();
        if let (Some(source), true) = (&self.source, chosen.is_empty()) {
            let problem =
                format!("--source: no claim has the source '{}'; write for instance \"Theorem 4.6\" or \"section 4.2\"", quoted(source));
            return Err(Failure::wrong(problem));
        }
        if self.json {
            let list: Vec<Value> = chosen.iter().flat_map(|(family, claims)| to_json(*family, claims)).collect();
            return Ok(Output::line(Value::from(list)));
        }
        Ok(Output::page(&chosen.iter().map(|(family, claims)| text(*family, claims)).collect::<Vec<_>>().join("\n")))
    }

    /// The claims of a family that are asked for.
    fn claims(&self, family: &dyn Family) -> Vec<Claim> {
        let is_meant = |claim: &Claim| self.source.as_ref().is_none_or(|source| claim.source.reads(source));
        family.claims().into_iter().filter(is_meant).collect()
    }
}

fn text(family: &dyn Family, claims: &[Claim]) -> String {
    let (all, count) = (family.claims().len(), claims.len());
    let counted = if count == all { format!("{all} claims") } else { format!("{count} of {all} claims") };
    let mut text = format!("{}: {counted}\n{}\n", family.id(), family.about());
    let mut paper = None;
    for claim in claims {
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

fn to_json(family: &'static dyn Family, claims: &[Claim]) -> impl Iterator<Item = Value> {
    claims.iter().map(move |claim| {
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
