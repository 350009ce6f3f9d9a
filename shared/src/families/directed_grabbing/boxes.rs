use std::sync::Arc;

use serde_json::{Value, json};

use crate::families::Cost;
use crate::sweep::{ManifestError, Range, Shard};
use crate::text::grouped;

use super::dags::{MAX_DAG_VERTICES, WeightedDags};
use super::key::Configuration;
use super::lattice;
use super::multisets::PathUnions;
use super::rules::{Grid, MAX_VERTICES};
use super::sliced::LANES;
use super::weights::WeightRange;

/// The most vertices of a union of paths in a sweep: it has at most 2^12 sets of vertices that can be left.
const MAX_PATH_VERTICES: u64 = 12;
/// The most weightings of one grid, and configurations of a box.
const MAX_CONFIGURATIONS: u64 = 1 << 42;

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

/// The grids with p and q in ranges, in the order of p, then q.
#[derive(Clone, Debug)]
pub struct WeightedGrids {
    rows: Range,
    columns: Range,
    weights: WeightRange,
    grids: Arc<[GridUnits]>,
    units: u64,
}

/// Where a grid's units are in its box.
#[derive(Clone, Copy, Debug)]
pub struct GridUnits {
    /// The grid.
    pub grid: Grid,
    /// Units of earlier grids.
    pub before: u64,
    /// How many weightings the grid has.
    pub weightings: u64,
}

impl GridUnits {
    /// The weightings that some units of the box, all from this grid's first on, have of this grid.
    fn within(&self, units: u64) -> u64 {
        units.saturating_sub(self.before).saturating_mul(LANES as u64).min(self.weightings)
    }
}

impl WeightedGrids {
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn new(rows: Range, columns: Range, weights: WeightRange) -> Result<Self, ManifestError> {
        for (key, range) in [("rows", rows), ("columns", columns)] {
            if range.low() < 1 || range.high() > MAX_VERTICES as u64 {
                let problem = format!("{range} will not do; it is a number or a range from 1 to {MAX_VERTICES}");
                return Err(ManifestError::field(format!("space.grid.{key}"), problem));
            }
        }
        let mut grids = Vec::new();
        let (mut units, mut total) = (0u64, 0u64);
        for (p, q) in (rows.low()..=rows.high()).flat_map(|p| (columns.low()..=columns.high()).map(move |q| (p, q))) {
            let grid = Grid { rows: p as usize, columns: q as usize };
            let weightings = weightings(grid, weights).map_err(|problem| ManifestError::field("space.grid", problem))?;
            grids.push(GridUnits { grid, before: units, weightings });
            // Each grid has at most 2^42 weightings, and there are at most 64 · 64 grids.
            units += weightings.div_ceil(LANES as u64);
            total += weightings;
        }
        if total > MAX_CONFIGURATIONS {
            return Err(too_many("space.grid", "weighted grids", Some(total.into())));
        }
        Ok(Self { rows, columns, weights, grids: grids.into(), units })
    }

    /// The grid of a unit, and the number of the unit among those of the grid.
    pub fn unit(&self, unit: u64) -> (GridUnits, u64) {
        let found = self.grids[self.grids.partition_point(|grid| grid.before <= unit) - 1];
        (found, unit - found.before)
    }

    /// Whether weights are 0 and 1.
    pub fn is_olives(&self) -> bool {
        self.weights.is_olives()
    }

    /// The grids.
    pub fn grids(&self) -> impl Iterator<Item = Grid> {
        self.grids.iter().map(|units| units.grid)
    }

    fn configurations(&self, shard: &Shard) -> u64 {
        self.grids.iter().map(|grid| grid.within(shard.end) - grid.within(shard.start)).sum()
    }

    fn contains(&self, grid: Grid, weights: &[i64]) -> bool {
        self.grids().any(|known| known == grid) && weights.iter().all(|weight| self.weights.contains(*weight))
    }
}

/// How many weightings a grid has, or a sentence if they are out of reach.
fn weightings(grid: Grid, weights: WeightRange) -> Result<u64, String> {
    let (cells, base) = (grid.vertices(), u128::from(weights.len()));
    let exact = u32::try_from(cells).ok().and_then(|cells| base.checked_pow(cells));
    if let Some(count) = exact.and_then(|count| u64::try_from(count).ok()).filter(|count| *count <= MAX_CONFIGURATIONS)
        && cells <= MAX_VERTICES
    {
        return Ok(count);
    }
    if cells > MAX_VERTICES && base == 1 {
        return Err(format!("a {} x {} grid has {cells} vertices, and the limit is {MAX_VERTICES}", grid.rows, grid.columns));
    }
    let decimal = exact.map_or_else(String::new, |count| format!(" = {}", grouped(count)));
    Err(format!(
        "a {} x {} grid has {base}^{cells}{decimal} weightings by {weights}, and the limit is 2^42 = {}",
        grid.rows,
        grid.columns,
        grouped(MAX_CONFIGURATIONS.into())
    ))
}

