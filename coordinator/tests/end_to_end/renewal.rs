//! Certificates that are renewed while everything runs.

use std::time::Duration;

use crate::certificates::{Authority, Identity, Valid, ask, start_coordinator, start_worker};
use crate::process::until;
use crate::room::Room;

/// How long to wait before a command is tried again.
const TRY_AGAIN: Duration = Duration::from_millis(250);

#[test]
fn a_coordinator_takes_up_renewed_files_and_keeps_the_old_while_they_cannot_be_used() {
    let room = Room::new();
    let authority = Authority::new(&room, "authority");
    let ada = authority.caller("ada", "refute-client");
    let coordinator = start_coordinator(&room, &authority.coordinator("hub", "127.0.0.1"));
    let is_let_in = |identity: &Identity| ask(&room, &coordinator.address, identity, &["list"]).code == Some(0);
    let wait_for = |word: &str| {
        until(word, || {
            std::thread::sleep(TRY_AGAIN);
            // The files are looked at when somebody knocks.
            is_let_in(&ada);
            coordinator.process.stderr().contains(word).then_some(())
        });
    };
    assert!(is_let_in(&ada));
    let key = std::fs::read_to_string(room.path("hub.key")).unwrap();
    room.write("hub.key", &key[..key.len() / 2]);
    wait_for("the TLS files have changed and cannot be used; what they held before stays in use: --tls-key: 'hub.key' ");
    assert!(is_let_in(&ada));

    // Another authority, which replaces the first for the coordinator; the clients follow.
    std::fs::copy(room.path("authority.crt"), room.path("old.crt")).unwrap();
    let renewed = Authority::new(&room, "authority");
    renewed.coordinator("hub", "127.0.0.1");
    wait_for("the TLS files have changed and were read again");
    let bob = renewed.caller("bob", "refute-client");
    assert!(is_let_in(&bob) && !is_let_in(&ada));
}

#[test]
fn a_worker_takes_up_renewed_files_when_it_connects_again() {
    let room = Room::new();
    let authority = Authority::new(&room, "authority");
    let coordinator = start_coordinator(&room, &authority.coordinator("hub", "127.0.0.1"));
    let expired = authority.certify("eve", &["refute-worker"], None, Valid::Past);
    let worker = start_worker(&room, &coordinator.address, &expired);
    until("the worker to say why", || worker.stderr().contains("it has expired").then_some(()));
    authority.caller("eve", "refute-worker");
    until("the worker to be let in", || coordinator.process.stderr().contains("worker registered").then_some(()));
}
