//! A disk that fills up, and on which the coordinator can be killed between any two writes. It holds what is written against
//! what the program promises.

use std::cell::{Ref, RefCell, RefMut};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use refute_coordinator::driver::SweepProgress;
use refute_coordinator::schedule::{RangeSet, Vote};
use refute_coordinator::store::{Disagreement, QuarantineRecord, ShardCommit, ShardRecord, StoreError, SweepRecord, VoteRecord};
use refute_shared::sweep::Tally;

use super::random::Random;
use super::scenario::{CrashMoment, MAX_ATTEMPTS, Scenario};

/// How often a disk that is full may be tried again.
const TRY_EVERY_MS: u64 = 1_000;

/// What survives a crash of the coordinator: exactly what was committed. Each write is whole or not there.
#[derive(Clone, Debug)]
pub struct Kept {
    pub epoch: u32,
    pub record: SweepRecord,
    tally: Option<Tally>,
    pub done: BTreeMap<u64, ShardRecord>,
    /// As in the store, those that differ from the result that counted stay.
    pub votes: BTreeMap<u64, Vec<VoteRecord>>,
    counterexamples: BTreeSet<Vec<u8>>,
    /// All counterexamples of the shards that are done, kept or not.
    found: BTreeSet<Vec<u8>>,
    pub quarantined: BTreeSet<u64>,
    pub banned: BTreeSet<String>,
    pub drained: BTreeSet<String>,
}

/// Something written at once.
#[derive(Clone, Debug)]
enum Write {
    Sweep(Box<SweepRecord>),
    Commit(Vec<ShardCommit>),
    Vote(u64, Box<VoteRecord>),
    Disagreement(u64, Disagreement),
    Quarantined(u64, QuarantineRecord),
    QuarantineCleared,
    Banned(String),
    Drained(String, bool),
}

#[derive(Debug)]
pub struct Disk {
    pub kept: Kept,
    pub full: bool,
    /// How many writes it still takes before it is full, if it is about to be.
    pub fills_after: Option<u64>,
    pub now_ms: u64,
    /// In which moment of a turn the coordinator is to be killed.
    pub armed: Option<CrashMoment>,
    /// What was on the disk when it was killed. It does not know, and its turn goes on.
    killed: Option<Kept>,
    /// What was written since it was last asked, for the ledger.
    pub written: Vec<Written>,
    /// The write that failed, if it is there all the same. Only opening the disk again tells.
    hidden: Option<Write>,
    /// Set from the first write that fails until the disk is opened again: nothing is taken then.
    broken: bool,
    tried_ms: Option<u64>,
    /// Whether shards were committed in this turn.
    has_committed: bool,
    /// The workers whose results were kept as votes in this turn.
    heard: BTreeSet<String>,
    scenario: Scenario,
    random: Random,
}

/// A write that the ledger wants to know about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    Quarantined { shard: u64, error: String },
    Banned { instance: String },
}

/// The disk as the coordinator holds it.
#[derive(Clone, Debug)]
pub struct Handle(Rc<RefCell<Disk>>);

impl Handle {
    pub fn new(scenario: &Scenario, random: Random) -> Self {
        let kept = Kept {
            epoch: 0,
            record: scenario.record(),
            tally: None,
            done: BTreeMap::new(),
            votes: BTreeMap::new(),
            counterexamples: BTreeSet::new(),
            found: BTreeSet::new(),
            quarantined: BTreeSet::new(),
            banned: BTreeSet::new(),
            drained: BTreeSet::new(),
        };
        Self(Rc::new(RefCell::new(Disk {
            kept,
            full: false,
            fills_after: None,
            now_ms: 0,
            armed: None,
            killed: None,
            written: Vec::new(),
            hidden: None,
            broken: false,
            tried_ms: None,
            has_committed: false,
            heard: BTreeSet::new(),
            scenario: scenario.clone(),
            random,
        })))
    }

    pub fn get(&self) -> Ref<'_, Disk> {
        self.0.borrow()
    }

    pub fn get_mut(&self) -> RefMut<'_, Disk> {
        self.0.borrow_mut()
    }
}

