//! A worker over a real socket, with a coordinator that does as the test says.

use std::time::{Duration, Instant};

use crate::coordinator::{Coordinator, lease, sweep, whole};
use refute_shared::families::FAMILIES;
use refute_shared::sweep::{Shard, Sweep};
use refute_worker::{WorkerError, WorkerOptions, run};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

const ANY_PORT: &str = "127.0.0.1:0";

/// A shard of this sweep takes many seconds, so that something can happen while it is solved.
fn long() -> Sweep {
    sweep("0..=120", "none")
}

struct Worker {
    stop: oneshot::Sender<()>,
    end: JoinHandle<Result<(), WorkerError>>,
}

impl Worker {
    fn start(url: String, slots: usize) -> Self {
        let options = WorkerOptions { coordinator: url, tls: None, slots, slot_bytes: 4 << 30, memory_kills: 0, host: "here".to_owned() };
        let (stop, told) = oneshot::channel();
        let end = tokio::spawn(run(options, async {
            let _ = told.await;
        }));
        Self { stop, end }
    }

    /// Tells it to stop and waits until it has, which takes less than two seconds.
    async fn stop(self) {
        let told = Instant::now();
        self.stop.send(()).unwrap();
        self.end.await.unwrap().unwrap();
        assert!(told.elapsed() < Duration::from_secs(2), "{:?}", told.elapsed());
    }
}

#[tokio::test]
async fn shards_are_leased_solved_and_handed_back() {
    let coordinator = Coordinator::default();
    let sweep = sweep("0..=4", "all");
    let units = sweep.space.units(0);
    let shard = |unit| Shard { box_index: 0, start: unit, end: unit + 1 };
    coordinator.state().pending = (0..units).map(|unit| lease(&sweep, unit + 1, &shard(unit))).collect();
    coordinator.state().busy = 3;
    let (address, _server) = coordinator.serve(ANY_PORT.parse().unwrap());
    let worker = Worker::start(format!("http://{address}"), 2);
    coordinator.until("all done", |state| state.completed.len() as u64 == units).await;
    coordinator.until("a heartbeat", |state| state.heartbeats > 0).await;
    worker.stop().await;

    let state = coordinator.state();
    let registration = &state.registrations[0];
    assert_eq!((registration.host.as_str(), registration.slots, registration.slot_bytes), ("here", 2, 4 << 30));
    let families: Vec<&str> = registration.families.iter().map(|known| known.family.as_str()).collect();
    assert_eq!(families, FAMILIES.iter().map(|family| family.id()).chain(["language"]).collect::<Vec<_>>());
    let mut decided = 0;
    for completed in &state.completed {
        let unit = completed.header.shard_number - 1;
        let here = u128::from(completed.header.decided.unwrap());
        assert_eq!(here, sweep.space.configurations(&shard(unit)));
        assert_eq!(completed.header.claims.len(), sweep.claims.len());
        assert_eq!((completed.records as u128, completed.coverage), (here, here));
        decided += here;
    }
    assert_eq!(decided, sweep.configurations());
    assert_eq!(state.released, []);
}

#[tokio::test]
async fn a_shard_is_stopped_over_the_heartbeat() {
    let coordinator = Coordinator::default();
    let (long, short) = (long(), sweep("0..=2", "none"));
    coordinator.state().pending = vec![whole(&short, 2), whole(&long, 1)];
    let (address, _server) = coordinator.serve(ANY_PORT.parse().unwrap());
    let worker = Worker::start(format!("http://{address}"), 1);
    coordinator.until("progress of the long shard", |state| state.progress.contains_key(&1)).await;
    coordinator.state().stop = vec![1];
    coordinator.until("the short shard done", |state| state.completed.iter().any(|done| done.header.lease_id == 2)).await;
    worker.stop().await;
    let state = coordinator.state();
    assert_eq!((state.completed.len(), state.released.len()), (1, 0));
}

