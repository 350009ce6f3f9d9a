//! The claims of the papers that can be written in the language of manifests, as somebody would write them there: files beside the
//! built-in sweeps, one a paper. Tests hold each against the predicate that is compiled in.

use crate::sweep::{ManifestError, Stated};

macro_rules! texts {
    ($name:literal) => {
        include_str!(concat!("../../sweeps/claims/", $name, ".toml"))
    };
}

/// One file a paper.
static PAPERS: &[&str] = &[texts!("four-edges"), texts!("truncated-support"), texts!("hypergraphs"), texts!("olives")];

/// The claims of each paper that are written in the language, under the ids of those that are compiled in, with the definitions
/// that they share.
///
/// # Errors
/// None: the tests read the files.
pub fn texts() -> Result<Vec<Stated>, ManifestError> {
    PAPERS.iter().map(|paper| Stated::parse(paper)).collect()
}

/// A claim that is compiled in as a manifest would state it, with the definitions that it uses; nothing if it is not written in the
/// language.
#[must_use]
pub fn text(id: &str) -> Option<Stated> {
    texts().ok()?.iter().find_map(|paper| paper.only(id))
}
