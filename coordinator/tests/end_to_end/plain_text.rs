//! Plain text leaves a machine only where that was said, and TLS starts only with files that will do.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::certificates::{Authority, Identity};
use crate::network::Coordinator;
use crate::process::{Ended, refute, refute_worker};
use crate::room::Room;

/// Nothing was started, and one sentence says why, with all of these in it.
#[track_caller]
fn not_started(room: &Room, command: Command, expected: &[&str]) {
    let Ended { code, stdout, stderr } = room.start(command).wait();
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{expected:?}: {stderr}");
    assert!(stderr.starts_with("refute") && stderr.lines().count() == 1, "one sentence: {stderr}");
    for part in expected {
        assert!(stderr.contains(part), "'{part}' is not in: {stderr}");
    }
    assert!(!room.has_data(), "{expected:?}: a data directory was made");
}

fn with(mut program: Command, arguments: &[&str], flags: &[String]) -> Command {
    program.args(arguments).args(flags);
    program
}

const SERVE: [&str; 5] = ["serve", "--data", "data", "--listen", "127.0.0.1:0"];

#[test]
fn a_coordinator_listens_in_plain_text_for_other_machines_only_if_that_was_said() {
    let room = Room::new();
    for address in ["0.0.0.0:0", "[::]:0"] {
        let serve = with(refute(), &["serve", "--data", "data", "--listen", address], &[]);
        not_started(&room, serve, &["--listen: ", "is open to other machines", "--tls-cert, --tls-key and --tls-ca, or --insecure"]);
    }
    let serve = with(refute(), &["serve", "--data", "data", "--listen", "0.0.0.0:0", "--insecure"], &[]);
    let coordinator = Coordinator::of(&room, room.start(serve));
    let port = coordinator.address.strip_prefix("0.0.0.0:").unwrap();
    room.refute(["list", "--coordinator", &format!("127.0.0.1:{port}")]).expect(0);
}

#[test]
fn another_machine_is_asked_in_plain_text_only_if_that_was_said() {
    let room = Room::new();
    // An address of documentation, which nobody has.
    for address in ["192.0.2.1:7433", "http://refute.invalid:7433"] {
        let expected = ["is plain text to another machine", "--tls-cert, --tls-key and --tls-ca, or --insecure"];
        not_started(&room, with(refute(), &["list", "--coordinator", address], &[]), &expected);
        not_started(&room, with(refute_worker(), &["--coordinator", address], &[]), &expected);
    }
    let mut command = refute();
    command.args(["list"]).env("REFUTE_COORDINATOR", "refute.invalid:7433").env("REFUTE_INSECURE", "true");
    let ended = room.start(command).wait();
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("cannot reach a coordinator at http://refute.invalid:7433: "), "{}", ended.stderr);
}

#[test]
fn the_files_of_tls_come_together_and_fit_the_address() {
    let room = Room::new();
    let authority = Authority::new(&room, "authority");
    let flags = authority.caller("ada", "refute-client").flags();
    let address = ["--coordinator", "localhost:9"];
    for missing in 0..3 {
        let some: Vec<String> =
            flags.chunks(2).enumerate().filter(|(pair, _)| *pair != missing).flat_map(|(_, pair)| pair.to_vec()).collect();
        let expected = ["come together or not at all", &format!("missing: {}", flags[2 * missing])];
        not_started(&room, with(refute(), &SERVE, &some), &expected);
        not_started(&room, with(refute(), &[&["list"], &address[..]].concat(), &some), &expected);
        not_started(&room, with(refute_worker(), &address, &some), &expected);
    }
    let both = [&flags[..], &["--insecure".to_owned()]].concat();
    not_started(&room, with(refute(), &SERVE, &both), &["--insecure allows plain text, and with --tls-cert there is none"]);
    not_started(&room, with(refute(), &SERVE, &["--tls-crl", "revoked.crl"].map(str::to_owned)), &["--tls-cert"]);
    let http = ["list", "--coordinator", "http://localhost:9"];
    not_started(&room, with(refute(), &http, &flags), &["'http://localhost:9' is plain text", "write https://localhost:9"]);
    let https = ["list", "--coordinator", "https://localhost:9"];
    not_started(&room, with(refute(), &https, &[]), &["'https://localhost:9' is TLS, which needs --tls-cert, --tls-key and --tls-ca"]);
    // What the environment says counts like what is typed.
    let mut command = with(refute(), &https, &[]);
    command.env("REFUTE_TLS_CERT", "ada.crt").env("REFUTE_TLS_KEY", "ada.key");
    not_started(&room, command, &["missing: --tls-ca"]);
}

