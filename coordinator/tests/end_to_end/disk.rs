//! A disk that fills up: workers keep their results, the coordinator says so, and both go on when there is room.

use std::process::Command;

use crate::network::Coordinator;
use crate::page::{Samples, get};
use crate::process::{is_able, refute, until};
use crate::report::{check_complete, check_unfinished, findings};
use crate::room::Room;

/// A sweep that keeps every solved position, in a few hundred shards: more than fits into the space that a database takes
/// beforehand.
const LARGE: &str = "name = \"large\"\nfamily = \"graph-nim\"\nclaims = [\"four-edges/thm-2.3\"]\n\
    [space]\ngraph = \"I1\"\nweights = \"0..=26\"\n[run]\nrecord = \"all\"\nshard_seconds = 0.0001\n";
const CONFIGURATIONS: u128 = 27 * 27 * 27 * 27;

/// Serves from a small file system. Whenever the file `fill` is there it is filled to the last byte, and emptied when the
/// file is gone.
const SERVE: &str = r#"
    mkdir -p data && mount -t tmpfs -o size=128m tmpfs data || exit 9
    # It ends with the coordinator, which takes the place of this shell.
    ( while kill -0 $$ 2>/dev/null; do
        # Without a pause: what the database gives back must not be there for long.
        if [ -e fill ]; then cat /dev/zero >> data/.filler 2>/dev/null; touch filled
        else rm -f data/.filler filled; sleep 0.02; fi
      done ) &
    exec "$@"
"#;

#[test]
fn a_full_disk_loses_nothing_and_needs_no_help_when_there_is_room_again() {
    if !is_able(&["unshare", "-rm", "true"], "a full disk") {
        return;
    }
    let room = Room::new();
    let path = room.write("honest.toml", LARGE);
    let expected = findings(&room.refute(["run", &path, "--json", "--data", "honest"]).json(0));
    let mut command = Command::new("unshare");
    let serve = refute();
    command.args(["-rm", "sh", "-c", SERVE, "sh"]).arg(serve.get_program());
    command
        .args(["serve", "--data", "data", "--backups", ".", "--listen", "127.0.0.1:0", "--lease-ttl-ms", "3000", "--http", "127.0.0.1:0"])
        .env_remove("REFUTE_COORDINATOR");
    let coordinator = Coordinator::of(&room, room.start(command));
    let id = coordinator.refute(&["submit", "./honest.toml"]).expect(0).trim().to_owned();
    room.write("fill", "");
    until("the disk to be full", || room.path("filled").exists().then_some(()));
    let _workers = [room.start_worker(&coordinator.address), room.start_worker(&coordinator.address)];
    // Some results fit into space that the database had taken before.
    let reason = until("the coordinator to say so", || coordinator.status(&id).reason);
    assert!(reason.starts_with("the data directory cannot be written, and results wait at the workers until it can: "), "{reason}");
    assert!(reason.contains("No space left on device"), "{reason}");
    let http = coordinator.http();
    let answer = get(&http, "/readyz");
    assert_eq!(answer.status, 503, "{answer:?}");
    assert!(answer.body.starts_with("the data directory cannot be written: "), "{answer:?}");
    assert_eq!(Samples::read(&http).get("refute_data_directory_writable"), 0.0);
    assert_eq!(get(&http, "/healthz").status, 200);
    // Another disk takes a backup: it writes nothing into the data directory.
    let backup = room.path("backup");
    until("a backup", || (coordinator.refute(&["backup", backup.to_str().unwrap()]).code == Some(0)).then_some(()));
    room.refute(["restore", "backup", "--data", "restored"]).expect(0);
    // What is on disk is read as before, and workers that wait for longer than a lease lasts are not blamed.
    let report = until("a report", || {
        let report = coordinator.refute(&["report", &id, "--format", "json"]);
        // It is not there for the moment in which the database is opened again.
        (!report.stdout.is_empty()).then(|| report.json(3))
    });
    check_unfinished(&report, "running");
    std::thread::sleep(std::time::Duration::from_secs(4));
    let status = coordinator.status(&id);
    assert!(status.done < status.total && status.quarantined == 0, "{status:?}");

    std::fs::remove_file(room.path("fill")).unwrap();
    until("it to go on by itself", || (coordinator.status(&id).done == status.total).then_some(()));
    assert_eq!(coordinator.status(&id).reason, None);
    assert_eq!(get(&http, "/readyz").body, "ready\n");
    assert_eq!(Samples::read(&http).get("refute_data_directory_writable"), 1.0);
    let report = coordinator.complete(&id);
    check_complete(&report, CONFIGURATIONS);
    assert_eq!(findings(&report), expected);
}
