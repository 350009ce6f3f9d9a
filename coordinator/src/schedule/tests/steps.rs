//! What may happen to a schedule, at random.

use proptest::prelude::*;

/// How many shards each sweep has.
pub const SHARDS: [u64; 4] = [5, 3, 0, 4];
/// How many worker processes there are: some register several times, as after a broken connection.
pub const INSTANCES: u64 = 6;
/// How many hosts they are on.
pub const HOSTS: u64 = 3;

#[derive(Clone, Debug)]
pub enum Step {
    Register {
        slots: u32,
        able: bool,
    },
    Deregister(usize),
    Lease(usize),
    Ask {
        worker: usize,
        number: u64,
    },
    Drain {
        host: u64,
        drained: bool,
    },
    Heartbeat {
        worker: usize,
        named: u8,
    },
    Release {
        lease: usize,
        error: bool,
        stranger: bool,
    },
    Wait(u64),
    Result {
        sweep: usize,
        shard: u64,
        instance: u64,
        digest: u128,
    },
    ResultOfLease {
        lease: usize,
        digest: u128,
    },
    /// A result comes back under the claim that the reference contradicts it.
    Contested(usize),
    Cancel(usize),
    Pause(usize),
    Resume(usize),
    Reopen(usize),
    Fail(usize),
    Prefer(usize, i32),
    Restart,
}

pub fn step() -> impl Strategy<Value = Step> {
    let sweep = 0..SHARDS.len();
    prop_oneof![
        3 => (0u32..4, prop::bool::weighted(0.8)).prop_map(|(slots, able)| Step::Register { slots, able }),
        1 => (0usize..9).prop_map(Step::Deregister),
        12 => (0usize..9).prop_map(Step::Lease),
        3 => (0usize..9, 0u64..5).prop_map(|(worker, number)| Step::Ask { worker, number }),
        1 => (0..HOSTS, prop::bool::weighted(0.3)).prop_map(|(host, drained)| Step::Drain { host, drained }),
        5 => (0usize..9, any::<u8>()).prop_map(|(worker, named)| Step::Heartbeat { worker, named }),
        3 => (0usize..9, any::<bool>(), prop::bool::weighted(0.1))
            .prop_map(|(lease, error, stranger)| Step::Release { lease, error, stranger }),
        6 => (1u64..150).prop_map(Step::Wait),
        2 => (sweep.clone(), 0u64..6, 0..INSTANCES, digest())
            .prop_map(|(sweep, shard, instance, digest)| Step::Result { sweep, shard, instance, digest }),
        5 => (0usize..9, digest()).prop_map(|(lease, digest)| Step::ResultOfLease { lease, digest }),
        1 => (0usize..9).prop_map(Step::Contested),
        1 => sweep.clone().prop_map(Step::Cancel),
        1 => sweep.clone().prop_map(Step::Pause),
        2 => sweep.clone().prop_map(Step::Resume),
        2 => sweep.clone().prop_map(Step::Reopen),
        1 => prop::bool::weighted(0.1).prop_flat_map(move |fails| sweep.clone().prop_map(move |index| match fails {
            true => Step::Fail(index),
            false => Step::Prefer(index, index as i32 - 1),
        })),
        1 => Just(Step::Restart),
    ]
}

/// Mostly the right one; a liar's is its own.
fn digest() -> impl Strategy<Value = u128> {
    prop_oneof![8 => Just(0u128), 1 => 1u128..4]
}
