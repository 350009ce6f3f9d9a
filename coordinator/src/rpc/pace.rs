//! The pace at which answers are read. What an answer takes in memory is there until its reader has taken it, so the large ones have
//! a number of places, of which no host has all; and a connection whose answers nobody takes is closed.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, sleep, timeout_at};
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};
use tracing::warn;

use super::peer::Peer;
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
    pub fn new(peer: std::net::SocketAddr) -> (Arc<Self>, oneshot::Receiver<()>) {
        let (close, closed) = oneshot::channel();
        let pace = Arc::new(Self(Mutex::new(Waiting { numbers: 0, answers: BTreeMap::new(), close: Some(close) })));
        tokio::spawn(watch(Arc::downgrade(&pace), peer));
        (pace, closed)
    }

    fn begin(&self) -> u64 {
        let mut waiting = unpoisoned(&self.0);
        waiting.numbers += 1;
        waiting.numbers
    }

    /// An answer waits for its reader from now on.
    fn wait(&self, answer: u64, end: Option<Instant>) {
        let part = Instant::now() + PART;
        unpoisoned(&self.0).answers.insert(answer, end.map_or(part, |end| end.min(part)));
    }

    /// The reader waits for the answer, or there is no more of it.
    fn forget(&self, answer: u64) {
        unpoisoned(&self.0).answers.remove(&answer);
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
async fn watch(pace: Weak<Pace>, peer: std::net::SocketAddr) {
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

/// Has every answer of a connection watched.
#[derive(Clone, Copy, Debug)]
pub struct PaceLayer;

impl<S> Layer<S> for PaceLayer {
    type Service = Paced<S>;

    fn layer(&self, inner: S) -> Paced<S> {
        Paced { inner }
    }
}

/// The services behind a [`PaceLayer`].
#[derive(Clone, Debug)]
pub struct Paced<S> {
    inner: S,
}

impl<S, B> Service<Request<B>> for Paced<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let pace = request.extensions().get::<Peer>().map(|peer| Arc::clone(&peer.pace));
        let answered = self.inner.call(request);
        Box::pin(async move {
            let mut answer = answered.await?;
            let place = answer.extensions_mut().remove::<Place>();
            Ok(match pace {
                Some(pace) => answer.map(|body| Body::new(Answer::new(body, pace, place))),
                // Every connection that is taken here has one.
                None => answer,
            })
        })
    }
}

/// The body of an answer. What comes of it waits for the reader until the next is asked for.
struct Answer {
    body: Body,
    pace: Arc<Pace>,
    number: u64,
    place: Option<Place>,
}

impl Answer {
    fn new(body: Body, pace: Arc<Pace>, place: Option<Place>) -> Self {
        let number = pace.begin();
        let answer = Self { body, pace, number, place };
        answer.wait();
        answer
    }

    fn wait(&self) {
        self.pace.wait(self.number, self.place.as_ref().map(|place| place.0.end));
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let answer = self.get_mut();
        let frame = Pin::new(&mut answer.body).poll_frame(context);
        match &frame {
            Poll::Ready(Some(Ok(_))) => answer.wait(),
            Poll::Ready(_) | Poll::Pending => answer.pace.forget(answer.number),
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.pace.forget(self.number);
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
    async fn an_answer_waits_for_its_reader_from_the_beginning_and_after_each_part() {
        let (pace, _closed) = pace();
        let waits = || !unpoisoned(&pace.0).answers.is_empty();
        let mut answer = Answer::new(Body::new("part".to_owned()), Arc::clone(&pace), None);
        assert!(waits());
        let mut context = Context::from_waker(std::task::Waker::noop());
        assert!(matches!(Pin::new(&mut answer).poll_frame(&mut context), Poll::Ready(Some(Ok(_)))));
        assert!(waits());
        assert!(matches!(Pin::new(&mut answer).poll_frame(&mut context), Poll::Ready(None)));
        assert!(!waits());
        let answer = Answer::new(Body::new("part".to_owned()), Arc::clone(&pace), None);
        drop(answer);
        assert!(!waits(), "one that was dropped waits for nobody");
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
