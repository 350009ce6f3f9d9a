//! Workers on networks that lose, delay and swallow messages.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use crate::crashes::undisturbed;
use crate::manifests::LONG;
use crate::network::Coordinator;
use crate::process::{asked_for, refute_worker, until};
use crate::report::{check_complete, findings};
use crate::room::Room;
use crate::sandbox::{COORDINATOR, Island, in_a_network_of_its_own, let_messages_pass};

/// A coordinator that islands can reach.
fn start<'a>(room: &'a Room, lease_ttl_ms: u32) -> Coordinator<'a> {
    Coordinator::start_at(room, &format!("{COORDINATOR}:0"), lease_ttl_ms)
}

fn start_worker(room: &Room, number: u8, coordinator: &str) -> Island {
    let mut command = refute_worker();
    command.args(["--coordinator", coordinator, "--slots", "1", "--insecure"]).env("RUST_LOG", "refute_worker=debug");
    Island::start(room, number, &command)
}

/// Passes connections on to a coordinator, every byte late by a delay in either direction; returns where it listens.
fn delayed(coordinator: &str, delay: Duration) -> String {
    let listener = TcpListener::bind((COORDINATOR, 0)).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let coordinator: SocketAddr = coordinator.parse().unwrap();
    thread::spawn(move || {
        for here in listener.incoming() {
            // A connection that cannot be passed on is closed.
            let (Ok(here), Ok(there)) = (here, TcpStream::connect(coordinator)) else { continue };
            let (Ok(here_too), Ok(there_too)) = (here.try_clone(), there.try_clone()) else { continue };
            pass_on(here, there, delay);
            pass_on(there_too, here_too, delay);
        }
    });
    address
}

/// Passes on what comes in, each piece after the delay, without holding up the next.
fn pass_on(mut from: TcpStream, mut to: TcpStream, delay: Duration) {
    let (pieces, due) = channel::<(Instant, Vec<u8>)>();
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            if pieces.send((Instant::now() + delay, buffer[..length].to_vec())).is_err() {
                return;
            }
        }
    });
    thread::spawn(move || {
        for (at, piece) in due {
            thread::sleep(at.saturating_duration_since(Instant::now()));
            if to.write_all(&piece).is_err() {
                break;
            }
        }
        // The other end may be gone already.
        let _ = to.shutdown(Shutdown::Both);
    });
}

#[test]
fn messages_that_are_lost_or_late_change_nothing_in_the_result() {
    in_a_network_of_its_own("partitions::messages_that_are_lost_or_late_change_nothing_in_the_result", || {
        let room = Room::new();
        let coordinator = start(&room, 15_000);
        let late = delayed(&coordinator.address, Duration::from_millis(120));
        let lossy = start_worker(&room, 0, &coordinator.address);
        let late = start_worker(&room, 1, &late);
        until("both to register", || (coordinator.process.stderr().matches("worker registered").count() == 2).then_some(()));
        let lost = |direction: &str| vec![format!("{direction} {} numgen random mod 100 < 15 counter drop", lossy.link)];
        let_messages_pass(&lost("iifname"), &lost("oifname"));
        let id = coordinator.submit(LONG);
        let report = coordinator.complete(&id);
        check_complete(&report, 51u128.pow(4));
        assert_eq!(&findings(&report), undisturbed());
        assert_eq!(coordinator.status(&id).quarantined, 0);
        for worker in [&lossy, &late] {
            assert!(worker.process.stderr().contains("counted=true"), "it was of no use: {}", worker.process.stderr());
        }
        let rules = std::process::Command::new("nft").args(["list", "ruleset"]).output().unwrap();
        let rules = String::from_utf8_lossy(&rules.stdout).into_owned();
        assert!(rules.contains("counter packets") && !rules.contains("counter packets 0 "), "nothing was lost: {rules}");
    });
}

/// How many connections to a port of this network are open, as the kernel sees them.
fn connections(address: &str) -> usize {
    const ESTABLISHED: &str = "01";
    let port = format!(":{:04X}", address.parse::<SocketAddr>().unwrap().port());
    let table = fs::read_to_string("/proc/self/net/tcp").unwrap();
    let is_one = |line: &&str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        fields[1].ends_with(&port) && fields[3] == ESTABLISHED
    };
    table.lines().skip(1).filter(is_one).count()
}

#[test]
fn a_silence_is_noticed_within_half_a_minute_and_is_over_without_help() {
    const FOUND: Duration = Duration::from_secs(30);
    in_a_network_of_its_own("partitions::a_silence_is_noticed_within_half_a_minute_and_is_over_without_help", || {
        let room = Room::new();
        let coordinator = start(&room, 2_000);
        let [deaf, mute, mut lost] = [0, 1, 2].map(|number| start_worker(&room, number, &coordinator.address));
        let id = coordinator.submit(LONG);
        until("all to be at work", || (coordinator.status(&id).leased == 3).then_some(()));
        // One no longer receives, one no longer sends, and a whole machine is gone for good.
        let swallow = |direction: &str, island: &Island| format!("{direction} {} drop", island.link);
        let silent_since = Instant::now();
        let_messages_pass(&[swallow("iifname", &mute), swallow("iifname", &lost)], &[swallow("oifname", &deaf), swallow("oifname", &lost)]);
        lost.process.kill();
        for worker in [&deaf, &mute] {
            until("the worker to notice", || worker.process.stderr().contains("cannot reach the coordinator").then_some(()));
        }
        assert!(silent_since.elapsed() < FOUND, "the workers noticed after {:?}", silent_since.elapsed());
        until("the coordinator to notice", || coordinator.process.stderr().contains("lease ran out").then_some(()));
        until("the connections that are dead to be closed", || (connections(&coordinator.address) == 0).then_some(()));
        assert!(silent_since.elapsed() < FOUND, "the connections were closed after {:?}", silent_since.elapsed());
        let status = coordinator.status(&id);
        assert_eq!(status.state, "running", "the sweep is too short for this test: {status:?}");
        let silence = Duration::from_secs(asked_for("REFUTE_SILENCE_SECONDS", 0));
        thread::sleep(silence.saturating_sub(silent_since.elapsed()));

        let healed = Instant::now();
        let_messages_pass(&[swallow("iifname", &lost)], &[swallow("oifname", &lost)]);
        for worker in [&deaf, &mute] {
            until("the worker to be back", || worker.process.stderr().contains(" answers").then_some(()));
        }
        assert!(healed.elapsed() < FOUND, "the workers were back after {:?}", healed.elapsed());
        let report = coordinator.complete(&id);
        check_complete(&report, 51u128.pow(4));
        assert_eq!(&findings(&report), undisturbed());
        assert_eq!(coordinator.status(&id).quarantined, 0);
    });
}
