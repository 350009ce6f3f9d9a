//! The null game as a [`Game`] without claims: its id and solver version, and the types it is made of.

use std::convert::Infallible;

use serde_json::{Value, json};

use crate::families::{Entry, Game, Given};
use crate::sweep::ManifestError;
use crate::value::Nimber;

use super::Null;
use super::boxes::{Heap, NullBox};
use super::play::{ByDefinition, NullSolver};

impl Game for Null {
    const ID: &'static str = "null";
    const ABOUT: &'static str =
        "The null game, for tests and benches: heaps from which nothing can be removed, so that the player to move loses";
    const SOLVER_VERSION: u32 = 1;
    const PARAMETERS: &'static [&'static str] = &["heap"];
    const EXPLAIN_EXAMPLES: &'static [&'static str] = &["--heap 3"];

    type Box = NullBox;
    type Position = Heap;
    type View = Infallible;
    type Question = Infallible;
    type Value = Nimber;
    type Scope = Infallible;
    type Solver = NullSolver;
    type Reference = ByDefinition;

    fn claims() -> Vec<Entry<Self>> {
        Vec::new()
    }

    fn view(_position: &Heap) -> Option<Infallible> {
        None
    }

    fn to_json(position: &Heap) -> Value {
        json!({ "heap": position.0 })
    }

    fn read(given: &Given<'_>) -> Result<Heap, ManifestError> {
        let text = given.require("heap", Self::EXPLAIN_EXAMPLES[0])?;
        let problem = |_| ManifestError::field("--heap", format!("'{text}' is no heap; it is a whole number from 0 on"));
        text.parse().map(Heap).map_err(problem)
    }
}
