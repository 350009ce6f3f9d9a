use twox_hash::XxHash3_128;

use crate::claim::Claim;
use crate::families::{self, Family, Space};
use crate::text::known;

use super::{Manifest, ManifestError, RunOptions};

/// A manifest whose family, claims and space have been looked up: ready to be cut and solved.
pub struct Sweep {
    /// The manifest, with every claim written out by its id.
    pub manifest: Manifest,
    /// The family.
    pub family: &'static dyn Family,
    /// The boxes.
    pub space: Box<dyn Space>,
    /// The claims, by their index in [`Family::claims`], in ascending order.
    pub claims: Vec<usize>,
}

impl Sweep {
    /// Looks up what a manifest names. Where it names no claims and none can speak about its space there are none: positions
    /// are solved and counted all the same.
    ///
    /// Cost: O(boxes · claims).
    ///
    /// # Errors
    /// [`ManifestError`] names the family, claim or key that is unknown, or what is wrong with the space.
    pub fn resolve(mut manifest: Manifest) -> Result<Self, ManifestError> {
        let family = families::find(&manifest.family)
            .ok_or_else(|| ManifestError::field("family", unknown("family", &manifest.family, families::ids())))?;
        let space = family.space(&manifest.space)?;
        let claims = match &manifest.claims {
            Some(patterns) => matching(family, patterns)?,
            None => speaking(family, space.as_ref()),
        };
        // An empty list is what nobody may write, so a sweep without claims leaves it out.
        let ids: Vec<String> = claims.iter().map(|index| family.claims()[*index].id.to_owned()).collect();
        manifest.claims = Some(ids).filter(|ids| !ids.is_empty());
        Ok(Self { manifest, family, space, claims })
    }

    /// The claims themselves, in the order of [`Sweep::claims`].
    pub fn claim_list(&self) -> impl Iterator<Item = &'static Claim> {
        self.claims.iter().map(|index| &self.family.claims()[*index])
    }

    /// The ids of the claims, in the same order.
    #[must_use]
    pub fn claim_ids(&self) -> Vec<&'static str> {
        self.claim_list().map(|claim| claim.id).collect()
    }

    /// How the sweep is to be run.
    #[must_use]
    pub fn options(&self) -> &RunOptions {
        &self.manifest.run
    }

    /// The sweep's id: its name and 12 hex digits of a hash of all that its result depends on. Submitting the same thing
    /// again gives the same id, whatever the name, the size of the shards and the machine.
    #[must_use]
    pub fn id(&self) -> String {
        let identity = serde_json::json!({
            "family": self.family.id(),
            "space": self.space.to_json(),
            "claims": self.claim_ids(),
            "record": self.options().record,
            "counterexamples": self.options().counterexamples,
            "solver_version": self.family.solver_version(),
        });
        let hash = XxHash3_128::oneshot(identity.to_string().as_bytes());
        format!("{}-{:012x}", self.manifest.name, hash >> 80)
    }

    /// How many configurations the space has, in closed form.
    #[must_use]
    pub fn configurations(&self) -> u128 {
        self.space.total()
    }
}

fn unknown<'a>(what: &str, word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    format!("unknown {what} '{word}'; {}", known(word, candidates))
}

fn speaking(family: &dyn Family, space: &dyn Space) -> Vec<usize> {
    (0..family.claims().len()).filter(|claim| space.can_speak(*claim)).collect()
}

fn matching(family: &dyn Family, patterns: &[String]) -> Result<Vec<usize>, ManifestError> {
    let ids = || family.claims().iter().map(|claim| claim.id);
    let mut found = Vec::new();
    for pattern in patterns {
        let before = found.len();
        found.extend(ids().enumerate().filter(|(_, id)| matches(pattern, id)).map(|(index, _)| index));
        if found.len() == before {
            let problem = format!("{} ('refute claims --family {}' lists them)", unknown("claim", pattern, ids()), family.id());
            return Err(ManifestError::field("claims", problem));
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Whether an id matches a pattern in which `*` stands for any run of characters. Cost: O(pattern · id).
fn matches(pattern: &str, id: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == id,
        Some((head, tail)) => id
            .strip_prefix(head)
            .is_some_and(|rest| (0..=rest.len()).filter(|at| rest.is_char_boundary(*at)).any(|at| matches(tail, &rest[at..]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_run_of_characters() {
        for (pattern, id, expected) in [
            ("four-edges/thm-4.6", "four-edges/thm-4.6", true),
            ("four-edges/thm-4.*", "four-edges/thm-4.10.2", true),
            ("*", "four-edges/thm-2.3", true),
            ("*lemma*", "four-edges/lemma-4.7", true),
            ("four-edges/thm-4.*", "four-edges/lemma-4.7", false),
            ("four-edges", "four-edges/thm-2.3", false),
            ("*-proof", "four-edges/lemma-4.9.iii-printed", false),
        ] {
            assert_eq!(matches(pattern, id), expected, "{pattern} {id}");
        }
    }
}
