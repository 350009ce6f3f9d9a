//! The boxes that a sweep of the null game may have: heaps in a range, of which each is a unit.

use std::ops::Range as Units;

use serde_json::{Value, json};
use toml::Table;

use crate::families::{Configuration, Cost, Entry, Fields, GameBox, Room};
use crate::sweep::{ManifestError, Range};

use super::Null;

/// The most heaps of a box, so that they can be numbered.
const MAX_HEAPS: u128 = 1 << 63;

/// Seconds of one core, measured once on a 2-core x86-64 machine. With `run.shard_seconds` below this each heap is a shard of
/// its own.
const SECONDS_PER_HEAP: f64 = 100e-9;

/// A heap of so many things.
#[derive(Clone, Copy, Debug)]
pub struct Heap(pub u64);

impl Configuration for Heap {
    /// The heap, big-endian.
    fn key(&self, key: &mut Vec<u8>) {
        key.extend_from_slice(&self.0.to_be_bytes());
    }
}

/// Heaps in a range.
pub struct NullBox {
    heap: Range,
}

impl NullBox {
    /// The heap of a unit, which is below the number of units.
    pub fn heap(&self, unit: u64) -> Heap {
        Heap(self.heap.low() + unit)
    }
}

impl GameBox<Null> for NullBox {
    const KEYS: &'static [&'static str] = &["heap"];

    fn parse(table: &Table, _room: &mut Room) -> Result<Vec<Self>, ManifestError> {
        let fields = Fields::of_box(table);
        let heap = fields.range("heap", "heap = \"0..=99999\"")?;
        if heap.len() > MAX_HEAPS {
            return Err(fields.problem("heap", format!("{heap} has more than 2^63 heaps; take a shorter range")));
        }
        Ok(vec![Self { heap }])
    }

    fn describe(&self) -> String {
        format!("heaps {}", self.heap)
    }

    fn to_json(&self) -> Value {
        json!({ "heap": self.heap.to_string() })
    }

    fn units(&self) -> u64 {
        // At most MAX_HEAPS, as was checked.
        self.heap.len() as u64
    }

    fn cost(&self, units: Units<u64>, _claims: &[Entry<Null>]) -> Cost {
        Cost { seconds: (units.end - units.start) as f64 * SECONDS_PER_HEAP, bytes: 0 }
    }

    fn position(&self, key: &[u8]) -> Option<Heap> {
        let heap = u64::from_be_bytes(key.try_into().ok()?);
        (self.heap.low()..=self.heap.high()).contains(&heap).then_some(Heap(heap))
    }
}
