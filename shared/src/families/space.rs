//! A space is a list of boxes, and the claims of its sweep: what the outer face sees of a family.

use std::sync::Arc;

use serde_json::Value;
use toml::Table;

use crate::claim::Claim;
use crate::language::Variable;
use crate::sweep::{Group, KeptRecord, ManifestError, Shard, ShardResult, Stated, StatedClaim};

use super::confirmer::Confirmer;
use super::entry::choose;
use super::explanation::explain;
use super::fields::Fields;
use super::judge::split_key;
use super::names::Described;
use super::stated::{compile, documented, with_texts};
use super::{
    Cost, DecodeError, Entry, Explanation, Family, Figure, Game, GameBox, GameSolver, Hypotheses, Judge, MAX_CLAIMS, Parameters, Predicate,
    Pulse, Reference, Room, SolveError, Solver, Space, Task, encoding,
};

/// The boxes of a sweep and its claims.
pub struct GameSpace<G: Game> {
    boxes: Arc<[G::Box]>,
    entries: Arc<[Entry<G>]>,
    /// What its boxes have taken.
    room: Room,
}

impl<G: Game> Clone for GameSpace<G> {
    fn clone(&self) -> Self {
        Self { boxes: Arc::clone(&self.boxes), entries: Arc::clone(&self.entries), room: self.room }
    }
}

impl<G: Game> GameSpace<G> {
    /// The boxes of a manifest with the claims that it states, and those whose ids match some pattern, or without either those that
    /// can speak.
    ///
    /// # Errors
    /// [`ManifestError`] names the key or the claim.
    pub fn parse(tables: &[Table], patterns: Option<&[String]>, stated: &Stated) -> Result<Self, ManifestError> {
        let mut room = Room::default();
        let boxes = parse_boxes::<G>(tables, &mut room)?;
        let own = compile::<G>(stated, boxes.iter().map(Described::Box))?;
        // A manifest that states claims is about these, unless it names others.
        let patterns = if own.is_empty() { patterns } else { patterns.or(Some(&[])) };
        let entries = choose(own, G::claims(), patterns, |entry: &Entry<G>| boxes.iter().any(|one| entry.can_speak(one)))?;
        let entries = with_texts_of(entries, &boxes)?;
        Ok(Self { boxes: boxes.into(), entries: entries.into(), room })
    }

    /// Reads what [`Space::encode`] wrote, with stated claims and those of these ids, in their order.
    ///
    /// # Errors
    /// [`DecodeError`].
    pub fn decode(text: &str, stated: &[StatedClaim], ids: &[String]) -> Result<Self, DecodeError> {
        let (version, encoded) = encoding::decode(G::ID, G::ENCODING_VERSION, text)?;
        let count = stated.len() + ids.len();
        if count > MAX_CLAIMS {
            return Err(DecodeError::TooManyClaims { count });
        }
        let mut room = Room::default();
        room.boxes(encoded.len())?;
        let boxes = encoded.into_iter().map(|one| G::Box::decode(one, &mut room)).collect::<Result<Vec<_>, _>>()?;
        let ours = encoding_version::<G>(&boxes);
        if version != ours {
            return Err(DecodeError::Version { family: G::ID, found: version, ours });
        }
        let all = G::claims();
        let entry = |id: &String| {
            let found = all.iter().find(|entry| entry.claim.id == *id);
            found.cloned().ok_or_else(|| DecodeError::Claim { family: G::ID, id: id.clone() })
        };
        let stated = Stated { definitions: Vec::new(), claims: stated.to_vec() };
        let mut entries = compile::<G>(&stated, boxes.iter().map(Described::Box))?;
        entries.extend(ids.iter().map(entry).collect::<Result<Vec<_>, _>>()?);
        let entries = with_texts_of(entries, &boxes)?;
        Ok(Self { boxes: boxes.into(), entries: entries.into(), room })
    }

    /// The same boxes with other claims.
    #[cfg(test)]
    pub fn with(self, entries: Vec<Entry<G>>) -> Self {
        Self { entries: entries.into(), ..self }
    }

    /// A box by its index.
    #[must_use]
    pub fn get(&self, box_index: u32) -> Option<&G::Box> {
        self.boxes.get(box_index as usize)
    }

    /// The claims of the sweep, in their order.
    #[must_use]
    pub fn entries(&self) -> &[Entry<G>] {
        &self.entries
    }

    /// The claims that the manifest states.
    fn of_manifest(&self) -> impl Iterator<Item = &Entry<G>> {
        self.entries.iter().filter(|entry| entry.is_of_manifest())
    }

