//! Who is let in and who is not, where a coordinator speaks TLS.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use rcgen::BasicConstraints;
use refute_connect::tls::{TlsFiles, channel};
use refute_proto::v1::ListRequest;
use refute_proto::v1::sweeps_client::SweepsClient;
use serde_json::json;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::sign::SingleCertAndKey;
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use tonic::Code;
use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::certificates::{Authority, Identity, Valid, ask, start_coordinator, start_worker};
use crate::manifests::HELD;
use crate::network::{Coordinator, Status};
use crate::process::{Ended, refute, until};
use crate::report::check_complete;
use crate::room::Room;

/// More silent connections than there may be handshakes under way.
const STRANGERS: usize = 300;

/// Not done, with these words.
#[track_caller]
fn refused(ended: &Ended, words: &[&str]) {
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""), "{words:?}: {}", ended.stderr);
    for word in words {
        assert!(ended.stderr.contains(word), "'{word}' is not in: {}", ended.stderr);
    }
}

/// Waits for a line of the coordinator's log that warns with all of these.
#[track_caller]
fn logged(coordinator: &Coordinator<'_>, parts: &[&str]) {
    until(&format!("a line of the log with {parts:?}"), || {
        let log = coordinator.process.stderr();
        log.lines().any(|line| line.contains(" WARN ") && parts.iter().all(|part| line.contains(part))).then_some(())
    });
}

#[test]
fn a_worker_and_a_client_with_certificates_complete_a_sweep() {
    let room = Room::new();
    let authority = Authority::new(&room, "authority");
    let [worker, client, reader] =
        [("eve", "refute-worker"), ("ada", "refute-client"), ("lin", "refute-read-only")].map(|(name, role)| authority.caller(name, role));
    let coordinator = start_coordinator(&room, &authority.coordinator("hub", "127.0.0.1"));
    let address = format!("https://{}", coordinator.address);
    let ask = |identity: &Identity, arguments: &[&str]| ask(&room, &address, identity, arguments);
    let _worker = start_worker(&room, &coordinator.address, &worker);
    let manifest = format!("./{}", room.write("held.toml", HELD));
    let id = ask(&client, &["submit", &manifest]).expect(0).trim().to_owned();
    until("the sweep to be complete", || {
        let status = Status::read(&ask(&reader, &["status", &id, "--json"]).json(0));
        (status.state == "complete").then_some(())
    });
    check_complete(&ask(&reader, &["report", &id, "--format", "json"]).json(0), 6u128.pow(4));
    assert_eq!(ask(&reader, &["workers", "--json"]).json(0)[0]["slots"], json!(1));
    ask(&client, &["watch", &id]).expect(0);
    ask(&client, &["submit", &manifest, "--fresh"]).expect(0);
    // Who changed something is told, and under which certificate a worker came.
    let log = coordinator.process.stderr();
    for told in ["name=\"ada\" call=\"/refute.v1.Sweeps/Submit\"", "name=\"eve\" call=\"/refute.v1.Workers/Register\""] {
        assert!(log.lines().any(|line| line.contains(" INFO call peer=127.0.0.1:") && line.contains(told)), "{told}: {log}");
    }
    assert!(!log.contains("name=\"lin\""), "{log}");
    assert!(!coordinator.process.stderr().contains(" WARN "), "{}", coordinator.process.stderr());
}

#[test]
fn a_bad_certificate_is_refused_and_the_log_says_whose_and_why() {
    let room = Room::new();
    let (authority, other) = (Authority::new(&room, "authority"), Authority::new(&room, "other"));
    let hub = authority.coordinator("hub", "127.0.0.1");
    let coordinator = start_coordinator(&room, &hub);
    let client = &["refute-client"];
    let cases = [
        (
            other.certify("mallory", client, None, Valid::Now).that_trusts(&authority),
            "it is not signed by the authority",
            "is not signed by",
        ),
        (authority.certify("old", client, None, Valid::Past), "it has expired", "its certificate has expired"),
        (authority.certify("young", client, None, Valid::Later), "is not valid yet", "its certificate is not valid yet"),
        (hub, "its extendedKeyUsage is not clientAuth", "its extendedKeyUsage is not clientAuth"),
    ];
    for (identity, told, reason) in cases {
        let [_, certificate, ..] = identity.flags();
        let told = [&format!("it refuses the certificate in '{certificate}': "), told];
        refused(&ask(&room, &coordinator.address, &identity, &["list"]), &told);
        logged(&coordinator, &["connection refused peer=127.0.0.1:", reason]);
        // A worker cannot know whether it is for long, and goes on trying.
        let mut worker = start_worker(&room, &coordinator.address, &identity);
        until("the worker to say why", || told.iter().all(|word| worker.stderr().contains(word)).then_some(()));
        assert!(worker.is_running());
    }
    assert!(!coordinator.process.stderr().contains("worker registered"));
}

