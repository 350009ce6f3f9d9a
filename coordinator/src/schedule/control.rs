//! What clients and the driver change about a sweep or a host from outside: pausing, resuming, cancelling, failing and
//! reopening a sweep, its priority and replicas, and draining a host.

use super::{Change, ControlError, RangeSet, Schedule, SweepState, TooManyDrained, UnknownSweep};

impl Schedule {
    /// Stops handing out shards of a sweep; those that are leased are finished and count.
    ///
    /// # Errors
    /// [`ControlError`] if there is no such sweep or it has come to an end.
    pub fn pause(&mut self, sweep_id: &str) -> Result<(), ControlError> {
        self.going(sweep_id, "paused")?;
        self.set_state(sweep_id, SweepState::Paused, None);
        Ok(())
    }

    /// Hands out shards of a paused sweep again. A sweep that is not paused goes on as it was.
    ///
    /// # Errors
    /// [`ControlError`] if there is no such sweep or it has come to an end.
    pub fn resume(&mut self, sweep_id: &str) -> Result<(), ControlError> {
        if self.going(sweep_id, "resumed")? == SweepState::Paused {
            let leased = self.sweeps.get(sweep_id).is_some_and(|sweep| !sweep.shards.leased.is_empty());
            self.set_state(sweep_id, if leased { SweepState::Running } else { SweepState::Queued }, None);
        }
        Ok(())
    }

    /// Cancels a sweep: its leases are void, and its workers are told so with their next heartbeats. What is done stays
    /// done. A sweep that was cancelled before stays so.
    ///
    /// # Errors
    /// [`ControlError`] if there is no such sweep or it has come to another end.
    pub fn cancel(&mut self, sweep_id: &str) -> Result<(), ControlError> {
        if self.state(sweep_id) == Some(SweepState::Cancelled) {
            return Ok(());
        }
        self.going(sweep_id, "cancelled")?;
        self.end(sweep_id, SweepState::Cancelled, None);
        Ok(())
    }

    /// Ends a sweep because of a fault of the program, which the reason describes.
    ///
    /// # Errors
    /// [`ControlError`] if there is no such sweep or it has come to an end.
    pub fn fail(&mut self, sweep_id: &str, reason: String) -> Result<(), ControlError> {
        self.going(sweep_id, "failed")?;
        self.end(sweep_id, SweepState::Failed, Some(reason));
        Ok(())
    }

    /// Goes on with a cancelled or incomplete sweep, because it was submitted again: every shard that is not done is
    /// pending, with all its attempts before it. Any other sweep is left as it is; a failed one cannot be reopened, since
    /// the same program would find the same fault.
    ///
    /// Returns where the sweep stands now.
    ///
    /// # Errors
    /// [`ControlError`] if there is no such sweep or it failed.
    pub fn reopen(&mut self, sweep_id: &str) -> Result<SweepState, ControlError> {
        let unknown = || UnknownSweep { sweep_id: sweep_id.to_owned() };
        let sweep = self.sweeps.get_mut(sweep_id).ok_or_else(unknown)?;
        match sweep.state {
            state @ SweepState::Failed => return Err(ControlError::Ended { sweep_id: sweep_id.to_owned(), state, action: "reopened" }),
            SweepState::Cancelled | SweepState::Incomplete => {
                if sweep.shards.clear_quarantine() {
                    self.changes.push(Change::QuarantineCleared { sweep_id: sweep_id.to_owned() });
                }
                self.set_state(sweep_id, SweepState::Queued, None);
                // A result may have been committed while the sweep was being cancelled, so it can be complete at once.
                self.settle(sweep_id);
            }
            SweepState::Queued | SweepState::Running | SweepState::Paused | SweepState::Complete => {}
        }
        Ok(self.state(sweep_id).ok_or_else(unknown)?)
    }

    /// From now on so many workers must agree on the result of each shard of a sweep. The given shards have a result from one
    /// worker, named by its instance and host, and wait for another.
    ///
    /// # Errors
    /// [`UnknownSweep`].
    pub fn verify(&mut self, sweep_id: &str, replicas: u32, unverified: &[(String, String, RangeSet)]) -> Result<(), UnknownSweep> {
        let sweep = self.sweeps.get_mut(sweep_id).ok_or_else(|| UnknownSweep { sweep_id: sweep_id.to_owned() })?;
        sweep.shards.check(replicas, "", "", &RangeSet::new());
        for (instance, host, numbers) in unverified {
            sweep.shards.check(replicas, instance, host, numbers);
        }
        self.settle(sweep_id);
        Ok(())
    }

    /// Moves a sweep before those of lower priority. Leases that are given stay given.
    ///
    /// # Errors
    /// [`UnknownSweep`].
    pub fn set_priority(&mut self, sweep_id: &str, priority: i32) -> Result<(), UnknownSweep> {
        let sweep = self.sweeps.get_mut(sweep_id).ok_or_else(|| UnknownSweep { sweep_id: sweep_id.to_owned() })?;
        if sweep.priority != priority {
            self.open.remove(&sweep.rank());
            sweep.priority = priority;
            self.list(sweep_id);
            self.changes.push(Change::Priority { sweep_id: sweep_id.to_owned(), priority });
        }
        Ok(())
    }

    /// Stops handing out shards to the workers of a host, now and later; they finish what they have, and it counts. Returns how
    /// many workers the host has.
    ///
    /// # Errors
    /// [`TooManyDrained`].
    pub fn drain(&mut self, host: &str) -> Result<usize, TooManyDrained> {
        if self.hosts.drain(host)? {
            self.changes.push(Change::Drained { host: host.to_owned(), drained: true });
        }
        Ok(self.hosts.workers(host))
    }

    /// Hands out shards to a drained host again. Returns how many workers it has, or nothing if it was not drained.
    pub fn undrain(&mut self, host: &str) -> Option<usize> {
        if !self.hosts.undrain(host) {
            return None;
        }
        self.changes.push(Change::Drained { host: host.to_owned(), drained: false });
        Some(self.hosts.workers(host))
    }

    /// Drains a host that was drained before a restart. Those that are too many are left out.
    pub fn restore_drained(&mut self, host: &str) {
        let _ = self.hosts.drain(host);
    }

    /// The state of a sweep that has not come to an end.
    fn going(&self, sweep_id: &str, action: &'static str) -> Result<SweepState, ControlError> {
        let state = self.state(sweep_id).ok_or_else(|| UnknownSweep { sweep_id: sweep_id.to_owned() })?;
        match state.is_terminal() {
            true => Err(ControlError::Ended { sweep_id: sweep_id.to_owned(), state, action }),
            false => Ok(state),
        }
    }

    fn end(&mut self, sweep_id: &str, state: SweepState, reason: Option<String>) {
        let leases = self.sweeps.get_mut(sweep_id).map(|sweep| sweep.shards.give_back_all());
        for lease_id in leases.unwrap_or_default() {
            self.drop_lease(lease_id);
        }
        self.set_state(sweep_id, state, reason);
    }
}
