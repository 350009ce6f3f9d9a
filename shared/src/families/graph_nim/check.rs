//! Holds predictions against actual values, and counts.

use std::collections::HashMap;

use crate::claim::Prediction;
use crate::families::{Check, Task};
use crate::sweep::{Candidate, ClaimTally, Coverage, CoverageKey, KeptRecord, Record, ShardResult, Smallest, Tally, record_hash};
use crate::value::Outcome;

use super::claims::{Entry, Predicate, Says, Subject, entries};
use super::graph::Graph;
use super::key;

/// What a prediction comes to at a position with this outcome; without one, about a graph alone.
pub fn compare(prediction: &Says, actual: Option<Outcome>) -> Check {
    let holds = match prediction {
        Prediction::Silent => return Check::Silent,
        Prediction::Value(predicted) => Some(*predicted) == actual,
        // No claim of this family needs the values of other positions.
        Prediction::Relation(relation) => (relation.holds)(&[]),
    };
    if holds { Check::Held } else { Check::Refuted }
}

/// A prediction and what is the case, in words.
pub fn in_words(prediction: &Says, actual: Option<Outcome>) -> (String, String) {
    match prediction {
        Prediction::Silent => (String::new(), String::new()),
        Prediction::Value(predicted) => (predicted.to_string(), actual.map(|outcome| outcome.to_string()).unwrap_or_default()),
        Prediction::Relation(relation) => {
            let actual = if compare(prediction, actual) == Check::Held { relation.says } else { relation.denies };
            (relation.says.to_owned(), actual.to_owned())
        }
    }
}

/// Collects the result of one shard.
pub struct Checker<'a> {
    box_index: u32,
    subject: Option<&'a Subject>,
    /// The claims that speak about this box: their place in the task, and what they say.
    claims: Vec<(usize, &'static Entry)>,
    record: Record,
    decided: u128,
    counts: Vec<ClaimTally>,
    kept: Vec<Smallest<Candidate>>,
    records: Vec<KeptRecord>,
    coverage: HashMap<(Outcome, u128), u128>,
    /// The coverage class of the last positions and how many there were: neighbours mostly agree.
    run: Option<((Outcome, u128), u128)>,
    records_hash: u128,
    /// The canonical encoding of the graph, which heads every canonical record.
    graph_tag: Vec<u8>,
    buffer: Vec<u8>,
}