/// An authority in between is one more to trust, and the one that is trusted says in its certificate whether there may be any.
#[test]
fn an_authority_in_between_is_accepted_only_as_far_as_the_trusted_one_allows_it() {
    let room = Room::new();
    let none = Authority::bounded(&room, "none", BasicConstraints::Constrained(0));
    let one = Authority::bounded(&room, "one", BasicConstraints::Constrained(1));
    let any = Authority::new(&room, "any");
    for (root, depth, is_accepted) in [(&none, 0, true), (&none, 1, false), (&one, 1, true), (&one, 2, false), (&any, 2, true)] {
        let authorities: Vec<Authority<'_>> =
            std::iter::successors(Some(root.intermediate("first", 7)), |last| Some(last.intermediate("next", 8))).take(depth).collect();
        let signs = authorities.last().unwrap_or(root);
        // Once the caller's certificate comes from there, and once the coordinator's.
        for (hub, client) in [(root, signs), (signs, root)] {
            let coordinator = start_coordinator(&room, &hub.coordinator("hub", "127.0.0.1"));
            let listed = ask(&room, &coordinator.address, &client.caller("ada", "refute-client"), &["list"]);
            if is_accepted {
                listed.expect(0);
            } else if depth > 0 {
                refused(&listed, &[]);
            }
            drop(coordinator);
            std::fs::remove_dir_all(room.path("data")).unwrap();
        }
    }
    let coordinator = start_coordinator(&room, &none.coordinator("hub", "127.0.0.1"));
    refused(&ask(&room, &coordinator.address, &none.intermediate("first", 7).caller("ada", "refute-client"), &["list"]), &["ada.crt"]);
    logged(&coordinator, &["connection refused", "there is an authority between it and the one in --tls-ca"]);
}

#[test]
fn who_was_certified_by_an_authority_that_was_revoked_is_refused() {
    let room = Room::new();
    let root = Authority::new(&room, "authority");
    let [good, bad] = [("good", 7), ("bad", 8)].map(|(name, serial)| root.intermediate(name, serial));
    let revoked = root.revoke("revoked.crl", &[8]);
    let mut command = refute();
    command.args(["serve", "--data", "data", "--listen", "127.0.0.1:0", "--tls-crl", &revoked]);
    command.args(root.coordinator("hub", "127.0.0.1").flags());
    let coordinator = Coordinator::of(&room, room.start(command));
    ask(&room, &coordinator.address, &good.caller("ada", "refute-client"), &["list"]).expect(0);
    refused(&ask(&room, &coordinator.address, &bad.caller("mallory", "refute-client"), &["list"]), &["it has been revoked"]);
    logged(&coordinator, &["connection refused", "its certificate has been revoked"]);
}

#[test]
fn a_key_that_everyone_may_read_or_replace_is_not_used() {
    let room = Room::new();
    let authority = Authority::new(&room, "authority");
    let (hub, ada) = (authority.coordinator("hub", "127.0.0.1"), authority.caller("ada", "refute-client"));
    let coordinator = start_coordinator(&room, &hub);
    let with_mode = |mode: u32| {
        std::fs::set_permissions(room.path("ada.key"), std::fs::Permissions::from_mode(mode)).unwrap();
        ask(&room, &coordinator.address, &ada, &["list"])
    };
    for mode in [0o600, 0o400, 0o640, 0o440] {
        with_mode(mode).expect(0);
    }
    for mode in [0o644, 0o666, 0o604, 0o602, 0o601] {
        let ended = with_mode(mode);
        let sentence = format!("--tls-key: everyone on this machine may read or replace what is in 'ada.key' (mode {mode:04o}); ");
        assert!(ended.code == Some(2) && ended.stderr.contains(&sentence), "{:?}: {}", ended.code, ended.stderr);
    }
}