#[test]
fn a_bad_file_is_named_before_anything_is_started() {
    let room = Room::new();
    let authority = Authority::new(&room, "authority");
    let good = authority.caller("ada", "refute-client").flags();
    authority.caller("eve", "refute-worker");
    room.write("empty.pem", "");
    room.write("damaged.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    room.write("unended.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n");
    room.write("locked.pem", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
    room.write("old.pem", "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END EC PRIVATE KEY-----\n");
    room.write("no.key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
    // What others may read is refused as a key before anybody looks into it.
    for file in ["ada.crt", "locked.pem", "old.pem", "no.key"] {
        std::fs::set_permissions(room.path(file), std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    for (place, file, expected) in [
        (1, "nowhere.crt", "--tls-cert: 'nowhere.crt' cannot be read: No such file"),
        (1, ".", "--tls-cert: '.' cannot be read: Is a directory"),
        (1, "empty.pem", "--tls-cert: 'empty.pem' holds no certificate in PEM form"),
        (1, "ada.key", "--tls-cert: 'ada.key' holds no certificate in PEM form"),
        (1, "damaged.pem", "--tls-cert: 'damaged.pem' is damaged"),
        (
            1,
            "unended.pem",
            "--tls-cert: 'unended.pem' is damaged or of a kind that is not known here: it ends before its last line, -----END …-----",
        ),
        (3, "nowhere.key", "--tls-key: 'nowhere.key' cannot be read"),
        (3, "ada.crt", "--tls-key: 'ada.crt' holds no private key in PEM form"),
        (3, "locked.pem", "--tls-key: 'locked.pem' holds no private key in PEM form that is not encrypted"),
        (3, "old.pem", "--tls-key: 'old.pem' holds no private key in PEM form that is not encrypted"),
        (3, "no.key", "--tls-key: the key in 'no.key' is damaged or of a kind that is not known here; it must be of EC P-256 or P-384, "),
        (3, "eve.key", "--tls-key: the key in 'eve.key' does not belong to the certificate in 'ada.crt'"),
        (5, "nowhere.crt", "--tls-ca: 'nowhere.crt' cannot be read"),
        (5, "ada.key", "--tls-ca: 'ada.key' holds no certificate in PEM form"),
        (5, "damaged.pem", "--tls-ca: 'damaged.pem' is damaged"),
    ] {
        let mut flags = good.clone();
        flags[place] = file.to_owned();
        let address = ["--coordinator", "localhost:9"];
        not_started(&room, with(refute(), &SERVE, &flags), &[expected]);
        not_started(&room, with(refute(), &[&["list"], &address[..]].concat(), &flags), &[expected]);
        not_started(&room, with(refute_worker(), &address, &flags), &[expected]);
    }
    room.write("damaged.crl", "-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n");
    for (file, expected) in [
        ("nowhere.crl", "--tls-crl: 'nowhere.crl' cannot be read"),
        ("ada.crt", "--tls-crl: 'ada.crt' holds no list of revoked certificates"),
        ("damaged.crl", "--tls-crl: the list of revoked certificates cannot be used"),
    ] {
        let flags = [&good[..], &["--tls-crl".to_owned(), file.to_owned()]].concat();
        not_started(&room, with(refute(), &SERVE, &flags), &[expected]);
    }
}

/// The worker's log stands before its sentence, so what is said about TLS has to come before the log begins.
#[test]
fn a_worker_with_bad_files_says_nothing_else() {
    let room = Room::new();
    let authority = Authority::new(&room, "authority");
    let identity: Identity = authority.caller("eve", "refute-worker");
    std::fs::remove_file(room.path("eve.key")).unwrap();
    let worker = with(refute_worker(), &["--coordinator", "localhost:9"], &identity.flags());
    not_started(&room, worker, &["refute-worker: --tls-key: 'eve.key' cannot be read"]);
}
