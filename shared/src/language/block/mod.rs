//! The fast evaluator: many positions at a time, column by column.
//!
//! A [`Program`] is a claim; a [`Machine`] has the buffers that it works with, and is kept from block to block. A [`Block`] is
//! up to [`super::bounds::LANES`] positions that differ in some variables, each variable a [`Column`]: what is constant along the block is
//! given once and everything that depends on nothing else is worked out once. A *lane* is one of the positions.
//!
//! What occurs more than once in a claim is worked out once at a lane: see `shared.rs`.
//!
//! Operands that a short circuit passes over are worked out for no lane, or for lanes that do not need them and with no effect. A
//! lane at which something has no value is dead from there on: it keeps the reason that it met first.

mod column;
mod evaluate;
mod lists;
mod machine;
mod mask;
mod numbers;
mod program;
mod quantify;
mod reuse;
mod shared;
mod window;

pub use column::{Block, Column};
pub use machine::Machine;
pub use program::{Judged, Program, Window};
