//! The pace at which answers are read. What an answer takes in memory is there until its reader has taken it, so the large ones have
//! a number of places, of which no host has all; and a connection whose answers nobody takes is closed.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, sleep, timeout_at};
use tonic::Status;
use tracing::warn;

use super::unanswered::busy;

/// How many large answers there are at a time, and how many of these for one host.
const PLACES: usize = 32;
const PLACES_A_HOST: usize = 4;

/// How long a caller waits for a place.
const WAIT: Duration = Duration::from_secs(10);
const RETRY_AFTER_MS: u64 = 1_000;

/// How long a reader may take for the next part of an answer, and for all of a large one.
const PART: Duration = Duration::from_secs(30);
const WHOLE: Duration = Duration::from_secs(600);

/// How often it is looked whether a reader takes too long.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// The places for large answers.
pub struct Readers {
    places: Arc<Semaphore>,
    hosts: Mutex<BTreeMap<String, Weak<Semaphore>>>,
}

/// A place for a large answer, until when it may be read. It is free again when this is dropped.
#[derive(Clone)]
pub struct Place(Arc<Taken>);

struct Taken {
    _place: OwnedSemaphorePermit,
    _of_host: OwnedSemaphorePermit,
    end: Instant,
}

impl Readers {
    pub fn new() -> Self {
        Self { places: Arc::new(Semaphore::new(PLACES)), hosts: Mutex::default() }
    }

    /// A place for an answer to this host.
    ///
    /// # Errors
    /// The status of the call, if others have all the places for long.
    pub async fn place(&self, host: String) -> Result<Place, Status> {
        let until = Instant::now() + WAIT;
        let full = |_| busy("others read all the reports and lists that may be read at a time; ask again".into(), RETRY_AFTER_MS);
        let closed = |_| Status::unavailable("the coordinator is shutting down");
        let of_host = timeout_at(until, self.of_host(host).acquire_owned()).await.map_err(full)?.map_err(closed)?;
        let place = timeout_at(until, Arc::clone(&self.places).acquire_owned()).await.map_err(full)?.map_err(closed)?;
        Ok(Place(Arc::new(Taken { _place: place, _of_host: of_host, end: Instant::now() + WHOLE })))
    }

    fn of_host(&self, host: String) -> Arc<Semaphore> {
        let mut hosts = unpoisoned(&self.hosts);
        // Those that have no answers are forgotten.
        hosts.retain(|_, places| places.strong_count() > 0);
        let known = hosts.get(&host).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let places = Arc::new(Semaphore::new(PLACES_A_HOST));
            hosts.insert(host, Arc::downgrade(&places));
            places
        })
    }
}

impl Place {
    /// Until when all of the answer is to be read.
    pub fn end(&self) -> Instant {
        self.0.end
    }
}

/// The same answer, which keeps its place until it is read.
pub fn held<T>(mut answer: tonic::Response<T>, place: Place) -> tonic::Response<T> {
    answer.extensions_mut().insert(place);
    answer
}

/// Nothing that is done with these locks panics half-way.
fn unpoisoned<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The answers of a connection that wait for their reader.
pub struct Pace(Mutex<Waiting>);

struct Waiting {
    numbers: u64,
    /// Until when each is to be taken.
    answers: BTreeMap<u64, Instant>,
    /// Breaks the connection.
    close: Option<oneshot::Sender<()>>,
}

impl Pace {
    /// The pace of a connection, which breaks when the other end of what is returned says so.
    pub fn new(peer: SocketAddr) -> (Arc<Self>, oneshot::Receiver<()>) {
        let (close, closed) = oneshot::channel();
        let pace = Arc::new(Self(Mutex::new(Waiting { numbers: 0, answers: BTreeMap::new(), close: Some(close) })));
        tokio::spawn(watch(Arc::downgrade(&pace), peer));
        (pace, closed)
    }

    /// A number for an answer.
    pub fn begin(&self) -> u64 {
        let mut waiting = unpoisoned(&self.0);
        waiting.numbers += 1;
        waiting.numbers
    }

    /// An answer waits for its reader from now on; all of it is to be read until then.
    pub fn wait(&self, answer: u64, end: Option<Instant>) {
        let part = Instant::now() + PART;
        unpoisoned(&self.0).answers.insert(answer, end.map_or(part, |end| end.min(part)));
    }

    /// The reader waits for the answer, or has all of it.
    pub fn forget(&self, answer: u64) {
        unpoisoned(&self.0).answers.remove(&answer);
    }

    /// Whether some answer waits for its reader.
    #[cfg(test)]
    pub fn waits(&self) -> bool {
        !unpoisoned(&self.0).answers.is_empty()
    }

    /// Closes the connection if one of its readers takes too long, and says whether that is so.
    fn is_over(&self, now: Instant) -> bool {
        let mut waiting = unpoisoned(&self.0);
        let is_late = waiting.answers.values().any(|until| *until < now);
        if let Some(close) = waiting.close.take_if(|_| is_late) {
            // It may have closed by itself.
            let _ = close.send(());
        }
        is_late
    }
}

/// Looks after the readers of a connection until it ends.
async fn watch(pace: Weak<Pace>, peer: SocketAddr) {
    loop {
        sleep(LOOK_EVERY).await;
        let Some(pace) = pace.upgrade() else { return };
        if pace.is_over(Instant::now()) {
            let reason = "it did not read what it had asked for";
            warn!(%peer, reason, "connection closed");
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace() -> (Arc<Pace>, oneshot::Receiver<()>) {
        Pace::new(([127, 0, 0, 1], 1).into())
    }

    #[tokio::test]
    async fn a_connection_is_closed_when_a_reader_takes_too_long_and_not_when_it_waits_for_us() {
        let (pace, mut closed) = pace();
        let now = Instant::now();
        let (first, second) = (pace.begin(), pace.begin());
        pace.wait(first, None);
        pace.wait(second, Some(now + PART / 2));
        assert!(!pace.is_over(now + PART / 2 - Duration::from_secs(1)));
        // All of the second was to be read by now; nothing more of the first is there.
        assert!(pace.is_over(now + PART / 2 + Duration::from_secs(1)));
        assert_eq!(closed.try_recv(), Ok(()));
        pace.forget(first);
        pace.forget(second);
        assert!(!pace.is_over(now + 100 * PART));
        let (pace, mut closed) = self::pace();
        pace.wait(1, Some(now + WHOLE));
        assert!(!pace.is_over(now + PART - Duration::from_secs(1)) && closed.try_recv().is_err());
        assert!(pace.is_over(now + PART + Duration::from_secs(1)));
    }

    #[tokio::test]
    async fn no_host_has_all_the_places() {
        let readers = Readers::new();
        let place = |host: &str| readers.place(host.to_owned());
        let mut held = Vec::new();
        for _ in 0..PLACES_A_HOST {
            held.push(place("ada").await.unwrap());
        }
        assert!(timeout_at(Instant::now() + Duration::from_millis(20), place("ada")).await.is_err(), "it waits");
        let bob = place("bob").await.unwrap();
        drop(held.pop());
        place("ada").await.unwrap();
        drop((held, bob));
        place("eve").await.unwrap();
        assert_eq!(unpoisoned(&readers.hosts).len(), 1, "who reads nothing is forgotten");
        assert_eq!(readers.places.available_permits(), PLACES);
    }
}
