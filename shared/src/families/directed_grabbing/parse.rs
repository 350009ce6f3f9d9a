//! A position as a person types it.

use crate::families::Given;
use crate::sweep::ManifestError;
use crate::text::several;

use super::notation::{Notation, Written};
use super::rules::{Digraph, DigraphError, Grid, Position};
use super::weights::{WeightError, weight};

/// The position of `--paths`, `--grid`, or `--arcs` and `--weights`.
///
/// # Errors
/// [`ManifestError`] names the parameter and what would be right.
pub fn read(given: &Given<'_>) -> Result<Written, ManifestError> {
    match (given.get("paths"), given.get("grid"), given.get("arcs"), given.get("weights")) {
        (Some(text), None, None, None) => paths(text).map_err(|problem| ManifestError::field("--paths", problem.to_string())),
        (None, Some(text), None, None) => grid(text).map_err(|problem| ManifestError::field("--grid", problem.to_string())),
        (None, None, Some(text), Some(weights)) => arcs(text, weights),
        (None, None, Some(_), None) => {
            Err(ManifestError::Missing { field: "--weights".into(), example: "--weights \"a=1,b=0,c=2\"".into() })
        }
        (None, None, None, Some(_)) => Err(ManifestError::Missing { field: "--arcs".into(), example: "--arcs \"a>b,b>c\"".into() }),
        (None, None, None, None) => Err(ManifestError::Missing {
            field: "a position".into(),
            example: "--paths \"3,1,2;0,4\", or --grid \"010;111\", or --arcs \"a>b,b>c\" --weights \"a=1,b=0,c=2\"".into(),
        }),
        _ => Err(ManifestError::field("--paths, --grid, --arcs", "give one of them; --weights goes with --arcs alone")),
    }
}

/// What is wrong with a position as it was typed.
#[derive(Debug, thiserror::Error)]
enum Mistyped {
    #[error("path {0} is empty; write its weights from the sink on, such as 3,1,2")]
    EmptyPath(usize),
    #[error("row {0} is empty; write rows of digits, such as 010;111")]
    EmptyRow(usize),
    #[error("'{0}' is no digit; write rows of digits, such as 010;111, or commas between the weights")]
    NoDigit(char),
    #[error("row {row} has {} and row 1 has {wanted}; the rows of a grid are equally long", several(*found as u128, "column"))]
    UnequalRows { row: usize, found: usize, wanted: usize },
    #[error("'{0}' is no weight of a vertex; write for instance a=1")]
    NoWeightOfAVertex(String),
    #[error("vertex {0} has two weights; keep one of them")]
    TwoWeights(String),
    #[error(transparent)]
    Weight(#[from] WeightError),
    #[error(transparent)]
    Digraph(#[from] DigraphError),
}

/// `3,1,2;0,4`: a path each, its weights from the sink on. Nothing at all is the empty digraph.
fn paths(text: &str) -> Result<Written, Mistyped> {
    let mut paths = Vec::new();
    for (index, part) in text.split(';').enumerate().filter(|_| !text.trim().is_empty()) {
        if part.trim().is_empty() {
            return Err(Mistyped::EmptyPath(index + 1));
        }
        paths.push(part.split(',').map(weight).collect::<Result<Vec<i64>, _>>()?);
    }
    let position = Position::of_paths(&paths)?;
    Ok(Written { position, notation: Notation::Paths(paths.iter().map(Vec::len).collect()) })
}

/// `010;111`, a digit a cell, or `0,1,-2;1,1,1`: a row each, row 1 first.
fn grid(text: &str) -> Result<Written, Mistyped> {
    let by_commas = text.contains([',', '-']);
    let row = |text: &str| -> Result<Vec<i64>, Mistyped> {
        if by_commas {
            return Ok(text.split(',').map(weight).collect::<Result<_, _>>()?);
        }
        let digit = |character: char| character.to_digit(10).map(i64::from).ok_or(Mistyped::NoDigit(character));
        text.trim().chars().map(digit).collect()
    };
    let mut rows: Vec<Vec<i64>> = Vec::new();
    for (index, part) in text.split(';').enumerate() {
        if part.trim().is_empty() {
            return Err(Mistyped::EmptyRow(index + 1));
        }
        let row = row(part)?;
        if let Some(first) = rows.first().filter(|first| first.len() != row.len()) {
            return Err(Mistyped::UnequalRows { row: index + 1, found: row.len(), wanted: first.len() });
        }
        rows.push(row);
    }
    let grid = Grid { rows: rows.len(), columns: rows.first().map_or(0, Vec::len) };
    let position = Position::of_grid(grid, rows.concat())?;
    Ok(Written { position, notation: Notation::Grid(grid) })
}

/// `a>b,b>c` and `a=1,b=0,c=2`: every vertex has a weight, and what has a weight is a vertex.
fn arcs(arcs: &str, weights: &str) -> Result<Written, ManifestError> {
    let (names, weights) = weights_by_name(weights).map_err(|problem| ManifestError::field("--weights", problem.to_string()))?;
    let problem = |problem: String| ManifestError::field("--arcs", problem);
    let mut out = vec![0u64; names.len()];
    for part in arcs.split(',').filter(|_| !arcs.trim().is_empty()) {
        let form = || problem(format!("'{}' is no arc; write for instance a>b, where b must go before a", part.trim()));
        let (from, to) = part.split_once('>').ok_or_else(form)?;
        let (from, to) = (from.trim(), to.trim());
        if !is_name(from) || !is_name(to) {
            return Err(form());
        }
        let index = |name: &str| {
            let missing = || ManifestError::field("--weights", format!("vertex {name} has no weight; add for instance {name}=0"));
            names.iter().position(|known| known == name).ok_or_else(missing)
        };
        let (tail, head) = (index(from)?, index(to)?);
        if out[tail] >> head & 1 == 1 {
            return Err(problem(format!("{from}>{to} stands twice; keep one of them")));
        }
        out[tail] |= 1 << head;
    }
    let graph = Digraph::new(out).map_err(|error| {
        problem(match error {
            DigraphError::Cycle(cycle) => {
                let around: Vec<&str> = cycle.iter().chain(cycle.first()).map(|vertex| names[*vertex].as_str()).collect();
                format!("{} is a cycle, and none of its vertices could ever be removed; the digraph must be acyclic", around.join(">"))
            }
            other => other.to_string(),
        })
    })?;
    Ok(Written { position: Position { graph, weights, grid: None }, notation: Notation::Arcs(names) })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn weights_by_name(text: &str) -> Result<(Vec<String>, Vec<i64>), Mistyped> {
    let (mut names, mut weights): (Vec<String>, Vec<i64>) = (Vec::new(), Vec::new());
    for part in text.split(',').filter(|_| !text.trim().is_empty()) {
        let form = || Mistyped::NoWeightOfAVertex(part.trim().to_owned());
        let (name, value) = part.split_once('=').ok_or_else(form)?;
        let name = name.trim();
        if !is_name(name) {
            return Err(form());
        }
        if names.iter().any(|known| known == name) {
            return Err(Mistyped::TwoWeights(name.to_owned()));
        }
        weights.push(weight(value)?);
        names.push(name.to_owned());
    }
    match names.len() {
        count if count > super::rules::MAX_VERTICES => Err(DigraphError::TooMany(count).into()),
        _ => Ok((names, weights)),
    }
}
