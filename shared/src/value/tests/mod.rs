//! What the values promise.

mod births;
mod laws;
mod text;
mod weights;
