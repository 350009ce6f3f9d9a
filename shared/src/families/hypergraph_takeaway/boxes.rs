//! The boxes that a sweep of take-away on hypergraphs may have: members of the paper's family, all hypergraphs on few vertices,
//! or a list.

use std::ops::Range as Units;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Table;

use crate::families::{Cost, DecodeError, Entry, Fields, GameBox, Room, play_of_box, play_of_word};
use crate::sweep::{Group, ManifestError, Range};
use crate::text::quoted;
use crate::value::Play;

use super::HypergraphTakeaway;
use super::claims::Scope;
use super::components::{MAX_ORDER, Numbering};
use super::counts;
use super::key::{self, InBox};
use super::member::Member;
use super::names::Named;
use super::placed::Placed;
use super::solver::{
    Host, Lattice, MAX_HOST_HYPEREDGES, MAX_HOST_VERTICES, MAX_LATTICE_POSITIONS, MAX_LATTICE_VERTICES, Members, Sizes, Sums,
};

/// The most hypergraphs of a list.
const MAX_LISTED: usize = 100_000;

/// Seconds of one core, measured once on a 2-core x86-64 machine: they only set the size of shards.
const SECONDS_PER_MEMBER: f64 = 5e-6;
const SECONDS_PER_CLASS: f64 = 2e-6;
const SECONDS_PER_POSITION: f64 = 100e-9;
/// What the options of a position take, where claims look at them.
const SECONDS_PER_RELATION: f64 = 5e-5;
const SECONDS_PER_CHECK: f64 = 10e-9;

/// One box of a sweep. A unit is one configuration, a hypergraph.
#[derive(Clone)]
pub struct HypergraphBox {
    kind: Kind,
    /// How many units come before each block of configurations, and at the end how many there are.
    before: Arc<[u64]>,
    play: Play,
}

/// What a box has, in blocks.
#[derive(Clone)]
pub enum Kind {
    /// Members of the family: the isomorphism classes by |V(X)|, a block each.
    Members { vertices: Range, orders: Arc<[u32]>, numbering: Arc<Numbering> },
    /// All hypergraphs, or the uniform ones, up to isomorphism: by the number of vertices, a block each.
    All { vertices: Range, sizes: Sizes, hosts: Arc<[Host]> },
    /// The hypergraphs of a list, a block each.
    Listed(Arc<[Listed]>),
}

/// A hypergraph of a list.
#[derive(Clone)]
pub struct Listed {
    /// The hypergraph.
    pub named: Named,
    /// How many positions play can leave of it.
    positions: u128,
}

/// A unit of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The member with so many vertices in X and the graph of this number.
    Member { order: u32, number: u64 },
    /// The class of this number of the hypergraphs with so many vertices.
    Class { vertices: u32, number: u64 },
    /// The hypergraph of this place in the list.
    Listed(u32),
}

impl HypergraphBox {
    /// What solving some units costs, and holding claims against them, without what is solved of other positions.
    fn cost_alone(&self, units: Units<u64>, checks: f64) -> Cost {
        let count = (units.end - units.start) as f64;
        match &self.kind {
            Kind::Members { orders, numbering, .. } => {
                let most = orders.last().copied().unwrap_or(0);
                Cost { seconds: count * SECONDS_PER_MEMBER + checks, bytes: Members::bytes(numbering, most) }
            }
            Kind::All { hosts, .. } => Cost { seconds: count * SECONDS_PER_CLASS + checks, bytes: hosts.iter().map(Host::bytes).sum() },
            Kind::Listed(list) => {
                // The units of a list are its places.
                let listed = list[units.start as usize..units.end as usize].iter();
                let (seconds, bytes) = listed.fold((checks, 0), |(seconds, bytes), Listed { named, positions }| {
                    (seconds + *positions as f64 * SECONDS_PER_POSITION, Lattice::bytes(&named.hypergraph, *positions).max(bytes))
                });
                Cost { seconds, bytes }
            }
        }
    }

