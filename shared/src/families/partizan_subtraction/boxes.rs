//! The boxes that a sweep of partizan subtraction may have: full and truncated support by a, b and tau, or any pair of sets.

use std::ops::{Range as Units, RangeInclusive};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Table;

use crate::families::{Cost, DecodeError, Entry, Fields, GameBox, Room};
use crate::sweep::{Group, ManifestError, Range};
use crate::text::{known, quoted};

use super::PartizanSubtraction;
use super::claims::{Position, Scope};
use super::counts;
use super::key::{self, Heap};
use super::needs::{asks_for_games, solves};
use super::others::limit;
use super::quantity::{Quantities, Quantity};
use super::rules::{MAX_ELEMENT, MAX_HEAP, Ruleset, SubtractionSet, Support};
use super::solver::OutcomeSequence;
use super::supports::{Levels, Supports};
use super::tables::{self, MOST_RULESETS};

/// The most configurations of a box.
const MAX_UNITS: u128 = 1 << 62;

/// Seconds of one core, measured once on a 2-core x86-64 machine: they only set the size of shards.
const SECONDS_PER_HEAP: f64 = 3e-9;
const SECONDS_PER_CONFIGURATION: f64 = 25e-9;
const SECONDS_PER_CHECK: f64 = 3e-9;
const SECONDS_PER_RULESET: f64 = 5e-6;
const SECONDS_PER_FORM: f64 = 3e-6;
const SECONDS_PER_COMPARISON: f64 = 5e-9;
const SECONDS_PER_WEIGHT: f64 = 200e-9;
const SECONDS_PER_OPTION: f64 = 3e-9;
const SECONDS_PER_POSITION: f64 = 100e-9;

/// The most rulesets of a box whose heaps go as far as the claims of each want.
const MAX_RULESETS_BY_THEMSELVES: u64 = 1 << 22;
/// The steps in which it is found how far the heaps of one go.
const STEPS_PER_RULESET: u128 = 250;

/// One box of a sweep: some rulesets, and for each of them the heaps of a range. A unit is one heap of one ruleset.
#[derive(Clone, Debug)]
pub struct SubtractionBox {
    rulesets: Rulesets,
    heaps: Heaps,
    /// What is kept of each heap, in the order in which it was named; none but the outcome if empty.
    quantities: Vec<Quantity>,
    units: u64,
}

/// The rulesets of a box, numbered from 0.
#[derive(Clone, Debug)]
enum Rulesets {
    /// Full and truncated support.
    Supports(Supports),
    /// One pair of sets.
    Sets(Arc<Ruleset>),
}

/// The heaps of a box.
#[derive(Clone, Debug)]
enum Heaps {
    /// The same for every ruleset.
    Range(Range),
    /// For each ruleset of full or truncated support the heaps 0..=[`far_enough`]. Here is the first unit of each and the end, and
    /// the largest heap of all.
    FarEnough(Arc<[u64]>, u64),
}

/// How far the heaps of a ruleset go where a box does not say: max(R, b+1) + 6a + 2(b+1), with R = b+1 where tau >= b-a. That
/// is six of Left's longest moves and two periods beyond where the outcomes settle.
fn far_enough(support: Support) -> u64 {
    let Support { a, b, .. } = support;
    let onset = Position { support, heap: 0 }.onset().unwrap_or(0);
    onset.max(b + 1) + 6 * a + 2 * (b + 1)
}

impl SubtractionBox {
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn supports(supports: Supports, heap: Option<Range>, room: &mut Room) -> Result<Self, ManifestError> {
        match heap {
            Some(heap) => Self::new(Rulesets::Supports(supports), heap),
            None => Self::far_enough(supports, room),
        }
    }

    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn sets(ruleset: Ruleset, heap: Range, room: &mut Room) -> Result<Self, ManifestError> {
        let elements = ruleset.left.elements().len() + ruleset.right.elements().len();
        // Two to a number of eight bytes.
        room.numbers("space.left", elements as u128 / 2)?;
        Self::new(Rulesets::Sets(Arc::new(ruleset)), heap)
    }

