//! Workers with little memory: in a control group, under `ulimit`, and beside others that have more. The kernel's limits here are
//! real ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::manifests::HELD;
use crate::network::Coordinator;
use crate::process::{Process, is_able, refute, refute_worker, until};
use crate::puppet::Puppet;
use crate::report::check_complete;
use crate::room::Room;

/// A sweep whose tables take 72 MiB a slot.
const LARGE: &str = "hypergraphs-all";
const LARGE_CONFIGURATIONS: u128 = 616_208;

/// A control group that limits the memory of those in it; gone at the end.
struct Group {
    directory: PathBuf,
}

impl Group {
    /// Makes one with so many mebibytes. Where this machine does not allow that, the test is left out.
    fn new(name: &str, mebibytes: u64) -> Option<Self> {
        let is_old = Path::new("/sys/fs/cgroup/memory").is_dir();
        let (root, limit) = if is_old { ("/sys/fs/cgroup/memory", "memory.limit_in_bytes") } else { ("/sys/fs/cgroup", "memory.max") };
        let directory = PathBuf::from(format!("{root}/refute-{name}-{}", std::process::id()));
        let limit = directory.join(limit);
        let (directory_name, limit_name) = (directory.display(), limit.display());
        let probe = format!("mkdir {directory_name} && echo {} >{limit_name}", mebibytes << 20);
        let group = Self { directory };
        is_able(&["sh", "-c", &probe], "control groups").then_some(group)
    }

    /// Starts a command in it.
    fn start(&self, room: &Room, command: &Command) -> Process {
        limited(room, &format!("echo $$ >{}/cgroup.procs", self.directory.display()), command)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Those who were in it are gone, and the kernel takes a moment to see that.
        for _ in 0..100 {
            if !self.directory.exists() || fs::remove_dir(&self.directory).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Starts a command after a shell has set a limit for it.
fn limited(room: &Room, limit: &str, command: &Command) -> Process {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{limit} && exec \"$@\""), "sh"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    room.start(shell)
}

fn worker(coordinator: &Coordinator<'_>, arguments: &[&str]) -> Command {
    let mut command = refute_worker();
    command.args(["--coordinator", &coordinator.address]).args(arguments);
    command
}

fn submit_large(coordinator: &Coordinator<'_>) -> String {
    coordinator.refute(&["submit", LARGE]).expect(0).trim().to_owned()
}

/// The only worker that is there.
fn registered(coordinator: &Coordinator<'_>) -> Value {
    until("a worker to be there", || coordinator.refute(&["workers", "--json"]).json(0).as_array().unwrap().first().cloned())
}

#[test]
fn a_control_group_limits_what_a_slot_may_take_and_the_sweep_says_what_it_waits_for() {
    let Some(group) = Group::new("small", 90) else { return };
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = submit_large(&coordinator);
    let mut small = group.start(&room, &worker(&coordinator, &["--slots", "2"]));
    let there = registered(&coordinator);
    let slot_bytes = there["slot_bytes"].as_u64().unwrap();
    assert!((1 << 20..45 << 20).contains(&slot_bytes), "{slot_bytes} bytes for each of two slots of 90 MiB");
    let too_small = format!("gets no shard of '{id}': its tables need 72.0 MiB a slot, and a slot of this worker has ");
    assert!(there["too_small"].as_str().unwrap().starts_with(&too_small), "{there}");
    let log = small.stderr();
    let limit = format!("within a limit of 90.0 MiB ({}/memory.", group.directory.display());
    assert!(log.contains("MiB of tables for each of 2 slots") && log.contains(&limit), "{log}");
    let reason = coordinator.status(&id).reason.unwrap();
    assert!(reason.starts_with("waits for a worker with more memory: its tables need 72.0 MiB a slot"), "{reason}");
    assert!(small.is_running(), "it lives as long as it has no tables");
    // Another one has more, and the sweep goes on.
    let _large = room.start_worker(&coordinator.address);
    check_complete(&coordinator.complete(&id), LARGE_CONFIGURATIONS);
}

#[test]
fn a_worker_in_a_control_group_that_just_holds_its_tables_lives() {
    let Some(group) = Group::new("just", 116) else { return };
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = submit_large(&coordinator);
    let mut worker = group.start(&room, &worker(&coordinator, &["--slots", "1"]));
    check_complete(&coordinator.complete(&id), LARGE_CONFIGURATIONS);
    assert!(worker.is_running(), "{}", worker.stderr());
}

#[test]
fn a_worker_whose_forerunner_ran_out_of_memory_says_so_when_it_is_started_again() {
    let Some(group) = Group::new("kills", 60) else { return };
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 1_000);
    let id = submit_large(&coordinator);
    let asks_too_much = worker(&coordinator, &["--slots", "1", "--memory", "1GiB"]);
    let mut first = group.start(&room, &asks_too_much);
    let ended = first.wait();
    assert_eq!(ended.code, None, "the kernel kills it");
    let warning = "--memory 1.0 GiB is more than a limit of 60.0 MiB";
    assert!(ended.stderr.contains(warning), "{}", ended.stderr);
    let again = group.start(&room, &worker(&coordinator, &["--slots", "1"]));
    until("it to say why", || again.stderr().contains("working for").then_some(()));
    let log = again.stderr();
    assert!(log.contains("lack of memory has ended processes of this control group 1 time ("), "{log}");
    until("only the second to be there", || {
        let workers = coordinator.refute(&["workers", "--json"]).json(0);
        let workers = workers.as_array().unwrap();
        (workers.len() == 1 && workers[0]["memory_kills"] == 1).then_some(())
    });
    let text = coordinator.refute(&["workers"]).expect(0).to_owned();
    assert!(text.contains("\n  before it started, lack of memory ended processes of its control group 1 time\n"), "{text}");
    let status = coordinator.status(&id);
    assert_eq!((status.quarantined, status.leased), (0, 0), "{status:?}");
    assert!(status.reason.unwrap().starts_with("waits for a worker with more memory"));
}

#[test]
fn ulimits_limit_what_a_slot_may_take() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    for (limit, source) in [("ulimit -v 400000", "390.6 MiB (ulimit -v)"), ("ulimit -d 150000", "146.5 MiB (ulimit -d)")] {
        let mut small = limited(&room, limit, &worker(&coordinator, &["--slots", "1"]));
        let slot_bytes = registered(&coordinator)["slot_bytes"].as_u64().unwrap();
        assert!((72 << 20..300 << 20).contains(&slot_bytes), "{limit}: {slot_bytes}");
        assert!(small.stderr().contains(source), "{}", small.stderr());
        coordinator.refute(&["submit", LARGE, "--fresh"]).expect(0);
        until("the sweep to be complete", || {
            let sweeps = coordinator.refute(&["list", "--json"]).json(0);
            sweeps.as_array().unwrap().iter().all(|sweep| sweep["state"] == "complete").then_some(())
        });
        small.signal("TERM");
        assert_eq!(small.wait().code, Some(0), "{limit}");
    }
}

