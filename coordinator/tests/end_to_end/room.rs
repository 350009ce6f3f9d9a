//! A temporary directory in which a test runs commands, and checks on how they ended.

use std::cell::Cell;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::process::{Ended, Process, refute, refute_worker};

/// A directory of its own that commands are run in; gone at the end.
pub struct Room {
    directory: TempDir,
    started: Cell<u32>,
}

impl Room {
    pub fn new() -> Self {
        let room = Self { directory: tempfile::tempdir().unwrap(), started: Cell::new(0) };
        std::fs::create_dir(room.path("output")).unwrap();
        room
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file and returns its name as it is given to a command. A key is for its owner and its group.
    pub fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path(name), text).unwrap();
        if name.ends_with(".key") {
            std::fs::set_permissions(self.path(name), std::fs::Permissions::from_mode(0o640)).unwrap();
        }
        name.to_owned()
    }

    /// Whether some command has made a data directory here.
    pub fn has_data(&self) -> bool {
        let entries = std::fs::read_dir(self.directory.path()).unwrap().map(|entry| entry.unwrap());
        entries.filter(|entry| entry.file_name() != "output").any(|entry| entry.file_type().unwrap().is_dir())
    }

    /// Starts a command here.
    pub fn start(&self, mut command: Command) -> Process {
        command.current_dir(self.directory.path());
        Process::start(command, &self.path("output"), self.next_name())
    }

    /// Starts a command here whose stderr nobody reads.
    pub fn start_unheard(&self, mut command: Command) -> Process {
        command.current_dir(self.directory.path());
        Process::start_unheard(command, &self.path("output"), self.next_name())
    }

    fn next_name(&self) -> String {
        self.started.set(self.started.get() + 1);
        format!("{:03}", self.started.get())
    }

    /// Starts `refute` with these arguments.
    pub fn start_refute<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Process {
        let mut command = refute();
        command.args(arguments);
        self.start(command)
    }

    /// Starts a worker with one slot.
    pub fn start_worker(&self, coordinator: &str) -> Process {
        let mut command = refute_worker();
        command.args(["--coordinator", coordinator, "--slots", "1"]);
        self.start(command)
    }

    /// Runs `refute` with these arguments to its end.
    #[track_caller]
    pub fn refute<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Ended {
        self.start_refute(arguments).wait()
    }
}

impl Ended {
    /// What it printed as JSON, if it ended with this code.
    #[track_caller]
    pub fn json(&self, code: i32) -> Value {
        self.expect(code);
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{}", self.stdout))
    }

    /// What it printed, if it ended with this code.
    #[track_caller]
    pub fn expect(&self, code: i32) -> &str {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        &self.stdout
    }
}
