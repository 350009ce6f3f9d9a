//! What workers hand in, and what the reference says about it: the right results of a sweep that nobody solves here, and lies.

use std::collections::BTreeSet;

use refute_coordinator::driver::Confirmed;
use refute_shared::families::Counterexample;
use refute_shared::sweep::{BoxPlan, Candidate, ClaimTally, Manifest, Plan, Shard, ShardResult, Sweep, Tally};

use refute_coordinator::schedule::SweepState;
use refute_coordinator::store::SweepRecord;

use super::scenario::{Lie, Scenario};

/// Configurations of a shard: a row of positions.
const DECIDED: u128 = 10;

/// What a counterexample says that is none.
const INVENTED: &str = "invented";

impl Scenario {
    /// What somebody submits. The family is a real one, for its claim; what its workers find is made up.
    pub fn manifest(&self) -> String {
        let Self { kept, replicas, .. } = self;
        format!(
            "name = \"sweep\"\nfamily = \"graph-nim\"\nclaims = [\"four-edges/lemma-4.9.iii-printed\"]\n\
             [space]\ngraph = \"H1\"\nweights = \"0..=9\"\n[run]\ncounterexamples = {kept}\nreplicas = {replicas}\n"
        )
    }

    /// The sweep as it is on disk before anything has happened.
    pub fn record(&self) -> SweepRecord {
        let sweep = Sweep::resolve(Manifest::parse(&self.manifest()).unwrap()).unwrap();
        assert_eq!((sweep.space.configurations(&Shard { box_index: 0, start: 0, end: 1 }), sweep.claim_ids().len()), (DECIDED, 1));
        SweepRecord {
            id: sweep.id(),
            manifest_toml: sweep.manifest.to_toml(),
            family: sweep.family.id().to_owned(),
            solver_version: sweep.family.solver_version(),
            language: None,
            // As many shards as wanted, whatever the space has.
            plan: Plan { boxes: vec![BoxPlan { units: self.shards, units_per_shard: 1 }] },
            state: SweepState::Queued,
            reason: None,
            created_unix_ms: 0,
            active_ms: 0,
            hosts: BTreeSet::new(),
            verifies: false,
            priority: 0,
            sequence: 0,
        }
    }

    /// The keys of all counterexamples of a shard, in ascending order. In the order of shards they jump up and down, so that
    /// smaller ones push out larger ones.
    pub fn counterexamples(&self, shard: u64) -> Vec<Vec<u8>> {
        let count = if shard < self.confirmed_from { 0 } else { 1 + shard % 2 };
        // No two of fewer than 500 shards have one in common, since 371 and 1,000 have no common divisor.
        let place = |number: u64| (2 * shard + number) * 371 % 1000;
        let digits = |place: u64| [9, place / 100, place / 10 % 10, place % 10];
        let mut keys: Vec<Vec<u8>> = (0..count).map(|number| key(digits(place(number)))).collect();
        keys.sort();
        keys
    }

    /// The only right result of a shard.
    pub fn truth(&self, shard: u64) -> ShardResult {
        let found = self.counterexamples(shard);
        let candidates = found.into_iter().map(|key| Candidate { key, actual: "N".into() }).collect();
        self.result(u128::from(shard) << 32, candidates)
    }

    /// What a machine says that lies.
    pub fn lie(&self, shard: u64, machine: usize, lie: Lie) -> ShardResult {
        let mut candidates = self.truth(shard).counterexamples.concat();
        if lie == Lie::Visible {
            // Smaller than all others, so that the reference is always asked.
            candidates.insert(0, Candidate { key: key([0, 0, 0, machine as u64 % 9]), actual: INVENTED.into() });
        }
        self.result((u128::from(shard) << 32) + machine as u128 + 1, candidates)
    }

    fn result(&self, records_hash: u128, mut candidates: Vec<Candidate>) -> ShardResult {
        let refuted = candidates.len() as u128;
        candidates.truncate(self.kept);
        let claims = vec![ClaimTally::of(DECIDED - refuted, refuted)];
        let tally = Tally { decided: DECIDED, claims, records_hash, ..Tally::default() };
        ShardResult { tally, counterexamples: vec![candidates], records: Vec::new() }
    }
}

/// The key of a position of H1 with weights up to 9, in the only box.
fn key(weights: [u64; 4]) -> Vec<u8> {
    let sum: u64 = weights.iter().sum();
    let weights = weights.iter().flat_map(|weight| [1, 0, *weight as u8]);
    sum.to_be_bytes().into_iter().chain(weights).chain([0]).chain(0u32.to_be_bytes()).collect()
}

/// What the reference says about counterexamples.
pub fn confirm(candidates: &[(u32, Candidate)]) -> Result<Vec<Confirmed>, String> {
    let one = |(claim, Candidate { key, actual }): &(u32, Candidate)| {
        if actual == INVENTED {
            return Err("solver and reference disagree".to_owned());
        }
        let counterexample = Counterexample {
            parameters: serde_json::Value::Null,
            predicted: "P".into(),
            actual: actual.clone(),
            confirmed: true,
            witness: None,
            reason: None,
            subexpressions: Vec::new(),
        };
        Ok(Confirmed { claim: *claim, key: key.clone(), counterexample })
    };
    candidates.iter().map(one).collect()
}