    fn box_at(&self, box_index: u32) -> &G::Box {
        &self.boxes[box_index as usize]
    }
}

impl<G: Game> Space for GameSpace<G> {
    fn boxes(&self) -> u32 {
        // A manifest has far fewer boxes than this could not hold.
        u32::try_from(self.boxes.len()).unwrap_or(u32::MAX)
    }

    fn room(&self) -> Room {
        self.room
    }

    fn claims(&self) -> Vec<Claim> {
        self.entries.iter().map(|entry| entry.claim.clone()).collect()
    }

    fn describe(&self, box_index: u32) -> String {
        self.box_at(box_index).describe()
    }

    fn units(&self, box_index: u32) -> u64 {
        self.box_at(box_index).units()
    }

    fn configurations(&self, shard: &Shard) -> u128 {
        self.box_at(shard.box_index).configurations(shard.units())
    }

    fn cost(&self, shard: &Shard) -> Cost {
        self.box_at(shard.box_index).cost(shard.units(), &self.entries)
    }

    fn keeps(&self, box_index: u32) -> Option<String> {
        self.box_at(box_index).keeps(&self.entries)
    }

    fn can_speak(&self, claim: usize) -> bool {
        self.entries.get(claim).is_some_and(|entry| self.boxes.iter().any(|one| entry.can_speak(one)))
    }

    fn hypotheses(&self, box_index: u32, number: u128) -> Option<Hypotheses> {
        let view = G::view(&self.get(box_index)?.configuration(number)?)?;
        let mut found = Hypotheses::default();
        for stated in self.of_manifest().filter_map(Entry::stated) {
            let (is_true, steps) = stated.applies(&view);
            found.are_true.push(is_true);
            found.steps += steps;
        }
        Some(found)
    }

    fn stated_names(&self) -> Vec<(Variable, Vec<u32>)> {
        let mut used: Vec<&Variable> = Vec::new();
        for entry in self.of_manifest() {
            let Predicate::Stated(stated) = &entry.predicate else { continue };
            // A claim may ask a position and others for the same name.
            for name in stated.asked_names() {
                if !used.contains(&name) {
                    used.push(name);
                }
            }
        }
        let has: Vec<Vec<String>> = self.boxes.iter().map(|one| names_in::<G>(one)).collect();
        let lacks =
            |name: &str| (0u32..).zip(&has).filter(|(_, has)| !has.iter().any(|known| known == name)).map(|(index, _)| index).collect();
        used.into_iter().map(|variable| (variable.clone(), lacks(&variable.name))).collect()
    }

    fn language(&self) -> Option<u32> {
        self.entries.iter().filter_map(Entry::stated).map(|stated| stated.language()).max()
    }

    fn to_json(&self) -> Value {
        self.boxes.iter().map(GameBox::to_json).collect()
    }

    fn encode(&self) -> String {
        encoding::encode(encoding_version::<G>(&self.boxes), self.boxes.iter().map(GameBox::encode).collect())
    }

    fn figures(&self, records: &mut dyn Iterator<Item = KeptRecord>) -> Vec<Figure> {
        G::figures(&self.boxes, records)
    }

    fn group_in_words(&self, group: &Group, number: u128) -> (String, u128) {
        G::group_in_words(group, number)
    }

    fn may_count(&self, box_index: u32, group: &Group, number: u128) -> bool {
        self.get(box_index).is_some_and(|one| one.may_count(group, number, &self.entries))
    }

    fn show(&self, key: &[u8]) -> Option<(u32, Value)> {
        let (box_index, within) = split_key(key)?;
        Some((box_index, G::to_json(&self.get(box_index)?.position(within)?)))
    }

    fn has_key(&self, box_index: u32, key: &[u8]) -> bool {
        let within = split_key(key).filter(|(of, _)| *of == box_index).map(|(_, within)| within);
        within.zip(self.get(box_index)).is_some_and(|(within, one)| one.position(within).is_some())
    }

    fn draws_losing(&self) -> bool {
        G::DRAWS_LOSING
    }

    fn solver(&self) -> Box<dyn Solver> {
        Box::new(BoxSolver { space: self.clone(), last: None })
    }

    fn reference(&self) -> Box<dyn Reference> {
        Box::new(Confirmer::new(self.clone()))
    }
}

/// The version in which boxes are written together: the first that has all of them.
fn encoding_version<G: Game>(boxes: &[G::Box]) -> u32 {
    boxes.iter().map(GameBox::encoding_version).max().unwrap_or(G::ENCODING_VERSION)
}

