//! The one place where clock, store, rpc and schedule meet.
//!
//! A [`Driver`] is a handle on one thread that owns the [`Core`]: the schedule, the store and the sweeps in memory. All that
//! happens reaches it as a function to run there, one after the other, so nothing needs a lock. What is ready to be written
//! goes into one batch, which is on disk before anyone is answered. A second thread solves counterexamples again by the
//! reference before they are written.

mod active;
mod clock;
mod confirmer;
mod core;
mod counters;
mod delivery;
mod fleet;
mod flush;
mod handle;
mod metrics;
mod outage;
mod rate;
mod report;
mod status;
mod submit;
mod workers;

pub use self::core::{Core, DriverOptions};
pub use counters::{Counters, Histogram, Outcome, Retry};
pub use delivery::{Answer, Delivery, DeliveryError};
pub use handle::{Driver, DriverError};
pub use metrics::{Metrics, Readiness, SweepMetrics};
pub use report::{ReportError, read_report, read_status};
pub use status::{RunningShard, SweepStatus, WorkerStatus};
pub use submit::{SubmitError, check_lease, largest_table};