    /// The members of the family whose number of vertices in X is in a range.
    ///
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn members(vertices: Range, room: &mut Room) -> Result<Self, ManifestError> {
        if vertices.high() > u64::from(MAX_ORDER) {
            let problem = format!("{vertices} goes beyond what the solver can hold, which is {MAX_ORDER} vertices in X");
            return Err(ManifestError::field("space.vertices", problem));
        }
        // The ends are at most MAX_ORDER.
        let orders: Vec<u32> = (vertices.low() as u32..=vertices.high() as u32).filter(|order| *order >= 2 && order % 2 == 0).collect();
        let Some(most) = orders.last() else {
            let problem = format!("{vertices} has no even number from 2 on, and X has an even number of vertices");
            return Err(ManifestError::field("space.vertices", problem));
        };
        room.numbers("space.vertices", Numbering::numbers(*most))?;
        let numbering = Numbering::new(*most);
        // The graph without an edge, number 0, is no member.
        let before = sums(orders.iter().map(|order| numbering.count(*order) - 1));
        Ok(Self { kind: Kind::Members { vertices, orders: orders.into(), numbering: Arc::new(numbering) }, before, play: Play::Normal })
    }

    /// All hypergraphs whose number of vertices is in a range, and that of each hyperedge as given.
    ///
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn all(vertices: Range, sizes: Sizes, room: &mut Room) -> Result<Self, ManifestError> {
        let host = |vertices: u64| u32::try_from(vertices).ok().and_then(|vertices| Host::new(vertices, sizes));
        // Beyond the first that is too large none is asked for.
        let hosts: Option<Vec<Host>> = (0..=vertices.high()).map(host).collect();
        let hosts = hosts.ok_or_else(|| {
            let problem = format!(
                "{vertices} goes beyond what the solver can hold, which is {MAX_HOST_HYPEREDGES} possible hyperedges on up to \
                 {MAX_HOST_VERTICES} vertices: all hypergraphs with up to 5 vertices (4 with hyperedges of one), 3-uniform ones with up to 6"
            );
            ManifestError::field("space.all.vertices", problem)
        })?;
        room.steps("space.all.vertices", hosts.iter().map(Host::steps).sum())?;
        // It is below the number of hosts.
        let before = sums(hosts[vertices.low() as usize..].iter().map(Host::classes));
        Ok(Self { kind: Kind::All { vertices, sizes, hosts: hosts.into() }, before, play: Play::Normal })
    }

    /// The hypergraphs of a list, in its order.
    ///
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn listed(hypergraphs: Vec<Named>, room: &mut Room) -> Result<Self, ManifestError> {
        let problem = |problem: String| ManifestError::field("space.edges", problem);
        if hypergraphs.is_empty() || hypergraphs.len() > MAX_LISTED {
            let count = if hypergraphs.is_empty() { "0" } else { "too many" };
            return Err(problem(format!("there are {count} hypergraphs; a list has at least one and at most {MAX_LISTED}")));
        }
        let mut list = Vec::with_capacity(hypergraphs.len());
        // For all of them before the first is counted.
        room.steps("space.edges", hypergraphs.iter().map(|named| named.hypergraph.steps_of_positions(MAX_LATTICE_VERTICES)).sum())?;
        for named in hypergraphs {
            let Some(positions) = Lattice::positions(&named.hypergraph) else {
                let (shown, vertices) = (quoted(&named.to_string()), named.hypergraph.vertices());
                let limit = format!("{MAX_LATTICE_VERTICES} vertices and {MAX_LATTICE_POSITIONS} positions that play can leave");
                return Err(problem(format!("{shown}, with {vertices} vertices, goes beyond what the solver can hold, which is {limit}")));
            };
            list.push(Listed { named, positions });
        }
        let before = sums(list.iter().map(|_| 1));
        Ok(Self { kind: Kind::Listed(list.into()), before, play: Play::Normal })
    }

    /// The same box under some play.
    pub fn under(self, play: Play) -> Self {
        Self { play, ..self }
    }

    /// Whether some hypergraph of it may be a member of the paper's family.
    pub fn has_members(&self) -> bool {
        match &self.kind {
            Kind::Members { .. } => true,
            // The smallest member has 3 vertices and hyperedges of 2 and of 3.
            Kind::All { vertices, sizes, .. } => matches!(sizes, Sizes::From(_)) && vertices.high() >= 3,
            Kind::Listed(list) => list.iter().any(|listed| Member::of(&listed.named.hypergraph).is_some()),
        }
    }

