//! The one `select!`: where the clock, the connection, the solvers and the session meet.

use std::collections::hash_map::RandomState;
use std::future::Future;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use refute_proto::v1;
use refute_proto::v1::workers_client::WorkersClient;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use tonic::transport::Channel;
use tracing::info;

use crate::assignment::ShardOutcome;
use crate::calls;
use crate::execute::Executor;
use crate::log::Log;
use crate::options::WorkerOptions;
use crate::session::{Action, Event, HeldLease, LeaseProgress, Moment, Session};
use refute_connect::tls::{TlsFileError, TlsFiles};

/// Why a worker ended without having been told to.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The options have no slot.
    #[error("a worker needs at least one slot")]
    NoSlots,
    /// The coordinator's URL is none.
    #[error("'{url}' is no address of a coordinator, such as http://127.0.0.1:7433: {problem}")]
    BadUrl {
        /// What was given.
        url: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A file that TLS needs is missing or invalid.
    #[error(transparent)]
    TlsFile(#[from] TlsFileError),
    /// The coordinator refuses this worker.
    #[error("the coordinator at {coordinator} refuses this worker: {reason}")]
    Refused {
        /// Its URL.
        coordinator: String,
        /// Its sentence.
        reason: String,
    },
    /// The system will not start a thread.
    #[error("cannot start a thread to solve on: {0}")]
    Thread(#[source] io::Error),
    /// A fault of the program: a call to the coordinator panicked, and its answer is lost.
    #[error("a call to the coordinator failed: {0}")]
    BrokenCall(#[source] tokio::task::JoinError),
}

/// Works for a coordinator until `stop` resolves, then drains: running shards are stopped and handed back, finished ones are
/// delivered. Draining takes at most [`DRAIN_MS`](crate::session::DRAIN_MS). A coordinator that cannot be reached is tried
/// again without end.
///
/// # Errors
/// [`WorkerError`], of which only [`WorkerError::Refused`] depends on the coordinator.
pub async fn run(options: WorkerOptions, stop: impl Future<Output = ()>) -> Result<(), WorkerError> {
    if options.slots == 0 {
        return Err(WorkerError::NoSlots);
    }
    // They are read again at each connection; what is wrong with them from the start is said at the start.
    options.tls.as_ref().map(TlsFiles::read).transpose()?;
    let client = calls::client(&options.coordinator, options.tls.clone())
        .map_err(|error| WorkerError::BadUrl { url: options.coordinator.clone(), problem: error.to_string() })?;
    let (outcomes, finished) = mpsc::unbounded_channel();
    let report = move |slot, outcome| {
        // The receiver is gone only when the worker is over, and then nobody wants the outcome.
        let _ = outcomes.send((slot, outcome));
    };
    let executor = Executor::new(options.slots, options.slot_bytes, report).map_err(WorkerError::Thread)?;
    let session = Session::new(options.slots);
    let log = Log::new(options.coordinator.clone(), options.slots);
    let randomness = RandomState::new();
    let instance = format!("{:016x}{:016x}", randomness.hash_one("instance"), RandomState::new().hash_one(std::process::id()));
    let driver = Driver {
        options,
        client,
        executor,
        session,
        log,
        calls: JoinSet::new(),
        randomness,
        instance,
        leaving: None,
        started: Instant::now(),
    };
    driver.run(finished, stop).await
}

struct Driver {
    options: WorkerOptions,
    client: WorkersClient<Channel>,
    executor: Executor,
    session: Session,
    log: Log,
    /// The calls that have not been answered yet. Dropped with the driver, which breaks them off.
    calls: JoinSet<Event>,
    randomness: RandomState,
    /// Tells this worker from every other one, whatever id the coordinator gives it.
    instance: String,
    /// Set when it exits and the coordinator is to be told.
    leaving: Option<u64>,
    started: Instant,
}

impl Driver {
    async fn run(
        mut self,
        mut finished: mpsc::UnboundedReceiver<(usize, ShardOutcome)>,
        stop: impl Future<Output = ()>,
    ) -> Result<(), WorkerError> {
        let mut stop = std::pin::pin!(stop);
        let mut stopped = false;
        let mut event = Event::Tick;
        loop {
            if let ControlFlow::Break(end) = self.handle(event) {
                if let Some(worker_id) = self.leaving {
                    calls::deregister(self.client, worker_id).await;
                }
                return end;
            }
            let timer = self.session.next_timer().map(|due_ms| self.started + Duration::from_millis(due_ms));
            event = tokio::select! {
                () = &mut stop, if !stopped => {
                    stopped = true;
                    info!("told to stop; handing back what runs");
                    Event::Drain
                }
                Some((slot, outcome)) = finished.recv() => {
                    self.log.finished(slot, &outcome);
                    Event::Finished { slot, outcome }
                }
                Some(answer) = self.calls.join_next(), if !self.calls.is_empty() => answer.map_err(WorkerError::BrokenCall)?,
                // Without a timer the branch is off, and its future is never waited for.
                () = sleep_until(timer.unwrap_or(self.started)), if timer.is_some() => Event::Tick,
            };
        }
    }

    fn handle(&mut self, event: Event) -> ControlFlow<Result<(), WorkerError>> {
        // Milliseconds of a run fit 64 bits.
        let now_ms = self.started.elapsed().as_millis() as u64;
        let mut hasher = self.randomness.build_hasher();
        hasher.write_u128(self.started.elapsed().as_nanos());
        let moment = Moment { now_ms, jitter: hasher.finish() };
        for action in self.session.handle(moment, event) {
            self.perform(action)?;
        }
        ControlFlow::Continue(())
    }

    fn perform(&mut self, action: Action) -> ControlFlow<Result<(), WorkerError>> {
        let client = self.client.clone();
        match action {
            Action::Register => drop(self.calls.spawn(calls::register(client, self.options.clone(), self.instance.clone()))),
            Action::RequestLeases { worker_id, shards, number } => {
                drop(self.calls.spawn(calls::lease(client, worker_id, shards, number)));
            }
            Action::Start { slot, assignment } => {
                self.log.solving(slot, &assignment);
                self.executor.start(slot, *assignment);
            }
            Action::Stop { slot } => self.executor.stop(slot),
            Action::Deliver { worker_id, results } => {
                drop(self.calls.spawn(calls::deliver(client, worker_id, self.instance.clone(), results)));
            }
            Action::Release { report, worker_id, lease_id, error } => {
                drop(self.calls.spawn(calls::release(client, report, worker_id, lease_id, error)));
            }
            Action::Heartbeat { worker_id, leases } => {
                let leases = leases.into_iter().map(|lease| self.progress(lease)).collect();
                drop(self.calls.spawn(calls::heartbeat(client, worker_id, leases)));
            }
            Action::Tell(notice) => self.log.tell(notice),
            Action::GiveUp { reason } => {
                return ControlFlow::Break(Err(WorkerError::Refused { coordinator: self.options.coordinator.clone(), reason }));
            }
            Action::Exit { worker_id } => {
                self.leaving = worker_id;
                return ControlFlow::Break(Ok(()));
            }
        }
        ControlFlow::Continue(())
    }

    fn progress(&self, HeldLease { lease_id, progress }: HeldLease) -> v1::LeaseProgress {
        let decided = match progress {
            LeaseProgress::Slot(slot) => self.executor.decided(slot),
            LeaseProgress::Ended(decided) => decided,
        };
        v1::LeaseProgress { lease_id, decided: Some(decided.into()) }
    }
}
