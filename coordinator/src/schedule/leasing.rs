//! How shards go out and come back: which shard a worker gets next, and what a returned, failed or expired lease does to its
//! shard and its host.

use refute_shared::text::duration;

use super::choice::Fleet;
use super::hosts::{Failure, MOST_ATTEMPTS, average};
use super::machine::{Lease, Schedule, Worker};
use super::shards::Asking;
use super::{Change, ExpiredLease, LeaseGrant, LeaseId, Released, SweepState, UnknownWorker, WorkerId};

impl Schedule {
    /// Takes note that a worker makes the request for shards of this number, and returns the leases with which it was answered
    /// before and that the worker still has: it asks again because that answer did not reach it, so it is given them once more.
    /// Nothing if it has made a later request since, and so does not wait for this one. A request of number 0 is always a new one.
    ///
    /// Cost: O(leases of the worker).
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn ask(&mut self, now_ms: u64, worker: WorkerId, number: u64) -> Result<Option<Vec<LeaseGrant>>, UnknownWorker> {
        self.hear(now_ms, worker)?;
        let asking = self.workers.get_mut(&worker).ok_or(UnknownWorker { worker })?;
        if number > 0 && number < asking.request {
            return Ok(None);
        }
        asking.request = number;
        let mut again = Vec::new();
        for lease_id in asking.leases.iter().filter(|_| number > 0) {
            let Some(lease) = self.leases.get_mut(lease_id).filter(|lease| lease.request == number) else { continue };
            lease.given_ms = now_ms;
            self.expiries.set(*lease_id, now_ms.saturating_add(self.config.lease_ttl_ms));
            again.push(LeaseGrant { lease_id: *lease_id, sweep_id: lease.sweep_id.clone(), shard_number: lease.shard_number });
        }
        Ok(Some(again))
    }

