//! The boxes that a sweep of directed grabbing may have: unions of paths, grids, or all small acyclic digraphs.

use std::ops::Range as Units;

use serde_json::{Value, json};
use toml::Table;

use crate::families::{Configuration, Cost, Entry, Fields, GameBox, Room};
use crate::sweep::{Group, ManifestError, Range};
use crate::text::quoted;

use super::DirectedGrabbing;
use super::claims::Scope;
use super::dags::{MAX_DAG_VERTICES, WeightedDags};
use super::grids::WeightedGrids;
use super::key::{self, WeightedDigraph};
use super::lattice;
use super::multisets::PathUnions;
use super::notation::Written;
use super::rules::{Digraph, Grid};
use super::sliced::LANES;
use super::tightness;
use super::weights::{MAX_CONFIGURATIONS, WeightRange, too_many};

/// The most vertices of a union of paths in a sweep: it has at most 2^12 sets of vertices that can be left.
const MAX_PATH_VERTICES: u64 = 12;

/// Seconds of one core, measured once on a 2-core x86-64 machine: they only set the size of shards.
const SECONDS_PER_CONFIGURATION: f64 = 1e-6;
const SECONDS_PER_CHECK: f64 = 1e-6;
const SECONDS_PER_WEIGHTING: f64 = 30e-9;
const SECONDS_PER_DIAGRAM: f64 = 0.25e-9;

/// One box of a sweep.
#[derive(Clone, Debug)]
pub enum GrabbingBox {
    /// Unions of weighted paths, up to reordering. A unit is one of them.
    Paths(PathUnions),
    /// Every weighting of some grids. A unit is [`LANES`] consecutive weightings of one grid; the last may have fewer.
    Grids(WeightedGrids),
    /// Weighted acyclic digraphs. A unit is one of them.
    Dags(WeightedDags),
}

impl GrabbingBox {
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn paths(vertices: Range, weights: WeightRange) -> Result<Self, ManifestError> {
        if vertices.high() > MAX_PATH_VERTICES {
            let problem = format!("{vertices} is not allowed; a union of paths in a sweep has at most {MAX_PATH_VERTICES} vertices in all");
            return Err(ManifestError::field("space.paths.vertices", problem));
        }
        let unions = PathUnions::new(vertices, weights, MAX_CONFIGURATIONS);
        unions.map(Self::Paths).map_err(|count| too_many("space.paths", "unions of weighted paths", count))
    }

    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn grids(rows: Range, columns: Range, weights: WeightRange) -> Result<Self, ManifestError> {
        WeightedGrids::new(rows, columns, weights).map(Self::Grids)
    }

    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn dags(vertices: Range, weights: WeightRange) -> Result<Self, ManifestError> {
        if vertices.high() > MAX_DAG_VERTICES as u64 {
            let problem = format!("{vertices} is not allowed; every acyclic digraph is listed up to {MAX_DAG_VERTICES} vertices");
            return Err(ManifestError::field("space.dags.vertices", problem));
        }
        let dags = WeightedDags::new(vertices, weights, MAX_CONFIGURATIONS);
        dags.map(Self::Dags).map_err(|count| too_many("space.dags", "weighted digraphs", count))
    }

    /// The configurations of a unit.
    pub fn unit(&self, unit: u64) -> impl Iterator<Item = WeightedDigraph> {
        let (first, count) = match self {
            Self::Paths(_) | Self::Dags(_) => (unit, 1),
            Self::Grids(grids) => {
                let (found, block) = grids.unit(unit);
                let first = block * LANES as u64;
                (first, (found.weightings - first).min(LANES as u64))
            }
        };
        (first..first + count).map(move |number| match self {
            Self::Paths(unions) => WeightedDigraph::Paths(unions.get(number)),
            Self::Grids(grids) => {
                let grid = grids.unit(unit).0.grid;
                WeightedDigraph::Grid(grid, grids.weights.weighting(number, grid.vertices()))
            }
            Self::Dags(dags) => {
                let (graph, weights) = dags.get(number);
                WeightedDigraph::Dag { code: super::dags::code(graph), weights }
            }
        })
    }

