use crate::families::legacy::{Confirmation, Pulse, Reference, SolveError, Solver, Task};
use crate::sweep::{Shard, ShardResult};
use crate::value::Nimber;

use super::space::NullSpace;

/// Heaps between two beats of the pulse.
const HEAPS_PER_BEAT: u64 = 1 << 16;

/// What can be left of a heap: nothing can be removed from it.
pub fn options(_heap: u64) -> Vec<u64> {
    Vec::new()
}

/// The Grundy value of a heap by definition: the least that no option has.
pub fn value(heap: u64) -> Nimber {
    let options: Vec<Nimber> = options(heap).into_iter().map(value).collect();
    let mex = (0..).map(Nimber).find(|nimber| !options.contains(nimber));
    // There are fewer options than nimbers.
    mex.unwrap_or(Nimber(0))
}

/// The key of a heap, whose byte order is the order of size: the heap, then its box, both big-endian.
pub fn key(box_index: u32, heap: u64) -> Vec<u8> {
    [&heap.to_be_bytes()[..], &box_index.to_be_bytes()].concat()
}

/// Solves shards by the only fact that there is: every heap has the value 0.
pub struct NullSolver {
    space: NullSpace,
}

impl NullSolver {
    /// A solver. It keeps nothing.
    pub fn new(space: NullSpace) -> Self {
        Self { space }
    }
}

impl Solver for NullSolver {
    fn solve(&mut self, shard: &Shard, task: &Task, pulse: &mut dyn Pulse) -> Result<ShardResult, SolveError> {
        let heaps = self.space.heaps(shard).ok_or_else(|| SolveError::NoSuchShard(shard.clone()))?;
        let value = Nimber(0).to_string();
        let mut collector = crate::families::legacy::collector(shard.box_index, task);
        for heap in heaps {
            if heap % HEAPS_PER_BEAT == 0 && !pulse.beat(collector.decided()) {
                return Err(SolveError::Stopped);
            }
            let key = key(shard.box_index, heap);
            collector.decide();
            collector.canonical(&[&key[..], value.as_bytes()].concat());
            collector.keep(true, &value, || key);
        }
        Ok(collector.finish())
    }
}

/// Solves heaps again by the definition.
pub struct NullReference {
    space: NullSpace,
}

impl NullReference {
    /// A reference. It keeps nothing.
    pub fn new(space: NullSpace) -> Self {
        Self { space }
    }
}

impl Reference for NullReference {
    fn confirm(&mut self, claim: usize, _key: &[u8], _actual: &str) -> Confirmation {
        Confirmation::Disagrees(format!("the family null makes no claim {claim}"))
    }

    fn value(&mut self, key: &[u8]) -> Option<String> {
        let (heap, box_index) = key.split_first_chunk::<8>()?;
        let (heap, box_index) = (u64::from_be_bytes(*heap), u32::from_be_bytes(box_index.try_into().ok()?));
        self.space.has(box_index, heap).then(|| value(heap).to_string())
    }
}
