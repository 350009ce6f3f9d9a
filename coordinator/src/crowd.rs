//! Those who came in from outside and are not done yet: so many at a time, and while others wait, whoever has been there longest
//! makes room, so that strangers who say nothing keep out nobody.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::task::{AbortHandle, JoinSet};
use tokio::time::Instant;

/// What goes on for each of them, in a task of its own that ends with a `T`.
pub struct Crowd<T> {
    tasks: JoinSet<T>,
    /// The oldest first.
    there: VecDeque<Guest>,
    most: usize,
    patience: Duration,
}

struct Guest {
    peer: SocketAddr,
    since: Instant,
    task: AbortHandle,
}

impl<T: Send + 'static> Crowd<T> {
    /// Room for so many. While others wait, each may stay for so long.
    pub fn new(most: usize, patience: Duration) -> Self {
        Self { tasks: JoinSet::new(), there: VecDeque::new(), most, patience }
    }

    /// Whether who comes now has to wait.
    pub fn is_full(&self) -> bool {
        self.there.len() >= self.most
    }

    /// Lets somebody in.
    pub fn begin(&mut self, peer: SocketAddr, task: impl Future<Output = T> + Send + 'static) {
        let task = self.tasks.spawn(task);
        self.there.push_back(Guest { peer, since: Instant::now(), task });
    }

    /// What became of the next one that is done, which is nothing where it was broken off or panicked. None while nobody is
    /// there. Broken off, this loses nothing.
    pub async fn next(&mut self) -> Option<Option<T>> {
        let (id, ended) = match self.tasks.join_next_with_id().await? {
            Ok((id, ended)) => (id, Some(ended)),
            Err(error) => (error.id(), None),
        };
        self.there.retain(|guest| guest.task.id() != id);
        Some(ended)
    }

    /// When the oldest has been there for as long as it may while others wait.
    pub fn patience_ends(&self) -> Instant {
        self.there.front().map_or_else(Instant::now, |oldest| oldest.since) + self.patience
    }

    /// Breaks off with the oldest if it has been there for so long, and says who that was.
    pub fn give_up_oldest(&mut self) -> Option<SocketAddr> {
        let oldest = self.there.pop_front_if(|oldest| oldest.since.elapsed() >= self.patience)?;
        oldest.task.abort();
        Some(oldest.peer)
    }
}
