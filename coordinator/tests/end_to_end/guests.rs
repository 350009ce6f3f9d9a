//! Random clients that mean harm, beside honest workers and callers: what honest workers solve comes to the same result, the
//! coordinator's memory stays bounded, and honest calls are answered. `deploy/soak.sh` runs this for an hour.
//!
//! The clients do what the owner of a certificate may try, and no more than so much at a time: they do not fill the coordinator with
//! sweeps that it accepts, and no worker of theirs hands in a result that could be right.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use refute_proto::v1::complete_request::Part;
use refute_proto::v1::sweeps_client::SweepsClient;
use refute_proto::v1::workers_client::WorkersClient;
use refute_proto::{PROTOCOL, v1};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tonic::Status;
use tonic::transport::{Channel, Endpoint};

use crate::hostile::{COMMANDS, check_log};
use crate::network::Coordinator;
use crate::process::{asked_for, until};
use crate::report::findings;
use crate::room::Room;

/// A sweep with counterexamples, groups and coverage, in some dozens of shards.
const HONEST: &str = "name = \"honest\"\nfamily = \"graph-nim\"\nclaims = [\"four-edges/lemma-4.9.iii-*\"]\n\
    [space]\ngraph = \"H1\"\nweights = \"0..=14\"\n[run]\nshard_seconds = 0.002\ncounterexamples = 100\n";

/// The most memory that the coordinator may take.
const MOST_MEMORY: u64 = 512 << 20;

/// How long an honest call may take.
const MOST_WAIT: Duration = Duration::from_secs(1);

/// How many guests there are at a time, and how long one thing that they do may take.
const GUESTS: u64 = 4;
const PATIENCE: Duration = Duration::from_secs(45);

/// A random number generator: SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// A client that means harm, from an address of its own.
struct Guest {
    coordinator: String,
    address: String,
    random: Random,
    /// The sweep that honest workers solve.
    honest: Arc<Mutex<String>>,
}

