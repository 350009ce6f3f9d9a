//! The claims of the papers that can be written in the language of manifests, as somebody would write them there: files beside the
//! built-in sweeps. Of most the predicate is compiled in as well, and tests hold each against it; some are their texts alone, and tests
//! hold those against programs that share no code.

use std::sync::LazyLock;

use crate::sweep::{ManifestError, Stated};

macro_rules! texts {
    ($name:literal) => {
        include_str!(concat!("../../sweeps/claims/", $name, ".toml"))
    };
}

/// One file a paper.
static PAPERS: &[&str] = &[texts!("four-edges"), texts!("truncated-support"), texts!("hypergraphs"), texts!("olives")];

/// The claims that are their texts: no predicate is compiled in.
static ALONE: &[&str] = &[texts!("four-edges-replies"), texts!("truncated-support-appendix"), texts!("hypergraphs-options")];

/// The claims of each paper that are their texts, with the definitions that they share.
///
/// # Errors
/// None: the tests read the files.
pub fn alone() -> Result<Vec<Stated>, ManifestError> {
    ALONE.iter().map(|paper| Stated::parse(paper)).collect()
}

/// The claims of each paper that are written in the language as well, under the ids of those that are compiled in, with the definitions
/// that they share.
///
/// # Errors
/// None: the tests read the files.
pub fn texts() -> Result<Vec<Stated>, ManifestError> {
    PAPERS.iter().map(|paper| Stated::parse(paper)).collect()
}

/// A claim of a paper as a manifest would state it, with the definitions that it uses; nothing if it is not written in the language.
#[must_use]
pub fn text(id: &str) -> Option<Stated> {
    static ALL: LazyLock<Vec<Stated>> = LazyLock::new(|| [alone(), texts()].into_iter().flatten().flatten().collect());
    ALL.iter().find_map(|paper| paper.only(id))
}