impl Disk {
    /// There is room again.
    pub fn free(&mut self) {
        (self.full, self.fills_after) = (false, None);
    }

    /// A coordinator starts on it.
    pub fn start(&mut self) {
        self.open();
        self.tried_ms = None;
        self.written.clear();
        self.kept.epoch += 1;
    }

    /// Begins a turn in which the coordinator may be killed.
    pub fn begin_turn(&mut self, armed: Option<CrashMoment>) {
        self.armed = armed;
        self.has_committed = false;
        self.heard.clear();
    }

    /// Ends a turn, and says whether the coordinator was killed in it.
    pub fn end_turn(&mut self) -> bool {
        self.armed = None;
        let Some(kept) = self.killed.take() else { return false };
        self.kept = kept;
        // What it wrote afterwards has never happened.
        (self.hidden, self.broken) = (None, false);
        self.written.clear();
        true
    }

    fn kill(&mut self, moment: CrashMoment) {
        if self.armed == Some(moment) && self.killed.is_none() {
            self.killed = Some(self.kept.clone());
        }
    }

    fn open(&mut self) {
        self.broken = false;
        if let Some(hidden) = self.hidden.take() {
            self.put(hidden);
        }
    }

    fn write(&mut self, write: Write) -> Result<(), StoreError> {
        assert!(!self.broken, "after a write that failed the disk takes no further one");
        self.kill_before(&write);
        match &mut self.fills_after {
            Some(0) => self.full = true,
            Some(writes) => *writes -= 1,
            None => {}
        }
        if self.full {
            self.broken = true;
            self.hidden = self.random.chance(500).then_some(write);
            return Err(StoreError::Database { directory: PathBuf::from("data"), message: "no space left".into() });
        }
        let is_commit = matches!(write, Write::Commit(_));
        self.put(write);
        if is_commit {
            self.kill(CrashMoment::AfterCommit);
        }
        Ok(())
    }

    fn kill_before(&mut self, write: &Write) {
        match write {
            Write::Vote(_, record) => {
                self.kill(CrashMoment::BeforeCommit);
                self.heard.insert(record.worker.clone());
            }
            Write::Commit(commits) => {
                self.kill(CrashMoment::BeforeCommit);
                if commits.iter().any(|commit| self.heard.contains(&commit.record.worker)) {
                    self.kill(CrashMoment::BetweenWrites);
                }
            }
            Write::Banned(_) | Write::Quarantined(..) => self.kill(CrashMoment::BeforeChange),
            Write::Sweep(_) | Write::Disagreement(..) | Write::QuarantineCleared | Write::Drained(..) => {}
        }
    }

    fn put(&mut self, write: Write) {
        match write {
            Write::Sweep(record) => self.kept.record = *record,
            Write::Commit(commits) => {
                self.has_committed = true;
                commits.into_iter().for_each(|commit| self.put_shard(commit));
                let smallest = self.kept.found.iter().take(self.scenario.kept);
                assert!(self.kept.counterexamples.iter().eq(smallest), "the kept counterexamples are not the smallest");
            }
            Write::Vote(shard, record) if !self.kept.done.contains_key(&shard) => {
                let heard = self.kept.votes.entry(shard).or_default();
                assert!(heard.iter().all(|other| other.instance != record.instance), "{} is heard twice on {shard}", record.instance);
                heard.push(*record);
                self.kept.quarantined.remove(&shard);
            }
            Write::Vote(shard, _) => panic!("a result for shard {shard}, which is done, waits for others"),
            Write::Disagreement(shard, second) => {
                let first = self.kept.done.get_mut(&shard).unwrap();
                assert_ne!(first.digest, second.digest, "a result for shard {shard} is said to differ from itself");
                first.disagreements.push(second);
            }
            Write::Quarantined(shard, QuarantineRecord { error, attempts }) if !self.kept.done.contains_key(&shard) => {
                assert!(attempts >= MAX_ATTEMPTS, "shard {shard} is quarantined after {attempts} attempts");
                self.kept.quarantined.insert(shard);
                self.written.push(Written::Quarantined { shard, error });
            }
            Write::Quarantined(..) => {}
            Write::QuarantineCleared => self.kept.quarantined.clear(),
            Write::Drained(host, true) => drop(self.kept.drained.insert(host)),
            Write::Drained(host, false) => drop(self.kept.drained.remove(&host)),
            Write::Banned(instance) => {
                self.kept.banned.insert(instance.clone());
                self.written.push(Written::Banned { instance });
            }
        }
    }

