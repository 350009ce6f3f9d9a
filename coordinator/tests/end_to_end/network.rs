//! A coordinator as a process, and the commands with which a test asks and controls it.

use serde_json::Value;

use crate::process::{Ended, Process, refute, until};
use crate::room::Room;

/// A coordinator that listens, with its data in `data` of a room.
pub struct Coordinator<'a> {
    room: &'a Room,
    pub process: Process,
    /// Where it listens, such as `127.0.0.1:39021`.
    pub address: String,
}

/// Where a sweep stands, as `refute status --json` says it.
#[derive(Debug)]
pub struct Status {
    pub state: String,
    pub reason: Option<String>,
    pub total: u64,
    pub done: u64,
    pub leased: u64,
    pub quarantined: u64,
    pub configurations: u128,
    pub decided: u128,
    pub in_progress: u128,
}

/// The flag that plain text to this address needs.
pub fn insecure(address: &str) -> &'static [&'static str] {
    if address.starts_with("127.") { &[] } else { &["--insecure"] }
}

impl<'a> Coordinator<'a> {
    /// A coordinator on a free port.
    pub fn start(room: &'a Room, lease_ttl_ms: u32) -> Self {
        Self::start_at(room, "127.0.0.1:0", lease_ttl_ms)
    }

    /// A coordinator at a given address.
    pub fn start_at(room: &'a Room, listen: &str, lease_ttl_ms: u32) -> Self {
        let mut command = refute();
        command.args(["serve", "--data", "data", "--backups", ".", "--listen", listen, "--lease-ttl-ms", &lease_ttl_ms.to_string()]);
        command.args(insecure(listen));
        Self::of(room, room.start(command))
    }

    /// A coordinator that was started in some way of its own.
    pub fn of(room: &'a Room, mut process: Process) -> Self {
        let address = until("the line `listening on ADDR`", || {
            assert!(process.is_running(), "the coordinator ended: {}", process.stderr());
            let text = process.stdout();
            let (line, _) = text.split_once('\n')?;
            Some(line.strip_prefix("listening on ").unwrap_or_else(|| panic!("'{line}'")).to_owned())
        });
        Self { room, process, address }
    }

    /// One that serves HTTP too, on free ports, and where it does.
    pub fn with_http(room: &'a Room, lease_ttl_ms: u32) -> (Self, String) {
        let mut command = refute();
        command.args(["serve", "--data", "data", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"]);
        command.args(["--lease-ttl-ms", &lease_ttl_ms.to_string()]);
        let coordinator = Self::of(room, room.start(command));
        let http = coordinator.http();
        (coordinator, http)
    }

    /// Where it serves HTTP, as its second line says.
    #[track_caller]
    pub fn http(&self) -> String {
        let lines = self.process.stdout();
        let second = lines.lines().nth(1).and_then(|line| line.strip_prefix("http on "));
        second.unwrap_or_else(|| panic!("{lines}")).to_owned()
    }

    /// Runs a command against it.
    #[track_caller]
    pub fn refute(&self, arguments: &[&str]) -> Ended {
        self.room.refute(arguments.iter().chain(&["--coordinator", &self.address]).chain(insecure(&self.address)))
    }

    /// Submits a manifest and returns the sweep's id.
    #[track_caller]
    pub fn submit(&self, manifest: &str) -> String {
        let name = self.room.write("submitted.toml", manifest);
        let path = format!("./{name}");
        self.refute(&["submit", &path]).expect(0).trim().to_owned()
    }

    #[track_caller]
    pub fn status(&self, id: &str) -> Status {
        Status::read(&self.refute(&["status", id, "--json"]).json(0))
    }

    /// Stops a worker in its tracks while it and all others, `leased` in number, hold a lease of a sweep each.
    #[track_caller]
    pub fn freeze_with_a_lease(&self, id: &str, worker: &Process, leased: u64) {
        until("the worker to be stopped while it holds a lease", || {
            worker.signal("STOP");
            let status = self.status(id);
            assert!(["queued", "running"].contains(&status.state.as_str()), "the sweep is too short for this test: {status:?}");
            if status.leased == leased {
                return Some(());
            }
            worker.signal("CONT");
            None
        });
    }

    /// Waits until a sweep is complete and returns its report.
    #[track_caller]
    pub fn complete(&self, id: &str) -> Value {
        until("the sweep to be complete", || {
            let state = self.status(id).state;
            assert!(["queued", "running", "complete"].contains(&state.as_str()), "{state}");
            (state == "complete").then_some(())
        });
        let report = self.refute(&["report", id, "--format", "json"]);
        serde_json::from_str(&report.stdout).unwrap_or_else(|error| panic!("{error}: {report:?}"))
    }
}

impl Status {
    #[track_caller]
    pub fn read(json: &Value) -> Self {
        let shard = |key: &str| json["shards"][key].as_u64().unwrap_or_else(|| panic!("shards.{key}: {json}"));
        let number = |key: &str| {
            let text = json["configurations"][key].as_str().unwrap_or_else(|| panic!("configurations.{key}: {json}"));
            text.parse().unwrap()
        };
        Self {
            state: json["state"].as_str().unwrap().to_owned(),
            reason: json["reason"].as_str().map(str::to_owned),
            total: shard("total"),
            done: shard("done"),
            leased: shard("leased"),
            quarantined: shard("quarantined"),
            configurations: number("total"),
            decided: number("decided"),
            in_progress: number("in_progress"),
        }
    }
}