    /// How its positions are played.
    pub fn play(&self) -> Play {
        self.play
    }

    /// What the box has.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// A unit by its place, which is below the number of units.
    pub fn unit(&self, unit: u64) -> Unit {
        let block = self.before.partition_point(|before| *before <= unit) - 1;
        let number = unit - self.before[block];
        match &self.kind {
            Kind::Members { orders, .. } => Unit::Member { order: orders[block], number: number + 1 },
            // Blocks are few.
            Kind::All { vertices, .. } => Unit::Class { vertices: vertices.low() as u32 + block as u32, number },
            Kind::Listed(_) => Unit::Listed(block as u32),
        }
    }

    /// The hypergraph of a place in this box, if there is one.
    pub fn hypergraph(&self, in_box: InBox) -> Option<Named> {
        match (&self.kind, in_box) {
            (Kind::Members { orders, numbering, .. }, InBox::Member { order, number }) => {
                let is_here = orders.contains(&order) && (1..numbering.count(order)).contains(&number);
                is_here.then(|| Named::member(numbering.graph(order, number).member()))
            }
            (Kind::All { vertices, hosts, .. }, InBox::Class { vertices: count, word }) => {
                let host = hosts.get(count as usize).filter(|_| u64::from(count) >= vertices.low())?;
                host.is_canonical(word).then(|| Named::lettered(host.hypergraph(word)))
            }
            (Kind::Listed(list), InBox::Listed(place)) => list.get(place as usize).map(|listed| listed.named.clone()),
            _ => None,
        }
    }
}

/// A box as it is encoded, and the word of its play if that is not normal.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum EncodedBox {
    Members {
        vertices: Range,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        play: Option<String>,
    },
    All {
        vertices: Range,
        uniform: Option<u32>,
        /// The least number of vertices of a hyperedge, where it is not 2.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        smallest: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        play: Option<String>,
    },
    Listed {
        edges: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        play: Option<String>,
    },
}

