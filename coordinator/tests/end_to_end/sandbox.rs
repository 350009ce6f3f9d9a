//! Networks of a test's own: a network namespace for the test, one for each worker, and rules that drop messages between them.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::process::{Process, is_able, until};
use crate::room::Room;

/// Set in a process that has a network of its own.
const INSIDE: &str = "REFUTE_TEST_SANDBOX";

/// Where a coordinator listens in such a network.
pub const COORDINATOR: &str = "10.77.255.1";

/// Runs the body of a test, which is named as the test runner names it, in a network of its own: one without any connection
/// to the machine's, in which it may do as it likes. Where this machine does not allow that, the test is left out.
pub fn in_a_network_of_its_own(test: &str, body: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        run(Command::new("ip").args(["link", "set", "lo", "up"]));
        run(Command::new("ip").args(["address", "add", &format!("{COORDINATOR}/32"), "dev", "lo"]));
        body();
        return;
    }
    let what = "networks that lose messages";
    let probe = "ip link add name probe type veth && nft 'add table inet probe; add chain inet probe probe; \
                 add rule inet probe probe numgen random mod 2 < 1 counter drop'";
    if !is_able(&["unshare", "-rn", "sh", "-c", probe], what) {
        return;
    }
    let mut command = Command::new("unshare");
    command.arg("-rn").arg(std::env::current_exe().unwrap()).args([test, "--exact", "--nocapture"]).env(INSIDE, "1");
    let output = command.stdin(Stdio::null()).output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}{stderr}");
    assert!(stdout.contains("1 passed"), "there is no test {test}: {stdout}");
    eprint!("{stderr}");
}

/// A command in a network of its own, which is connected to this one by a single link.
pub struct Island {
    pub process: Process,
    /// This end of its link.
    pub link: String,
}

impl Island {
    /// Starts a command on the island of this number, below 64.
    pub fn start(room: &Room, number: u8, command: &Command) -> Self {
        // The island's end of the link comes from outside.
        const WAIT: &str = r#"until ip link show dev sea >/dev/null 2>&1; do sleep 0.02; done
            ip address add "$1" dev sea && ip link set sea up && ip route add default via "$2" && shift 2 && exec "$@""#;
        let (link, here, there) = (format!("island{number}"), format!("10.77.{number}.1"), format!("10.77.{number}.2"));
        let mut inside = Command::new("unshare");
        inside.args(["-n", "sh", "-c", WAIT, "sh", &format!("{there}/30"), &here]);
        inside.arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => inside.env(name, value),
                None => inside.env_remove(name),
            };
        }
        let process = room.start(inside);
        let network = |of: &str| fs::read_link(format!("/proc/{of}/ns/net")).ok();
        let own = network("self");
        until("the island to have a network", || network(&process.id().to_string()).filter(|other| Some(other) != own.as_ref()));
        let id = process.id().to_string();
        run(Command::new("ip").args(["link", "add", "name", &link, "type", "veth", "peer", "name", "sea", "netns", &id]));
        run(Command::new("ip").args(["address", "add", &format!("{here}/30"), "dev", &link]));
        run(Command::new("ip").args(["link", "set", &link, "up"]));
        Self { process, link }
    }
}

/// Says what becomes of messages from and to islands, in the language of nftables; without any rule all arrive.
pub fn let_messages_pass(incoming: &[String], outgoing: &[String]) {
    let rules = format!(
        "table inet faults\ndelete table inet faults\ntable inet faults {{\n\
         chain incoming {{ type filter hook input priority 0\n {}\n }}\n\
         chain outgoing {{ type filter hook output priority 0\n {}\n }}\n}}\n",
        incoming.join("\n "),
        outgoing.join("\n ")
    );
    let mut nft = Command::new("nft").args(["-f", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    nft.stdin.take().unwrap().write_all(rules.as_bytes()).unwrap();
    assert!(nft.wait().unwrap().success(), "{rules}");
}

#[track_caller]
fn run(command: &mut Command) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