/// What a connection with TLS and without a certificate of one's own comes to.
fn without_certificate(room: &Room, address: SocketAddr) -> (SocketAddr, std::io::Result<usize>) {
    let mut authorities = RootCertStore::empty();
    authorities.add(CertificateDer::from_pem_file(room.path("authority.crt")).unwrap()).unwrap();
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider())).with_safe_default_protocol_versions().unwrap();
    let mut config = builder.with_root_certificates(authorities).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let socket = TcpStream::connect(address).unwrap();
    let here = socket.local_addr().unwrap();
    let client = ClientConnection::new(Arc::new(config), ServerName::from(address.ip())).unwrap();
    (here, StreamOwned::new(client, socket).read(&mut [0; 64]))
}

#[test]
fn a_caller_without_a_certificate_or_without_tls_is_refused_and_logged() {
    let room = Room::new();
    let authority = Authority::new(&room, "authority");
    let coordinator = start_coordinator(&room, &authority.coordinator("hub", "127.0.0.1"));
    let address: SocketAddr = coordinator.address.parse().unwrap();
    let (here, read) = without_certificate(&room, address);
    assert!(read.is_err_and(|error| error.to_string().contains("CertificateRequired")));
    logged(&coordinator, &[&format!("connection refused peer={here} "), "it has no certificate"]);

    let mut plain = TcpStream::connect(address).unwrap();
    plain.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").unwrap();
    logged(&coordinator, &[&format!("connection refused peer={} ", plain.local_addr().unwrap()), "it does not speak TLS"]);
    let gone = TcpStream::connect(address).unwrap();
    let here = gone.local_addr().unwrap();
    drop(gone);
    logged(&coordinator, &[&format!("connection refused peer={here} "), "it went away before its handshake was done"]);

    refused(&coordinator.refute(&["list"]), &["cannot reach a coordinator at http://", "if it speaks TLS, write https"]);
    let worker = room.start_worker(&coordinator.address);
    until("the worker to say why", || worker.stderr().contains("if it speaks TLS, write https").then_some(()));
}

#[test]
fn a_role_does_what_it_is_for_and_nothing_else() {
    let room = Room::new();
    let authority = Authority::new(&room, "authority");
    let [worker, client, reader] =
        [("eve", "refute-worker"), ("ada", "refute-client"), ("lin", "refute-read-only")].map(|(name, role)| authority.caller(name, role));
    let nobody = authority.certify("tom", &["Physics"], None, Valid::Now);
    let coordinator = start_coordinator(&room, &authority.coordinator("hub", "127.0.0.1"));
    let manifest = format!("./{}", room.write("held.toml", HELD));
    let id = ask(&room, &coordinator.address, &client, &["submit", &manifest]).expect(0).trim().to_owned();
    let changes = [["submit", &manifest], ["pause", &id], ["resume", &id], ["cancel", &id]];
    let reads: [&[&str]; 4] = [&["list"], &["workers"], &["status", &id], &["report", &id]];
    let refusals = |identity: &Identity, name: &str, unit: &str, needed: &str, calls: &[&[&str]]| {
        for call in calls {
            let ended = ask(&room, &coordinator.address, identity, call);
            refused(&ended, &[&format!("refuses it: the certificate of '{name}' has OU={unit}, and "), &format!(" needs {needed}")]);
        }
        let role = format!("name=\"{name}\" role=\"{unit}\"");
        logged(&coordinator, &["call refused peer=127.0.0.1:", &role, "call=\"/refute.v1.Sweeps/"]);
    };
    refusals(&reader, "lin", "refute-read-only", "OU=refute-client", &changes.each_ref().map(|call| call.as_slice()));
    for (identity, name, unit) in [(&worker, "eve", "refute-worker"), (&nobody, "tom", "Physics")] {
        refusals(identity, name, unit, "OU=refute-client or OU=refute-read-only", &reads);
        refusals(identity, name, unit, "OU=refute-client", &changes.each_ref().map(|call| call.as_slice()));
    }
    // Nothing was done to the sweep.
    assert_eq!(Status::read(&ask(&room, &coordinator.address, &client, &["status", &id, "--json"]).json(0)).state, "queued");

    for (identity, name, unit) in [(&client, "ada", "refute-client"), (&reader, "lin", "refute-read-only"), (&nobody, "tom", "Physics")] {
        let ended = start_worker(&room, &coordinator.address, identity).wait();
        let sentence = format!("refuses this worker: the certificate of '{name}' has OU={unit}, and Register needs OU=refute-worker");
        refused(&ended, &[&sentence]);
        logged(&coordinator, &[&format!("name=\"{name}\""), "call=\"/refute.v1.Workers/Register\""]);
    }
    assert!(!coordinator.process.stderr().contains("worker registered"));
}