    /// Takes a result with which a shard is done. Here it is held against what the program promises of it.
    fn put_shard(&mut self, commit: ShardCommit) {
        let (shard, Kept { tally, done, votes, counterexamples, found: all, quarantined, .. }) = (commit.shard_number, &mut self.kept);
        let truth = self.scenario.truth(shard);
        assert_eq!(commit.record.tally.as_ref(), Some(&truth.tally), "a lie about shard {shard} counts");
        let heard = votes.entry(shard).or_default();
        let agreed: BTreeSet<&str> =
            heard.iter().filter(|other| other.digest == commit.record.digest).map(|other| other.instance.as_str()).collect();
        let itself = agreed.iter().find(|instance| commit.record.worker.ends_with(&format!(" on {instance}")));
        assert_eq!(itself, None, "a worker agrees with itself on shard {shard}");
        assert!(agreed.len() + 1 >= self.scenario.replicas as usize, "shard {shard} counts with {} agreeing", agreed.len());
        assert_eq!(agreed, commit.agreed.iter().map(String::as_str).collect(), "not all who agreed are named");
        heard.retain(|other| other.digest != commit.record.digest);
        let differed: BTreeSet<&str> = heard.iter().map(|other| other.worker.as_str()).collect();
        let named: BTreeSet<&str> = commit.record.disagreements.iter().map(|other| other.worker.as_str()).collect();
        assert_eq!(differed, named, "not all who differed are named");
        quarantined.remove(&shard);
        let mut sum = tally.take().unwrap_or_else(|| Tally::new(truth.tally.claims.len()));
        sum.merge(&truth.tally).unwrap();
        assert_eq!(commit.tally, sum, "the tally is not the sum over the shards");
        *tally = Some(sum);
        assert!(done.insert(shard, commit.record).is_none(), "shard {shard} counts twice");
        all.extend(self.scenario.counterexamples(shard));
        for (claim, key, found) in commit.put_counterexamples {
            assert!(claim == 0 && found.confirmed && self.scenario.counterexamples(shard).contains(&key), "that is no counterexample");
            assert!(counterexamples.insert(key), "a counterexample is put twice");
        }
        for (_, key) in commit.delete_counterexamples {
            assert!(counterexamples.remove(&key), "a counterexample that is not there is deleted");
        }
    }

    /// Whether shards were committed in this turn.
    pub fn has_committed(&self) -> bool {
        self.has_committed
    }

    /// Whether a write failed since the disk was last opened.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// Whether a result of a worker differs from the one that counts.
    pub fn is_outvoted(&self, instance: &str) -> bool {
        let by_it = |heard: &[VoteRecord]| heard.iter().any(|vote| vote.instance == instance);
        self.kept.votes.iter().any(|(shard, heard)| by_it(heard) && self.kept.done.contains_key(shard))
    }

    /// Whether what was acknowledged is there.
    pub fn has(&self, shard: u64, instance: &str) -> bool {
        let heard = |heard: &Vec<VoteRecord>| heard.iter().any(|other| other.instance == instance);
        self.kept.done.contains_key(&shard) || self.kept.votes.get(&shard).is_some_and(heard)
    }

    fn progress(&self) -> SweepProgress {
        let Kept { tally, done, votes, counterexamples, quarantined, .. } = &self.kept;
        let mut progress = SweepProgress {
            tally: tally.clone(),
            counterexamples: counterexamples.iter().map(|key| (0, key.clone(), true)).collect(),
            done: done.keys().copied().collect(),
            quarantined: quarantined.iter().copied().collect(),
            ..SweepProgress::default()
        };
        for (shard, heard) in votes {
            for VoteRecord { instance, host, worker, digest, .. } in heard {
                match done.contains_key(shard) {
                    true => progress.outvoted.push((*shard, instance.clone(), worker.clone())),
                    false => progress.votes.push((*shard, Vote { instance: instance.clone(), host: host.clone(), digest: *digest })),
                }
            }
        }
        progress
    }
}