#[tokio::test]
async fn after_a_restart_the_worker_registers_again_and_still_delivers() {
    let coordinator = Coordinator::default();
    // Large enough to be running when the coordinator forgets the worker.
    let sweep = sweep("0..=64", "none");
    coordinator.state().pending = vec![whole(&sweep, 1)];
    let (address, server) = coordinator.serve(ANY_PORT.parse().unwrap());
    let worker = Worker::start(format!("http://{address}"), 1);
    coordinator.until("progress of the shard", |state| state.progress.contains_key(&1)).await;
    server.abort();
    let _ = server.await;
    coordinator.restart();
    // A restarted coordinator does not know the lease either.
    coordinator.state().stop = vec![1];
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (_, _server) = coordinator.serve(address);
    coordinator.until("the shard done", |state| !state.completed.is_empty()).await;
    worker.stop().await;
    let state = coordinator.state();
    assert_eq!((state.registrations.len(), state.completed.len()), (2, 1));
    assert_eq!((state.completed[0].header.worker_id, state.completed[0].header.lease_id), (2, 1));
    assert_eq!(u128::from(state.completed[0].header.decided.unwrap()), sweep.configurations());
}

#[tokio::test]
async fn a_worker_that_is_told_to_stop_gives_back_what_runs_without_blame() {
    let coordinator = Coordinator::default();
    coordinator.state().pending = vec![whole(&long(), 1)];
    let (address, _server) = coordinator.serve(ANY_PORT.parse().unwrap());
    let worker = Worker::start(format!("http://{address}"), 2);
    coordinator.until("progress", |state| state.progress.contains_key(&1)).await;
    worker.stop().await;
    let state = coordinator.state();
    assert_eq!(state.released, [(1, String::new())]);
    assert!(state.completed.is_empty());
}

#[tokio::test]
async fn a_lease_that_cannot_be_solved_is_given_back_with_the_reason() {
    let coordinator = Coordinator::default();
    let good = whole(&sweep("0..=2", "none"), 1);
    let unknown = refute_proto::v1::Lease { family: "chess".to_owned(), ..good.clone() };
    let malformed = refute_proto::v1::Lease { shard: None, lease_id: 2, ..good };
    coordinator.state().pending = vec![unknown, malformed];
    let (address, _server) = coordinator.serve(ANY_PORT.parse().unwrap());
    let worker = Worker::start(format!("http://{address}"), 1);
    coordinator.until("both given back", |state| state.released.len() == 2).await;
    worker.stop().await;
    let state = coordinator.state();
    assert!(state.released[0].1.contains("which units"), "{:?}", state.released);
    assert!(state.released[1].1.contains("no family 'chess'"), "{:?}", state.released);
}

#[tokio::test]
async fn a_worker_waits_for_a_coordinator_that_is_not_there_yet() {
    let coordinator = Coordinator::default();
    let (address, server) = coordinator.serve(ANY_PORT.parse().unwrap());
    server.abort();
    let _ = server.await;
    let worker = Worker::start(format!("http://{address}"), 1);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (_, _server) = coordinator.serve(address);
    coordinator.until("registered", |state| !state.registrations.is_empty()).await;
    worker.stop().await;
}

#[tokio::test]
async fn a_worker_that_never_reached_anyone_stops_at_once() {
    let worker = Worker::start("http://127.0.0.1:9".to_owned(), 1);
    tokio::time::sleep(Duration::from_millis(100)).await;
    worker.stop().await;
}

#[tokio::test]
async fn a_worker_that_is_refused_says_why() {
    let coordinator = Coordinator::default();
    coordinator.state().refuse = Some("this coordinator speaks protocol 2; update the worker".to_owned());
    let (address, _server) = coordinator.serve(ANY_PORT.parse().unwrap());
    let error = Worker::start(format!("http://{address}"), 1).end.await.unwrap().unwrap_err();
    assert!(matches!(&error, WorkerError::Refused { .. }));
    assert!(error.to_string().contains("speaks protocol 2"), "{error}");
}
