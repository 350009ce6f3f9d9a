//! The state machine of sweeps, shards, leases and retries.
//!
//! It is plain synchronous code. It reads no clock, file or socket and starts no thread: its driver hands it the
//! events and, as `now_ms`, a monotonic time in milliseconds, asks it by [`Schedule::next_timer`] when to call
//! [`Schedule::expire`] next, and writes down what [`Schedule::take_changes`] says. It knows a family only as a string.
//!
//! The way of a shard, which is in exactly one of these places at any time:
//!
//! ```text
//!             lease                      mark_done
//!  pending ───────────────▶ leased ──────────────────────▶ done
//!     ▲  ◀──────────────────  │                             ▲
//!     │   release, expiry,    │ an error or a loss,         │ mark_done: a late result counts
//!     │   cancel              │ the last attempt allowed    │ wherever the shard is
//!     │                       ▼                             │
//!     └──────────────── quarantined ────────────────────────┘
//!          reopen
//! ```
//!
//! Where more than one worker must agree on a result, or a result was contradicted, a shard that has one is pending for
//! the workers that have not given one yet, until enough agree. A worker that the others contradict is banned.
//!
//! Laws, each checked by a test after every step:
//!
//! - A shard is in exactly one place, and the counts of the places add up to the number of shards.
//! - No worker holds more leases than it has slots and results on their way, as many as it says, and every lease is of a known
//!   worker.
//! - No worker has two shards at a time that were with a worker that was lost, or came back with an error, nor another beside one
//!   of which this is the last attempt. The rules of hosts stand at the head of `hosts.rs`.
//! - A drained host has no new leases, and one on probation one at a time, after its pause.
//! - A shard that a host failed, or was heard on, goes to another host or to a worker with more memory if there is one; and it is
//!   quarantined only after enough attempts, on all hosts that are there, or after 32.
//! - A done shard is never leased again, and no shard to a worker that has given a result for it or is banned.
//! - Unless it was cancelled or has failed, a sweep is complete exactly if every shard is done.
//!
//! Leases are not kept on disk. After a restart the schedule is rebuilt from what is done and quarantined, and every
//! other shard is pending; a worker that still solves one hands its result in, and the first result counts.

mod choice;
mod control;
mod deadlines;
mod hosts;
mod leasing;
mod machine;
mod ranges;
mod shards;
mod state;
mod types;
mod views;

#[cfg(test)]
mod tests;

pub use machine::Schedule;
pub use ranges::RangeSet;
pub use state::{SweepState, UnknownState};
pub use types::{
    Change, Config, ControlError, ExpiredLease, LANGUAGE, LeaseGrant, LeaseId, LeaseView, Probation, Released, ResultStanding, ShardCounts,
    SweepEntry, TooManyDrained, TooManyWorkers, UnknownShard, UnknownSweep, UnknownWorker, Vote, WorkerId, WorkerInfo, WorkerView,
};