#[test]
fn with_any_certificate_it_may_be_asked_whether_the_coordinator_is_well() {
    let room = Room::new();
    let authority = Authority::new(&room, "authority");
    let coordinator = start_coordinator(&room, &authority.coordinator("hub", "127.0.0.1"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for role in ["refute-worker", "refute-client", "refute-read-only", "Physics"] {
        authority.caller("eve", role);
        let [certificate, key, authority] = ["eve.crt", "eve.key", "authority.crt"].map(|file| room.path(file));
        let endpoint = Endpoint::from_shared(format!("https://{}", coordinator.address)).unwrap();
        runtime.block_on(async {
            let channel = channel(endpoint, Some(TlsFiles { certificate, key, authority }));
            let answer = HealthClient::new(channel.clone()).check(HealthCheckRequest { service: String::new() }).await;
            assert_eq!(answer.unwrap().into_inner().status, 1, "{role}");
            let listed = SweepsClient::new(channel).list(ListRequest::default()).await.map_err(|status| status.code());
            let may_list = ["refute-client", "refute-read-only"].contains(&role);
            assert_eq!(listed.err(), (!may_list).then_some(Code::PermissionDenied), "{role}");
        });
    }
}

#[test]
fn a_coordinator_that_is_not_the_right_one_is_not_spoken_to() {
    let room = Room::new();
    let (authority, other) = (Authority::new(&room, "authority"), Authority::new(&room, "other"));
    let (client, worker) = (authority.caller("ada", "refute-client"), authority.caller("eve", "refute-worker"));
    let certificates = [
        (worker.clone(), "its certificate is not one of a coordinator: its extendedKeyUsage is not serverAuth"),
        (authority.coordinator("other-machine", "127.0.0.2"), "its certificate is for 127.0.0.2 and not for 127.0.0.1"),
        (authority.coordinator("elsewhere", "refute.example"), "its certificate is for refute.example and not for 127.0.0.1"),
        (
            other.coordinator("false", "127.0.0.1").that_trusts(&authority),
            "its certificate is not signed by the authority in 'authority.crt'",
        ),
        (authority.certify("old", &["refute-coordinator"], Some("127.0.0.1"), Valid::Past), "its certificate has expired"),
    ];
    for (certificate, sentence) in certificates {
        let coordinator = start_coordinator(&room, &certificate);
        refused(&ask(&room, &coordinator.address, &client, &["list"]), &["cannot reach a coordinator at https://", sentence]);
        let mut process = start_worker(&room, &coordinator.address, &worker);
        until("the worker to say why", || process.stderr().contains(sentence).then_some(()));
        assert!(process.is_running());
        logged(&coordinator, &["connection refused peer=127.0.0.1:", "it refuses the coordinator's certificate"]);
    }
    // One that speaks plain text has nothing that could be looked at.
    let plain = Coordinator::start(&room, 15_000);
    refused(&ask(&room, &plain.address, &client, &["list"]), &["what answers there does not speak TLS"]);
}

#[test]
fn strangers_who_say_nothing_hold_up_nobody() {
    let room = Room::new();
    let authority = Authority::new(&room, "authority");
    let client = authority.caller("ada", "refute-client");
    let coordinator = start_coordinator(&room, &authority.coordinator("hub", "127.0.0.1"));
    let mut strangers: Vec<TcpStream> = (0..10).map(|_| TcpStream::connect(&coordinator.address).unwrap()).collect();
    ask(&room, &coordinator.address, &client, &["list"]).expect(0);
    strangers.extend((10..STRANGERS).map(|_| TcpStream::connect(&coordinator.address).unwrap()));
    // It gives up after five seconds, and a handshake may take ten.
    ask(&room, &coordinator.address, &client, &["list"]).expect(0);
    let first = format!("connection refused peer={} ", strangers[0].local_addr().unwrap());
    logged(&coordinator, &[&first, "its handshake was not done while many others waited"]);
    strangers[0].set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    assert_eq!(strangers[0].read(&mut [0; 8]).unwrap(), 0, "it is closed");
}

#[test]
fn strangers_who_say_nothing_hold_up_nobody_where_file_descriptors_are_few() {
    let room = Room::new();
    let authority = Authority::new(&room, "authority");
    let client = authority.caller("ada", "refute-client");
    let hub = authority.coordinator("hub", "127.0.0.1");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 64; exec \"$0\" \"$@\""]).arg(refute().get_program());
    command.args(["serve", "--data", "data", "--listen", "127.0.0.1:0"]).args(hub.flags());
    let coordinator = Coordinator::of(&room, room.start(command));
    let _strangers: Vec<TcpStream> = (0..100).map(|_| TcpStream::connect(&coordinator.address).unwrap()).collect();
    logged(&coordinator, &["no connections can be taken"]);
    // It gives up after five seconds, and a handshake may take ten.
    ask(&room, &coordinator.address, &client, &["list"]).expect(0);
}

