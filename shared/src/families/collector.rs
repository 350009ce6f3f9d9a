//! Collects the result of one shard, whatever the family: counts, the smallest counterexamples, coverage, groups, kept positions
//! and the hash of the canonical records.

use std::collections::HashMap;

use crate::sweep::{
    Candidate, ClaimTally, Coverage, CoverageKey, Group, Groups, KeptRecord, Offer, Record, ShardResult, Smallest, Tally, record_hash,
};

use super::Task;

/// Collects the result of one shard, whatever the family: counts, the smallest counterexamples, coverage, groups, canonical
/// records and kept ones. Claims are given by their place in the sweep.
pub struct Collector {
    box_index: u32,
    record: Record,
    decided: u128,
    counts: Vec<ClaimTally>,
    kept: Vec<Smallest<Candidate>>,
    records: Vec<KeptRecord>,
    coverage: HashMap<(&'static str, u128), u128>,
    /// The coverage class of the last positions and how many there were: neighbours mostly agree.
    run: Option<((&'static str, u128), u128)>,
    groups: Groups,
    records_hash: u128,
}

impl Collector {
    /// An empty result for a part of a box, in a sweep with so many claims, of which so many at the start are stated by the
    /// manifest.
    #[must_use]
    pub fn new(box_index: u32, (claims, stated): (usize, usize), task: &Task) -> Self {
        Self {
            box_index,
            record: task.record,
            decided: 0,
            counts: vec![ClaimTally::default(); claims],
            kept: vec![Smallest::new(task.counterexamples); claims + stated],
            records: Vec::new(),
            coverage: HashMap::new(),
            run: None,
            groups: Groups::default(),
            records_hash: 0,
        }
    }

    /// How many configurations have been decided.
    #[must_use]
    pub fn decided(&self) -> u128 {
        self.decided
    }

    /// A configuration is decided.
    pub fn decide(&mut self) {
        self.decided += 1;
    }

    /// So many configurations are decided.
    pub fn decide_many(&mut self, count: u128) {
        self.decided += count;
    }

    /// A claim spoke and was right on so many configurations.
    pub fn held_many(&mut self, place: usize, count: u128) {
        self.counts[place].held += count;
    }

    /// So many configurations have this value, and the claims whose bits are set predicted it.
    pub fn cover_many(&mut self, value: &'static str, claims: u128, count: u128) {
        *self.coverage.entry((value, claims)).or_default() += count;
    }

    /// Counts so many things into a group of this box; none is a count too.
    pub fn group_many(&mut self, label: String, count: u128) {
        self.groups.give(self.box_index, Group::sum(label), count);
    }

    /// A claim spoke and was right.
    pub fn held(&mut self, place: usize) {
        self.counts[place].held += 1;
    }

    /// A claim is true on so many configurations because it has nothing to compare there.
    pub fn vacuous_many(&mut self, place: usize, count: u128) {
        self.counts[place].vacuous += count;
    }

    /// A claim spoke and was wrong. `key` is the configuration's key, and `record` the canonical record of (claim, configuration).
    pub fn refuted(&mut self, place: usize, key: Vec<u8>, actual: String, record: &[u8]) {
        self.counts[place].refuted += 1;
        self.canonical(record);
        self.kept[place].offer(Candidate { key, actual });
    }

    /// What a claim that the manifest states says of a configuration is not defined, for a reason.
    pub fn undefined(&mut self, place: usize, key: Vec<u8>, reason: String) {
        self.undefined_many(place, 1, std::iter::once((key, reason)));
    }

    /// The same of so many configurations, with the key and the reason of each, by ascending keys. No more of these are made than
    /// may be kept, and one.
    pub fn undefined_many(&mut self, place: usize, count: u128, each: impl Iterator<Item = (Vec<u8>, String)>) {
        self.counts[place].undefined += count;
        let kept = &mut self.kept[self.counts.len() + place];
        for (key, actual) in each {
            if kept.offer(Candidate { key, actual }) == Offer::Dropped {
                return;
            }
        }
    }

    /// Takes a canonical record into the fingerprint.
    pub fn canonical(&mut self, record: &[u8]) {
        self.records_hash = self.records_hash.wrapping_add(record_hash(record));
    }

    /// Whether the task asks for solved positions to be kept: those that the player to move loses, or the others.
    #[must_use]
    pub fn keeps(&self, losing: bool) -> bool {
        self.record == Record::All || (self.record == Record::Losing && losing)
    }

    /// Keeps a solved position if the task asks for it. `key` is made only then.
    pub fn keep(&mut self, losing: bool, value: &str, key: impl FnOnce() -> Vec<u8>) {
        if self.keeps(losing) {
            self.records.push(KeptRecord { key: key(), value: value.to_owned() });
        }
    }

    /// The configuration has this value, and the claims whose bits are set predicted it.
    pub fn cover(&mut self, value: &'static str, claims: u128) {
        match &mut self.run {
            Some((current, count)) if *current == (value, claims) => *count += 1,
            _ => {
                self.flush();
                self.run = Some(((value, claims), 1));
            }
        }
    }

    /// Counts something into a group of this box.
    pub fn group(&mut self, label: String) {
        self.group_many(label, 1);
    }

    /// Gives a number to a group of this box that keeps the least.
    pub fn least(&mut self, label: String, number: u128) {
        self.groups.give(self.box_index, Group::least(label), number);
    }

    fn flush(&mut self) {
        if let Some((class, count)) = self.run.take() {
            *self.coverage.entry(class).or_default() += count;
        }
    }

    /// The shard's result.
    #[must_use]
    pub fn finish(mut self) -> ShardResult {
        self.flush();
        let box_index = self.box_index;
        let key = |value: &str, claims| CoverageKey { box_index, value: value.to_owned(), claims };
        let coverage = self.coverage.into_iter().map(|((value, claims), count)| (key(value, claims), count)).collect();
        ShardResult {
            tally: Tally {
                decided: self.decided,
                claims: self.counts,
                coverage: Coverage(coverage),
                groups: self.groups,
                records_hash: self.records_hash,
            },
            counterexamples: self.kept.into_iter().map(Smallest::into_sorted).collect(),
            records: self.records,
        }
    }
}
