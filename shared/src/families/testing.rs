//! What the tests of several families share.

use std::collections::BTreeSet;

use crate::sweep::{Manifest, Record, Sentence, Shard, ShardResult, Stated, StatedClaim, Sweep, Written};

use super::{Family, Pulse, Solver, Task, text};

/// A pulse that never stops.
pub struct GoOn;

impl Pulse for GoOn {
    fn beat(&mut self, _decided: u128) -> bool {
        true
    }
}

fn manifest(family: &dyn Family, rest: &str) -> Manifest {
    Manifest::parse(&format!("name = \"test\"\nfamily = \"{}\"\n{rest}", family.id())).unwrap()
}

/// The sweep of a manifest without its first two lines.
pub fn sweep(family: &'static dyn Family, rest: &str) -> Sweep {
    Sweep::of(family, manifest(family, rest)).unwrap()
}

/// The task of a sweep, with ten counterexamples per claim.
pub fn task(_sweep: &Sweep) -> Task {
    Task { counterexamples: 10, record: Record::None, budget_bytes: 1 << 30 }
}

/// Solves a shard of a sweep.
pub fn solve(solver: &mut dyn Solver, sweep: &Sweep, shard: &Shard) -> ShardResult {
    solver.solve(shard, &task(sweep), &mut GoOn).unwrap()
}

/// What the sweep of a manifest without its first two lines is refused with; nothing if it is accepted.
pub fn refusal(family: &'static dyn Family, rest: &str) -> Option<String> {
    Sweep::of(family, manifest(family, rest)).err().map(|error| error.to_string())
}

/// Each of these boxes is refused with one line that begins as it should.
pub fn assert_refused(family: &'static dyn Family, cases: &[(&str, &str)]) {
    for (space, expected) in cases {
        let found = refusal(family, &format!("[space]\n{space}")).unwrap_or_default();
        assert!(found.starts_with(expected), "{space}\n{found}");
        assert!(!found.contains('\n'), "{found}");
    }
}

/// Of some claims that are their texts, those of which a copy is refuted somewhere in a space: what it says is changed.
pub fn refuted_copies(family: &'static dyn Family, space: &str, ids: &[String], change: impl Fn(&str, &str) -> String) -> BTreeSet<String> {
    let mut stated = Stated::default();
    for (number, id) in ids.iter().enumerate() {
        let Stated { definitions, claims } = text(id).unwrap_or_else(|| panic!("{id} has no text"));
        for definition in definitions {
            if !stated.definitions.contains(&definition) {
                stated.definitions.push(definition);
            }
        }
        let claim = claims.into_iter().next().unwrap();
        let says = claim.sentence.written().text.clone();
        let changed = change(id, &says);
        assert_ne!(changed, says, "{id}");
        stated.claims.push(StatedClaim { id: format!("copy/{number}"), sentence: Sentence::Says(Written::new(changed)), ..claim });
    }
    let sweep = Sweep::of(family, Manifest { stated, ..manifest(family, space) }).unwrap();
    let mut refuted = BTreeSet::new();
    let mut solver = sweep.space.solver();
    for box_index in 0..sweep.space.boxes() {
        let shard = Shard { box_index, start: 0, end: sweep.space.units(box_index) };
        let tally = solver.solve(&shard, &task(&sweep), &mut GoOn).unwrap().tally;
        refuted.extend(ids.iter().zip(&tally.claims).filter(|(_, counts)| counts.refuted > 0).map(|(id, _)| id.clone()));
    }
    refuted
}