/// Claims with those texts in place that can speak about some of these boxes.
fn with_texts_of<G: Game>(entries: Vec<Entry<G>>, boxes: &[G::Box]) -> Result<Vec<Entry<G>>, ManifestError> {
    let can_speak = |entry: &Entry<G>, one: &G::Box| entry.can_speak(one);
    let is_spoken_of =
        |one: &&G::Box| entries.iter().any(|entry| matches!(entry.predicate, Predicate::Text { .. }) && can_speak(entry, one));
    let described: Vec<&G::Box> = boxes.iter().filter(is_spoken_of).collect();
    with_texts(entries, described.into_iter().map(Described::Box), |entry| boxes.iter().any(|one| can_speak(entry, one)))
}

/// The names that positions of a box have.
fn names_in<G: Game>(one: &G::Box) -> Vec<String> {
    G::names(Described::Box(one)).into_iter().map(|named| named.variable.name).collect()
}

/// The boxes of a manifest.
fn parse_boxes<G: Game>(tables: &[Table], room: &mut Room) -> Result<Vec<G::Box>, ManifestError> {
    room.boxes(tables.len())?;
    let mut boxes: Vec<G::Box> = Vec::with_capacity(tables.len());
    for table in tables {
        Fields::new("space", table, G::Box::KEYS)?;
        boxes.extend(G::Box::parse(table, room)?);
    }
    Ok(boxes)
}

/// Solves shards of a space. It keeps the solver of the last box.
struct BoxSolver<G: Game> {
    space: GameSpace<G>,
    last: Option<(u32, G::Solver)>,
}

impl<G: Game> Solver for BoxSolver<G> {
    fn solve(&mut self, shard: &Shard, task: &Task, pulse: &mut dyn Pulse) -> Result<ShardResult, SolveError> {
        let space = self.space.clone();
        let one = space.get(shard.box_index).filter(|one| shard.start < shard.end && shard.end <= one.units());
        let one = one.ok_or_else(|| SolveError::NoSuchShard(shard.clone()))?;
        let needs = one.cost(shard.units(), space.entries()).bytes;
        if needs > u128::from(task.budget_bytes) {
            return Err(SolveError::TooLarge { needs, budget: task.budget_bytes });
        }
        // The tables of another box go before new ones are made.
        if self.last.as_ref().is_some_and(|(index, _)| *index != shard.box_index) {
            self.last = None;
        }
        let (_, solver) = self.last.get_or_insert_with(|| (shard.box_index, G::Solver::new(one)));
        let mut judge = Judge::new(shard.box_index, space.entries(), |entry| entry.can_speak(one), task);
        solver.solve(one, shard.units(), &mut judge, pulse)?;
        Ok(judge.finish())
    }
}

impl<G: Game> Family for G {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn about(&self) -> &'static str {
        G::ABOUT
    }

    fn solver_version(&self) -> u32 {
        G::SOLVER_VERSION
    }

    fn claims(&self) -> Vec<Claim> {
        G::claims().into_iter().map(|entry| entry.claim).collect()
    }

    fn space(&self, boxes: &[Table], claims: Option<&[String]>, stated: &Stated) -> Result<Box<dyn Space>, ManifestError> {
        Ok(Box::new(GameSpace::<G>::parse(boxes, claims, stated)?))
    }

    fn decode(&self, encoding: &str, stated: &[StatedClaim], claims: &[String]) -> Result<Box<dyn Space>, DecodeError> {
        Ok(Box::new(GameSpace::<G>::decode(encoding, stated, claims)?))
    }

    fn variables(&self) -> Vec<Variable> {
        documented::<G>()
    }

    fn whole(&self) -> Option<&'static str> {
        G::WHOLE
    }

    fn columns(&self, parameters: &Value) -> Vec<(String, Value)> {
        G::columns(parameters)
    }

    fn explain_examples(&self) -> &'static [&'static str] {
        G::EXPLAIN_EXAMPLES
    }

    fn explain(&self, parameters: &Parameters) -> Result<Explanation, ManifestError> {
        // Claims that are their texts alone are left out, as they are of sweeps that do not name them.
        explain::<G>(parameters, &[], |_| Ok(G::claims()))
    }

    fn explain_stated(&self, parameters: &Parameters, boxes: &[Table], stated: &Stated) -> Result<Explanation, ManifestError> {
        let boxes = parse_boxes::<G>(boxes, &mut Room::default())?;
        explain::<G>(parameters, &boxes, |position| {
            compile::<G>(stated, [Described::Position(position)].into_iter().chain(boxes.iter().map(Described::Box)))
        })
    }
}
