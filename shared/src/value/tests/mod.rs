//! What the values promise.

mod births;
mod golden;
mod laws;
mod text;
mod weights;
