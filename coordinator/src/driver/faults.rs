//! Faults of the program: what cannot be, and is. Each ends its sweep with a sentence, since nothing that the sweep says can be
//! relied on any more.

use tracing::{error, warn};

use crate::schedule::Schedule;

/// Ends a sweep as failed.
///
/// A sweep that has come to an end stays as it ended, since its findings may have been read: then the log is all that says
/// so, beside what the caller has written about the fault. The same holds where the schedule knows no such sweep, which no
/// worker has a shard of.
pub fn fail(schedule: &mut Schedule, sweep_id: &str, reason: &str) {
    error!(sweep = sweep_id, reason, "sweep failed");
    if let Err(failure) = schedule.fail(sweep_id, reason.to_owned()) {
        warn!(sweep = sweep_id, %failure, "the sweep could not be marked as failed");
    }
}
