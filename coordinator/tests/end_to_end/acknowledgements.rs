//! A result that was acknowledged is never lost, whenever the coordinator is killed: it is on disk before it is answered.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use refute_coordinator::store::Store;
use serde_json::Value;

use crate::network::Coordinator;
use crate::process::{asked_for, is_able, refute, until};
use crate::puppet::Puppet;
use crate::report::{check_complete, findings};
use crate::room::Room;

const WORKERS: [&str; 3] = ["ada", "bob", "cyd"];

/// A sweep of several hundred tiny shards, one of whose claims is refuted.
fn manifest(name: &str, replicas: u32) -> String {
    format!(
        "name = \"{name}\"\nfamily = \"graph-nim\"\nclaims = [\"four-edges/lemma-4.9.*\"]\n\
         [space]\ngraph = \"H1\"\nweights = \"0..=12\"\n\
         [run]\nshard_seconds = 0.000002\ncounterexamples = 5\nreplicas = {replicas}\n"
    )
}

/// The answer that a worker got to one of its results.
struct Acknowledged {
    sweep_id: String,
    shard_number: u64,
    instance: &'static str,
    /// Whether the shard is done with it; if not, it waits for another worker to agree.
    counted: bool,
}

/// Numbers that look random and are the same for the same seed (the generator is SplitMix64).
struct Moments(u64);

impl Moments {
    /// A time below a bound.
    fn below(&mut self, bound: Duration) -> Duration {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Duration::from_nanos((mixed ^ (mixed >> 31)) % bound.as_nanos() as u64)
    }
}

/// Solves and hands in until the coordinator is gone, and writes down what is acknowledged.
fn work(mut puppet: Puppet, instance: &'static str, acknowledged: &Mutex<Vec<Acknowledged>>) {
    while let Ok(assignment) = puppet.lease() {
        let Some(assignment) = assignment else {
            std::thread::sleep(Duration::from_millis(1));
            continue;
        };
        let Ok(counted) = puppet.deliver(&assignment, Puppet::solve(&assignment)) else { return };
        let (sweep_id, shard_number) = (assignment.sweep_id, assignment.shard_number);
        acknowledged.lock().unwrap().push(Acknowledged { sweep_id, shard_number, instance, counted });
    }
}

/// Holds the data directory of a coordinator that was killed against what it had acknowledged.
fn check(room: &Room, ids: &[String], acknowledged: &[Acknowledged]) {
    let store = Store::open_existing(&room.path("data")).unwrap();
    for id in ids {
        store.verify(id).unwrap();
        let done: BTreeSet<u64> = store.done_shards(id).unwrap().into_iter().flatten().collect();
        let kept: BTreeSet<(u64, String)> = store.votes(id).unwrap().into_iter().map(|(shard, vote)| (shard, vote.instance)).collect();
        for Acknowledged { shard_number, instance, counted, .. } in acknowledged.iter().filter(|result| result.sweep_id == *id) {
            let is_kept = !counted && kept.contains(&(*shard_number, (*instance).to_owned()));
            assert!(
                done.contains(shard_number) || is_kept,
                "{instance} was acknowledged a result for shard {shard_number} of {id} (counted: {counted}), which is not there"
            );
        }
    }
}

#[test]
fn nothing_acknowledged_is_lost_whenever_the_coordinator_is_killed() {
    let room = Room::new();
    let honest = room.write("honest.toml", &manifest("honest", 1));
    let expected: Value = findings(&room.refute(["run", &honest, "--json", "--data", "honest"]).json(1));
    let (rounds, seed) = (asked_for("REFUTE_ROUNDS", 20), asked_for("REFUTE_SEED", 1));
    eprintln!("REFUTE_SEED={seed} REFUTE_ROUNDS={rounds}");
    let mut moments = Moments(seed);
    let acknowledged = Mutex::new(Vec::new());
    let mut ids: Vec<String> = Vec::new();
    for round in 0..rounds {
        let mut coordinator = Coordinator::start(&room, 15_000);
        if ids.iter().rev().take(2).all(|id| coordinator.status(id).state == "complete") {
            for replicas in [2, 1] {
                ids.push(coordinator.submit(&manifest(&format!("solved-{replicas}-from-{round}"), replicas)));
            }
        }
        let puppets = WORKERS.map(|instance| (Puppet::new(&coordinator.address, instance), instance));
        std::thread::scope(|scope| {
            for (puppet, instance) in puppets {
                scope.spawn(|| work(puppet, instance, &acknowledged));
            }
            std::thread::sleep(moments.below(Duration::from_millis(250)));
            coordinator.process.kill();
        });
        if round % 4 == 3 {
            // Somewhere on the way to the open store as well.
            let mut early = room.start_refute(["serve", "--data", "data", "--listen", "127.0.0.1:0"]);
            std::thread::sleep(moments.below(Duration::from_millis(60)));
            early.kill();
        }
        check(&room, &ids, &acknowledged.lock().unwrap());
    }
    let acknowledged = acknowledged.into_inner().unwrap();
    let counted = acknowledged.iter().filter(|result| result.counted).count();
    eprintln!("{rounds} kills, {} results acknowledged, {counted} of them counted", acknowledged.len());
    assert!(counted > 0 && acknowledged.len() > counted, "nothing was at stake");

    let coordinator = Coordinator::start(&room, 15_000);
    let _workers = [room.start_worker(&coordinator.address), room.start_worker(&coordinator.address)];
    for id in &ids {
        let report = coordinator.complete(id);
        check_complete(&report, 13u128.pow(4));
        assert_eq!(findings(&report), expected, "{id}");
    }
}

