//! What the claims about hypergraphs speak about.

/// What a claim speaks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Members of the family of section 1.
    Members,
    /// Hypergraphs at large.
    Any,
}
