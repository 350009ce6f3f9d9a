//! Graph Nim as a [`Game`]: its id and solver version, the types it is made of, and how its positions are read, shown and
//! drawn.

use std::convert::Infallible;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::families::{Described, Entry, Figure, Game, GameBox, Given, Named};
use crate::language::{Lacking, Reason};
use crate::sweep::{KeptRecord, ManifestError};
use crate::value::{Impartial, Play};

use super::GraphNim;
use super::boxes::BoxKind;
use super::claims::{self, Domain, Scope, Subject, View};
use super::definition::ByRules;
use super::position::{Position, columns, to_json};
use super::sweeper::GraphNimSolver;
use super::wanted::Wanted;
use super::{figure, neighbours, parse, variables};

impl Game for GraphNim {
    const ID: &'static str = "graph-nim";
    const ABOUT: &'static str = "Graph Nim: a move picks a vertex and removes a total of at least 1 from the weights of the edges at it; who cannot move loses, and under misère play wins";
    const SOLVER_VERSION: u32 = 3;
    const ENCODING_VERSION: u32 = 2;
    const PARAMETERS: &'static [&'static str] = &["graph", "edges", "weights", "quantities", "play"];
    const EXPLAIN_EXAMPLES: &'static [&'static str] = &[
        "--graph H1 --weights 5,1,6,11",
        "--edges AB,BC,CD --weights 5,1,6",
        "--graph H1 --weights 5,1,6,11 --quantities grundy",
        "--graph H1 --weights 5,1,6,11 --play misere",
    ];
    const DRAWS_LOSING: bool = true;

    type Box = BoxKind;
    type Position = Position;
    type View = View;
    type Question = Infallible;
    type Value = Impartial;
    type Scope = Scope;
    type Solver = GraphNimSolver;
    type Reference = ByRules;

    fn claims() -> Vec<Entry<Self>> {
        claims::claims()
    }

    fn view(position: &Position) -> Option<View> {
        Some(match position {
            Position::Weights(subject, weights, _) => subject.view(weights),
            Position::EdgeSet(graph) => View::of_graph(graph.clone()),
        })
    }

    fn concerns(scope: &Scope, position: &Position) -> bool {
        match position {
            Position::Weights(subject, _, wanted) => wanted.play() == Play::Normal && subject.is_in(scope.domain),
            Position::EdgeSet(_) => scope.domain == Domain::Graphs,
        }
    }

    const WHOLE: Option<&'static str> = Some("graph");

    /// The box: its graph and the range of each weight.
    fn whole_to_json(one: &BoxKind, _position: &Position) -> Value {
        one.to_json()
    }

    fn names(of: Described<'_, Self>) -> Vec<Named<Self>> {
        variables::names(of)
    }

    fn lacks(of: Described<'_, Self>) -> Vec<Lacking> {
        variables::lacks(of)
    }

    fn position(view: &View) -> Option<Position> {
        // A graph without weights is no position.
        (!view.weights.is_empty()).then(|| Position::Weights(Arc::clone(&view.subject), view.weights.clone(), Wanted::default()))
    }

    fn at(of: &Position, changes: &[(&str, i64)]) -> Result<Position, Reason> {
        neighbours::at(of, changes)
    }

    fn to_json(position: &Position) -> Value {
        match position {
            Position::Weights(subject, weights, wanted) => to_json(&subject.graph, weights, wanted.play()),
            Position::EdgeSet(graph) => json!({ "edges": graph.edge_names() }),
        }
    }

    fn columns(parameters: &Value) -> Vec<(String, Value)> {
        columns(parameters)
    }

    fn read(given: &Given<'_>) -> Result<Position, ManifestError> {
        let (graph, weights) = parse::position(given)?;
        Ok(Position::Weights(Arc::new(Subject::new(graph)), weights, Wanted::given(given)?))
    }

    fn figures(boxes: &[BoxKind], records: &mut dyn Iterator<Item = KeptRecord>) -> Vec<Figure> {
        figure::of_records(boxes, records)
    }
}