    fn new(rulesets: Rulesets, heap: Range) -> Result<Self, ManifestError> {
        if heap.high() > MAX_HEAP {
            let problem = format!("{heap} goes above the largest heap of a sweep, {MAX_HEAP} (2^40)");
            return Err(ManifestError::field("space.heap", problem));
        }
        let count = match &rulesets {
            Rulesets::Supports(supports) => supports.count(),
            Rulesets::Sets(_) => 1,
        };
        let units = u128::from(count) * heap.len();
        let fits = u64::try_from(units).ok().filter(|_| units <= MAX_UNITS);
        let units = fits.ok_or_else(|| {
            let problem = format!("{count} rulesets with {} heaps each make {units} configurations, and the limit is 2^62", heap.len());
            ManifestError::field("space.heap", problem)
        })?;
        Ok(Self { rulesets, heaps: Heaps::Range(heap), quantities: Vec::new(), units })
    }

    /// Each ruleset with as many heaps as its claims want. Cost: O(rulesets).
    fn far_enough(supports: Supports, room: &mut Room) -> Result<Self, ManifestError> {
        if supports.count() > MAX_RULESETS_BY_THEMSELVES {
            let count = supports.count();
            let problem = format!(
                "{count} rulesets are too many to leave heap out; with more than {MAX_RULESETS_BY_THEMSELVES} of them write a range"
            );
            return Err(ManifestError::field("space.heap", problem));
        }
        room.numbers("space.heap", supports.count().into())?;
        room.steps("space.heap", STEPS_PER_RULESET * u128::from(supports.count()))?;
        let (mut units, mut largest) = (0, 0);
        let mut starts = Vec::new();
        for number in 0..supports.count() {
            starts.push(units);
            let heap = far_enough(supports.get(number));
            largest = largest.max(heap);
            // At most 2^22 rulesets with fewer than 2^34 heaps each.
            units += heap + 1;
        }
        starts.push(units);
        let heaps = Heaps::FarEnough(starts.into(), largest);
        Ok(Self { rulesets: Rulesets::Supports(supports), heaps, quantities: Vec::new(), units })
    }

    /// The same box, of whose heaps these quantities are solved and kept.
    pub fn keeping(self, quantities: Vec<Quantity>) -> Self {
        Self { quantities, ..self }
    }

    /// What is solved and kept of each heap, whatever the claims need.
    pub fn quantities(&self) -> Quantities {
        Quantities::of(&self.quantities)
    }

    /// The heaps, where they are the same for every ruleset.
    fn common_heaps(&self) -> Option<Range> {
        if let Heaps::Range(heaps) = &self.heaps { Some(*heaps) } else { None }
    }

    /// The heaps of the ruleset of this number, with both ends.
    pub fn heaps(&self, number: u64) -> RangeInclusive<u64> {
        match &self.heaps {
            Heaps::Range(heaps) => heaps.low()..=heaps.high(),
            Heaps::FarEnough(starts, _) => {
                let start = |number: u64| usize::try_from(number).ok().and_then(|number| starts.get(number)).copied().unwrap_or(0);
                0..=(start(number + 1).saturating_sub(start(number) + 1))
            }
        }
    }

    /// The heaps that the ruleset of a heap has here, with both ends; none if it is no ruleset of the box.
    pub fn heaps_of(&self, heap: &Heap) -> Option<RangeInclusive<u64>> {
        let number = match (&self.rulesets, heap.support) {
            (Rulesets::Supports(supports), Some(support)) => supports.number_of(support)?,
            (Rulesets::Sets(ruleset), _) if **ruleset == *heap.ruleset => 0,
            _ => return None,
        };
        Some(self.heaps(number))
    }

    /// The number of the ruleset and the heap of a unit.
    pub fn unit(&self, unit: u64) -> (u64, u64) {
        match &self.heaps {
            Heaps::Range(heaps) => {
                let count = heaps.high() - heaps.low() + 1;
                (unit / count, heaps.low() + unit % count)
            }
            Heaps::FarEnough(starts, _) => {
                let number = starts.partition_point(|start| *start <= unit) - 1;
                (number as u64, unit - starts[number])
            }
        }
    }

