//! A complete family in as few lines as one takes, an example and a test: Nim on one heap, with one claim.

use super::*;
use crate::claim::{Kind, Paper, Prediction};
use crate::language::Type;
use crate::sweep::{ManifestError, Range};
use crate::value::Nimber;
use serde_json::{Value as Json, json};
use std::convert::Infallible;
use std::ops::Range as Units;
use toml::Table;

pub struct OneHeap;
#[derive(Clone)]
pub struct Heap(pub u64);

impl Game for OneHeap {
    const ID: &'static str = "one-heap";
    const ABOUT: &'static str = "Nim on one heap: a move removes one thing or more; who cannot move loses";
    const SOLVER_VERSION: u32 = 1;
    const PARAMETERS: &'static [&'static str] = &["heap"];
    const EXPLAIN_EXAMPLES: &'static [&'static str] = &["--heap 3"];
    type Box = Heaps;
    type Position = Heap;
    type View = u64;
    type Question = Infallible;
    type Value = Nimber;
    type Scope = ();
    type Solver = BySize;
    type Reference = ByMex;

    fn claims() -> Vec<Entry<Self>> {
        let size = Printed {
            id: "nim/size",
            kind: Kind::Theorem,
            item: "Theorem I",
            section: "2",
            hypothesis: "one heap",
            statement: "the value of a heap is its size",
            scope: (),
            predict: |heap| Prediction::Value(Nimber(*heap as u32)),
        };
        Printed::of(&Paper::new("nim", "Nim, a game with a complete mathematical theory", "Bouton 1901"), &[size])
    }
    fn view(position: &Heap) -> Option<u64> {
        Some(position.0)
    }
    fn names(_of: Described<'_, Self>) -> Vec<Named<Self>> {
        vec![
            Named::integer("heap", "the size of the heap", |heap| Some(*heap)),
            Named::predicted("grundy", Type::Integer, "the Grundy value", Nimber(0), |_, value: &Nimber, _| whole(value.0)),
        ]
    }
    fn to_json(position: &Heap) -> Json {
        json!({ "heap": position.0 })
    }
    fn read(given: &Given<'_>) -> Result<Heap, ManifestError> {
        let text = given.require("heap", "--heap 3")?;
        text.parse().map(Heap).map_err(|_| ManifestError::field("--heap", format!("'{text}' is no heap")))
    }
}

/// The heaps of a range. A unit is one of them.
pub struct Heaps(Range);

impl GameBox<OneHeap> for Heaps {
    const KEYS: &'static [&'static str] = &["heap"];

    fn parse(table: &Table, _room: &mut Room) -> Result<Vec<Self>, ManifestError> {
        Ok(vec![Self(Fields::of_box(table).range("heap", "heap = \"0..=9\"")?)])
    }
    fn describe(&self) -> String {
        format!("heaps {}", self.0)
    }
    fn to_json(&self) -> Json {
        json!({ "heap": self.0 })
    }
    fn units(&self) -> u64 {
        self.0.high() - self.0.low() + 1
    }
    fn cost(&self, units: Units<u64>, _claims: &[Entry<OneHeap>]) -> Cost {
        Cost { seconds: (units.end - units.start) as f64 * 1e-7, bytes: 8 }
    }
    fn position(&self, key: &[u8]) -> Option<Heap> {
        let heap = u64::from_be_bytes(key.try_into().ok()?);
        (self.0.low()..=self.0.high()).contains(&heap).then_some(Heap(heap))
    }
}

impl Configuration for Heap {
    fn key(&self, key: &mut Vec<u8>) {
        key.extend_from_slice(&self.0.to_be_bytes());
    }
}

/// The fast way: a heap of n is worth *n.
pub struct BySize;

impl GameSolver<OneHeap> for BySize {
    fn new(_one: &Heaps) -> Self {
        Self
    }
    fn solve(&mut self, one: &Heaps, units: Units<u64>, judge: &mut Judge<'_, OneHeap>, pulse: &mut dyn Pulse) -> Result<(), SolveError> {
        for heap in units.map(|unit| Heap(one.0.low() + unit)) {
            judge.solved(&heap, &heap.0, Nimber(heap.0 as u32), heap.0 == 0);
            judge.beat(pulse)?;
        }
        Ok(())
    }
}

/// The slow way: the least number that no smaller heap has.
#[derive(Default)]
pub struct ByMex;

impl GameReference<OneHeap> for ByMex {
    fn value(&mut self, position: &Heap) -> Result<Nimber, TooLarge> {
        let mut values = Vec::new();
        (0..=position.0).for_each(|_| values.extend((0..).find(|number| !values.contains(number))));
        Ok(Nimber(values[position.0 as usize]))
    }
    fn answer(&mut self, question: &Infallible) -> Result<Nimber, TooLarge> {
        match *question {}
    }
    fn explain(&mut self, position: &Heap) -> Result<Explained, ManifestError> {
        Ok(Explained { moves: position.0.into(), ..Explained::default() })
    }
}
