//! The names under which claims of a manifest find something of a position of directed grabbing.

use crate::families::{Described, Named, whole};
use crate::language::{Reading, Type, Value};

use super::DirectedGrabbing;
use super::boxes::GrabbingBox;
use super::notation::Written;
use super::rules::{Grid, Position, content_total, totals};

type Name = Named<DirectedGrabbing>;

/// The names that positions have.
pub fn names(of: Described<'_, DirectedGrabbing>) -> Vec<Name> {
    let has_grids = match of {
        Described::Family => true,
        Described::Box(one) => matches!(one, GrabbingBox::Grids(_)),
        Described::Position(written) => written.position.grid.is_some(),
    };
    let mut names = of_any();
    if has_grids {
        names.extend(of_grids());
    }
    names.extend(solved());
    if has_grids {
        let content = "what Content collects, who makes the last move: Alice on a grid of odd size, else Bob; on grids";
        names.push(Named::solved("content", Type::Integer, content, 0, |position: &Position, value: &i64, _| {
            position.grid.map_or(Reading::Absent, |grid| whole(content_total(grid, position.sum(), *value)))
        }));
    }
    names.push(Named::positions(
        "options",
        "what is left without each of the sinks, in their order; val is then of who moves next",
        |around| {
            let graph = &around.position.position.graph;
            Some(graph.sinks(graph.all()).count() as u64)
        },
        |around, index| {
            let position = &around.position.position;
            let sink = position.graph.sinks(position.graph.all()).nth(usize::try_from(index).ok()?)?;
            Some(Written::of(position.without(1 << sink)))
        },
    ));
    names
}

fn of_any() -> Vec<Name> {
    let paths = "the weights of each component that is a directed path, from its sink v_1 on, so that paths[0][0] is w(v_1) of the first";
    vec![
        Named::integer("vertices", "how many vertices there are", |position: &Position| Some(position.graph.vertices())),
        Named::integer("arcs", "how many arcs there are", |position: &Position| {
            Some(position.graph.out().iter().map(|out| out.count_ones()).sum::<u32>())
        }),
        Named::integer("total", "the sum of all weights", |position: &Position| Some(position.sum())),
        Named::integers(
            "weights",
            "all weights; on a grid in reading order, so that that of (i,j) is weights[(i-1)*columns + j-1]",
            |position: &Position| Some(position.weights.clone()),
        ),
        Named::integers("sinks", "the weights of the sinks, which Alice may remove first", |position: &Position| {
            Some(position.graph.sinks(position.graph.all()).map(|sink| position.weights[sink]).collect::<Vec<i64>>())
        }),
        Named::position("paths", Type::list(Type::list(Type::Integer)), paths, |position: &Position| {
            let weights = |path: Vec<usize>| Value::list_of(path.iter().map(|vertex| position.weights[*vertex]));
            Value::List(position.graph.path_components().into_iter().map(weights).collect()).into()
        }),
        Named::boolean("is_union_of_paths", "whether every component is a directed path", |position: &Position| {
            Some(position.as_paths().is_some())
        }),
    ]
}

/// What grids have and other digraphs do not.
fn of_grids() -> Vec<Name> {
    let number = |name: &str, meaning: &str, read: fn(Grid) -> usize| {
        Named::integer(name, meaning, move |position: &Position| position.grid.map(read))
    };
    let weight = |name: &str, rows: &str, columns: &str, parities: [usize; 2]| {
        let meaning = format!("the weight on the cells (i,j) with i {rows} and j {columns}; on grids");
        Named::integer(name, meaning, move |position: &Position| {
            let cells = position.grid?.cells(|i, j| [i % 2, j % 2] == parities);
            Some((0..).zip(&position.weights).filter(|(cell, _)| cells >> cell & 1 == 1).map(|(_, weight)| weight).sum::<i64>())
        })
    };
    vec![
        number("rows", "p, the number of rows; on grids", |grid| grid.rows),
        number("columns", "q, the number of columns; on grids", |grid| grid.columns),
        weight("even_even", "even", "even", [0, 0]),
        weight("even_odd", "even", "odd", [0, 1]),
        weight("odd_even", "odd", "even", [1, 0]),
        weight("odd_odd", "odd", "odd", [1, 1]),
    ]
}

fn solved() -> [Name; 3] {
    [
        Named::predicted("val", Type::Integer, "Alice's total less Bob's, where both play for it", 0, |_, value: &i64, _| whole(*value)),
        Named::solved("alice", Type::Integer, "what Alice collects", 0, |position: &Position, value: &i64, _| {
            whole(totals(position.sum(), *value).0)
        }),
        Named::solved("bob", Type::Integer, "what Bob collects", 0, |position: &Position, value: &i64, _| {
            whole(totals(position.sum(), *value).1)
        }),
    ]
}