    /// A heap of the ruleset of this number, if there is one.
    pub fn heap(&self, number: u64, size: u64) -> Option<Heap> {
        Some(match &self.rulesets {
            Rulesets::Sets(ruleset) => Heap { ruleset: Arc::clone(ruleset), support: ruleset.support(), is_by_parameters: false, size },
            Rulesets::Supports(supports) => {
                let support = supports.get(number);
                Heap { ruleset: Arc::new(support.ruleset()?), support: Some(support), is_by_parameters: true, size }
            }
        })
    }

    /// Whether it is given by a, b and tau.
    pub fn is_by_parameters(&self) -> bool {
        matches!(self.rulesets, Rulesets::Supports(_))
    }

    /// What canonical forms and atomic weights cost, where they are asked for.
    fn cost_of_values(&self, units: &Units<u64>, claims: &[Entry<PartizanSubtraction>], rulesets: f64) -> Cost {
        let quantities = self.quantities().and(solves(claims));
        if quantities == Quantities::OUTCOME && !claims.iter().any(Entry::relates) {
            return Cost { seconds: 0.0, bytes: 0 };
        }
        let (left, right, reach) = match &self.rulesets {
            Rulesets::Sets(ruleset) => {
                (ruleset.left.elements().len() as u64, ruleset.right.elements().len() as u64, u64::from(ruleset.reach()))
            }
            Rulesets::Supports(supports) => {
                let (a, b) = supports.greatest();
                (a, b, b)
            }
        };
        // The largest heap of the shard, or of the box where it goes on to another ruleset; and what a ruleset has on average.
        let (first, last) = (self.unit(units.start), self.unit(units.end - 1));
        let (largest, average) = match (&self.heaps, &self.rulesets) {
            _ if first.0 == last.0 => (last.1, last.1),
            (Heaps::FarEnough(_, largest), Rulesets::Supports(supports)) => (*largest, self.units / supports.count()),
            _ => (*self.heaps(last.0).end(), *self.heaps(last.0).end()),
        };
        // Claims that look at other heaps may ask for some beyond those of the box, and of other rulesets.
        let relates = claims.iter().any(Entry::relates);
        let largest = if relates { limit(reach, largest.max(*self.heaps(last.0).end())) } else { largest };
        let is_wider = claims.iter().any(|entry| entry.scope.as_ref().is_some_and(|scope| scope.asks_wider));
        let rulesets_kept = if relates { MOST_RULESETS } else { 1 + u64::from(is_wider) };
        let (heaps, options) = (average as f64 + 1.0, (left + right) as f64);
        let mut seconds = 0.0;
        if quantities.canonical_form {
            let per_heap = SECONDS_PER_FORM + heaps * SECONDS_PER_COMPARISON + options * (heaps / 64.0 * 1e-9 + SECONDS_PER_OPTION);
            seconds += heaps * per_heap * if is_wider { 2.0 } else { 1.0 };
        }
        if claims.iter().any(asks_for_games) {
            // A heap has at most one position for each heap below.
            seconds += heaps * heaps * SECONDS_PER_POSITION;
        }
        if quantities.atomic_weight {
            seconds += heaps * (SECONDS_PER_WEIGHT + options * SECONDS_PER_OPTION);
        }
        Cost { seconds: rulesets * seconds, bytes: tables::bytes(left, right, reach, largest, quantities, rulesets_kept) }
    }
}

/// A box as it is encoded.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum EncodedBox {
    Supports {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        a: Option<Range>,
        b: Range,
        tau: Levels,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        heap: Option<Range>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        quantities: Vec<String>,
    },
    Sets {
        left: Vec<u64>,
        right: Vec<u64>,
        heap: Option<Range>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        quantities: Vec<String>,
    },
}