impl Guest {
    fn endpoint(&self) -> Endpoint {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.coordinator)).unwrap();
        endpoint.local_address(Some(self.address.parse().unwrap()))
    }

    /// A connection that takes next to nothing of what it asks for.
    fn lazy(&self) -> Endpoint {
        self.endpoint().initial_stream_window_size(1).initial_connection_window_size(1 << 16)
    }

    async fn sweeps(&self) -> Result<SweepsClient<Channel>, Status> {
        Ok(SweepsClient::new(connected(self.endpoint()).await?))
    }

    async fn workers(&self) -> Result<WorkersClient<Channel>, Status> {
        Ok(WorkersClient::new(connected(self.endpoint()).await?))
    }

    fn honest(&self) -> String {
        self.honest.lock().unwrap().clone()
    }

    /// Does something harmful. What it is told is nobody's concern.
    async fn act(&mut self) -> Result<(), Status> {
        match self.random.below(11) {
            0 => self.submit_what_costs_much().await,
            1 => self.submit_nonsense().await,
            2 => self.hand_in(false).await,
            3 => self.hand_in(true).await,
            4 => self.leave_reports_unread().await,
            5 => self.leave_lists_unread().await,
            6 => self.register_many().await,
            7 => self.say_nothing().await,
            8 => self.name_nonsense().await,
            9 => self.lease_and_leave().await,
            _ => self.come_and_go().await,
        }
    }

    async fn submit_what_costs_much(&mut self) -> Result<(), Status> {
        let boxes = |one: &str, times: usize| format!("[[space]]\n{one}\n").repeat(times);
        let many = [
            ("graph-nim", boxes("graphs = { edges = 6 }\nweights = 1", 14)),
            ("graph-nim", boxes("graphs = { edges = 6 }\nweights = 1", 100)),
            ("graph-nim", format!("[space]\ngraph = \"{}\"\nweights = 1\n", "H1 ".repeat(300_000))),
            ("partizan-subtraction", boxes("b = \"1..=230\"", 30)),
            ("partizan-subtraction", boxes("b = \"1..=65535\"\nheap = 1\ntau = \"b-a\"\na = 1", 64)),
            ("hypergraph-takeaway", boxes("all = { vertices = 7 }\nuniform = 2", 190)),
            ("hypergraph-takeaway", boxes("vertices = \"2..=62\"", 8)),
            ("directed-grabbing", boxes("dags = { vertices = \"0..=6\", weights = 0 }", 1_000)),
            ("null", boxes("heap = \"0..=99\"", 20_000)),
        ];
        let (family, boxes) = &many[self.random.below(many.len() as u64) as usize];
        let manifest = format!("name = \"costly\"\nfamily = \"{family}\"\n{boxes}");
        let mut client = self.sweeps().await?;
        let id = client.submit(v1::SubmitRequest { manifest, fresh: false, priority: Some(-1) }).await?.into_inner().id;
        client.cancel(v1::CancelRequest { id }).await.map(drop)
    }

    async fn submit_nonsense(&mut self) -> Result<(), Status> {
        let rest = match self.random.below(5) {
            0 => format!("claims = [\"{}!\"]\n[space]\ngraph = \"H1\"\nweights = 1\n", "*".repeat(1 << self.random.below(18))),
            1 => "[".repeat(1 << self.random.below(19)),
            2 => format!("{} = 1\n", "k".repeat(900_000)),
            3 => format!("[[claim]]\nid = \"a/b\"\nsays = \"{}1{}\"\n", "(".repeat(400_000), ")".repeat(400_000)),
            _ => format!("\"{}\" = {}", COMMANDS.escape_default(), u64::MAX),
        };
        let manifest = format!("name = \"nonsense\"\nfamily = \"graph-nim\"\n{rest}");
        self.sweeps().await?.submit(v1::SubmitRequest { manifest, fresh: true, priority: None }).await.map(drop)
    }

    /// Hands in far too much: as nobody, or as a worker and for the sweep that is there.
    async fn hand_in(&mut self, registered: bool) -> Result<(), Status> {
        let mut client = self.workers().await?;
        let (worker_id, sweep_id) = match registered {
            true => (self.register(&mut client, 1).await?, self.honest()),
            false => (self.random.below(1 << 40), "nowhere".to_owned()),
        };
        let counts = v1::ClaimCounts { held: Some(u128::MAX.into()), refuted: Some(3u128.into()), ..Default::default() };
        let header = v1::CompleteHeader {
            worker_id,
            sweep_id,
            instance: self.address.clone(),
            decided: Some(1u128.into()),
            records_hash: Some(0u128.into()),
            claims: vec![counts; self.random.below(300) as usize],
            seconds: f64::NAN,
            ..Default::default()
        };
        let record = v1::Record { key: vec![0; 64], value: COMMANDS.into() };
        let groups = (0..5_000).map(|number| v1::GroupCount { box_index: number, label: "l".repeat(100), count: Some(u128::MAX.into()) });
        let parts =
            [Part::Records(v1::RecordPart { records: vec![record; 5_000] }), Part::Groups(v1::GroupPart { counts: groups.collect() })];
        let wanted = self.random.below(100) as usize;
        let rest = parts.into_iter().cycle().take(wanted);
        let all = std::iter::once(Part::Header(header)).chain(rest).map(|part| v1::CompleteRequest { part: Some(part) });
        client.complete(tokio_stream::iter(all.collect::<Vec<_>>())).await.map(drop)
    }

    async fn register(&mut self, client: &mut WorkersClient<Channel>, families: usize) -> Result<u64, Status> {
        let family = |family: String| v1::FamilyVersion { family, solver_version: 2 };
        let request = v1::RegisterRequest {
            protocol: PROTOCOL,
            build: "b".repeat(255),
            host: "h".repeat(255),
            slots: 4_096,
            slot_bytes: 1 << 40,
            families: (1..families).map(|name| family(format!("{name:0255}"))).chain([family("graph-nim".into())]).collect(),
            instance: self.address.clone(),
            backlog: 4_096,
            memory_kills: u64::MAX,
        };
        Ok(client.register(request).await?.into_inner().worker_id)
    }

    async fn register_many(&mut self) -> Result<(), Status> {
        let mut client = self.workers().await?;
        for _ in 0..self.random.below(300) {
            self.register(&mut client, 100).await?;
        }
        Ok(())
    }

    async fn leave_reports_unread(&mut self) -> Result<(), Status> {
        let mut client = SweepsClient::new(connected(self.lazy()).await?);
        let mut unread = Vec::new();
        for _ in 0..self.random.below(8) {
            unread.push(client.report(v1::ReportRequest { id: self.honest() }).await?);
        }
        sleep(Duration::from_millis(self.random.below(40_000))).await;
        Ok(())
    }

    async fn leave_lists_unread(&mut self) -> Result<(), Status> {
        let client = SweepsClient::new(connected(self.lazy()).await?);
        let paged = self.random.below(2) == 0;
        let mut asking = tokio::task::JoinSet::new();
        for _ in 0..self.random.below(100) {
            let mut client = client.clone();
            asking.spawn(async move {
                let _ = client.list(v1::ListRequest { paged, after: String::new() }).await;
                client.list_workers(v1::ListWorkersRequest { paged, after: String::new() }).await.map(drop)
            });
        }
        sleep(Duration::from_millis(self.random.below(5_000))).await;
        Ok(())
    }

    /// Connections that never make a call, or speak something else.
    async fn say_nothing(&mut self) -> Result<(), Status> {
        let mut open = Vec::new();
        for _ in 0..self.random.below(100) {
            let Ok(mut stream) = TcpStream::connect(&self.coordinator).await else { break };
            let said: &[u8] = match self.random.below(4) {
                0 => b"",
                1 => b"GET / HTTP/1.1\r\n\r\n",
                2 => b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\x04\x00\x00\x00\x00\x00",
                _ => b"PRI * HTTP/2.0\r\n",
            };
            // It may have been closed already.
            let _ = stream.write_all(said).await;
            open.push(stream);
        }
        sleep(Duration::from_millis(self.random.below(3_000))).await;
        Ok(())
    }

    async fn name_nonsense(&mut self) -> Result<(), Status> {
        let mut client = self.sweeps().await?;
        for _ in 0..20 {
            let id = COMMANDS.repeat(1 + self.random.below(8_000) as usize);
            let _ = match self.random.below(4) {
                0 => client.status(v1::StatusRequest { id }).await.map(drop),
                1 => client.resume(v1::ResumeRequest { id }).await.map(drop),
                2 => client.drain(v1::DrainRequest { host: id, undo: false }).await.map(drop),
                _ => client.backup(v1::BackupRequest { directory: id }).await.map(drop),
            };
        }
        Ok(())
    }

    /// Takes shards and gives them back with an error, or sometimes not at all.
    async fn lease_and_leave(&mut self) -> Result<(), Status> {
        let mut client = self.workers().await?;
        let worker_id = self.register(&mut client, 1).await?;
        let shards = 1 + self.random.below(4) as u32;
        let leases = client.lease(v1::LeaseRequest { worker_id, shards, number: 0 }).await?.into_inner().leases;
        let beats = (0..10_000).map(|lease_id| v1::LeaseProgress { lease_id, decided: Some(u128::MAX.into()) });
        client.heartbeat(v1::HeartbeatRequest { worker_id, leases: beats.collect() }).await?;
        if self.random.below(20) == 0 {
            return Ok(());
        }
        for lease in leases {
            let request = v1::ReleaseRequest { worker_id, lease_id: lease.lease_id, error: COMMANDS.repeat(1_000) };
            client.release(request).await?;
        }
        client.deregister(v1::DeregisterRequest { worker_id }).await.map(drop)
    }

    async fn come_and_go(&mut self) -> Result<(), Status> {
        for _ in 0..self.random.below(50) {
            let mut client = self.sweeps().await?;
            client.status(v1::StatusRequest { id: self.honest() }).await?;
        }
        Ok(())
    }
}

