//! Directed grabbing as a [`Game`]: its id and solver version, the types it is made of, and how its positions are read and
//! shown.

use serde_json::Value;

use crate::families::{Described, Entry, Game, Given, Named};
use crate::sweep::{Group, ManifestError};

use super::DirectedGrabbing;
use super::boxes::GrabbingBox;
use super::claims::{self, Scope};
use super::definition::ByDefinition;
use super::notation::Written;
use super::rules::Position;
use super::sweeper::GrabbingSolver;
use super::{parse, tightness, variables};

impl Game for DirectedGrabbing {
    const ID: &'static str = "directed-grabbing";
    const ABOUT: &'static str =
        "Directed grabbing: Alice and Bob in turn remove a sink of an acyclic digraph and collect its weight; val is her total minus his";
    const SOLVER_VERSION: u32 = 3;
    const PARAMETERS: &'static [&'static str] = &["paths", "grid", "arcs", "weights"];
    const EXPLAIN_EXAMPLES: &'static [&'static str] =
        &["--paths \"3,1,2;0,4\"", "--grid \"010;111\"", "--arcs \"a>b,b>c\" --weights \"a=1,b=0,c=2\""];

    type Box = GrabbingBox;
    type Position = Written;
    type View = Position;
    type Question = Position;
    type Value = i64;
    type Scope = Scope;
    type Solver = GrabbingSolver;
    type Reference = ByDefinition;

    fn claims() -> Vec<Entry<Self>> {
        claims::claims()
    }

    fn view(written: &Written) -> Option<Position> {
        Some(written.position.clone())
    }

    fn concerns(scope: &Scope, written: &Written) -> bool {
        written.position.grid.is_some() || matches!(scope, Scope::Digraphs(_))
    }

    fn position(view: &Position) -> Option<Written> {
        Some(Written::of(view.clone()))
    }

    fn names(of: Described<'_, Self>) -> Vec<Named<Self>> {
        variables::names(of)
    }

    fn to_json(written: &Written) -> Value {
        written.left(written.position.graph.all())
    }

    fn read(given: &Given<'_>) -> Result<Written, ManifestError> {
        parse::read(given)
    }

    fn group_in_words(group: &Group, number: u128) -> (String, u128) {
        tightness::in_words(group, number)
    }
}
