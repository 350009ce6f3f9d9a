//! Processes that are started in any order and told to stop.

use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::manifests::{HELD, LONG};
use crate::network::Coordinator;
use crate::process::{Process, refute, refute_worker, until};
use crate::report::check_complete;
use crate::room::Room;
use crate::sandbox::{COORDINATOR, in_a_network_of_its_own, let_messages_pass};

/// Tells a process to stop; it ends with 0, and soon.
#[track_caller]
fn stops(process: &mut Process, signal: &str) {
    // It takes a moment; a supervisor that has to wait for longer than this kills.
    const SOON: Duration = Duration::from_secs(8);
    let told = Instant::now();
    process.signal(signal);
    let ended = process.wait();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(told.elapsed() < SOON, "it took {:?}", told.elapsed());
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
}

#[test]
fn a_worker_started_before_its_coordinator_waits_for_it() {
    let room = Room::new();
    // A port that nobody listens on: it was just free.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut worker = room.start_worker(&address);
    until("the worker to say that there is nobody", || {
        worker.stderr().contains(&format!("cannot reach the coordinator at http://{address}: ")).then_some(())
    });
    let mut coordinator = Coordinator::start_at(&room, &address, 15_000);
    let id = coordinator.submit(HELD);
    check_complete(&coordinator.complete(&id), 6u128.pow(4));
    // Without anything to do they stop as well.
    stops(&mut worker, "TERM");
    stops(&mut coordinator.process, "TERM");
}

#[test]
fn both_stop_in_the_middle_of_a_sweep_and_go_on_later() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let mut workers = [room.start_worker(&coordinator.address), room.start_worker(&coordinator.address)];
    let id = coordinator.submit(LONG);
    until("some shards to be done", || {
        let status = coordinator.status(&id);
        assert_ne!(status.state, "complete", "the sweep is too short for this test");
        (status.done > 0 && status.leased == 2).then_some(())
    });
    stops(&mut workers[0], "TERM");
    // It said goodbye, and what it had was handed back at once, not left to run out.
    assert_eq!(coordinator.refute(&["workers", "--json"]).json(0).as_array().map(Vec::len), Some(1));
    let status = coordinator.status(&id);
    assert!(status.leased <= 1, "{status:?}");
    stops(&mut coordinator.process, "INT");
    // A worker whose coordinator is gone stops all the same.
    stops(&mut workers[1], "INT");

    let coordinator = Coordinator::start(&room, 15_000);
    assert!(coordinator.status(&id).done >= status.done);
    let _worker = room.start_worker(&coordinator.address);
    let _other = room.start_worker(&coordinator.address);
    check_complete(&coordinator.complete(&id), 51u128.pow(4));
}

#[test]
fn the_loss_of_a_terminal_stops_as_a_signal_to_terminate_does() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let mut worker = room.start_worker(&coordinator.address);
    let id = coordinator.submit(LONG);
    until("some shards to be done", || (coordinator.status(&id).done > 0).then_some(()));
    let done = coordinator.status(&id).done;
    stops(&mut worker, "HUP");
    stops(&mut coordinator.process, "HUP");
    for (log, sentence) in
        [(worker.stderr(), "told to stop; handing back what runs"), (coordinator.process.stderr(), "told to stop; what is done is kept")]
    {
        assert_eq!(log.matches(sentence).count(), 1, "{log}");
    }

    // What was done is kept, and so it is by a run.
    let manifest = room.write("manifest.toml", LONG);
    let mut run = room.start_refute(["run", &manifest, "--data", "data", "--workers", "1"]);
    until("the run to go on", || run.stderr().contains("goes on with").then_some(()));
    run.signal("HUP");
    let ended = run.wait();
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""), "{}", ended.stderr);
    let last = format!("refute: stopped; run the same command again and it goes on ({id})");
    assert_eq!(ended.stderr.lines().last(), Some(last.as_str()));
    let status = room.refute(["status", &id, "--data", "data", "--json"]).json(0);
    assert!(status["shards"]["done"].as_u64().unwrap() >= done, "{status}");
    check_complete(&room.refute(["run", &manifest, "--data", "data", "--json"]).json(1), 51u128.pow(4));
}