async fn connected(endpoint: Endpoint) -> Result<Channel, Status> {
    endpoint.connect().await.map_err(|error| Status::unavailable(error.to_string()))
}

/// What honest calls took, by the name of the call.
#[derive(Default)]
struct Waits(Vec<(&'static str, Vec<Duration>)>);

impl Waits {
    fn add(&mut self, call: &'static str, took: Duration) {
        match self.0.iter_mut().find(|(known, _)| *known == call) {
            Some((_, waits)) => waits.push(took),
            None => self.0.push((call, vec![took])),
        }
    }

    fn print(&mut self) -> Duration {
        let mut longest = Duration::ZERO;
        for (call, waits) in &mut self.0 {
            waits.sort_unstable();
            let at = |percent: usize| waits[(waits.len() - 1) * percent / 100];
            println!("{call}: {} calls, median {:.1?}, 99 % within {:.1?}, the longest {:.1?}", waits.len(), at(50), at(99), at(100));
            longest = longest.max(at(100));
        }
        longest
    }
}

/// Calls that an honest client and an honest worker make all the time.
async fn call(coordinator: String, honest: Arc<Mutex<String>>, over: Arc<AtomicBool>) -> Waits {
    let channel = Endpoint::from_shared(format!("http://{coordinator}")).unwrap().connect().await.unwrap();
    let (mut client, mut worker) = (SweepsClient::new(channel.clone()), WorkersClient::new(channel));
    let request = v1::RegisterRequest { protocol: PROTOCOL, slots: 1, instance: "idle".into(), ..Default::default() };
    let worker_id = worker.register(request).await.unwrap().into_inner().worker_id;
    let mut waits = Waits::default();
    for round in 0u64.. {
        if over.load(Ordering::Relaxed) {
            break;
        }
        let id = honest.lock().unwrap().clone();
        let began = Instant::now();
        client.status(v1::StatusRequest { id: id.clone() }).await.unwrap();
        waits.add("Status", began.elapsed());
        let began = Instant::now();
        worker.heartbeat(v1::HeartbeatRequest { worker_id, leases: Vec::new() }).await.unwrap();
        waits.add("Heartbeat", began.elapsed());
        let began = Instant::now();
        worker.lease(v1::LeaseRequest { worker_id, shards: 1, number: 0 }).await.unwrap();
        waits.add("Lease", began.elapsed());
        if round % 10 == 0 {
            let began = Instant::now();
            client.list(v1::ListRequest { paged: true, after: String::new() }).await.unwrap();
            waits.add("List, one page", began.elapsed());
            let began = Instant::now();
            let mut chunks = client.report(v1::ReportRequest { id }).await.unwrap().into_inner();
            while chunks.message().await.unwrap().is_some() {}
            waits.add("Report, all of it", began.elapsed());
        }
        // How late this process itself is tells how busy the machine is.
        let began = Instant::now();
        sleep(Duration::from_millis(50)).await;
        waits.add("(a sleep of 50 ms, less these)", began.elapsed().saturating_sub(Duration::from_millis(50)));
    }
    waits
}

/// The most memory that a process has had, in bytes.
fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

#[test]
fn guests_that_mean_harm_change_nothing_for_honest_ones() {
    let asked = std::env::var_os("REFUTE_HOSTILE_SECONDS").is_some();
    let (seconds, seed) = (asked_for("REFUTE_HOSTILE_SECONDS", 15), asked_for("REFUTE_SEED", 1));
    let room = Room::new();
    let path = room.write("honest.toml", HONEST);
    let expected = findings(&room.refute(["run", &format!("./{path}"), "--json", "--data", "alone"]).json(1));
    let coordinator = Coordinator::start(&room, 15_000);
    let _workers = [(); 2].map(|()| room.start_worker(&coordinator.address));
    let submit = || coordinator.refute(&["submit", &format!("./{path}"), "--fresh", "--priority", "9"]).expect(0).trim().to_owned();
    let honest = Arc::new(Mutex::new(submit()));
    let (over, acts) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let caller = std::thread::spawn({
        // On a thread of its own, so that it measures the coordinator and not the guests.
        let call = call(coordinator.address.clone(), Arc::clone(&honest), Arc::clone(&over));
        move || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(call)
    });
    for number in 0..GUESTS {
        let (over, acts) = (Arc::clone(&over), Arc::clone(&acts));
        let mut guest = Guest {
            coordinator: coordinator.address.clone(),
            address: format!("127.0.0.{}", 2 + number / 2),
            random: Random(seed.wrapping_mul(GUESTS).wrapping_add(number)),
            honest: Arc::clone(&honest),
        };
        runtime.spawn(async move {
            while !over.load(Ordering::Relaxed) {
                let _ = timeout(PATIENCE, guest.act()).await;
                acts.fetch_add(1, Ordering::Relaxed);
                sleep(Duration::from_millis(20)).await;
            }
        });
    }
    let (started, mut rounds) = (Instant::now(), 0);
    while rounds == 0 || started.elapsed() < Duration::from_secs(seconds) {
        let id = honest.lock().unwrap().clone();
        let state = until("the honest sweep to end", || {
            std::thread::sleep(Duration::from_millis(500));
            let state = coordinator.status(&id).state;
            (!["queued", "running"].contains(&state.as_str())).then_some(state)
        });
        assert_eq!(state, "complete", "seed {seed}");
        assert_eq!(findings(&coordinator.complete(&id)), expected, "seed {seed}");
        rounds += 1;
        let next = submit();
        *honest.lock().unwrap() = next;
    }
    over.store(true, Ordering::Relaxed);
    let mut waits = caller.join().unwrap();
    let longest = waits.print();
    let memory = peak(coordinator.process.id());
    let load = std::fs::read_to_string("/proc/loadavg").unwrap();
    println!(
        "seed {seed}: {rounds} honest sweeps, {} hostile acts in {:.0?}, the coordinator had at most {} MiB, load {}",
        acts.load(Ordering::Relaxed),
        started.elapsed(),
        memory >> 20,
        load.trim()
    );
    check_log(&coordinator.process.stderr());
    assert!(memory < MOST_MEMORY, "{memory} bytes");
    // Times mean something where a machine is left to it.
    assert!(!asked || longest < MOST_WAIT, "an honest call waited {longest:?}");
    runtime.shutdown_background();
}