    /// Hands the worker a shard if it may have one more, is not banned and its host not drained or in a pause, and there is a
    /// shard for it: of the open sweep that goes first among those whose family and solver version it has and whose tables fit
    /// its slots. A queued sweep becomes running.
    ///
    /// Cost: O(open sweeps) at worst, and O(workers) once where that is asked for by a shard that failed before or that its host was
    /// heard on, with a few nanoseconds a worker more for each further one.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn lease(&mut self, now_ms: u64, worker: WorkerId) -> Result<Option<LeaseGrant>, UnknownWorker> {
        self.hear(now_ms, worker)?;
        if let Some(asking) = self.workers.get_mut(&worker) {
            asking.asked_ms = now_ms;
        }
        let reserved = self.reserved.remove(&worker);
        let Some(asking) = self.workers.get(&worker).filter(|asking| self.may_have_one_more(now_ms, asking)) else { return Ok(None) };
        let reserved = reserved.filter(|(sweep_id, number)| self.is_still_for(sweep_id, *number, asking));
        let Some((sweep_id, shard_number)) = reserved.or_else(|| self.next_for(asking)) else { return Ok(None) };
        if !asking.leases.is_empty() && self.is_last_chance(&sweep_id, shard_number) {
            self.reserved.insert(worker, (sweep_id, shard_number));
            return Ok(None);
        }
        let lease_id = LeaseId(self.next_id());
        let Some(sweep) = self.sweeps.get_mut(&sweep_id) else { return Ok(None) };
        let (is_suspect, is_last_chance) = (sweep.shards.is_suspect(shard_number), sweep.shards.is_last_chance(shard_number));
        sweep.shards.lease(lease_id, shard_number);
        let queued = sweep.state == SweepState::Queued;
        let lease = Lease {
            worker,
            sweep_id: sweep_id.clone(),
            shard_number,
            given_ms: now_ms,
            request: self.workers.get(&worker).map_or(0, |asking| asking.request),
            decided: 0,
            seen: false,
            is_suspect,
            is_last_chance,
        };
        *self.leased.entry(sweep_id.clone()).or_default() += 1;
        self.leases.insert(lease_id, lease);
        self.expiries.set(lease_id, now_ms.saturating_add(self.config.lease_ttl_ms));
        if let Some(holder) = self.workers.get_mut(&worker) {
            holder.leases.insert(lease_id);
            holder.suspects += usize::from(is_suspect);
            holder.last_chances += usize::from(is_last_chance);
        }
        if queued {
            self.set_state(&sweep_id, SweepState::Running, None);
        }
        Ok(Some(LeaseGrant { lease_id, sweep_id, shard_number }))
    }

    /// Takes note that a result of a worker was taken, which speaks for its host. Call it before the schedule hears of the
    /// result, which ends the lease.
    pub fn credit(&mut self, now_ms: u64, worker: WorkerId, lease_id: LeaseId) {
        let Some(credited) = self.workers.get(&worker) else { return };
        let lease = self.leases.get(&lease_id).filter(|lease| lease.worker == worker);
        let slowness = lease.and_then(|lease| {
            let sweep = self.sweeps.get_mut(&lease.sweep_id)?;
            let took_ms = now_ms.saturating_sub(lease.given_ms);
            let usual_ms = if sweep.usual_ms == 0 { took_ms.max(1) } else { sweep.usual_ms };
            // So that a slow worker does not make slow what is usual.
            sweep.usual_ms = average(usual_ms, took_ms.min(2 * usual_ms));
            Some(took_ms.saturating_mul(1_000) / usual_ms)
        });
        self.hosts.finish(&credited.info.host, &credited.info.instance, slowness);
    }

    fn may_have_one_more(&self, now_ms: u64, asking: &Worker) -> bool {
        let most = asking.info.slots.saturating_add(asking.info.backlog);
        let (host, instance, leases) = (&asking.info.host, &asking.info.instance, asking.leases.len());
        leases < most as usize
            && asking.last_chances == 0
            && !self.banned.contains_key(instance)
            && self.hosts.admits(now_ms, host, instance, leases)
    }

    /// Whether a shard waits for a worker that will ask for it.
    fn is_reserved(&self, sweep_id: &str, number: u64) -> bool {
        let asks = |worker: &WorkerId| self.workers.get(worker).is_some_and(|worker| self.asks(worker));
        self.reserved.iter().any(|(worker, (of, reserved))| *reserved == number && of == sweep_id && asks(worker))
    }

    fn is_last_chance(&self, sweep_id: &str, number: u64) -> bool {
        self.sweeps.get(sweep_id).is_some_and(|sweep| sweep.shards.is_last_chance(number))
    }

    /// Whether a shard that was reserved for a worker is still there for it.
    fn is_still_for(&self, sweep_id: &str, number: u64, asking: &Worker) -> bool {
        self.sweeps.get(sweep_id).is_some_and(|sweep| {
            let is_there = sweep.state.is_open() && sweep.shards.is_last_chance(number) && sweep.shards.is_pending(number);
            is_there && !sweep.shards.is_heard(number, &asking.info.instance) && Fleet::new(self).of(sweep).may_have(number, asking)
        })
    }

    /// The shard that a worker gets next, with its sweep.
    fn next_for(&self, asking: &Worker) -> Option<(String, u64)> {
        let has_suspect = asking.suspects > 0;
        let on_probation = self.hosts.probation(&asking.info.host, &asking.info.instance).is_some();
        let asks = Asking { instance: &asking.info.instance, host: &asking.info.host, has_suspect, on_probation, is_too_slow: false };
        let fleet = Fleet::new(self);
        self.open.values().find_map(|id| {
            let sweep = self.sweeps.get(id).filter(|sweep| sweep.shards.pending() > 0 && sweep.suits(&asking.info))?;
            let others = fleet.of(sweep);
            let is_free = |number| !self.is_reserved(id, number);
            let asks = Asking { is_too_slow: others.would_finish_before(asking), ..asks };
            let number = sweep.shards.next(asks, |number| is_free(number) && others.may_have(number, asking))?;
            Some((id.clone(), number))
        })
    }

    /// Takes a lease back from its worker: without an error the shard is pending again and nobody is blamed; with one it
    /// counts as an attempt that went wrong.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn release(&mut self, now_ms: u64, worker: WorkerId, lease_id: LeaseId, error: Option<String>) -> Result<Released, UnknownWorker> {
        self.hear(now_ms, worker)?;
        if self.leases.get(&lease_id).is_none_or(|lease| lease.worker != worker) {
            return Ok(Released::Stale);
        }
        let Some(lease) = self.drop_lease(lease_id) else { return Ok(Released::Stale) };
        let Some(error) = error else {
            self.with_sweep(&lease, |sweep| sweep.shards.give_back(lease.shard_number));
            return Ok(Released::Pending);
        };
        let quarantined = self.blame(now_ms, &lease, error, false);
        Ok(if quarantined { Released::Quarantined } else { Released::Pending })
    }

    /// Ends the leases whose time is over and forgets the workers that have been silent for twice the ttl of a lease.
    ///
    /// A lost lease counts as an attempt at its shard if a heartbeat had named it; if none had, the first loss is free.
    /// To be called at [`Schedule::next_timer`]; calling it earlier or later does no harm.
    pub fn expire(&mut self, now_ms: u64) -> Vec<ExpiredLease> {
        self.now_ms = now_ms;
        let mut expired = Vec::new();
        while let Some(lease_id) = self.expiries.pop_due(now_ms) {
            let Some(lease) = self.drop_lease(lease_id) else { continue };
            let silence = duration(self.config.lease_ttl_ms as f64 / 1000.0);
            let error = format!("the worker was silent for {silence} while it had the shard");
            let quarantined = self.blame(now_ms, &lease, error, true);
            let Lease { worker, sweep_id, shard_number, .. } = lease;
            expired.push(ExpiredLease { lease_id, worker, sweep_id, shard_number, quarantined });
        }
        // A lease ends at most one ttl after its worker was heard, so a worker forgotten here has none left.
        while let Some(worker) = self.silences.pop_due(now_ms) {
            self.forget(worker);
        }
        expired
    }

    /// An attempt at a shard went wrong. Quarantines it if that condemns it, and says whether it does.
    fn blame(&mut self, now_ms: u64, lease: &Lease, error: String, lost: bool) -> bool {
        let max_attempts = self.config.max_attempts.max(1);
        let (sweep_id, number) = (lease.sweep_id.clone(), lease.shard_number);
        // A worker is known for as long as it has leases.
        let Some(Worker { info, heard_ms, .. }) = self.workers.get(&lease.worker) else { return false };
        let (host, instance, slot_bytes) = (info.host.clone(), info.instance.clone(), info.slot_bytes);
        let (witnessed, on_probation) = (self.hosts.is_witness(&host, &instance), self.hosts.probation(&host, &instance).is_some());
        match lost {
            true => self.hosts.lose(now_ms, &host, &instance, lease.given_ms, *heard_ms),
            false => self.hosts.fail(now_ms, &host, &instance, lease.given_ms),
        }
        let Some(sweep) = self.sweeps.get_mut(&sweep_id) else { return false };
        let failure = Failure { host, instance, slot_bytes, lost, witnessed };
        let attempts = match lost && !lease.seen {
            false => sweep.shards.blame(number, failure, max_attempts),
            true => sweep.shards.lose_unseen(number, failure, max_attempts),
        };
        let Some(sweep) = self.sweeps.get(&sweep_id).filter(|_| attempts >= max_attempts) else { return false };
        if attempts < MOST_ATTEMPTS && self.has_hope(sweep, number, on_probation) {
            return false;
        }
        for failure in self.with_sweep(lease, |sweep| sweep.shards.condemn(number)).unwrap_or_default() {
            self.hosts.forgive(&failure);
        }
        self.changes.push(Change::Quarantined { sweep_id, shard_number: number, attempts, error });
        self.settle(&lease.sweep_id);
        true
    }
}