    /// Whether a configuration is one of these.
    fn contains(&self, configuration: &WeightedDigraph) -> bool {
        match (self, configuration) {
            (Self::Paths(unions), WeightedDigraph::Paths(paths)) => unions.contains(paths),
            (Self::Grids(grids), WeightedDigraph::Grid(grid, weights)) => grids.contains(*grid, weights),
            (Self::Dags(dags), WeightedDigraph::Dag { code, weights }) => dags.contains(*code, weights),
            _ => false,
        }
    }
}

/// The table of one kind of box, such as `paths = { vertices = "1..=8", weights = "0..=3" }`.
struct Inner<'a> {
    fields: Fields<'a>,
    /// Each key with an example.
    examples: &'a [(&'a str, &'a str)],
}

impl<'a> Inner<'a> {
    fn new(kind: &str, name: &'a str, value: &'a toml::Value) -> Result<Self, ManifestError> {
        let examples: &[(&str, &str)] = match kind {
            "grid" => &[("rows", "1..=4"), ("columns", "1..=5"), ("weights", "0..=1")],
            "paths" => &[("vertices", "1..=8"), ("weights", "0..=3")],
            _ => &[("vertices", "1..=5"), ("weights", "0..=2")],
        };
        let all = || examples.iter().map(|(key, range)| format!("{key} = \"{range}\"")).collect::<Vec<_>>().join(", ");
        let table = value.as_table();
        let table = table
            .ok_or_else(|| ManifestError::field(name, format!("{} is not a table such as {{ {} }}", quoted(&value.to_string()), all())))?;
        let keys: Vec<&str> = examples.iter().map(|(key, _)| *key).collect();
        Ok(Self { fields: Fields::new(name, table, &keys)?, examples })
    }

    fn example(&self, key: &str) -> String {
        let range = self.examples.iter().find(|(known, _)| *known == key).map_or("", |(_, range)| range);
        format!("{key} = \"{range}\"")
    }

    fn range(&self, key: &str) -> Result<Range, ManifestError> {
        self.fields.range(key, &self.example(key))
    }

    fn weights(&self) -> Result<WeightRange, ManifestError> {
        let key = "weights";
        self.fields.wrong(key, WeightRange::from_toml(self.fields.require(key, &self.example(key))?))
    }
}

