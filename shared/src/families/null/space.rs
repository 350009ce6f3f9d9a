//! The boxes that a sweep of the null game may have: heaps in a range, of which each is a unit.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Table;

use crate::families::legacy::{Cost, Reference, Solver, Space, encoding};
use crate::sweep::{ManifestError, Range, Shard};

use super::play::{NullReference, NullSolver};

const ENCODING_VERSION: u32 = 1;
const KEYS: [&str; 1] = ["heap"];

/// The most heaps of a box, so that they can be numbered.
const MAX_HEAPS: u128 = 1 << 63;

/// Seconds of one core, measured once on a 2-core x86-64 machine. With `run.shard_seconds` below this each heap is a shard of
/// its own.
const SECONDS_PER_HEAP: f64 = 100e-9;

/// Boxes of the null game.
#[derive(Clone, Debug)]
pub struct NullSpace {
    boxes: Vec<NullBox>,
}

/// Heaps in a range.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NullBox {
    heap: Range,
}

impl NullSpace {
    /// Reads the boxes of a manifest.
    ///
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn parse(tables: &[Table]) -> Result<Self, ManifestError> {
        Ok(Self { boxes: tables.iter().map(NullBox::parse).collect::<Result<_, _>>()? })
    }

    /// Reads what [`Space::encode`] wrote.
    ///
    /// # Errors
    /// A sentence.
    pub fn decode(text: &str) -> Result<Self, String> {
        let boxes: Vec<NullBox> = encoding::decode("null", ENCODING_VERSION, text)?;
        let checked: Result<_, ManifestError> = boxes.into_iter().map(NullBox::check).collect();
        Ok(Self { boxes: checked.map_err(|error| error.to_string())? })
    }

    /// The heaps of a shard, if it is one of this space.
    pub fn heaps(&self, shard: &Shard) -> Option<RangeInclusive<u64>> {
        let one = self.boxes.get(shard.box_index as usize).filter(|one| shard.start < shard.end && shard.end <= one.units())?;
        Some(one.heap.low() + shard.start..=one.heap.low() + (shard.end - 1))
    }

    /// Whether a box has a heap.
    pub fn has(&self, box_index: u32, heap: u64) -> bool {
        self.boxes.get(box_index as usize).is_some_and(|one| (one.heap.low()..=one.heap.high()).contains(&heap))
    }
}

impl NullBox {
    fn parse(table: &Table) -> Result<Self, ManifestError> {
        if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(ManifestError::unknown_key("space", key, &KEYS));
        }
        let missing = || ManifestError::Missing { field: "space.heap".into(), example: "heap = \"0..=99999\"".into() };
        let heap = Range::from_toml(table.get("heap").ok_or_else(missing)?);
        Self { heap: heap.map_err(|error| ManifestError::field("space.heap", error.to_string()))? }.check()
    }

    fn check(self) -> Result<Self, ManifestError> {
        let Self { heap } = self;
        if heap.len() > MAX_HEAPS {
            return Err(ManifestError::field("space.heap", format!("{heap} has more than 2^63 heaps; take a shorter range")));
        }
        Ok(self)
    }

    fn units(self) -> u64 {
        // At most MAX_HEAPS, as was checked.
        self.heap.len() as u64
    }
}

impl Space for NullSpace {
    fn boxes(&self) -> u32 {
        // A manifest has far fewer boxes than this could not hold.
        u32::try_from(self.boxes.len()).unwrap_or(u32::MAX)
    }

    fn describe(&self, box_index: u32) -> String {
        format!("heaps {}", self.boxes[box_index as usize].heap)
    }

    fn units(&self, box_index: u32) -> u64 {
        self.boxes[box_index as usize].units()
    }

    fn configurations(&self, shard: &Shard) -> u128 {
        u128::from(shard.end - shard.start)
    }

    fn cost(&self, shard: &Shard, _claims: &[usize]) -> Cost {
        Cost { seconds: (shard.end - shard.start) as f64 * SECONDS_PER_HEAP, bytes: 0 }
    }

    fn can_speak(&self, _claim: usize) -> bool {
        false
    }

    fn to_json(&self) -> Value {
        self.boxes.iter().map(|one| json!({ "heap": one.heap.to_string() })).collect()
    }

    fn encode(&self) -> String {
        encoding::encode(ENCODING_VERSION, self.boxes.clone())
    }

    fn solver(&self) -> Box<dyn Solver> {
        Box::new(NullSolver::new(self.clone()))
    }

    fn reference(&self) -> Box<dyn Reference> {
        Box::new(NullReference::new(self.clone()))
    }
}
