//! What a store of games keeps of how each is written.

use std::sync::Arc;

/// A game in words, without outer braces where it has bars.
#[derive(Clone, Debug)]
pub struct Text {
    /// The words.
    pub(super) text: Arc<str>,
    /// The bars between its own options; 0 where it stands without braces.
    pub(super) bars: usize,
}
