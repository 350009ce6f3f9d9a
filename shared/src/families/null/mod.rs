//! The null game, for tests and benches: heaps from which nothing can be removed. A shard of it costs next to nothing, so what
//! a sweep of it takes is what everything around the solving takes.

mod boxes;
mod family;
mod play;

#[cfg(test)]
pub(super) mod tests;

/// The family `null`. It makes no claim.
pub struct Null;