#[test]
fn a_run_has_as_many_workers_as_there_is_memory_for_or_says_that_there_is_none() {
    let room = Room::new();
    let run = |limit: &str, arguments: &[&str]| {
        let mut command = refute();
        command.args(["run", LARGE, "--json"]).args(arguments);
        limited(&room, limit, &command).wait()
    };
    let refused = run("ulimit -d 120000", &[]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{}", refused.stderr);
    let expected = "refute: --memory: all hypergraphs on 5 vertices needs 72.0 MiB of tables a worker, and there is room for ";
    assert!(refused.stderr.starts_with(expected), "{}", refused.stderr);
    assert!(refused.stderr.contains(" within a limit of 117.2 MiB (ulimit -d)"), "{}", refused.stderr);
    assert!(!room.has_data(), "nothing was begun");
    // Of as many workers as there are cores one finds room, or two; sixteen that are asked for do not.
    check_complete(&run("ulimit -d 300000", &[]).json(0), LARGE_CONFIGURATIONS);
    assert_eq!(run("ulimit -d 300000", &["--workers", "16"]).code, Some(2));
}

#[test]
fn a_shard_that_small_workers_lose_is_left_to_one_with_more_memory() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(&format!("{HELD}[run]\nshard_seconds = 0.00002\n"));
    let mut large = Puppet::calling_from(&coordinator.address, "large", "127.0.0.9");
    large.slot_bytes = 4 << 30;
    large.register();
    let own = large.lease().unwrap().unwrap();
    // Each of them calls from an address of its own. They are given failed shards first, so all would be given the same one.
    let mut failed = Vec::new();
    for number in 2..8 {
        let mut small = Puppet::calling_from(&coordinator.address, &format!("small {number}"), &format!("127.0.0.{number}"));
        if let Some(assignment) = small.lease().unwrap() {
            small.give_up(&assignment, "memory allocation of 75497472 bytes failed");
            failed.push(assignment.shard_number);
        }
        small.leave();
    }
    let shard = failed[0];
    assert_eq!(coordinator.status(&id).quarantined, 0, "{failed:?}");
    assert_eq!(failed.iter().filter(|other| **other == shard).count(), 2, "then it waits for the large one: {failed:?}");
    assert_eq!(large.deliver(&own, Puppet::solve(&own)), Ok(true));
    let mut solved = Vec::new();
    while let Some(assignment) = large.lease().unwrap() {
        solved.push(assignment.shard_number);
        assert_eq!(large.deliver(&assignment, Puppet::solve(&assignment)), Ok(true));
    }
    assert!(solved.contains(&shard), "{solved:?}");
    assert_eq!(coordinator.status(&id).state, "complete");
}
