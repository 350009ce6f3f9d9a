//! Results that come in: each is checked, those that would finish a shard go to the reference with their counterexamples, and
//! what is left waits to be written.

use std::collections::BTreeMap;
use std::sync::Arc;

use tracing::{debug, warn};

use crate::schedule::{ResultStanding, Schedule};

use super::check::problem;
use super::delivery::{Checked, Confirmed, Delivery, DeliveryError, Ready, ReferenceVerdict, ResultKey, candidates, digest, not_wanted};
use super::faults;
use super::outbox::{Job, Outbox};
use super::sweeps::Sweeps;

/// The results that are neither written nor answered.
pub struct Intake<C> {
    /// Those whose counterexamples the reference solves again.
    confirming: BTreeMap<ResultKey, Checked<C>>,
    /// Those that are ready to be written, in the order in which they came.
    ready: Vec<Ready<C>>,
}

/// Where a result that came in has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It waits for the reference or for the disk.
    Waiting,
    /// It was refused, and its caller is told why.
    Refused,
}

impl<C> Intake<C> {
    /// Nothing has come in.
    pub fn new() -> Self {
        Self { confirming: BTreeMap::new(), ready: Vec::new() }
    }

    /// Whether something is ready to be written.
    pub fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// How many callers wait.
    pub fn waiting(&self) -> usize {
        self.confirming.len() + self.ready.len()
    }

    /// What is ready to be written, which is nothing afterwards.
    pub fn take_ready(&mut self) -> Vec<Ready<C>> {
        std::mem::take(&mut self.ready)
    }

    /// What could not be written in this turn and waits for the next.
    pub fn put_back(&mut self, later: Vec<Ready<C>>) {
        self.ready.extend(later);
    }

    /// Takes in a result.
    pub fn take(&mut self, delivery: Delivery, caller: C, schedule: &mut Schedule, sweeps: &Sweeps, outbox: &mut Outbox<C>) -> Taken {
        let (shard, worker, lease) = (delivery.shard_number, delivery.worker.0, delivery.lease.0);
        let sweep_id = delivery.sweep_id.clone();
        match self.sort(delivery, caller, schedule, sweeps, outbox) {
            Ok(()) => Taken::Waiting,
            Err((caller, refused)) => {
                warn!(sweep = sweep_id, shard, worker, lease, %refused, "result refused");
                outbox.answer(caller, Err(refused));
                Taken::Refused
            }
        }
    }

    fn sort(
        &mut self,
        delivery: Delivery,
        caller: C,
        schedule: &mut Schedule,
        sweeps: &Sweeps,
        outbox: &mut Outbox<C>,
    ) -> Result<(), (C, DeliveryError)> {
        let digest = match digest(&delivery.result) {
            Ok(digest) => digest,
            Err(reason) => return Err((caller, fault(schedule, &delivery.sweep_id, reason))),
        };
        let host = schedule.worker(delivery.worker).map(|view| view.info.host.clone()).unwrap_or_default();
        let checked = Checked { delivery, host, digest, caller };
        let Delivery { sweep_id, shard_number, result, .. } = &checked.delivery;
        let standing = schedule.result(sweep_id, *shard_number, &checked.vote());
        if not_wanted(&checked.delivery, standing).is_some() {
            // That may change before it is its turn, and then it is refused.
            self.ready.push(Ready { checked, reference: ReferenceVerdict::NotAsked });
            return Ok(());
        }
        let active = sweeps.get(sweep_id);
        let Some((active, shard)) = active.and_then(|active| Some((active, active.record.plan.shard(*shard_number)?))) else {
            let reason = format!("the schedule has shard {shard_number} of '{sweep_id}' and the sweep in memory has not");
            let refused = fault(schedule, sweep_id, reason);
            return Err((checked.caller, refused));
        };
        let decided = active.sweep.space.configurations(&shard);
        if let Some(problem) = problem(&active.sweep, &shard, decided, &checked.delivery) {
            let (sweep_id, shard_number) = (sweep_id.clone(), *shard_number);
            return Err((checked.caller, DeliveryError::Invalid { sweep_id, shard_number, problem: problem.to_owned() }));
        }
        if !matches!(standing, ResultStanding::Decides { .. }) {
            self.ready.push(Ready { checked, reference: ReferenceVerdict::NotAsked });
            return Ok(());
        }
        let entering = candidates(active, result);
        if entering.is_empty() {
            self.ready.push(Ready { checked, reference: ReferenceVerdict::Confirmed(Vec::new()) });
            return Ok(());
        }
        let key = checked.key();
        if let Some(waiting) = self.confirming.get_mut(&key) {
            // Its worker lost the connection and comes back with it. Solved once more each time, there would be no end to it.
            outbox.answer(std::mem::replace(&mut waiting.caller, checked.caller), Err(DeliveryError::HandedInAgain));
            return Ok(());
        }
        let (worker, lease) = (checked.delivery.worker.0, checked.delivery.lease.0);
        debug!(sweep = sweep_id, shard = shard_number, worker, lease, counterexamples = entering.len(), "result goes to the reference");
        outbox.confirm(Job { result: key.clone(), sweep: Arc::clone(&active.sweep), candidates: entering });
        self.confirming.insert(key, checked);
        Ok(())
    }

    /// The reference has solved the counterexamples of a result again.
    ///
    /// One that does not stand is the fault of the worker or of the program, which another worker will tell; where another
    /// agrees, or there is none, it is taken for the program's, and the sweep ends as failed.
    pub fn confirmed(
        &mut self,
        key: &ResultKey,
        confirmed: Result<Vec<Confirmed>, String>,
        schedule: &mut Schedule,
        outbox: &mut Outbox<C>,
    ) -> Taken {
        // A job is given out once for each entry, and each ends here: where there is no entry, nobody waits.
        let Some(checked) = self.confirming.remove(key) else { return Taken::Waiting };
        let reason = match confirmed {
            Ok(confirmed) => {
                self.ready.push(Ready { checked, reference: ReferenceVerdict::Confirmed(confirmed) });
                return Taken::Waiting;
            }
            Err(reason) => reason,
        };
        let ResultKey { sweep_id, shard_number, vote } = key;
        let standing = schedule.result(sweep_id, *shard_number, vote);
        let alone = !matches!(standing, ResultStanding::Decides { agreeing: 1.. });
        if alone && schedule.has_another(sweep_id, &vote.instance) {
            let (worker, lease) = (checked.delivery.worker.0, checked.delivery.lease.0);
            warn!(sweep = sweep_id, shard = shard_number, worker, lease, reason, "the reference contradicts a worker; another is asked");
            self.ready.push(Ready { checked, reference: ReferenceVerdict::Contradicts(reason) });
            return Taken::Waiting;
        }
        outbox.answer(checked.caller, Err(fault(schedule, sweep_id, reason)));
        Taken::Refused
    }
}

/// Ends a sweep as failed, and says what a worker is told that handed in a result for it.
fn fault(schedule: &mut Schedule, sweep_id: &str, reason: String) -> DeliveryError {
    faults::fail(schedule, sweep_id, &reason);
    DeliveryError::NotWanted(reason)
}
