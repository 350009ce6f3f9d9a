//! The thread of the coordinator, and handles on it.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::{Builder, JoinHandle, available_parallelism};
use std::time::Duration;

use tokio::sync::{Semaphore, oneshot};
use tokio::task::spawn_blocking;

use crate::store::{Store, SweepRecord};

use super::active::{ActiveSweep, LoadError};
use super::clock::{Clock, unix_ms};
use super::confirmer::Confirmer;
use super::core::{Core, DriverOptions};
use super::delivery::DeliveryError;
use super::outbox::Action;
use super::submit::{Prepared, SubmitError};

/// Turns that may wait for the thread; one more is refused.
const QUEUE: usize = 4096;
/// Turns taken before what is ready is written.
const TURNS_PER_BATCH: usize = 64;

/// Where the answer to a result goes: whether the shard is done with it.
pub struct Answer {
    to: oneshot::Sender<Result<bool, DeliveryError>>,
    /// Dropped with the answer, and not before: the result is in memory until then, whether anybody waits or not.
    _held: Box<dyn Send>,
}

impl Answer {
    /// An answer that goes to this caller, and what is held as long as the result is.
    pub fn new(to: oneshot::Sender<Result<bool, DeliveryError>>, held: impl Send + 'static) -> Self {
        Self { to, _held: Box::new(held) }
    }
}

/// The core on a store, as it lives on the driver's thread.
pub type Coordinator = Core<Store, Answer>;

/// Something to do on the driver's thread, with the time in milliseconds.
type Turn = Box<dyn FnOnce(&mut Coordinator, u64) + Send>;

/// A handle on the coordinator's thread, which ends when it is told to stop.
#[derive(Clone)]
pub struct Driver {
    turns: SyncSender<Message>,
    /// Places for manifests that are being read.
    reading: Arc<Semaphore>,
}

/// How many manifests are read at a time. Each may take the memory of a large sweep, and a core.
const MANIFESTS_AT_A_TIME: usize = 2;

/// On how many threads the sweeps on disk are read at most.
const MOST_READERS: usize = 16;

enum Message {
    Turn(Turn),
    Stop,
}

/// Why the coordinator's thread did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DriverError {
    /// Too much is waiting.
    #[error("the coordinator has too much to do; come back in {retry_after_ms} ms")]
    Busy {
        /// When to come back.
        retry_after_ms: u64,
    },
    /// It has ended.
    #[error("the coordinator is shutting down")]
    Stopped,
}