impl GameBox<DirectedGrabbing> for GrabbingBox {
    const KEYS: &'static [&'static str] = &["paths", "grid", "dags"];

    fn parse(table: &Table, _room: &mut Room) -> Result<Vec<Self>, ManifestError> {
        let mut kinds = table.iter();
        let (kind, value) = match (kinds.next(), kinds.next()) {
            (Some(one), None) => one,
            (None, _) => {
                let example = "paths = { vertices = \"1..=8\", weights = \"0..=3\" }, or grid, or dags";
                return Err(ManifestError::Missing { field: "space".into(), example: example.into() });
            }
            _ => return Err(ManifestError::field("space", "a box has one of paths, grid and dags; put them in several boxes")),
        };
        let name = format!("space.{kind}");
        let inner = Inner::new(kind, &name, value)?;
        let one = match kind.as_str() {
            "grid" => Self::grids(inner.range("rows")?, inner.range("columns")?, inner.weights()?),
            "paths" => Self::paths(inner.range("vertices")?, inner.weights()?),
            _ => Self::dags(inner.range("vertices")?, inner.weights()?),
        };
        Ok(vec![one?])
    }

    fn describe(&self) -> String {
        match self {
            Self::Paths(unions) => format!("unions of paths, vertices {}, weights {}", unions.vertices, unions.weights),
            Self::Grids(grids) => format!("grids, rows {}, columns {}, weights {}", grids.rows, grids.columns, grids.weights),
            Self::Dags(dags) => format!("acyclic digraphs, vertices {}, weights {}", dags.vertices, dags.weights),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Paths(unions) => json!({ "paths": { "vertices": unions.vertices, "weights": unions.weights } }),
            Self::Grids(grids) => json!({ "grid": { "rows": grids.rows, "columns": grids.columns, "weights": grids.weights } }),
            Self::Dags(dags) => json!({ "dags": { "vertices": dags.vertices, "weights": dags.weights } }),
        }
    }

    fn units(&self) -> u64 {
        match self {
            Self::Paths(unions) => unions.count(),
            Self::Grids(grids) => grids.units,
            Self::Dags(dags) => dags.count(),
        }
    }

    fn configurations(&self, units: Units<u64>) -> u128 {
        match self {
            Self::Paths(_) | Self::Dags(_) => (units.end - units.start).into(),
            Self::Grids(grids) => grids.configurations(units).into(),
        }
    }

    fn cost(&self, units: Units<u64>, claims: &[Entry<DirectedGrabbing>]) -> Cost {
        let about_grids = claims.iter().filter(|entry| matches!(entry.scope, Some(Scope::Grids(_)))).count();
        let others = claims.len() - about_grids;
        let configurations = self.configurations(units) as f64;
        let plain = SECONDS_PER_CONFIGURATION + others as f64 * SECONDS_PER_CHECK;
        match self {
            Self::Paths(unions) => {
                let vertices = u128::from(unions.vertices.high());
                Cost { seconds: configurations * plain, bytes: lattice::bytes(unions.most_sets(), vertices) }
            }
            Self::Dags(dags) => {
                let vertices = u128::from(dags.vertices.high());
                Cost { seconds: configurations * plain, bytes: lattice::bytes(1 << vertices, vertices) }
            }
            Self::Grids(grids) => {
                let most = grids.grids().map(diagrams).max().unwrap_or(1);
                let vertices = grids.grids().map(Grid::vertices).max().unwrap_or(1) as u128;
                let diagrams = most as f64 * SECONDS_PER_DIAGRAM;
                let weighting = if grids.is_olives() {
                    // Claims about any digraph are mostly Lemma 1, which raises each weight twice.
                    let raised = if others == 0 { 0.0 } else { 2.0 * vertices as f64 };
                    SECONDS_PER_WEIGHTING + (1.0 + raised) * diagrams
                } else {
                    plain + about_grids as f64 * SECONDS_PER_CHECK + 8.0 * diagrams
                };
                // A set of vertices has its value in planes besides: 8 planes of 32 bytes.
                Cost { seconds: configurations * weighting, bytes: lattice::bytes(most, vertices) + 256 * most }
            }
        }
    }

    fn can_speak(&self, scope: &Scope) -> bool {
        match (self, scope) {
            (Self::Grids(grids), Scope::Grids(demand)) => grids.grids().any(|grid| demand(grid).is_some()),
            (Self::Grids(grids), Scope::Digraphs(applies)) => {
                grids.grids().any(|grid| Digraph::grid(grid).is_ok_and(|graph| applies(&graph)))
            }
            (Self::Paths(_) | Self::Dags(_), Scope::Digraphs(_)) => true,
            (Self::Paths(_) | Self::Dags(_), Scope::Grids(_)) => false,
        }
    }

    fn may_count(&self, group: &Group, number: u128, _claims: &[Entry<DirectedGrabbing>]) -> bool {
        matches!(self, Self::Grids(grids) if grids.is_olives() && tightness::may_count(grids.grids(), group, number))
    }

    fn configuration(&self, number: u128) -> Option<Written> {
        let number = u64::try_from(number).ok().filter(|number| u128::from(*number) < self.configurations(0..self.units()))?;
        let found = match self {
            Self::Paths(_) | Self::Dags(_) => self.unit(number).next()?,
            Self::Grids(grids) => {
                let (grid, weighting) = grids.weighting(number)?;
                WeightedDigraph::Grid(grid, grids.weights.weighting(weighting, grid.vertices()))
            }
        };
        found.written().ok()
    }

    fn position(&self, key: &[u8]) -> Option<Written> {
        let found = key::read(key).filter(|found| self.contains(found))?;
        // The sum and the counts at the head of a key order it, so they must be those of what follows.
        let mut own = Vec::with_capacity(key.len());
        found.key(&mut own);
        if own == key { found.written().ok() } else { None }
    }
}

/// C(p+q, p): the Young diagrams in a grid, and so the sets of vertices that can be left of it.
fn diagrams(grid: Grid) -> u128 {
    (1..=grid.rows as u128).fold(1, |product, index| product * (grid.columns as u128 + index) / index)
}
