//! A limit on open connections: when it is reached and others wait, the oldest connection that has lasted long enough is closed,
//! so that clients that send nothing keep nobody out.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::task::{AbortHandle, JoinSet};
use tokio::time::Instant;

/// The connections that are open, each served by a task of its own that ends with a `T`.
pub struct ConnectionLimit<T> {
    tasks: JoinSet<T>,
    /// The oldest first.
    open: VecDeque<Open>,
    limit: usize,
    grace: Duration,
}

struct Open {
    peer: SocketAddr,
    since: Instant,
    task: AbortHandle,
}

impl<T: Send + 'static> ConnectionLimit<T> {
    /// At most `limit` connections at a time, each of which may last for `grace` while others wait.
    pub fn new(limit: usize, grace: Duration) -> Self {
        Self { tasks: JoinSet::new(), open: VecDeque::new(), limit, grace }
    }

    /// Whether the next connection has to wait.
    pub fn is_full(&self) -> bool {
        self.open.len() >= self.limit
    }

    /// Serves a connection by a task of its own.
    pub fn serve(&mut self, peer: SocketAddr, task: impl Future<Output = T> + Send + 'static) {
        let task = self.tasks.spawn(task);
        self.open.push_back(Open { peer, since: Instant::now(), task });
    }

    /// What the next task that ends comes to: nothing if it was aborted or panicked. None while no connection is open.
    /// Cancelling the call loses nothing.
    pub async fn next(&mut self) -> Option<Option<T>> {
        let (id, ended) = match self.tasks.join_next_with_id().await? {
            Ok((id, ended)) => (id, Some(ended)),
            Err(error) => (error.id(), None),
        };
        self.open.retain(|open| open.task.id() != id);
        Some(ended)
    }

    /// When the oldest connection has lasted for as long as it may while others wait.
    pub fn grace_ends(&self) -> Instant {
        self.open.front().map_or_else(Instant::now, |oldest| oldest.since) + self.grace
    }

    /// Closes the oldest connection if it has lasted for so long, and returns its peer.
    pub fn close_oldest(&mut self) -> Option<SocketAddr> {
        let oldest = self.open.pop_front_if(|oldest| oldest.since.elapsed() >= self.grace)?;
        oldest.task.abort();
        Some(oldest.peer)
    }
}
