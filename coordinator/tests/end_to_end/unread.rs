//! Readers that ask for reports and do not read them: they cost little, they keep out nobody of another host, and their connections
//! are closed.

use std::time::{Duration, Instant};

use refute_proto::v1::sweeps_client::SweepsClient;
use refute_proto::v1::{ReportChunk, ReportRequest, StatusRequest};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Streaming};

use crate::network::Coordinator;
use crate::process::until;
use crate::room::Room;

/// A report of some 10 MB.
const LARGE: &str = "name = \"large\"\nfamily = \"partizan-subtraction\"\nclaims = [\"truncated-support/lemma-5.3.1-printed\"]\n\
    [space]\na = \"1..=54\"\nb = \"1..=54\"\nheap = \"0..=1\"\n[run]\nshard_seconds = 1e6\ncounterexamples = 100000\n";

/// How many a host has at a time.
const PLACES: usize = 4;

/// A client that calls from an address and takes next to nothing before it reads.
async fn client(url: &str, address: &str) -> SweepsClient<Channel> {
    let endpoint = Endpoint::from_shared(url.to_owned()).unwrap().local_address(Some(address.parse().unwrap()));
    let endpoint = endpoint.initial_stream_window_size(1_000).initial_connection_window_size(1 << 16);
    SweepsClient::new(endpoint.connect().await.unwrap())
}

/// How much memory a process has, in KiB.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

async fn read(mut chunks: Streaming<ReportChunk>) -> Result<usize, Code> {
    let mut bytes = 0;
    while let Some(chunk) = chunks.message().await.map_err(|status| status.code())? {
        bytes += chunk.json.len();
    }
    Ok(bytes)
}

#[test]
fn reports_that_nobody_reads_cost_little_keep_out_no_other_host_and_end() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let _worker = room.start_worker(&coordinator.address);
    let id = coordinator.submit(LARGE);
    until("the sweep to be complete", || (coordinator.status(&id).state == "complete").then_some(()));
    let url = format!("http://{}", coordinator.address);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let request = || ReportRequest { id: id.clone() };
    runtime.block_on(async {
        // What a report costs that is read.
        let bytes = read(client(&url, "127.0.0.1").await.report(request()).await.unwrap().into_inner()).await.unwrap();
        assert!(bytes > 6_000_000, "{bytes}");
        let before = resident(coordinator.process.id());
        let mut lazy = client(&url, "127.0.0.2").await;
        let mut unread = Vec::new();
        for _ in 0..PLACES {
            unread.push(lazy.report(request()).await.unwrap().into_inner());
        }
        let grown = resident(coordinator.process.id()).saturating_sub(before);
        assert!(grown < 16 << 10, "four reports of {bytes} bytes that nobody reads take {grown} KiB");
        // No more of this host; another one is served at once.
        let refused = lazy.report(request()).await.unwrap_err();
        assert_eq!(refused.code(), Code::ResourceExhausted, "{refused:?}");
        let mut honest = client(&url, "127.0.0.1").await;
        let asked = Instant::now();
        honest.status(StatusRequest { id: id.clone() }).await.unwrap();
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
        assert_eq!(read(honest.report(request()).await.unwrap().into_inner()).await, Ok(bytes));
        // Once they have taken nothing for half a minute their connection is closed, and the places are free again.
        tokio::time::sleep(Duration::from_secs(30)).await;
        for chunks in unread {
            assert!(read(chunks).await.is_err(), "it was not read in time");
        }
        let mut again = client(&url, "127.0.0.2").await;
        assert_eq!(read(again.report(request()).await.unwrap().into_inner()).await, Ok(bytes));
    });
    let log = coordinator.process.stderr();
    assert!(log.contains("it did not read what it had asked for"), "{log}");
}
