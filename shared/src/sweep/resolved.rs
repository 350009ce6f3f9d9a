//! Looks up the family, the claims and the space of a manifest, and makes a sweep and its id of them.

use twox_hash::XxHash3_128;

use crate::claim::Claim;
use crate::families::{self, Family, Space};
use crate::text::{known, quoted};

use super::{Manifest, ManifestError, RunOptions, StatedClaim};

/// A manifest whose family, claims and space have been looked up: ready to be cut and solved.
pub struct Sweep {
    /// The manifest, with every claim written out by its id.
    pub manifest: Manifest,
    /// The family.
    pub family: &'static dyn Family,
    /// The boxes.
    pub space: Box<dyn Space>,
    /// The claims of [`Space::claims`], in the order in which everything counts them.
    pub claims: Vec<Claim>,
}

impl Sweep {
    /// Looks up what a manifest names. Where it names no claims and none can speak about its space there are none: positions
    /// are solved and counted all the same.
    ///
    /// Cost: O(boxes · claims).
    ///
    /// # Errors
    /// [`ManifestError`] names the family, claim or key that is unknown, or what is wrong with the space.
    pub fn resolve(manifest: Manifest) -> Result<Self, ManifestError> {
        let family = families::find(&manifest.family)
            .ok_or_else(|| ManifestError::field("family", unknown("family", &manifest.family, families::ids())))?;
        Self::of(family, manifest)
    }

    /// The same for a family that is known. The manifest's own word for it is not looked at.
    ///
    /// # Errors
    /// As for [`Sweep::resolve`].
    pub fn of(family: &'static dyn Family, mut manifest: Manifest) -> Result<Self, ManifestError> {
        let space = family.space(&manifest.space, manifest.claims.as_deref(), &manifest.stated)?;
        let claims = space.claims();
        // An empty list is what nobody may write, so a sweep without claims leaves it out.
        let is_built_in = |claim: &&Claim| claim.stated.is_none();
        let ids: Vec<String> = claims.iter().filter(is_built_in).map(|claim| claim.id.clone().into_owned()).collect();
        manifest.claims = Some(ids).filter(|ids| !ids.is_empty());
        Ok(Self { manifest, family, space, claims })
    }

    /// The ids of the claims, in the order of [`Sweep::claims`].
    #[must_use]
    pub fn claim_ids(&self) -> Vec<&str> {
        self.claims.iter().map(|claim| &*claim.id).collect()
    }

    /// The claims that the manifest states, with all definitions put in: the first of [`Sweep::claims`].
    #[must_use]
    pub fn stated(&self) -> Vec<&StatedClaim> {
        self.claims.iter().filter_map(|claim| claim.stated.as_deref()).collect()
    }

    /// The least version of the language that reads the claims that the manifest states; none if it states none.
    #[must_use]
    pub fn language(&self) -> Option<u32> {
        self.space.language()
    }

    /// How many lists of configurations a result has: one for each claim, and one more for each that the manifest states. See
    /// [`super::ShardResult::counterexamples`].
    #[must_use]
    pub fn lists(&self) -> usize {
        self.claims.len() + self.stated().len()
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
        let mut identity = serde_json::json!({
            "family": self.family.id(),
            "space": self.space.to_json(),
            "claims": self.claim_ids(),
            "record": self.options().record,
            "counterexamples": self.options().counterexamples,
            "solver_version": self.family.solver_version(),
        });
        let stated = self.stated();
        if !stated.is_empty() {
            identity["stated"] = serde_json::json!({ "language": self.language(), "claims": stated });
        }
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
    format!("unknown {what} '{}'; {}", quoted(word), known(word, candidates))
}