impl GameBox<HypergraphTakeaway> for HypergraphBox {
    const KEYS: &'static [&'static str] = &["vertices", "all", "uniform", "edges", "play"];

    fn parse(table: &Table, room: &mut Room) -> Result<Vec<Self>, ManifestError> {
        let fields = Fields::of_box(table);
        let play = play_of_box(fields)?;
        let exactly = fields.get("uniform").map(|value| uniform(fields, value)).transpose()?;
        if exactly.is_some() && !fields.has("all") {
            return Err(fields.problem("uniform", "it goes with all, such as all = { vertices = 6 }, uniform = 3"));
        }
        let one = match (fields.get("vertices"), fields.get("all"), fields.get("edges")) {
            (Some(_), None, None) => Self::members(fields.range("vertices", "")?, room),
            (None, Some(all), None) => {
                let (vertices, smallest) = all_hypergraphs(fields, all)?;
                Self::all(vertices, sizes(exactly, smallest)?, room)
            }
            (None, None, Some(edges)) => listed_in_manifest(fields, edges, room),
            (None, None, None) => {
                let example = "vertices = \"2..=14\", or all = { vertices = \"1..=5\" }, or edges = \"abcd,Sab,Sbc\"";
                Err(ManifestError::Missing { field: fields.name("vertices"), example: example.into() })
            }
            _ => Err(ManifestError::field("space", "a box has one of vertices, all and edges; put them in several boxes")),
        };
        Ok(vec![one?.under(play)])
    }

    fn encode(&self) -> Value {
        let play = (self.play != Play::Normal).then(|| self.play.word().to_owned());
        json!(match &self.kind {
            Kind::Members { vertices, .. } => EncodedBox::Members { vertices: *vertices, play },
            Kind::All { vertices, sizes, .. } => {
                let (uniform, smallest) = given(*sizes);
                EncodedBox::All { vertices: *vertices, uniform, smallest, play }
            }
            Kind::Listed(list) => EncodedBox::Listed { edges: list.iter().map(|listed| listed.named.to_string()).collect(), play },
        })
    }

    fn encoding_version(&self) -> u32 {
        if self.play == Play::Normal { 1 } else { 2 }
    }

    fn decode(encoded: Value, room: &mut Room) -> Result<Self, DecodeError> {
        let (one, word) = match serde_json::from_value(encoded)? {
            EncodedBox::Members { vertices, play } => (Self::members(vertices, room), play),
            EncodedBox::All { vertices, uniform, smallest, play } => (Self::all(vertices, sizes(uniform, smallest)?, room), play),
            EncodedBox::Listed { edges, play } => (listed(edges.iter().map(String::as_str), room), play),
        };
        Ok(one?.under(play_of_word(word.as_deref())?))
    }

    fn describe(&self) -> String {
        let text = match &self.kind {
            Kind::Members { vertices, .. } => format!("members of the family, {vertices} vertices in X"),
            Kind::All { vertices, sizes: Sizes::From(DEFAULT_SMALLEST), .. } => format!("all hypergraphs on {vertices} vertices"),
            Kind::All { vertices, sizes: Sizes::From(_), .. } => {
                format!("all hypergraphs on {vertices} vertices, hyperedges of one vertex among them")
            }
            Kind::All { vertices, sizes: Sizes::Exactly(size), .. } => format!("all {size}-uniform hypergraphs on {vertices} vertices"),
            Kind::Listed(list) => match &list[..] {
                [one] => format!("edges {}", one.named),
                list => format!("{} hypergraphs, the first {}", list.len(), list[0].named),
            },
        };
        if self.play == Play::Misere { text + ", misère play" } else { text }
    }

    fn to_json(&self) -> Value {
        let mut json = match &self.kind {
            Kind::Members { vertices, .. } => json!({ "vertices": vertices }),
            Kind::All { vertices, sizes, .. } => match given(*sizes) {
                (Some(uniform), _) => json!({ "all": { "vertices": vertices }, "uniform": uniform }),
                (None, Some(smallest)) => json!({ "all": { "vertices": vertices, "smallest": smallest } }),
                (None, None) => json!({ "all": { "vertices": vertices } }),
            },
            Kind::Listed(list) => json!({ "edges": list.iter().map(|listed| listed.named.to_string()).collect::<Vec<_>>() }),
        };
        if self.play != Play::Normal {
            json["play"] = json!(self.play.word());
        }
        json
    }

    fn units(&self) -> u64 {
        self.before.last().copied().unwrap_or(0)
    }

    fn cost(&self, units: Units<u64>, claims: &[Entry<HypergraphTakeaway>]) -> Cost {
        let count = (units.end - units.start) as f64;
        let mut checks = count * claims.len() as f64 * SECONDS_PER_CHECK;
        let mut beside = 0;
        if claims.iter().any(Entry::relates) {
            checks += count * SECONDS_PER_RELATION;
            beside = Sums::bytes();
        }
        let cost = self.cost_alone(units, checks);
        Cost { bytes: cost.bytes.saturating_add(beside), ..cost }
    }

    fn can_speak(&self, scope: &Scope) -> bool {
        if self.play != Play::Normal {
            return false;
        }
        match (scope, &self.kind) {
            (Scope::Members, _) => self.has_members(),
            (Scope::Any, Kind::Members { .. }) => false,
            (Scope::Any, Kind::All { .. }) => true,
            (Scope::Any, Kind::Listed(list)) => list.iter().any(|listed| Member::of(&listed.named.hypergraph).is_none()),
        }
    }

    fn may_count(&self, group: &Group, _number: u128, _claims: &[Entry<HypergraphTakeaway>]) -> bool {
        counts::may_count(group)
    }

    fn configuration(&self, number: u128) -> Option<Placed> {
        let named = match self.unit(u64::try_from(number).ok().filter(|unit| *unit < self.units())?) {
            Unit::Member { order, number } => self.hypergraph(InBox::Member { order, number }),
            Unit::Listed(place) => self.hypergraph(InBox::Listed(place)),
            // Which these are is found when they are solved.
            Unit::Class { .. } => None,
        }?;
        Some(Placed { named, play: self.play })
    }

    fn position(&self, key: &[u8]) -> Option<Placed> {
        let (vertices, hyperedges, in_box) = key::read(key)?;
        let named = self.hypergraph(in_box)?;
        let counts = (named.hypergraph.vertices(), named.hypergraph.hyperedges().len());
        (counts == (vertices, hyperedges as usize)).then_some(Placed { named, play: self.play })
    }
}

