use std::collections::{BTreeMap, BTreeSet};

use refute_coordinator::schedule::{Change, Opinion, SweepEntry, SweepState};

use super::coordinator::SWEEP;
use super::random::Random;
use super::scenario::{Scenario, truth};

/// What survives a crash of the coordinator: exactly what was committed. Each write is whole or not there.
#[derive(Clone, Debug)]
pub struct Disk {
    pub epoch: u32,
    pub state: SweepState,
    pub done: BTreeMap<u64, Done>,
    /// As in the store, those that differ from the result that counted stay.
    pub opinions: BTreeMap<u64, Vec<Opinion>>,
    pub quarantined: BTreeSet<u64>,
    pub banned: BTreeSet<String>,
    pub full: bool,
}

/// A shard that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    pub instance: String,
    pub digest: u128,
    /// Who had come to the same before.
    pub agreed: Vec<String>,
}

/// A write that failed. What was to be written may be there all the same.
#[derive(Clone, Copy, Debug)]
pub struct Full;

impl Disk {
    pub fn new() -> Self {
        Self {
            epoch: 0,
            state: SweepState::Queued,
            done: BTreeMap::new(),
            opinions: BTreeMap::new(),
            quarantined: BTreeSet::new(),
            banned: BTreeSet::new(),
            full: false,
        }
    }

    /// Writes results with which shards are done. Here each is held against what the program promises of it.
    pub fn commit(&mut self, batch: &[(u64, Done)], scenario: &Scenario, random: &mut Random) -> Result<(), Full> {
        let there = !self.full || random.chance(500);
        for (shard, done) in batch.iter().filter(|_| there) {
            assert_eq!(done.digest, truth(*shard), "a lie about shard {shard} counts: {done:?}");
            let heard = self.opinions.entry(*shard).or_default();
            let agreed: BTreeSet<&String> = heard.iter().filter(|other| other.digest == done.digest).map(|other| &other.instance).collect();
            assert!(!agreed.contains(&done.instance), "{} agrees with itself on shard {shard}", done.instance);
            assert!(agreed.len() + 1 >= scenario.replicas as usize, "shard {shard} counts with {} agreeing", agreed.len());
            assert!(agreed.into_iter().eq(done.agreed.iter().collect::<BTreeSet<_>>()), "not all who agreed are named");
            heard.retain(|other| other.digest != done.digest);
            self.quarantined.remove(shard);
            assert_eq!(self.done.insert(*shard, done.clone()), None, "shard {shard} counts twice");
        }
        if self.full { Err(Full) } else { Ok(()) }
    }

    pub fn put_opinion(&mut self, shard: u64, opinion: &Opinion, random: &mut Random) -> Result<(), Full> {
        if !self.full || random.chance(500) {
            let heard = self.opinions.entry(shard).or_default();
            assert!(heard.iter().all(|other| other.instance != opinion.instance), "{} is heard twice on {shard}", opinion.instance);
            heard.push(opinion.clone());
            self.quarantined.remove(&shard);
        }
        if self.full { Err(Full) } else { Ok(()) }
    }

    pub fn write(&mut self, change: &Change) -> Result<(), Full> {
        if self.full {
            return Err(Full);
        }
        match change {
            Change::State { state, .. } => self.state = *state,
            Change::Quarantined { shard_number, .. } if !self.done.contains_key(shard_number) => {
                self.quarantined.insert(*shard_number);
            }
            Change::Banned { instance, .. } => {
                self.banned.insert(instance.clone());
            }
            Change::QuarantineCleared { .. } => self.quarantined.clear(),
            Change::Quarantined { .. } | Change::Priority { .. } => {}
        }
        Ok(())
    }

    /// The opinions on shards that are not done.
    pub fn waiting(&self) -> impl Iterator<Item = (u64, &Opinion)> {
        let waiting = self.opinions.iter().filter(|(shard, _)| !self.done.contains_key(shard));
        waiting.flat_map(|(shard, heard)| heard.iter().map(|opinion| (*shard, opinion)))
    }

    /// The instances whose results differ from those that count.
    pub fn outvoted(&self) -> BTreeSet<&String> {
        let beside = self.opinions.iter().filter(|(shard, _)| self.done.contains_key(shard));
        beside.flat_map(|(_, heard)| heard.iter().map(|opinion| &opinion.instance)).collect()
    }

    /// Whether what was acknowledged is there.
    pub fn has(&self, shard: u64, instance: &str) -> bool {
        self.done.contains_key(&shard)
            || self.opinions.get(&shard).is_some_and(|heard| heard.iter().any(|other| other.instance == instance))
    }

    pub fn entry(&self, scenario: &Scenario) -> SweepEntry {
        SweepEntry {
            id: SWEEP.into(),
            family: "family".into(),
            solver_version: 1,
            shards: scenario.shards,
            done: self.done.keys().copied().collect(),
            quarantined: self.quarantined.iter().copied().collect(),
            bytes: 1,
            state: self.state,
            reason: None,
            priority: 0,
            replicas: scenario.replicas,
            opinions: self.waiting().map(|(shard, opinion)| (shard, opinion.clone())).collect(),
        }
    }
}