impl GameBox<PartizanSubtraction> for SubtractionBox {
    const KEYS: &'static [&'static str] = &["a", "b", "tau", "left", "right", "heap", "quantities"];

    fn parse(table: &Table, room: &mut Room) -> Result<Vec<Self>, ManifestError> {
        let fields = Fields::of_box(table);
        let has = |keys: &[&str]| keys.iter().any(|key| fields.has(key));
        let quantities = quantities(fields)?;
        let by_sets = has(&["left", "right"]);
        if by_sets && has(&["a", "b", "tau"]) {
            return Err(ManifestError::field("space", "a box has either a, b and tau, or left and right; put them in two boxes"));
        }
        let one = if by_sets {
            let ruleset = Ruleset { left: set(fields, "left")?, right: set(fields, "right")? };
            Self::sets(ruleset, fields.range("heap", "heap = \"0..=400\"")?, room)
        } else {
            let b = fields.range("b", "b = \"1..=16\"")?;
            let (a, heap) = (fields.optional_range("a")?, fields.optional_range("heap")?);
            let tau = fields.get("tau").map_or_else(|| every_truncation_level(fields, b), |value| levels(fields, value))?;
            Self::supports(Supports::new(a, b, tau, room)?, heap, room)
        };
        Ok(vec![one?.keeping(quantities)])
    }

    fn encode(&self) -> Value {
        let quantities = self.quantities.iter().map(|quantity| quantity.word().to_owned()).collect();
        let elements = |set: &SubtractionSet| set.elements().iter().map(|number| u64::from(*number)).collect();
        let heap = self.common_heaps();
        json!(match &self.rulesets {
            Rulesets::Sets(ruleset) =>
                EncodedBox::Sets { left: elements(&ruleset.left), right: elements(&ruleset.right), heap, quantities },
            Rulesets::Supports(supports) => {
                let (a, b, tau) = supports.given();
                EncodedBox::Supports { a, b, tau, heap, quantities }
            }
        })
    }

    fn decode(encoded: Value, room: &mut Room) -> Result<Self, DecodeError> {
        let (one, words) = match serde_json::from_value(encoded)? {
            EncodedBox::Supports { a, b, tau, heap, quantities } => {
                (Self::supports(Supports::new(a, b, tau, room)?, heap, room)?, quantities)
            }
            EncodedBox::Sets { left, right, heap, quantities } => {
                let set = |key: &str, elements: Vec<u64>| {
                    SubtractionSet::new(elements).map_err(|error| ManifestError::field(format!("space.{key}"), error.to_string()))
                };
                let heap = heap.ok_or_else(|| ManifestError::field("space.heap", "a pair of sets has a range of heaps"))?;
                (Self::sets(Ruleset { left: set("left", left)?, right: set("right", right)? }, heap, room)?, quantities)
            }
        };
        Ok(one.keeping(words.iter().map(|word| quantity(word)).collect::<Result<_, _>>()?))
    }

    fn describe(&self) -> String {
        let heaps = match &self.heaps {
            Heaps::Range(heaps) => heaps.to_string(),
            Heaps::FarEnough(..) => "0..=max(R, b+1)+6a+2(b+1)".to_owned(),
        };
        match &self.rulesets {
            Rulesets::Supports(supports) => format!("{supports}, heap {heaps}"),
            Rulesets::Sets(ruleset) => format!("left {}, right {}, heap {heaps}", ruleset.left, ruleset.right),
        }
    }

    fn to_json(&self) -> Value {
        let mut json = match &self.rulesets {
            Rulesets::Supports(supports) => {
                let (a, b, tau) = supports.given();
                // What was left out is what the family makes of it.
                let mut json = json!({});
                if let Some(a) = a {
                    json["a"] = json!(a);
                }
                json["b"] = json!(b);
                json["tau"] = json!(tau);
                json
            }
            Rulesets::Sets(ruleset) => json!({ "left": ruleset.left.elements(), "right": ruleset.right.elements() }),
        };
        if let Some(heaps) = self.common_heaps() {
            json["heap"] = json!(heaps);
        }
        if !self.quantities.is_empty() {
            json["quantities"] = self.quantities.iter().map(|quantity| quantity.word()).collect();
        }
        json
    }

    fn units(&self) -> u64 {
        self.units
    }

    fn cost(&self, units: Units<u64>, claims: &[Entry<PartizanSubtraction>]) -> Cost {
        let count = (units.end - units.start) as f64;
        let (first, last) = (self.unit(units.start), self.unit(units.end - 1));
        let rulesets = (last.0 - first.0 + 1) as f64;
        let beneath = rulesets * *self.heaps(first.0).start() as f64 + count;
        let checks = count * (SECONDS_PER_CONFIGURATION + claims.len() as f64 * SECONDS_PER_CHECK);
        let bytes: u128 = match &self.rulesets {
            Rulesets::Sets(ruleset) => OutcomeSequence::bytes(ruleset).into(),
            Rulesets::Supports(supports) => (2 * supports.greatest().1).into(),
        };
        let seconds = beneath * SECONDS_PER_HEAP + rulesets * SECONDS_PER_RULESET + checks;
        let values = self.cost_of_values(&units, claims, rulesets);
        Cost { seconds: seconds + values.seconds, bytes: bytes + values.bytes }
    }

    /// Every claim of the paper is about full or truncated support.
    fn can_speak(&self, _scope: &Scope) -> bool {
        match &self.rulesets {
            Rulesets::Supports(_) => true,
            Rulesets::Sets(ruleset) => ruleset.support().is_some(),
        }
    }

    fn has_whole_of(&self, heap: &Heap) -> bool {
        self.heaps_of(heap).is_some()
    }

    fn may_count(&self, group: &Group, _number: u128, claims: &[Entry<PartizanSubtraction>]) -> bool {
        counts::may_count(group, claims)
    }

    fn configuration(&self, number: u128) -> Option<Heap> {
        let (ruleset, size) = self.unit(u64::try_from(number).ok().filter(|unit| *unit < self.units)?);
        self.heap(ruleset, size)
    }

    fn position(&self, key: &[u8]) -> Option<Heap> {
        let (support, size) = key::read(key)?;
        let number = match (&self.rulesets, support) {
            (Rulesets::Supports(supports), Some(support)) => supports.number_of(support)?,
            (Rulesets::Sets(_), None) => 0,
            _ => return None,
        };
        if self.heaps(number).contains(&size) { self.heap(number, size) } else { None }
    }
}