impl refute_coordinator::driver::Disk for Handle {
    fn epoch(&self) -> u32 {
        self.get().kept.epoch
    }

    fn unverified(&self, _sweep_id: &str) -> Result<Vec<(String, String, RangeSet)>, StoreError> {
        unreachable!("no sweep is submitted again with more replicas")
    }

    fn add_agreement(&self, _sweep_id: &str, _shard_number: u64, _worker: &str) -> Result<(), StoreError> {
        unreachable!("no sweep is submitted again with more replicas")
    }

    fn drained(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.get().kept.drained.iter().cloned().collect())
    }

    fn put_drained(&self, host: &str, drained: bool) -> Result<(), StoreError> {
        self.get_mut().write(Write::Drained(host.to_owned(), drained))
    }

    fn banned(&self) -> Result<Vec<(String, String)>, StoreError> {
        Ok(self.get().kept.banned.iter().map(|instance| (instance.clone(), "it lied".into())).collect())
    }

    fn sweeps(&self) -> Result<Vec<SweepRecord>, StoreError> {
        Ok(vec![self.get().kept.record.clone()])
    }

    fn sweep(&self, sweep_id: &str) -> Result<Option<SweepRecord>, StoreError> {
        Ok(Some(self.get().kept.record.clone()).filter(|record| record.id == sweep_id))
    }

    fn progress(&self, _sweep_id: &str, _claims: usize) -> Result<SweepProgress, StoreError> {
        Ok(self.get().progress())
    }

    fn shard(&self, _sweep_id: &str, shard_number: u64) -> Result<Option<ShardRecord>, StoreError> {
        Ok(self.get().kept.done.get(&shard_number).cloned())
    }

    fn votes_on(&self, _sweep_id: &str, shard_number: u64) -> Result<Vec<VoteRecord>, StoreError> {
        Ok(self.get().kept.votes.get(&shard_number).cloned().unwrap_or_default())
    }

    fn put_sweep(&self, sweep: &SweepRecord) -> Result<(), StoreError> {
        self.get_mut().write(Write::Sweep(Box::new(sweep.clone())))
    }

    fn commit(&self, commits: &[ShardCommit]) -> Result<Duration, StoreError> {
        self.get_mut().write(Write::Commit(commits.to_vec())).map(|()| Duration::ZERO)
    }

    fn put_vote(&self, _sweep_id: &str, shard_number: u64, vote: &VoteRecord) -> Result<(), StoreError> {
        self.get_mut().write(Write::Vote(shard_number, Box::new(vote.clone())))
    }

    fn add_disagreement(&self, _sweep_id: &str, shard_number: u64, disagreement: Disagreement) -> Result<(), StoreError> {
        self.get_mut().write(Write::Disagreement(shard_number, disagreement))
    }

    fn put_quarantined(&self, _sweep_id: &str, shard_number: u64, record: &QuarantineRecord) -> Result<(), StoreError> {
        self.get_mut().write(Write::Quarantined(shard_number, record.clone()))
    }

    fn clear_quarantined(&self, _sweep_id: &str) -> Result<(), StoreError> {
        self.get_mut().write(Write::QuarantineCleared)
    }

    fn put_banned(&self, instance: &str, _reason: &str) -> Result<(), StoreError> {
        self.get_mut().write(Write::Banned(instance.to_owned()))
    }

    fn forget_banned(&self, instance: &str) -> Result<(), StoreError> {
        unreachable!("{instance} is forgotten, and only few are banned")
    }

    fn reopen(&mut self) -> Result<(), StoreError> {
        let mut disk = self.get_mut();
        let now_ms = disk.now_ms;
        assert!(disk.tried_ms.is_none_or(|tried_ms| now_ms >= tried_ms + TRY_EVERY_MS), "the disk is tried without a pause");
        disk.tried_ms = Some(now_ms);
        if disk.full {
            return Err(StoreError::File { path: PathBuf::from("data"), action: "write", message: "no space left".into() });
        }
        disk.open();
        disk.tried_ms = None;
        Ok(())
    }
}
