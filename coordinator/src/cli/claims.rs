//! `refute claims`: every claim with its source, or some of them whole.

use clap::Args;
use refute_shared::claim::Claim;
use refute_shared::families::{self, Family};
use refute_shared::sweep::{Manifest, Stated, Sweep};
use refute_shared::text::{known, quoted};
use serde_json::{Value, json};

use crate::report::fitted;

use super::exit::{Failure, Output, style};

/// Every claim with its source, kind, hypothesis and prediction; those that are named whole, with the sweeps that judge them and
/// their text in the language of manifests
#[derive(Args, Debug)]
#[command(
    after_help = "Examples: refute claims --family graph-nim\n          refute claims --source \"section 4.2\"\n          refute claims four-edges/thm-4.6\n          refute claims 'olives/*'"
)]
pub struct Claims {
    /// Only these, whole: an id, such as four-edges/thm-4.6, or a pattern, in which * stands for any run of characters
    #[arg(value_name = "ID-or-PATTERN")]
    patterns: Vec<String>,
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
        let families = chosen(self.family.as_deref())?;
        if !self.patterns.is_empty() {
            return self.whole(&families);
        }
        let listed = families.into_iter().map(|family| (family, self.claims(family)));
        // A family without claims is shown where all are asked for.
        let listed: Vec<(&dyn Family, Vec<Claim>)> = listed.filter(|(_, claims)| self.source.is_none() || !claims.is_empty()).collect();
        if let (Some(source), true) = (&self.source, listed.is_empty()) {
            let problem =
                format!("--source: no claim has the source '{}'; write for instance \"Theorem 4.6\" or \"section 4.2\"", quoted(source));
            return Err(Failure::wrong(problem));
        }
        if self.json {
            let list: Vec<Value> = listed.iter().flat_map(|(family, claims)| claims.iter().map(|claim| to_json(*family, claim))).collect();
            return Ok(Output::line(Value::from(list)));
        }
        Ok(Output::page(&listed.iter().map(|(family, claims)| text(*family, claims)).collect::<Vec<_>>().join("\n")))
    }

    /// The claims of a family that are asked for.
    fn claims(&self, family: &dyn Family) -> Vec<Claim> {
        let is_meant = |claim: &Claim| self.source.as_ref().is_none_or(|source| claim.source.reads(source));
        family.claims().into_iter().filter(is_meant).collect()
    }

    /// The claims that are named, whole.
    fn whole(&self, families: &[&'static dyn Family]) -> Result<Output, Failure> {
        let all: Vec<(&dyn Family, Claim)> =
            families.iter().flat_map(|family| self.claims(*family).into_iter().map(|claim| (*family, claim))).collect();
        for pattern in &self.patterns {
            if !all.iter().any(|(_, claim)| families::matches(pattern, &claim.id)) {
                let hint = known(pattern, all.iter().map(|(_, claim)| &*claim.id));
                let listed = self.family.as_ref().map_or_else(String::new, |family| format!(" --family {family}"));
                return Err(Failure::wrong(format!("unknown claim '{}'; {hint} ('refute claims{listed}' lists them)", quoted(pattern))));
            }
        }
        let is_named = |claim: &Claim| self.patterns.iter().any(|pattern| families::matches(pattern, &claim.id));
        let named: Vec<&(&dyn Family, Claim)> = all.iter().filter(|(_, claim)| is_named(claim)).collect();
        let sweeps = built_in_sweeps(|family| named.iter().any(|(of, _)| of.id() == family))?;
        if self.json {
            let list: Vec<Value> = named.into_iter().map(|(family, claim)| whole_to_json(*family, claim, &sweeps)).collect();
            return Ok(Output::line(Value::from(list)));
        }
        let columns = style().columns;
        let texts: Vec<String> = named.into_iter().map(|(family, claim)| whole_text(*family, claim, &sweeps, columns)).collect();
        Ok(Output::done(texts.join("\n")))
    }
}

/// The built-in sweeps of some families, by name.
fn built_in_sweeps(of: impl Fn(&str) -> bool) -> Result<Vec<(&'static str, Sweep)>, Failure> {
    let mut sweeps = Vec::new();
    for built_in in families::built_ins() {
        let manifest = Manifest::parse(built_in.manifest).map_err(Failure::not_done)?;
        if of(&manifest.family) {
            sweeps.push((built_in.name, Sweep::resolve(manifest).map_err(Failure::not_done)?));
        }
    }
    Ok(sweeps)
}

/// The sweeps that hold a claim against a configuration that it may speak about.
fn judging<'a>(claim: &Claim, sweeps: &'a [(&'static str, Sweep)]) -> Vec<&'a str> {
    let judges = |sweep: &Sweep| {
        let place = sweep.claims.iter().position(|one| one.id == claim.id);
        place.is_some_and(|place| sweep.space.can_speak(place))
    };
    sweeps.iter().filter(|(_, sweep)| judges(sweep)).map(|(name, _)| *name).collect()
}

/// A claim as a manifest may state it: under an id of one's own, since there is one of its id already.
fn in_manifest(claim: &Claim) -> Option<Stated> {
    let mut stated = families::text(&claim.id)?;
    for one in &mut stated.claims {
        let item = one.id.split_once('/').map_or(&*one.id, |(_, item)| item);
        one.id = format!("mine/{item}");
        one.source = Some(claim.source.line());
    }
    Some(stated)
}

fn whole_text(family: &dyn Family, claim: &Claim, sweeps: &[(&'static str, Sweep)], columns: usize) -> String {
    let sweeps = match &judging(claim, sweeps)[..] {
        [] => "no built-in sweep has it".to_owned(),
        names => names.join(", "),
    };
    let stated = in_manifest(claim);
    let how = match &stated {
        Some(_) => "below, as a manifest may state it",
        None => {
            "none: it needs a move by its name, a game made of options, or positions that play does not lead to, and the language has no expression for these"
        }
    };
    let lines = [
        format!("{} ({})", claim.id, claim.kind.word()),
        format!("  family:    {}", family.id()),
        format!("  paper:     {}", claim.source.paper.title),
        format!("  source:    {}", claim.source.line()),
        format!("  where:     {}", claim.hypothesis),
        format!("  says:      {}", claim.statement),
        format!("  sweeps:    {sweeps}"),
        format!("  language:  {how}"),
    ];
    let about = fitted(&(lines.join("\n") + "\n"), columns);
    // What is to be copied into a manifest is not broken.
    stated.map_or(about.clone(), |stated| format!("{about}\n{}", stated.to_toml()))
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

fn to_json(family: &dyn Family, claim: &Claim) -> Value {
    json!({
        "id": claim.id,
        "family": family.id(),
        "source": claim.source.line(),
        "kind": claim.kind.word(),
        "hypothesis": claim.hypothesis,
        "statement": claim.statement,
    })
}

fn whole_to_json(family: &dyn Family, claim: &Claim, sweeps: &[(&'static str, Sweep)]) -> Value {
    let mut json = to_json(family, claim);
    json["paper"] = json!(claim.source.paper.title);
    json["item"] = json!(claim.source.item);
    json["section"] = json!(claim.source.section);
    json["sweeps"] = json!(judging(claim, sweeps));
    json["manifest"] = json!(in_manifest(claim).map(|stated| stated.to_toml()));
    json
}
