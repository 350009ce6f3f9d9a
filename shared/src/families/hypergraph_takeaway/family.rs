//! Take-away on hypergraphs as a [`Game`]: its id and solver version, the types it is made of, and how its positions are read
//! and shown.

use std::convert::Infallible;

use serde_json::Value;

use crate::families::{Described, Entry, Game, Given, Named as Variable, lacks_under_misere, play_given};
use crate::language::Lacking;
use crate::sweep::ManifestError;
use crate::value::{Impartial, Play};

use super::HypergraphTakeaway;
use super::boxes::HypergraphBox;
use super::claims::{self, Position, Scope};
use super::definition::ByDefinition;
use super::names::Named;
use super::placed::Placed;
use super::sweeper::HypergraphSolver;
use super::variables;

impl Game for HypergraphTakeaway {
    const ID: &'static str = "hypergraph-takeaway";
    const ABOUT: &'static str = "Take-away on a hypergraph: a move removes a vertex with every hyperedge that contains it, or one hyperedge alone; who takes the last vertex wins, and under misère play loses";
    const SOLVER_VERSION: u32 = 1;
    const ENCODING_VERSION: u32 = 2;
    const PARAMETERS: &'static [&'static str] = &["edges", "play"];
    const EXPLAIN_EXAMPLES: &'static [&'static str] = &["--edges \"abcd,Sab,Sbc\"", "--edges \"abcd,Sab,Sbc\" --play misere"];

    type Box = HypergraphBox;
    type Position = Placed;
    type View = Position;
    type Question = Infallible;
    type Value = Impartial;
    type Scope = Scope;
    type Solver = HypergraphSolver;
    type Reference = ByDefinition;

    fn claims() -> Vec<Entry<Self>> {
        claims::claims()
    }

    fn view(position: &Placed) -> Option<Position> {
        Some(Position { play: position.play, ..Position::of(&position.named.hypergraph) })
    }

    fn concerns(_scope: &Scope, position: &Placed) -> bool {
        position.play == Play::Normal
    }

    fn position(view: &Position) -> Option<Placed> {
        let named = view.hypergraph.clone().map(Named::lettered)?;
        Some(Placed { named, play: view.play })
    }

    fn names(of: Described<'_, Self>) -> Vec<Variable<Self>> {
        variables::names(of)
    }

    fn lacks(of: Described<'_, Self>) -> Vec<Lacking> {
        if variables::play(&of) == Some(Play::Misere) { lacks_under_misere() } else { Vec::new() }
    }

    fn to_json(position: &Placed) -> Value {
        position.to_json()
    }

    fn read(given: &Given<'_>) -> Result<Placed, ManifestError> {
        let text = given.require("edges", Self::EXPLAIN_EXAMPLES[0])?;
        let named = Named::parse(text).map_err(|error| ManifestError::field("--edges", error.to_string()))?;
        Ok(Placed { named, play: play_given(given)? })
    }
}