fn too_many(field: &str, what: &str, count: Option<u128>) -> ManifestError {
    let count = count.map_or_else(|| "more than 2^127".to_owned(), grouped);
    ManifestError::field(field, format!("there are {count} {what}, and the limit is 2^42 = {}", grouped(MAX_CONFIGURATIONS.into())))
}

impl GrabbingBox {
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn paths(vertices: Range, weights: WeightRange) -> Result<Self, ManifestError> {
        if vertices.high() > MAX_PATH_VERTICES {
            let problem = format!("{vertices} will not do; a union of paths in a sweep has at most {MAX_PATH_VERTICES} vertices in all");
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
            let problem = format!("{vertices} will not do; every acyclic digraph is listed up to {MAX_DAG_VERTICES} vertices");
            return Err(ManifestError::field("space.dags.vertices", problem));
        }
        let dags = WeightedDags::new(vertices, weights, MAX_CONFIGURATIONS);
        dags.map(Self::Dags).map_err(|count| too_many("space.dags", "weighted digraphs", count))
    }

    pub fn units(&self) -> u64 {
        match self {
            Self::Paths(unions) => unions.count(),
            Self::Grids(grids) => grids.units,
            Self::Dags(dags) => dags.count(),
        }
    }

    /// How many configurations a shard has.
    pub fn configurations(&self, shard: &Shard) -> u64 {
        match self {
            Self::Paths(_) | Self::Dags(_) => shard.end - shard.start,
            Self::Grids(grids) => grids.configurations(shard),
        }
    }

    /// The configurations of a unit.
    pub fn unit(&self, unit: u64) -> impl Iterator<Item = Configuration> {
        let (first, count) = match self {
            Self::Paths(_) | Self::Dags(_) => (unit, 1),
            Self::Grids(grids) => {
                let (found, block) = grids.unit(unit);
                let first = block * LANES as u64;
                (first, (found.weightings - first).min(LANES as u64))
            }
        };
        (first..first + count).map(move |number| match self {
            Self::Paths(unions) => Configuration::Paths(unions.get(number)),
            Self::Grids(grids) => {
                let grid = grids.unit(unit).0.grid;
                Configuration::Grid(grid, grids.weights.weighting(number, grid.vertices()))
            }
            Self::Dags(dags) => {
                let (graph, weights) = dags.get(number);
                Configuration::Dag { code: super::dags::code(graph), weights }
            }
        })
    }

    /// Whether a configuration is one of these.
    pub fn contains(&self, configuration: &Configuration) -> bool {
        match (self, configuration) {
            (Self::Paths(unions), Configuration::Paths(paths)) => unions.contains(paths),
            (Self::Grids(grids), Configuration::Grid(grid, weights)) => grids.contains(*grid, weights),
            (Self::Dags(dags), Configuration::Dag { code, weights }) => dags.contains(*code, weights),
            _ => false,
        }
    }

    /// The box in a few words.
    pub fn describe(&self) -> String {
        match self {
            Self::Paths(unions) => format!("unions of paths, vertices {}, weights {}", unions.vertices, unions.weights),
            Self::Grids(grids) => format!("grids, rows {}, columns {}, weights {}", grids.rows, grids.columns, grids.weights),
            Self::Dags(dags) => format!("acyclic digraphs, vertices {}, weights {}", dags.vertices, dags.weights),
        }
    }

    /// The box as reports show it, and as a manifest has it.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Paths(unions) => json!({ "paths": { "vertices": unions.vertices, "weights": unions.weights } }),
            Self::Grids(grids) => json!({ "grid": { "rows": grids.rows, "columns": grids.columns, "weights": grids.weights } }),
            Self::Dags(dags) => json!({ "dags": { "vertices": dags.vertices, "weights": dags.weights } }),
        }
    }

    /// What a shard costs with so many claims about grids and so many others.
    pub fn cost(&self, shard: &Shard, about_grids: usize, others: usize) -> Cost {
        let configurations = self.configurations(shard) as f64;
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
}

/// C(p+q, p): the Young diagrams in a grid, and so the sets of vertices that can be left of it.
fn diagrams(grid: Grid) -> u128 {
    (1..=grid.rows as u128).fold(1, |product, index| product * (grid.columns as u128 + index) / index)
}