#[test]
fn what_was_started_with_nohup_outlives_its_terminal() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", LONG);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(refute().get_program()).args(["run", &manifest, "--json"]);
    let mut run = room.start(command);
    until("the run to begin", || run.stderr().contains("box 1 of 1 begins").then_some(()));
    assert!(run.catches("TERM") && !run.catches("HUP"));
    run.signal("HUP");
    check_complete(&run.wait().json(1), 51u128.pow(4));
}

#[test]
fn health_says_first_that_it_is_about_to_stop() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let endpoint = Endpoint::from_shared(format!("http://{}", coordinator.address)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut client = HealthClient::new(runtime.block_on(endpoint.connect()).unwrap());
    for service in ["", "refute.v1.Workers", "refute.v1.Sweeps"] {
        let answer = runtime.block_on(client.check(HealthCheckRequest { service: service.into() })).unwrap();
        assert_eq!(answer.into_inner().status(), ServingStatus::Serving, "{service}");
    }
    let watch = client.watch(HealthCheckRequest { service: "refute.v1.Workers".into() });
    let mut news = runtime.block_on(watch).unwrap().into_inner();
    let mut next = || runtime.block_on(news.message()).unwrap().map(|answer| answer.status());
    assert_eq!(next(), Some(ServingStatus::Serving));
    coordinator.process.signal("TERM");
    assert_eq!(next(), Some(ServingStatus::NotServing));
    assert_eq!(coordinator.process.wait().code, Some(0));
}

#[test]
fn a_connection_that_says_nothing_does_not_keep_a_coordinator_from_stopping() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let silent = TcpStream::connect(&coordinator.address).unwrap();
    // It is taken by the time another is served.
    coordinator.refute(&["list"]).expect(0);
    stops(&mut coordinator.process, "TERM");
    drop(silent);
}

#[test]
fn a_bad_address_leaves_no_data_directory() {
    let room = Room::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for address in [taken.as_str(), "nowhere", "256.0.0.1:1", "127.0.0.1:port"] {
        let ended = room.refute(["serve", "--data", "data", "--listen", address]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        let told = ended.stderr.contains(&format!("cannot listen on '{address}': ")) && ended.stderr.contains("; --listen takes ");
        assert!(told, "{}", ended.stderr);
        assert!(!room.has_data());
    }
}

#[test]
fn a_worker_stops_at_once_while_the_name_of_its_coordinator_is_looked_up() {
    // The lookup takes ten seconds: two attempts, of five seconds each.
    const AT_ONCE: Duration = Duration::from_secs(5);
    in_a_network_of_its_own("stopping::a_worker_stops_at_once_while_the_name_of_its_coordinator_is_looked_up", || {
        let room = Room::new();
        room.write("resolv.conf", &format!("nameserver {COORDINATOR}\n"));
        let_messages_pass(&["udp dport 53 counter drop".to_owned()], &[]);
        let mut command = Command::new("unshare");
        command.args(["-m", "sh", "-c", "mount --bind resolv.conf /etc/resolv.conf && exec \"$@\"", "sh"]);
        command.arg(refute_worker().get_program()).args(["--coordinator", "hub.example:7433", "--slots", "1", "--insecure"]);
        command.env_remove("REFUTE_COORDINATOR").env_remove("RUST_LOG");
        let mut worker = room.start(command);
        std::thread::sleep(Duration::from_secs(1));
        assert!(worker.is_running(), "{}", worker.stderr());
        let told = Instant::now();
        stops(&mut worker, "TERM");
        assert!(told.elapsed() < AT_ONCE, "it took {:?}", told.elapsed());
    });
}
