//! The programs as processes: started, signalled, killed and waited for, but never for longer than a test has patience.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take before a test gives up. Far more than it needs: the machine may be busy with other things.
const PATIENCE: Duration = Duration::from_secs(90);
/// How often a test looks again.
const LOOK_EVERY: Duration = Duration::from_millis(15);

/// Looks again and again until there is something, and returns it.
#[track_caller]
pub fn until<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    until_within(PATIENCE, what, look)
}

/// The same, for what may take longer.
#[track_caller]
pub fn until_within<T>(patience: Duration, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < patience, "waited too long for: {what}");
        std::thread::sleep(LOOK_EVERY);
    }
}

/// The program `refute`, without what the environment of the tests would tell it.
pub fn refute() -> Command {
    clean(Command::new(env!("CARGO_BIN_EXE_refute")))
}

/// The program `refute-worker`, which belongs to another package and is built beside `refute`.
pub fn refute_worker() -> Command {
    let path = Path::new(env!("CARGO_BIN_EXE_refute")).with_file_name("refute-worker");
    assert!(path.exists(), "there is no {}; build it with: cargo build --bins, in the same profile", path.display());
    clean(Command::new(path))
}

/// Whether this machine can do something that a test needs, which a command tells by ending with 0. Where it cannot, the test
/// is left out with a word; a build server has to be able to.
pub fn is_able(command: &[&str], what: &str) -> bool {
    let mut probe = Command::new(command[0]);
    probe.args(&command[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let able = probe.status().is_ok_and(|status| status.success());
    assert!(able || std::env::var_os("CI").is_none(), "tests of {what} need `{}`, which does not work here", command.join(" "));
    if !able {
        eprintln!("left out: {what}, since `{}` does not work here", command.join(" "));
    }
    able
}

/// A number from the environment, with which a long run asks for more than the usual one.
pub fn asked_for(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{variable}={text} is no number")))
}

fn clean(mut command: Command) -> Command {
    for variable in ["REFUTE_COORDINATOR", "REFUTE_TLS_CERT", "REFUTE_TLS_KEY", "REFUTE_TLS_CA", "REFUTE_INSECURE", "RUST_LOG"] {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null());
    command
}

/// A process, killed when it is dropped. What it writes goes to files, so it never waits for a reader.
pub struct Process {
    child: Child,
    name: String,
    out: PathBuf,
    err: PathBuf,
}

/// What a process that has ended left behind.
#[derive(Debug)]
pub struct Ended {
    /// None if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Process {
    /// Starts a command; its output goes to files of this name in a directory.
    pub fn start(mut command: Command, directory: &Path, name: String) -> Self {
        let (out, err) = (directory.join(format!("{name}.out")), directory.join(format!("{name}.err")));
        command.stdout(File::create(&out).unwrap()).stderr(File::create(&err).unwrap());
        Self { child: command.spawn().unwrap(), name, out, err }
    }

    /// Starts a command whose stderr nobody reads: each write to it fails.
    pub fn start_unheard(mut command: Command, directory: &Path, name: String) -> Self {
        let (out, err) = (directory.join(format!("{name}.out")), directory.join(format!("{name}.err")));
        let (reader, writer) = std::io::pipe().unwrap();
        command.stdout(File::create(&out).unwrap()).stderr(writer);
        File::create(&err).unwrap();
        drop(reader);
        Self { child: command.spawn().unwrap(), name, out, err }
    }

    /// Whether it has a handler for a signal, by the mask of them that the system shows.
    pub fn catches(&self, signal: &str) -> bool {
        let number = match signal {
            "HUP" => 1,
            "INT" => 2,
            "TERM" => 15,
            other => panic!("no number is known for {other}"),
        };
        let status = fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(mask.trim(), 16).unwrap() >> (number - 1) & 1 == 1
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn stdout(&self) -> String {
        fs::read_to_string(&self.out).unwrap()
    }

    /// Without the warning that the directory of these tests lies on a file system on which nothing lasts, where it does.
    pub fn stderr(&self) -> String {
        let text = fs::read_to_string(&self.err).unwrap();
        let is_warning = |line: &str| line.contains("the data directory '") && line.contains("' lies on ");
        text.split_inclusive('\n').filter(|line| !is_warning(line)).collect()
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Sends a signal by its name, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.id().to_string()]).status().unwrap();
        assert!(sent.success(), "{} cannot be sent {name}", self.name);
    }

    /// Ends it as a crash would: it can do nothing about it.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for the end.
    #[track_caller]
    pub fn wait(&mut self) -> Ended {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Ended { code: status.code(), stdout: self.stdout(), stderr: self.stderr() };
            }
            assert!(started.elapsed() < PATIENCE, "{} does not end; it wrote:\n{}{}", self.name, self.stdout(), self.stderr());
            std::thread::sleep(LOOK_EVERY);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself, and then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