impl<'a> Checker<'a> {
    /// A checker for positions on one graph, or for graphs themselves if there is no subject.
    pub fn new(box_index: u32, subject: Option<&'a Subject>, claims: Vec<(usize, &'static Entry)>, task: &Task) -> Self {
        let graph_tag = subject.map(|subject| subject.graph.to_string()).unwrap_or_default().into_bytes();
        Self {
            box_index,
            subject,
            claims,
            record: task.record,
            decided: 0,
            counts: vec![ClaimTally::default(); task.claims.len()],
            kept: vec![Smallest::new(task.counterexamples); task.claims.len()],
            records: Vec::new(),
            coverage: HashMap::new(),
            run: None,
            records_hash: 0,
            graph_tag,
            buffer: Vec::new(),
        }
    }

    /// How many configurations have been decided.
    pub fn decided(&self) -> u128 {
        self.decided
    }

    /// Takes in a position and its outcome. The caller gave a subject.
    pub fn position(&mut self, weights: &[u32], outcome: Outcome) {
        let Some(subject) = self.subject else { return };
        self.decided += 1;
        let view = subject.view(weights);
        let mut rightly = 0u128;
        for index in 0..self.claims.len() {
            let (place, entry) = self.claims[index];
            let Predicate::Position(predict) = entry.predicate else { continue };
            let prediction = predict(&view);
            match compare(&prediction, Some(outcome)) {
                Check::Silent => {}
                Check::Held => {
                    self.counts[place].held += 1;
                    if matches!(prediction, Prediction::Value(_)) {
                        rightly |= 1 << place;
                    }
                }
                Check::Refuted => {
                    self.counts[place].refuted += 1;
                    self.refuted(place, entry, key::of_weights(self.box_index, weights), &in_words(&prediction, Some(outcome)).1);
                }
            }
        }
        if outcome == Outcome::P {
            let record = self.canonical(b'P', &[], weights.iter().flat_map(|weight| (*weight as u16).to_be_bytes()));
            self.records_hash = self.records_hash.wrapping_add(record);
        }
        self.cover((outcome, rightly));
        let keep = self.record == Record::All || (self.record == Record::Losing && outcome == Outcome::P);
        if keep {
            self.records.push(KeptRecord { key: key::of_weights(self.box_index, weights), value: outcome.to_string() });
        }
    }

    /// Takes in an edge set.
    pub fn graph(&mut self, number: u64, graph: &Graph) {
        self.decided += 1;
        for index in 0..self.claims.len() {
            let (place, entry) = self.claims[index];
            let Predicate::Graph(predict) = entry.predicate else { continue };
            let prediction = predict(graph);
            match compare(&prediction, None) {
                Check::Silent => {}
                Check::Held => self.counts[place].held += 1,
                Check::Refuted => {
                    self.counts[place].refuted += 1;
                    self.refuted(place, entry, key::of_edge_set(self.box_index, number), &in_words(&prediction, None).1);
                }
            }
        }
        if self.record == Record::All {
            let value = graph.edge_names().join(" ");
            self.records.push(KeptRecord { key: key::of_edge_set(self.box_index, number), value });
        }
    }

    fn refuted(&mut self, place: usize, entry: &Entry, key: Vec<u8>, actual: &str) {
        // The record leaves out the box's index: it is about the configuration, whatever the sweep around it.
        let configuration = key[..key.len() - 4].to_vec();
        let record = self.canonical(b'R', entry.claim.id.as_bytes(), configuration.into_iter());
        self.records_hash = self.records_hash.wrapping_add(record);
        self.kept[place].offer(Candidate { key, actual: actual.to_owned() });
    }

    /// The hash of a canonical record: what it is, of which claim, on which graph, at which configuration.
    fn canonical(&mut self, what: u8, claim: &[u8], configuration: impl Iterator<Item = u8>) -> u128 {
        self.buffer.clear();
        self.buffer.push(what);
        self.buffer.extend_from_slice(claim);
        self.buffer.push(0);
        self.buffer.extend_from_slice(&self.graph_tag);
        self.buffer.push(0);
        self.buffer.extend(configuration);
        record_hash(&self.buffer)
    }

    fn cover(&mut self, class: (Outcome, u128)) {
        match &mut self.run {
            Some((current, count)) if *current == class => *count += 1,
            _ => {
                self.flush();
                self.run = Some((class, 1));
            }
        }
    }

    fn flush(&mut self) {
        if let Some((class, count)) = self.run.take() {
            *self.coverage.entry(class).or_default() += count;
        }
    }

    /// The shard's result.
    pub fn finish(mut self) -> ShardResult {
        self.flush();
        let key = |outcome: Outcome, claims| CoverageKey { box_index: self.box_index, value: outcome.to_string(), claims };
        let coverage = self.coverage.into_iter().map(|((outcome, claims), count)| (key(outcome, claims), count)).collect();
        ShardResult {
            tally: Tally { decided: self.decided, claims: self.counts, coverage: Coverage(coverage), records_hash: self.records_hash },
            counterexamples: self.kept.into_iter().map(Smallest::into_sorted).collect(),
            records: self.records,
        }
    }
}

/// The claims of a task that speak about a domain: their place in the task, and what they say.
pub fn speaking(task: &Task, is_in: impl Fn(&Entry) -> bool) -> Vec<(usize, &'static Entry)> {
    let all = task.claims.iter().enumerate().filter_map(|(place, claim)| Some((place, entries().get(*claim)?)));
    all.filter(|(_, entry)| is_in(entry)).collect()
}
