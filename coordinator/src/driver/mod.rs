//! The one place where clock, store, rpc and schedule meet.
//!
//! A [`Driver`] is a handle on one thread that owns the [`Coordinator`]. All that happens reaches it as a function to run
//! there, one after the other, so nothing needs a lock. What is ready to be written goes into one batch, which is on disk
//! before anyone is answered. A second thread solves counterexamples again by the reference before they are written.
//!
//! The coordinator is a [`Core`]: plain code without clock, thread or socket, on a [`Disk`] that is the store here and made up
//! in the simulation. Its parts have their own state, and only the core knows them all:
//!
//! - `intake`: the results that are neither written nor answered; each is checked, and may go to the reference;
//! - `check`: what shows that a result cannot be that of its shard;
//! - `flush`: writes what is ready in one batch, compares what came late, and says what each caller is told;
//! - `journal`: what the schedule decided and is not on disk yet;
//! - `outage`: the gate through which all writes go, shut while the directory cannot be written;
//! - `sweeps`: the sweeps in memory, and what they read from disk;
//! - `workers`, `running`: what is counted of workers and of time;
//! - `outbox`: what is to be done after the turn.

mod active;
mod check;
mod clock;
mod confirmer;
mod core;
mod counters;
mod delivery;
mod disk;
mod export;
mod faults;
mod fleet;
mod flush;
mod handle;
mod intake;
mod journal;
mod metrics;
mod outage;
mod outbox;
mod rate;
mod report;
mod running;
mod submit;
mod sweeps;
mod views;
mod workers;

#[cfg(test)]
mod tests;

pub use self::core::{Core, DriverOptions, Leased, Registration};
pub use crate::status::{RunningShard, SweepStatus, WorkerStatus};
pub use active::{LoadError, largest_table};
pub use clock::unix_ms;
pub use counters::{Counters, Histogram, ResultOutcome, Retry};
pub use delivery::{Confirmed, Delivery, DeliveryError, ResultKey};
pub use disk::{Disk, SweepProgress};
pub use export::read_export;
pub use handle::{Answer, Coordinator, Driver, DriverError, StartError};
pub use metrics::{Metrics, Readiness, SweepMetrics};
pub use outbox::{Action, Job};
pub use report::{ReportError, ReportSource, read_report, read_status};
pub use submit::{Prepared, SubmitError, check_lease};
