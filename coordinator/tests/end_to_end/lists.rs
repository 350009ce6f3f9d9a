//! Very many workers: their list comes in pages, and who asks for all of it at once is told so.

use std::time::Duration;

use refute_proto::PROTOCOL;
use refute_proto::v1::sweeps_client::SweepsClient;
use refute_proto::v1::workers_client::WorkersClient;
use refute_proto::v1::{self, ListWorkersRequest, RegisterRequest};
use tokio::runtime::Runtime;
use tonic::Code;

use crate::network::Coordinator;
use crate::process::until;
use crate::room::Room;

/// More than a message holds, with the longest texts that a worker may have.
const WORKERS: usize = 2_200;

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Registers workers that know so many families and say as much about themselves as they may, and never anything again.
async fn register(url: &str, workers: usize, families: usize) {
    let mut client = WorkersClient::connect(url.to_owned()).await.unwrap();
    let family = |name: String| v1::FamilyVersion { family: name, solver_version: 1 };
    for number in 0..workers {
        let request = RegisterRequest {
            protocol: PROTOCOL,
            build: "b".repeat(255),
            host: "h".repeat(255),
            slots: 1,
            slot_bytes: 1 << 30,
            families: (0..families).map(|name| family(format!("{name:0255}"))).collect(),
            instance: format!("{number:0255}"),
            backlog: 0,
            memory_kills: 0,
        };
        client.register(request).await.unwrap();
    }
}

#[test]
fn workers_that_do_not_fit_into_a_message_come_in_pages_and_are_forgotten_when_they_are_lost() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 10_000);
    let url = format!("http://{}", coordinator.address);
    let (paged, whole, place) = runtime().block_on(async {
        register(&url, WORKERS, 10).await;
        let mut client = SweepsClient::connect(url.clone()).await.unwrap();
        let page = client.list_workers(ListWorkersRequest { paged: true, after: String::new() }).await.unwrap().into_inner();
        let whole = client.list_workers(ListWorkersRequest::default()).await.unwrap_err();
        let nowhere = ListWorkersRequest { paged: true, after: "x\n".repeat(1_000) };
        (page, whole, client.list_workers(nowhere).await.unwrap_err())
    });
    assert!((100..WORKERS / 2).contains(&paged.workers.len()) && !paged.next.is_empty(), "{}", paged.workers.len());
    assert_eq!(whole.code(), Code::ResourceExhausted, "{whole:?}");
    assert!(whole.message().contains("takes it in pages"), "{whole:?}");
    assert_eq!(place.code(), Code::InvalidArgument);
    assert!(place.message().len() < 300, "{place:?}");
    let listed = coordinator.refute(&["workers", "--json"]).json(0);
    let ids: Vec<u64> = listed.as_array().unwrap().iter().map(|worker| worker["worker_id"].as_str().unwrap().parse().unwrap()).collect();
    assert!(ids.is_sorted_by(|one, other| one < other), "each once, in order");
    assert_eq!(ids.len(), WORKERS);
    // They are silent for longer than they may be, and only some are remembered.
    until("the workers to be lost", || {
        std::thread::sleep(Duration::from_secs(1));
        coordinator.refute(&["workers", "--json"]).json(0).as_array().unwrap().is_empty().then_some(())
    });
    assert_eq!(coordinator.refute(&["workers", "--lost", "--json"]).json(0).as_array().unwrap().len(), 256);
}
