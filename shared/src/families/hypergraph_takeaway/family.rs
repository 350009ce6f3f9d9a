//! Take-away on hypergraphs as a [`Game`]: its id and solver version, the types it is made of, and how its positions are read
//! and shown.

use std::convert::Infallible;

use serde_json::Value;

use crate::families::{Described, Entry, Game, Given, Named as Variable};
use crate::sweep::ManifestError;
use crate::value::Nimber;

use super::HypergraphTakeaway;
use super::boxes::HypergraphBox;
use super::claims::{self, Position, Scope};
use super::definition::ByDefinition;
use super::names::Named;
use super::sweeper::HypergraphSolver;
use super::variables;

impl Game for HypergraphTakeaway {
    const ID: &'static str = "hypergraph-takeaway";
    const ABOUT: &'static str = "Take-away on a hypergraph: a move removes a vertex with every hyperedge that contains it, or one hyperedge alone; who takes the last vertex wins";
    const SOLVER_VERSION: u32 = 2;
    const PARAMETERS: &'static [&'static str] = &["edges"];
    const EXPLAIN_EXAMPLES: &'static [&'static str] = &["--edges \"abcd,Sab,Sbc\""];

    type Box = HypergraphBox;
    type Position = Named;
    type View = Position;
    type Question = Infallible;
    type Value = Nimber;
    type Scope = Scope;
    type Solver = HypergraphSolver;
    type Reference = ByDefinition;

    fn claims() -> Vec<Entry<Self>> {
        claims::claims()
    }

    fn view(position: &Named) -> Option<Position> {
        Some(Position::of(&position.hypergraph))
    }

    fn names(of: Described<'_, Self>) -> Vec<Variable<Self>> {
        variables::names(of)
    }

    fn to_json(position: &Named) -> Value {
        position.to_json()
    }

    fn read(given: &Given<'_>) -> Result<Named, ManifestError> {
        let text = given.require("edges", Self::EXPLAIN_EXAMPLES[0])?;
        Named::parse(text).map_err(|error| ManifestError::field("--edges", error.to_string()))
    }
}