/// Why the thread was not started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The system gives no thread.
    #[error("no thread for {what}: {source}")]
    Thread {
        /// What it was for.
        what: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
    /// A sweep on disk cannot be taken up.
    #[error(transparent)]
    Load(#[from] LoadError),
}

impl Driver {
    /// Starts the thread on a store, with every sweep in it if the options say so.
    ///
    /// # Errors
    /// [`StartError`].
    pub fn start(store: Store, options: DriverOptions) -> Result<(Self, JoinHandle<()>), StartError> {
        let (turns, received) = sync_channel(QUEUE);
        let driver = Self { turns, reading: Arc::new(Semaphore::new(MANIFESTS_AT_A_TIME)) };
        let told = driver.clone();
        let confirmer = Confirmer::start(move |result, confirmed| told.queue(move |core, _| core.confirmed(&result, confirmed)));
        let confirmer = confirmer.map_err(|source| StartError::Thread { what: "the reference", source })?;
        let core = Core::reading(store, options, read_side_by_side)?;
        let spawned = Builder::new().name("coordinator".into()).spawn(move || run(core, &confirmer, &received));
        let thread = spawned.map_err(|source| StartError::Thread { what: "the coordinator", source })?;
        Ok((driver, thread))
    }

    /// Runs a function on the thread and waits for what it returns.
    ///
    /// # Errors
    /// [`DriverError`] if it did not run.
    pub async fn call<T: Send + 'static>(
        &self,
        function: impl FnOnce(&mut Coordinator, u64) -> T + Send + 'static,
    ) -> Result<T, DriverError> {
        self.answered(move |core, now_ms, answer| {
            // The caller may have gone away.
            let _ = answer.send(function(core, now_ms));
        })
        .await
    }

    /// Runs a function on the thread that answers later, and waits for the answer.
    ///
    /// # Errors
    /// [`DriverError`] if it did not run or will not answer.
    pub async fn answered<T: Send + 'static>(
        &self,
        function: impl FnOnce(&mut Coordinator, u64, oneshot::Sender<T>) + Send + 'static,
    ) -> Result<T, DriverError> {
        let (answer, answered) = oneshot::channel();
        self.tell(move |core, now_ms| function(core, now_ms, answer))?;
        answered.await.map_err(|_| DriverError::Stopped)
    }

    /// Submits a sweep, and returns its id. Its manifest is read on a thread of its own, so that nobody waits for that but its
    /// caller, and few at a time.
    ///
    /// # Errors
    /// [`DriverError`] if it was not taken in, and [`SubmitError`] if it is not wanted.
    pub async fn submit(&self, manifest: String, fresh: bool, priority: Option<i32>) -> Result<Result<String, SubmitError>, DriverError> {
        // Nobody closes the semaphore.
        let place = Arc::clone(&self.reading).acquire_owned().await.map_err(|_| DriverError::Stopped)?;
        let prepared = spawn_blocking(move || {
            let prepared = Prepared::new(&manifest);
            // Kept until it is read, whether its caller still waits or not.
            drop(place);
            prepared
        });
        let prepared = match prepared.await.map_err(|_| DriverError::Stopped)? {
            Ok(prepared) => prepared,
            Err(error) => return Ok(Err(error)),
        };
        let taken = self.call(move |core, _| {
            let mut prepared = Some(prepared);
            (core.take_in(&mut prepared, fresh, priority, unix_ms()), prepared)
        });
        let (taken, rest) = taken.await?;
        // Taking it apart can take as long as making it.
        spawn_blocking(move || drop(rest));
        Ok(taken)
    }

    /// Runs a function on the thread, and does not wait for it.
    ///
    /// # Errors
    /// [`DriverError`] if it will not run.
    pub fn tell(&self, function: impl FnOnce(&mut Coordinator, u64) + Send + 'static) -> Result<(), DriverError> {
        const RETRY_AFTER_MS: u64 = 500;
        self.turns.try_send(Message::Turn(Box::new(function))).map_err(|error| match error {
            TrySendError::Full(_) => DriverError::Busy { retry_after_ms: RETRY_AFTER_MS },
            TrySendError::Disconnected(_) => DriverError::Stopped,
        })
    }

    /// Queues a function from a thread of the coordinator's own, which may wait for a place.
    pub(super) fn queue(&self, turn: impl FnOnce(&mut Coordinator, u64) + Send + 'static) {
        // If the thread has ended there is nobody left to tell.
        let _ = self.turns.send(Message::Turn(Box::new(turn)));
    }

    /// Stops handing out shards, since the coordinator is about to end.
    pub fn close(&self) {
        self.queue(|core, _| core.close());
    }

    /// Asks the thread to write what is ready and to end.
    pub fn stop(&self) {
        // If the thread has ended already there is nothing to ask.
        let _ = self.turns.send(Message::Stop);
    }
}

/// Reads sweeps found on disk, on as many threads as there are cores: the coordinator answers nobody before all are read.
fn read_side_by_side(records: &[SweepRecord]) -> Vec<Result<ActiveSweep, LoadError>> {
    let threads = available_parallelism().map_or(1, NonZero::get).min(MOST_READERS).min(records.len()).max(1);
    let next = AtomicUsize::new(0);
    let read_some = || {
        // Whoever is free takes the next one, since some take far longer than others.
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let taken = numbers.map_while(|number| Some((number, ActiveSweep::of_record(records.get(number)?.clone()))));
        taken.collect::<Vec<_>>()
    };
    let mut read: Vec<_> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(read_some)).collect();
        let own = read_some();
        let others = others.into_iter().flat_map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        own.into_iter().chain(others).collect()
    });
    read.sort_unstable_by_key(|(number, _)| *number);
    read.into_iter().map(|(_, read)| read).collect()
}

fn run(mut core: Coordinator, confirmer: &Confirmer, received: &Receiver<Message>) {
    let clock = Clock::new();
    loop {
        let wait = Duration::from_millis(core.next_timer(clock.now_ms()));
        let mut next = match received.recv_timeout(wait) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let mut stopping = false;
        let mut taken = 0;
        while let Some(message) = next {
            match message {
                Message::Turn(turn) => turn(&mut core, clock.now_ms()),
                Message::Stop => stopping = true,
            }
            taken += 1;
            next = if taken < TURNS_PER_BATCH { received.try_recv().ok() } else { None };
        }
        core.tick(clock.now_ms());
        perform(&mut core, confirmer);
        if stopping {
            core.finish();
            break;
        }
    }
}

/// Does what the core wants done.
fn perform(core: &mut Coordinator, confirmer: &Confirmer) {
    for action in core.take_actions() {
        match action {
            Action::Answer { caller, answer } => {
                // The caller may have gone away; the result counts all the same.
                let _ = caller.to.send(answer);
            }
            Action::Confirm(job) => {
                if let Err(result) = confirmer.submit(job) {
                    // What follows is done in the next turn, which is due at once or within half a second.
                    core.confirmed(&result, Err("the thread that confirms counterexamples has ended".into()));
                }
            }
        }
    }
}