/// The numbers of vertices, and the least number of vertices of a hyperedge if it is given.
fn all_hypergraphs(fields: Fields<'_>, all: &toml::Value) -> Result<(Range, Option<u32>), ManifestError> {
    let problem = || fields.problem("all", "write for instance all = { vertices = \"1..=5\" }");
    let table = all.as_table().ok_or_else(problem)?;
    let inner = Fields::new("space.all", table, &["vertices", "smallest"])?;
    if !inner.has("vertices") {
        return Err(problem());
    }
    let smallest = |value: &toml::Value| {
        let given = value.as_integer().and_then(|smallest| u32::try_from(smallest).ok());
        given.ok_or_else(|| not_smallest(&value.to_string()))
    };
    Ok((inner.range("vertices", "")?, inner.get("smallest").map(smallest).transpose()?))
}

/// What is said of a least number of vertices that is none.
fn not_smallest(given: &str) -> ManifestError {
    let given = quoted(given);
    ManifestError::field("space.all.smallest", format!("{given} is not allowed; it is the least number of vertices of a hyperedge, 1 or 2"))
}

/// The least number of vertices of a hyperedge where none is given.
const DEFAULT_SMALLEST: u32 = 2;

/// How many vertices a hyperedge may have, by the keys of a manifest.
fn sizes(uniform: Option<u32>, smallest: Option<u32>) -> Result<Sizes, ManifestError> {
    match (uniform, smallest) {
        (Some(_), Some(_)) => {
            Err(ManifestError::field("space.all.smallest", "with uniform every hyperedge has as many vertices; leave one out"))
        }
        (Some(size), None) => Ok(Sizes::Exactly(size)),
        (None, Some(smallest)) if !(1..=DEFAULT_SMALLEST).contains(&smallest) => Err(not_smallest(&smallest.to_string())),
        (None, smallest) => Ok(Sizes::From(smallest.unwrap_or(DEFAULT_SMALLEST))),
    }
}

/// The keys of a manifest that say so: `uniform` and `smallest`, as far as they are needed.
fn given(sizes: Sizes) -> (Option<u32>, Option<u32>) {
    match sizes {
        Sizes::Exactly(size) => (Some(size), None),
        Sizes::From(smallest) => (None, Some(smallest).filter(|smallest| *smallest != DEFAULT_SMALLEST)),
    }
}

fn uniform(fields: Fields<'_>, value: &toml::Value) -> Result<u32, ManifestError> {
    let size = value.as_integer().and_then(|size| u32::try_from(size).ok()).filter(|size| (2..=64).contains(size));
    let problem =
        || format!("{} is not allowed; it is the number of vertices of every hyperedge, from 2 to 64", quoted(&value.to_string()));
    size.ok_or_else(|| fields.problem("uniform", problem()))
}

fn listed_in_manifest(fields: Fields<'_>, edges: &toml::Value, room: &mut Room) -> Result<HypergraphBox, ManifestError> {
    let problem = || fields.problem("edges", "write for instance edges = \"abcd,Sab,Sbc\", or a list of such texts");
    match edges {
        toml::Value::String(text) => listed([text.as_str()].into_iter(), room),
        toml::Value::Array(texts) => {
            let texts: Option<Vec<&str>> = texts.iter().map(toml::Value::as_str).collect();
            listed(texts.ok_or_else(problem)?.into_iter(), room)
        }
        _ => Err(problem()),
    }
}

fn listed<'a>(texts: impl Iterator<Item = &'a str>, room: &mut Room) -> Result<HypergraphBox, ManifestError> {
    let named: Result<Vec<Named>, _> = texts.take(MAX_LISTED + 1).map(Named::parse).collect();
    HypergraphBox::listed(named.map_err(|error| ManifestError::field("space.edges", error.to_string()))?, room)
}

/// For each block how many units come before it, and at the end how many there are.
fn sums(blocks: impl Iterator<Item = u64>) -> Arc<[u64]> {
    let before = blocks.scan(0u64, |sum, units| {
        *sum += units;
        Some(*sum)
    });
    std::iter::once(0).chain(before).collect()
}