/// What a system call in a trace did, where it matters here.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    /// Something came in over a socket.
    Received,
    /// The write-ahead log of the database was written.
    Logged,
    /// It is on the disk.
    Synced,
    /// The answer that the result counts went out.
    Answered,
}

/// Reads a line of strace with the names of files and every byte as `\xNN`. A call that another one interrupted has two
/// lines: what it did to a file is done with the second, what goes out may be out with the first.
fn step(line: &str, unfinished: &mut Vec<(String, String)>) -> Option<Step> {
    // The answer as gRPC frames it: not compressed, four bytes long, one result, of which the field `counted` is true.
    const ANSWER: &str = r"\x00\x00\x00\x00\x04\x12\x02\x08\x01";
    // The end of the name of a write-ahead log, `.log`.
    const LOG: &str = r"\x2e\x6c\x6f\x67";
    let (thread, call) = line.split_once(char::is_whitespace)?;
    let call = call.trim_start();
    if call.contains(ANSWER) {
        return Some(Step::Answered);
    }
    if let Some(start) = call.strip_suffix(" <unfinished ...>") {
        unfinished.push((thread.to_owned(), start.to_owned()));
        return None;
    }
    let mut whole = call.to_owned();
    if let Some((_, rest)) = call.strip_prefix("<... ").and_then(|rest| rest.split_once(" resumed>")) {
        let place = unfinished.iter().position(|(of, _)| of == thread)?;
        whole = unfinished.swap_remove(place).1 + rest;
    }
    let result: i64 = whole.rsplit_once(" = ")?.1.split_whitespace().next()?.parse().ok()?;
    let (name, _) = whole.split_once('(')?;
    let is_log = whole.split_once('>').is_some_and(|(file, _)| file.ends_with(LOG));
    match name {
        "read" | "recvfrom" if whole.contains("<TCP:") && result > 0 => Some(Step::Received),
        "write" | "pwrite64" if is_log && result > 0 => Some(Step::Logged),
        "fdatasync" | "fsync" if is_log && result == 0 => Some(Step::Synced),
        _ => None,
    }
}

#[test]
fn a_result_is_on_the_disk_before_its_answer_leaves() {
    if !is_able(&["strace", "-f", "-D", "-o", "/dev/null", "true"], "the order of system calls") {
        return;
    }
    let room = Room::new();
    let mut command = Command::new("strace");
    let calls = "--trace=read,recvfrom,write,pwrite64,writev,sendto,sendmsg,fdatasync,fsync";
    // With -D the process that is started here is the coordinator itself.
    command.args(["-f", "-D", "-yy", "-xx", "-s", "4096", "-o", "trace", calls]).arg(refute().get_program());
    command.args(["serve", "--data", "data", "--listen", "127.0.0.1:0"]).env_remove("REFUTE_COORDINATOR");
    let coordinator = Coordinator::of(&room, room.start(command));
    coordinator.submit(&manifest("traced", 1));
    let mut puppet = Puppet::new(&coordinator.address, "ada");
    let trace = || fs::read_to_string(room.path("trace")).unwrap();
    for _ in 0..3 {
        let assignment = puppet.lease().unwrap().unwrap();
        let result = Puppet::solve(&assignment);
        // The trace lags behind; once it has been still for a while it has all that came before.
        let mut before = trace().len();
        until("the trace to be still", || {
            std::thread::sleep(Duration::from_millis(60));
            let last = std::mem::replace(&mut before, trace().len());
            (last == before).then_some(())
        });
        assert_eq!(puppet.deliver(&assignment, result), Ok(true));
        let steps = until("the answer in the trace", || {
            let (trace, mut unfinished) = (trace(), Vec::new());
            let whole_lines = &trace[before..trace.rfind('\n').map_or(before, |end| end + 1).max(before)];
            let mut steps: Vec<Step> = whole_lines.lines().filter_map(|line| step(line, &mut unfinished)).collect();
            let answered = steps.iter().position(|step| *step == Step::Answered)?;
            steps.truncate(answered);
            Some(steps)
        });
        let received = steps.iter().position(|step| *step == Step::Received).unwrap();
        let logged = steps.iter().skip(received).position(|step| *step == Step::Logged);
        let synced = steps.iter().rposition(|step| *step == Step::Synced);
        assert!(
            logged.is_some_and(|logged| synced > Some(received + logged)),
            "answered before it was on the disk: {steps:?}\n{}",
            &trace()[before..]
        );
    }
}
