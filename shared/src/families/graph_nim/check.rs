//! Holds predictions against actual values, and counts.

use crate::claim::Prediction;
use crate::families::legacy::{Check, Collector, Task};
use crate::sweep::ShardResult;
use crate::value::Outcome;

use super::claims::{Entry, Predicate, Says, Subject, entries};
use super::graph::Graph;
use super::key;

/// How many canonical records of a row are written before they are hashed.
const RECORDS_AT_A_TIME: usize = 32;

/// Holds the claims of a task against the configurations of one box.
pub struct Checker<'a> {
    box_index: u32,
    subject: Option<&'a Subject>,
    /// The claims that speak about this box: their place in the task, and what they say.
    claims: Vec<(usize, &'static Entry)>,
    collector: Collector,
    /// The canonical encoding of the graph, which is in every canonical record.
    graph_tag: Vec<u8>,
    buffer: Vec<u8>,
}

impl<'a> Checker<'a> {
    /// A checker for positions on one graph, or for graphs themselves if there is no subject.
    pub fn new(box_index: u32, subject: Option<&'a Subject>, claims: Vec<(usize, &'static Entry)>, task: &Task) -> Self {
        let graph_tag = subject.map(|subject| subject.graph.to_string()).unwrap_or_default().into_bytes();
        Self { box_index, subject, claims, collector: crate::families::legacy::collector(box_index, task), graph_tag, buffer: Vec::new() }
    }

    /// How many configurations have been decided.
    pub fn decided(&self) -> u128 {
        self.collector.decided()
    }

    /// Takes in a position and its outcome, and gives the bits of the claims that predicted it. The caller gave a subject.
    pub fn position(&mut self, weights: &[u32], outcome: Outcome) -> u128 {
        self.collector.decide();
        let all = 0..self.claims.len();
        let rightly = self.hold_against(all, weights, outcome);
        self.collector.cover(outcome.letter(), rightly);
        if outcome == Outcome::P {
            self.losing(weights);
        } else {
            self.collector.keep(false, outcome.letter(), || key::of_weights(self.box_index, weights));
        }
        rightly
    }

    /// Counts what claims, given by their index in the checker's own list, say of a position, and gives the bits of those that
    /// predicted its outcome.
    pub fn hold_against(&mut self, claims: impl IntoIterator<Item = usize>, weights: &[u32], outcome: Outcome) -> u128 {
        let Some(subject) = self.subject else { return 0 };
        let view = subject.view(weights);
        let mut rightly = 0u128;
        for index in claims {
            let (place, entry) = self.claims[index];
            let Predicate::Position(predict) = entry.predicate else { continue };
            let prediction = predict(&view);
            let box_index = self.box_index;
            let key = || key::of_weights(box_index, weights);
            let is_right = self.count(place, entry, &prediction, Some(outcome), key);
            if is_right && matches!(prediction, Prediction::Value(_)) {
                rightly |= 1 << place;
            }
        }
        rightly
    }

    /// Takes in that a position is a P-position: its canonical record, and the position itself if it is to be kept.
    fn losing(&mut self, weights: &[u32]) {
        // Weights are at most 2^16 - 1.
        self.canonical(b'P', &[], weights.iter().flat_map(|weight| (*weight as u16).to_be_bytes()));
        self.collector.canonical(&self.buffer);
        self.collector.keep(true, Outcome::P.letter(), || key::of_weights(self.box_index, weights));
    }

    /// The same for P-positions that differ from `weights` in two edges only: for each its weights on these edges.
    ///
    /// Their records are written many at a time before the first of them is hashed: to read eight bytes two of which have just
    /// been written is several times as slow.
    pub fn losing_in_row(&mut self, weights: &mut [u32], edges: [usize; 2], mut each: impl Iterator<Item = [u32; 2]>) {
        self.canonical(b'P', &[], weights.iter().flat_map(|weight| (*weight as u16).to_be_bytes()));
        let length = self.buffer.len();
        let start = length - 2 * weights.len();
        let at = edges.map(|edge| start + 2 * edge);
        self.buffer = self.buffer.repeat(RECORDS_AT_A_TIME);
        let keeps = self.collector.keeps(true);
        loop {
            let mut written = 0;
            for (record, pair) in self.buffer.chunks_exact_mut(length).zip(each.by_ref()) {
                for (at, weight) in at.into_iter().zip(pair) {
                    record[at..at + 2].copy_from_slice(&(weight as u16).to_be_bytes());
                }
                if keeps {
                    edges.into_iter().zip(pair).for_each(|(edge, weight)| weights[edge] = weight);
                    self.collector.keep(true, Outcome::P.letter(), || key::of_weights(self.box_index, weights));
                }
                written += 1;
            }
            self.buffer.chunks_exact(length).take(written).for_each(|record| self.collector.canonical(record));
            if written < RECORDS_AT_A_TIME {
                return;
            }
        }
    }

    /// The claims that speak about this box: their place in the task, and what they say.
    pub fn claims(&self) -> &[(usize, &'static Entry)] {
        &self.claims
    }

    /// The result so far, for what is counted many at a time.
    pub fn collector(&mut self) -> &mut Collector {
        &mut self.collector
    }

    /// Takes in an edge set.
    pub fn graph(&mut self, number: u64, graph: &Graph) {
        self.collector.decide();
        let box_index = self.box_index;
        for index in 0..self.claims.len() {
            let (place, entry) = self.claims[index];
            let Predicate::Graph(predict) = entry.predicate else { continue };
            self.count(place, entry, &predict(graph), None, || key::of_edge_set(box_index, number));
        }
        self.collector.keep(false, &graph.edge_names().join(" "), || key::of_edge_set(box_index, number));
    }

    /// Counts a prediction, and says whether it spoke and was right.
    fn count(&mut self, place: usize, entry: &Entry, says: &Says, actual: Option<Outcome>, key: impl FnOnce() -> Vec<u8>) -> bool {
        // No claim of this family needs the values of other positions.
        match says.check(actual.as_ref(), &[]) {
            Check::Silent => false,
            Check::Held => {
                self.collector.held(place);
                true
            }
            Check::Refuted => {
                let key = key();
                // The record leaves out the box's index: it is about the configuration, whatever the sweep around it.
                let configuration = key[..key.len() - 4].to_vec();
                self.canonical(b'R', entry.claim.id.as_bytes(), configuration.into_iter());
                self.collector.refuted(place, key, says.actual(actual.as_ref(), &[]), &self.buffer);
                false
            }
        }
    }

    /// Puts a canonical record into the buffer: what it is, of which claim, on which graph, at which configuration.
    fn canonical(&mut self, what: u8, claim: &[u8], configuration: impl Iterator<Item = u8>) {
        self.buffer.clear();
        self.buffer.push(what);
        self.buffer.extend_from_slice(claim);
        self.buffer.push(0);
        self.buffer.extend_from_slice(&self.graph_tag);
        self.buffer.push(0);
        self.buffer.extend(configuration);
    }

    /// The shard's result.
    pub fn finish(self) -> ShardResult {
        self.collector.finish()
    }
}

/// The claims of a task that speak about a domain: their place in the task, and what they say.
pub fn speaking(task: &Task, is_in: impl Fn(&Entry) -> bool) -> Vec<(usize, &'static Entry)> {
    let all = task.claims.iter().enumerate().filter_map(|(place, claim)| Some((place, entries().get(*claim)?)));
    all.filter(|(_, entry)| is_in(entry)).collect()
}
