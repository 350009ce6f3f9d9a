//! The script that makes certificates.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use crate::manifests::HELD;
use crate::network::Coordinator;
use crate::process::{Ended, is_able, refute, refute_worker, until};
use crate::room::Room;

/// Runs the script in a room.
#[track_caller]
fn make(room: &Room, arguments: &[&str]) -> Ended {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("deploy/tls/make-certs.sh");
    let mut command = Command::new(script);
    command.args(arguments);
    room.start(command).wait()
}

fn flags(name: &str) -> [String; 6] {
    let file = |name: &str| format!("certs/{name}");
    let (certificate, key) = (file(&format!("{name}.crt")), file(&format!("{name}.key")));
    ["--tls-cert".into(), certificate, "--tls-key".into(), key, "--tls-ca".into(), file("authority.crt")]
}

#[test]
fn what_the_script_makes_is_what_coordinator_workers_and_clients_want() {
    if !is_able(&["openssl", "version"], "the script that makes certificates") {
        return;
    }
    let room = Room::new();
    let made = |arguments: &[&str], expected: &str| {
        let files = format!("certs/{expected}.crt\ncerts/{expected}.key\n");
        assert_eq!(make(&room, arguments).expect(0), files);
        let mode = std::fs::metadata(room.path(&format!("certs/{expected}.key"))).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{expected}");
    };
    made(&["certs", "authority"], "authority");
    made(&["--days", "30", "certs", "coordinator", "hub", "localhost", "127.0.0.1", "::1"], "coordinator-hub");
    made(&["certs", "worker", "eve"], "worker-eve");
    made(&["certs", "worker", "mallory"], "worker-mallory");
    made(&["certs", "client", "ada@home"], "client-ada@home");
    made(&["certs", "read-only", "board"], "read-only-board");
    let revoked = make(&room, &["certs", "revoke", "certs/worker-mallory.crt"]);
    assert_eq!(revoked.expect(0), "certs/revoked.crl\n");
    let again = make(&room, &["certs", "revoke", "certs/worker-mallory.crt"]);
    assert_eq!((again.code, again.stderr.contains("has been revoked already")), (Some(2), true), "{}", again.stderr);

    let mut serve = refute();
    serve.args(["serve", "--data", "data", "--listen", "127.0.0.1:0", "--tls-crl", "certs/revoked.crl"]).args(flags("coordinator-hub"));
    let coordinator = Coordinator::of(&room, room.start(serve));
    let address = coordinator.address.replace("127.0.0.1", "localhost");
    let worker = |name: &str| {
        let mut command = refute_worker();
        command.args(["--coordinator", &address, "--slots", "1"]).args(flags(name));
        room.start(command)
    };
    let mallory = worker("worker-mallory");
    until("the one that was revoked to be refused", || mallory.stderr().contains("it has been revoked").then_some(()));
    assert!(coordinator.process.stderr().contains("its certificate has been revoked"));
    let _eve = worker("worker-eve");
    let manifest = format!("./{}", room.write("held.toml", HELD));
    let ask = |name: &str, arguments: &[&str]| {
        let mut command = refute();
        command.args(arguments).args(["--coordinator", &address]).args(flags(name));
        room.start(command).wait()
    };
    let id = ask("client-ada@home", &["submit", &manifest]).expect(0).trim().to_owned();
    ask("client-ada@home", &["watch", &id]).expect(0);
    ask("read-only-board", &["report", &id]).expect(0);
    assert_eq!(ask("read-only-board", &["cancel", &id]).code, Some(3));
}

#[test]
fn the_script_overwrites_nothing_and_says_what_is_wrong() {
    if !is_able(&["openssl", "version"], "the script that makes certificates") {
        return;
    }
    let room = Room::new();
    let refused = |arguments: &[&str], expected: &str| {
        let ended = make(&room, arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ended.stderr);
        let one_sentence = ended.stderr.starts_with("make-certs: ") && ended.stderr.lines().count() == 1;
        assert!(one_sentence && ended.stderr.contains(expected), "'{expected}' is not in: {}", ended.stderr);
    };
    refused(&["certs", "worker", "eve"], "there is no 'certs/authority.crt' to sign with");
    assert!(!room.has_data(), "nothing was made");
    make(&room, &["certs", "authority"]).expect(0);
    make(&room, &["certs", "worker", "eve"]).expect(0);
    let files = || {
        let entries = std::fs::read_dir(room.path("certs")).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries.map(|path| (path.clone(), std::fs::read(&path).unwrap())).collect();
        files.sort();
        files
    };
    let before = files();
    refused(&["certs", "authority"], "'certs/authority.crt' is there already and is not overwritten");
    refused(&["certs", "worker", "eve"], "'certs/worker-eve.crt' is there already and is not overwritten");
    refused(&["certs", "worker"], "worker takes one name");
    refused(&["certs", "worker", "eve", "ada"], "worker takes one name");
    refused(&["certs", "authority", "mine"], "authority takes nothing more");
    refused(&["certs", "coordinator", "hub"], "coordinator takes a name and the hosts that it is reached as");
    refused(&["certs", "coordinator", "hub", "http://refute.example:7433"], "'http://refute.example:7433' is no host");
    refused(&["certs", "coordinator", "hub", "refute.example", "10.0.0.256"], "'10.0.0.256' is no IP address");
    refused(&["certs", "coordinator", "hub", "a..b"], "'a..b' is neither a host's name nor an IP address");
    refused(&["certs", "coordinator", "hub", "a,DNS:b"], "is no host");
    refused(&["certs", "worker", "../eve"], "'../eve' is not allowed as a name");
    refused(&["certs", "worker", "eve/OU=refute-client"], "is not allowed as a name");
    refused(&["certs", "worker", ""], "'' is not allowed as a name");
    refused(&["certs", "chef", "eve"], "'chef' is nothing that is made here; write authority, ");
    refused(&["certs"], "what is to be made in 'certs'?");
    refused(&["--days", "0", "certs", "worker", "ada"], "--days: '0' is no number of days");
    refused(&["--days", "soon", "certs", "worker", "ada"], "--days: 'soon' is no number of days");
    refused(&["certs", "revoke", "certs/authority.crt"], "an authority cannot revoke itself");
    refused(&["certs", "revoke", "certs/authority.key"], "is no certificate that 'certs/authority.crt' signed");
    refused(&["certs", "revoke", "certs/nobody.crt"], "'certs/nobody.crt' cannot be read");
    assert_eq!(files(), before);
}
