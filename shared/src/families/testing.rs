//! What the tests of several families share.

use crate::sweep::{Manifest, Record, Shard, ShardResult, Sweep};

use super::{Family, Pulse, Solver, Task};

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