/// A connection with TLS on which nothing but the handshake was done.
fn shaken(room: &Room, address: SocketAddr, identity: &Identity) -> StreamOwned<ClientConnection, TcpStream> {
    let [_, certificate, _, key, _, authority] = identity.flags().map(|file| room.path(&file));
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(&authority).unwrap()).unwrap();
    let credentials = TlsFiles { certificate, key, authority }.read().unwrap();
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider())).with_safe_default_protocol_versions().unwrap();
    let own = Arc::new(SingleCertAndKey::from(credentials.own));
    let mut config = builder.with_root_certificates(roots).with_client_cert_resolver(own);
    config.alpn_protocols = vec![b"h2".to_vec()];
    let mut socket = TcpStream::connect(address).unwrap();
    let mut client = ClientConnection::new(Arc::new(config), ServerName::from(address.ip())).unwrap();
    client.complete_io(&mut socket).unwrap();
    StreamOwned::new(client, socket)
}

#[test]
fn a_caller_that_does_not_begin_to_speak_http_2_is_given_up_with_tls_and_without() {
    let (room, without) = (Room::new(), Room::new());
    let authority = Authority::new(&room, "authority");
    let eve = authority.caller("eve", "refute-worker");
    let with_tls = start_coordinator(&room, &authority.coordinator("hub", "127.0.0.1"));
    let plain = Coordinator::start(&without, 15_000);
    let silent = TcpStream::connect(&plain.address).unwrap();
    let mut half = TcpStream::connect(&plain.address).unwrap();
    half.write_all(b"PRI * HTTP").unwrap();
    let shaken = shaken(&room, with_tls.address.parse().unwrap(), &eve);
    // One that does begin stays.
    let mut begun = TcpStream::connect(&plain.address).unwrap();
    begun.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").unwrap();
    for (coordinator, socket) in [(&plain, &silent), (&plain, &half), (&with_tls, &shaken.sock)] {
        let peer = format!("connection refused peer={} ", socket.local_addr().unwrap());
        logged(coordinator, &[&peer, "it did not begin to speak HTTP/2 within 5 s"]);
        // What the coordinator has said about itself comes first.
        socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        std::io::copy(&mut &*socket, &mut std::io::sink()).unwrap();
    }
    assert!(!plain.process.stderr().contains(&begun.local_addr().unwrap().to_string()));
}