fn set(fields: Fields<'_>, key: &str) -> Result<SubtractionSet, ManifestError> {
    let value = fields.require(key, &format!("{key} = [1, 4, 6], or {key} = \"2..=9\""))?;
    fields.wrong(key, SubtractionSet::from_toml(value))
}

/// The truncation levels: a range, or `b-a` for the knife's edge alone.
fn levels(fields: Fields<'_>, value: &toml::Value) -> Result<Levels, ManifestError> {
    match value.as_str() {
        Some(text) => Levels::parse(text).map_err(|error| fields.problem("tau", format!("{error}; \"b-a\" is the knife's edge alone"))),
        None => fields.range("tau", "").map(Levels::Range),
    }
}

/// Every 1 <= tau < b, for the largest b; what is outside the family for a smaller one is left out anyway.
fn every_truncation_level(fields: Fields<'_>, b: Range) -> Result<Levels, ManifestError> {
    let range = Range::new(1, b.high().min(MAX_ELEMENT).saturating_sub(1));
    let problem = || format!("with b = {b} there is no tau with 1 <= tau < b; tau = 0 is full support");
    range.map(Levels::Range).map_err(|_| fields.problem("b", problem()))
}

/// What is solved and kept of each heap; nothing named is the outcome.
fn quantities(fields: Fields<'_>) -> Result<Vec<Quantity>, ManifestError> {
    let Some(value) = fields.get("quantities") else { return Ok(Vec::new()) };
    let words = value.as_array().map(|words| words.iter().map(toml::Value::as_str).collect::<Option<Vec<_>>>());
    let words = words.flatten().filter(|words| !words.is_empty());
    let problem =
        || format!("{} is not allowed; it is a list, such as [\"canonical-form\", \"atomic-weight\"]", quoted(&value.to_string()));
    words.ok_or_else(|| fields.problem("quantities", problem()))?.into_iter().map(quantity).collect()
}

fn quantity(word: &str) -> Result<Quantity, ManifestError> {
    let unknown = || known(word, Quantity::ALL.map(Quantity::word));
    let problem = || ManifestError::field("space.quantities", format!("unknown quantity '{}'; {}", quoted(word), unknown()));
    Quantity::of_word(word).ok_or_else(problem)
}
