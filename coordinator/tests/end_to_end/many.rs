//! Very many shards, and very many workers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use refute_proto::PROTOCOL;
use refute_proto::v1;
use refute_proto::v1::workers_client::WorkersClient;
use refute_shared::families::FAMILIES;
use refute_worker::assignment::Solved;
use refute_worker::wire::{self, Parts};
use tonic::transport::Channel;

use crate::network::Coordinator;
use crate::process::{asked_for, until_within};
use crate::puppet::Puppet;
use crate::report::{check_complete, findings};
use crate::room::Room;

const WORKERS: usize = 1_000;
const SHARDS: u64 = 3_000;
/// Heartbeats for which a worker holds each of its shards.
const BEATS: usize = 3;

fn empty(shards: u64, shard_seconds: &str) -> String {
    format!("name = \"empty\"\nfamily = \"null\"\n[space]\nheap = \"1..={shards}\"\n[run]\nshard_seconds = {shard_seconds}\n")
}

#[test]
fn very_many_shards_go_through_sockets_and_each_counts_once() {
    // deploy/soak.sh asks for ten times as many.
    let shards = asked_for("REFUTE_SHARDS", 10_000);
    let room = Room::new();
    let path = room.write("whole.toml", &empty(shards, "10"));
    let expected = findings(&room.refute(["run", &path, "--json", "--data", "whole"]).json(0));
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(&empty(shards, "1e-9"));
    assert_eq!(coordinator.status(&id).total, shards);
    let _workers = [4, 4].map(|slots: u32| {
        let mut worker = crate::process::refute_worker();
        worker.args(["--coordinator", &coordinator.address, "--slots", &slots.to_string()]);
        room.start(worker)
    });
    // Without optimisation ten thousand take some ten seconds of both cores.
    until_within(Duration::from_secs(900), "all shards to be done", || {
        std::thread::sleep(Duration::from_millis(200));
        (coordinator.status(&id).done == shards).then_some(())
    });
    let report = coordinator.complete(&id);
    check_complete(&report, shards.into());
    assert_eq!(findings(&report), expected);
    assert!(!coordinator.process.stderr().contains("lease ran out"), "{}", coordinator.process.stderr());
}

#[test]
fn leases_that_fill_a_message_are_handed_out_in_several_and_nobody_is_said_to_have_returned_one() {
    const BOXES: u64 = 1_000;
    let boxes: String = (0..BOXES).map(|number| format!("[[space]]\nheap = \"{0}..={0}\"\n", 1_000_000_000_000 + 2 * number)).collect();
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(&format!("name = \"boxes\"\nfamily = \"null\"\n{boxes}[run]\nshard_seconds = 1e-9\n"));
    let mut greedy = Puppet::new(&coordinator.address, "greedy");
    greedy.slots = 4096;
    greedy.register();
    let first = greedy.lease_many(u32::MAX).unwrap().len() as u64;
    assert!((2..256).contains(&first), "{first} leases");
    let second = greedy.lease_many(u32::MAX).unwrap().len() as u64;
    let status = coordinator.status(&id);
    assert_eq!((status.leased, status.total), (first + second, BOXES));
    let workers = coordinator.refute(&["workers", "--json"]).json(0);
    assert_eq!(workers[0]["returned"], 0, "{workers}");
}

/// A worker with one slot that takes three heartbeats for each of its shards.
struct Slow {
    client: WorkersClient<Channel>,
    instance: String,
    worker_id: u64,
    heartbeat_every: Duration,
}

impl Slow {
    async fn register(coordinator: String, number: usize) -> Self {
        let mut client = WorkersClient::connect(coordinator).await.unwrap();
        let instance = format!("slow {number}");
        let family = |family: &&dyn refute_shared::families::Family| v1::FamilyVersion {
            family: family.id().to_owned(),
            solver_version: family.solver_version(),
        };
        let request = v1::RegisterRequest {
            protocol: PROTOCOL,
            build: "slow".into(),
            host: instance.clone(),
            slots: 1,
            slot_bytes: 1 << 20,
            families: FAMILIES.iter().map(family).collect(),
            instance: instance.clone(),
            backlog: 0,
            memory_kills: 0,
        };
        let registered = client.register(request).await.unwrap().into_inner();
        let heartbeat_every = Duration::from_millis(registered.heartbeat_every_ms);
        Self { client, instance, worker_id: registered.worker_id, heartbeat_every }
    }

    /// Solves shards until there are none, and counts how often each was leased.
    async fn work(mut self, leased: Arc<Mutex<BTreeMap<u64, usize>>>) {
        let worker_id = self.worker_id;
        loop {
            let answer = self.client.lease(v1::LeaseRequest { worker_id, shards: 1, number: 0 }).await.unwrap().into_inner();
            let Some(lease) = answer.leases.into_iter().next() else { return };
            let assignment = wire::assignment(lease).unwrap();
            *leased.lock().unwrap().entry(assignment.shard_number).or_default() += 1;
            for _ in 0..BEATS {
                tokio::time::sleep(self.heartbeat_every).await;
                let progress = v1::LeaseProgress { lease_id: assignment.lease_id, decided: Some(0u128.into()) };
                let request = v1::HeartbeatRequest { worker_id, leases: vec![progress] };
                let heard = self.client.heartbeat(request).await.unwrap().into_inner();
                assert_eq!(heard.stop, [0; 0], "{} lost its lease", self.instance);
            }
            let result = Puppet::solve(&assignment);
            let solved = Arc::new(Solved { assignment, result, seconds: 1.0 });
            let answer = self.client.complete(tokio_stream::iter(Parts::new(worker_id, &self.instance, solved))).await.unwrap();
            let counted = v1::ResultAnswer { counted: true, ..Default::default() };
            assert_eq!(answer.into_inner().results, [counted]);
        }
    }
}

#[test]
fn a_thousand_workers_lease_beat_and_finish_without_a_lost_lease() {
    rlimit::increase_nofile_limit(4 * WORKERS as u64).unwrap();
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(&empty(SHARDS, "1e-9"));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let leased: Arc<Mutex<BTreeMap<u64, usize>>> = Arc::default();
    runtime.block_on(async {
        let url = format!("http://{}", coordinator.address);
        let mut workers = Vec::new();
        for number in 0..WORKERS {
            // One after the other, as machines start: all at once they would only wait in the queue for connections.
            workers.push(Slow::register(url.clone(), number).await);
        }
        assert_eq!(coordinator.refute(&["workers", "--json"]).json(0).as_array().unwrap().len(), WORKERS);
        let workers: Vec<_> = workers.into_iter().map(|worker| tokio::spawn(worker.work(leased.clone()))).collect();
        for worker in workers {
            worker.await.unwrap();
        }
    });
    let leased = leased.lock().unwrap();
    assert_eq!(leased.keys().copied().collect::<Vec<u64>>(), (0..SHARDS).collect::<Vec<u64>>());
    assert!(leased.values().all(|times| *times == 1), "a shard was leased again");
    check_complete(&coordinator.complete(&id), SHARDS.into());
    let log = coordinator.process.stderr();
    assert!(!log.contains("lease ran out"), "{log}");
}
