//! Data directories in which something is wrong.

use std::path::Path;
use std::process::Command;

use refute_coordinator::store::Store;

use crate::manifests::{HELD, REFUTED};
use crate::network::Coordinator;
use crate::process::{is_able, refute};
use crate::report::{check_complete, decimal};
use crate::room::Room;

/// Runs a command that is refused with one sentence, and returns it.
#[track_caller]
fn refused(room: &Room, arguments: &[&str], code: i32, expected: &str) -> String {
    let refused = room.refute(arguments);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(code), ""), "{arguments:?}: {}", refused.stderr);
    assert_eq!(refused.stderr.lines().count(), 1, "{arguments:?}: {}", refused.stderr);
    assert!(refused.stderr.contains(expected), "{arguments:?}: {}", refused.stderr);
    refused.stderr
}

#[test]
fn a_directory_that_holds_something_else_is_left_alone() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", HELD);
    std::fs::create_dir(room.path("photos")).unwrap();
    std::fs::write(room.path("photos/one.jpg"), "a photo").unwrap();
    for arguments in
        [vec!["run", &manifest, "--data", "photos"], vec!["list", "--data", "photos"], vec!["run", &manifest, "--data", &manifest]]
    {
        refused(&room, &arguments, 2, "");
    }
    let left: Vec<_> = std::fs::read_dir(room.path("photos")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["one.jpg"]);
}

#[test]
fn a_sweep_of_another_solver_version_is_left_out_and_keeps_nobody_waiting() {
    let room = Room::new();
    let manifest = room.write("old.toml", REFUTED);
    let old = room.refute(["run", &manifest, "--data", "data", "--json"]).json(1);
    let id = old["sweep"]["id"].as_str().unwrap();
    // As a later version of the program would find it.
    let store = Store::open_existing(&room.path("data")).unwrap();
    let mut record = store.sweep(id).unwrap().unwrap();
    record.solver_version += 7;
    store.put_sweep(&record).unwrap();
    drop(store);

    let coordinator = Coordinator::start(&room, 15_000);
    let _worker = room.start_worker(&coordinator.address);
    let held = coordinator.submit(HELD);
    check_complete(&coordinator.complete(&held), 6u128.pow(4));
    let listed = coordinator.refute(&["list", "--json"]).json(0);
    assert_eq!((&listed[0]["id"], &listed[1]["id"]), (&old["sweep"]["id"], &serde_json::json!(held)));
    let reason = coordinator.status(id).reason.unwrap();
    assert!(reason.starts_with(&format!("'{id}' is pinned to solver version {} of graph-nim", record.solver_version)), "{reason}");
    // What it found is still there, and says which version found it.
    let report = coordinator.refute(&["report", id, "--format", "json"]).json(1);
    assert_eq!(report["sweep"]["solver_version"], record.solver_version);
    assert_eq!((&report["claims"], decimal(&report["configurations"]["decided"])), (&old["claims"], 7u128.pow(4)));
    let refused = coordinator.refute(&["submit", &manifest]);
    assert!(refused.code == Some(2) && refused.stderr.contains("pinned to solver version"), "{}", refused.stderr);
}

#[test]
fn a_damaged_database_is_told_of_in_a_sentence() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", HELD);
    room.refute(["run", &manifest, "--data", "data"]).expect(0);
    std::fs::write(room.path("data/CURRENT"), "MANIFEST-999999\n").unwrap();
    for arguments in [vec!["list", "--data", "data"], vec!["run", &manifest, "--data", "data"]] {
        let ended = room.refute(&arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""), "{}", ended.stderr);
        assert!(ended.stderr.starts_with("refute: the database in 'data"), "{}", ended.stderr);
    }
}

#[test]
fn a_path_that_is_no_data_directory_is_refused_with_what_is_there_and_what_would_be_right() {
    let room = Room::new();
    let manifest = room.write("held.toml", HELD);
    std::fs::create_dir(room.path("empty")).unwrap();
    std::fs::create_dir(room.path("photos")).unwrap();
    std::fs::write(room.path("photos/one.jpg"), "a photo").unwrap();
    let names_one = "; --data names a directory where 'refute run' or 'refute serve' was started\n";
    for (path, problem) in [
        ("missing", "there is no such directory"),
        ("empty", "it is empty"),
        ("photos", "it holds files of something else, such as 'one.jpg'"),
    ] {
        for question in [vec!["list"], vec!["status", "h1-0"], vec!["report", "h1-0"], vec!["counterexamples", "h1-0"], vec!["backup", "b"]]
        {
            let arguments = [question.as_slice(), &["--data", path]].concat();
            refused(&room, &arguments, 2, &format!("refute: there is no data in '{path}': {problem}{names_one}"));
        }
    }
    for path in ["held.toml", "held.toml/data"] {
        for command in [vec!["list"], vec!["run", &manifest], vec!["serve", "--listen", "127.0.0.1:0"], vec!["backup", "b"]] {
            let arguments = [command.as_slice(), &["--data", path]].concat();
            refused(&room, &arguments, 2, "refute: 'held.toml' is a file; --data names a directory\n");
        }
    }
    for command in [vec!["run", &manifest], vec!["serve", "--listen", "127.0.0.1:0"]] {
        let arguments = [command.as_slice(), &["--data", "photos"]].concat();
        refused(&room, &arguments, 2, "such as 'one.jpg'; choose a directory that is empty or does not exist\n");
    }
    assert!(!room.path("missing").exists() && room.path("empty").read_dir().unwrap().next().is_none());
}

/// `refute` as a user without any rights, where the tests have all of them; else as the tests' own user.
fn unprivileged() -> Option<Command> {
    const NOBODY: [&str; 6] = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
    let program = refute().get_program().to_string_lossy().into_owned();
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    if !is_root {
        return Some(refute());
    }
    if !is_able(&[&NOBODY[..], &[program.as_str(), "--version"]].concat(), "directories of other users") {
        return None;
    }
    let mut command = Command::new(NOBODY[0]);
    command.args(&NOBODY[1..]).arg(program).env_remove("REFUTE_COORDINATOR");
    Some(command)
}

fn chmod(room: &Room, mode: &str, path: &str) {
    assert!(Command::new("chmod").args(["-R", mode, path]).current_dir(room.path("")).status().unwrap().success());
}

#[test]
fn a_directory_that_one_may_only_read_is_read_and_not_written() {
    let room = Room::new();
    let manifest = room.write("held.toml", HELD);
    let id = room.refute(["run", &manifest, "--data", "data", "--json"]).json(0)["sweep"]["id"].as_str().unwrap().to_owned();
    let expected = room.refute(["report", &id, "--data", "data"]).expect(0).to_owned();
    if unprivileged().is_none() {
        return;
    }
    let ask = |arguments: &[&str]| {
        let mut command = unprivileged().unwrap();
        command.args(arguments);
        room.start(command).wait()
    };
    chmod(&room, "a+rX", ".");
    chmod(&room, "a-w", ".");
    assert_eq!(ask(&["report", &id, "--data", "data"]).expect(0), expected);
    assert!(ask(&["list", "--data", "data"]).expect(0).starts_with(&id));
    let remedy = "ask its owner for the right to it, or choose another directory\n";
    for (arguments, problem) in [
        (vec!["run", &manifest, "--data", "data"], "cannot open 'data/LOCK.refute': Permission denied"),
        (vec!["run", &manifest, "--data", "new/data"], "cannot create 'new/data': Permission denied"),
        (vec!["backup", "b", "--data", "data"], "cannot open 'data/LOCK.refute': Permission denied"),
    ] {
        let ended = ask(&arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        assert!(ended.stderr.contains(problem) && ended.stderr.ends_with(remedy), "{}", ended.stderr);
    }
    chmod(&room, "a-rx", "data");
    let ended = ask(&["list", "--data", "data"]);
    assert!(ended.code == Some(2) && ended.stderr.contains("cannot look at 'data/CURRENT'"), "{}", ended.stderr);
    chmod(&room, "u+rwX", ".");
}

#[test]
fn without_locks_nothing_is_written_and_everything_is_read() {
    const NO_LOCKS: [&str; 6] = ["strace", "-f", "-o", "/dev/null", "-e", "inject=flock:error=ENOSYS"];
    if !is_able(&[&NO_LOCKS[..], &["true"]].concat(), "a file system without locks") {
        return;
    }
    let room = Room::new();
    let manifest = room.write("held.toml", HELD);
    room.refute(["run", &manifest, "--data", "data"]).expect(0);
    let ask = |arguments: &[&str]| {
        let mut command = Command::new(NO_LOCKS[0]);
        command.args(&NO_LOCKS[1..]).arg(refute().get_program()).args(arguments).env_remove("REFUTE_COORDINATOR");
        room.start(command).wait()
    };
    for data in ["data", "new"] {
        for command in [vec!["run", &manifest], vec!["serve", "--listen", "127.0.0.1:0"]] {
            let ended = ask(&[command.as_slice(), &["--data", data]].concat());
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""), "{}", ended.stderr);
            let start =
                format!("refute: '{data}/LOCK.refute' cannot be locked: Function not implemented (os error 38); without locks two ");
            assert!(ended.stderr.starts_with(&start) && ended.stderr.lines().count() == 1, "{}", ended.stderr);
            // The kind of file system that the tests run on.
            let named = ended.stderr.split_once("on another file system than this (").and_then(|(_, rest)| rest.split_once(')'));
            assert!(named.is_some_and(|(name, rest)| !name.is_empty() && rest.contains("-o flock")), "{}", ended.stderr);
        }
    }
    assert!(!room.path("new").exists());
    assert!(ask(&["list", "--data", "data"]).expect(0).contains(": complete, "));
}

/// Runs a shell script in a room, in which file systems can be mounted, with `$R` for the program.
fn with_mounts(room: &Room, script: &str) -> String {
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script]).env("R", refute().get_program()).env_remove("REFUTE_COORDINATOR").current_dir(room.path(""));
    let output = command.output().unwrap();
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_directory_in_memory_is_warned_of_once() {
    if !is_able(&["unshare", "-rm", "true"], "file systems of its own") {
        return;
    }
    let room = Room::new();
    room.write("held.toml", HELD);
    let said = with_mounts(
        &room,
        "mkdir m && mount -t tmpfs tmpfs m && $R run held.toml --quiet --data m/data > run.out 2> run.err; timeout 2 $R serve --data m/data --listen 127.0.0.1:0 2> serve.err",
    );
    let warning = "the data directory 'm/data' lies on tmpfs, which is memory: its data is lost when the machine stops; choose a directory on a \
                   disk if it is to last\n";
    let read = |name: &str| std::fs::read_to_string(room.path(name)).unwrap();
    assert_eq!(read("run.err"), format!("refute: {warning}"), "{said}");
    assert!(read("run.out").contains(": complete\n"), "{}", read("run.out"));
    let log = read("serve.err");
    let warnings: Vec<&str> = log.split_inclusive('\n').filter(|line| line.contains("lies on")).collect();
    assert!(warnings.len() == 1 && warnings[0].contains("WARN") && warnings[0].ends_with(warning), "{log}");
}

#[test]
fn a_disk_without_room_for_a_data_directory_is_said_and_nothing_stays_there() {
    if !is_able(&["unshare", "-rm", "true"], "file systems of its own") {
        return;
    }
    let room = Room::new();
    room.write("held.toml", HELD);
    for (size, data) in [("64k", "m/new/data"), ("4k", "m/data"), ("64k", "m")] {
        let script = format!(
            "mkdir -p m && mount -t tmpfs -o size={size} tmpfs m || exit 9
             $R run held.toml --data {data}; echo $?; $R serve --data {data} --listen 127.0.0.1:0; echo $?; find m -mindepth 1; umount m"
        );
        let said = with_mounts(&room, &script);
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!((lines.len(), &lines[..2]), (4, &["3", "3"][..]), "{said}");
        for line in &lines[2..] {
            assert!(
                line.starts_with("refute: ") && line.contains(data) && line.ends_with("No space left on device; make room there"),
                "{said}"
            );
        }
    }
}

#[test]
fn a_tilde_that_the_shell_left_is_the_home_directory() {
    let room = Room::new();
    let manifest = room.write("held.toml", HELD);
    let home = room.path("home");
    std::fs::create_dir(&home).unwrap();
    let ask = |arguments: &[&str]| {
        let mut command = refute();
        command.args(arguments).env("HOME", &home);
        room.start(command).wait()
    };
    ask(&["run", &manifest, "--data=~/runs"]).expect(0);
    assert!(home.join("runs/CURRENT").exists());
    ask(&["backup", "~/backup", "--data=~/runs"]).expect(0);
    ask(&["restore", "~/backup", "--data=~/again"]).expect(0);
    std::fs::copy(room.path("held.toml"), home.join("held.toml")).unwrap();
    ask(&["check", "~/held.toml"]).expect(0);
    let expected = format!("--tls-cert: '{}'", home.join("a.crt").display());
    for arguments in [
        vec!["list", "--coordinator", "https://127.0.0.1:9", "--tls-cert=~/a.crt", "--tls-key=k", "--tls-ca=a"],
        vec!["serve", "--data=~/served", "--tls-cert=~/a.crt", "--tls-key=k", "--tls-ca=a"],
    ] {
        let ended = ask(&arguments);
        assert!(ended.code == Some(2) && ended.stderr.contains(&expected), "{arguments:?}: {}", ended.stderr);
    }
    let ended = ask(&["run", &manifest, "--data=~bob/runs"]);
    assert!(ended.code == Some(2) && ended.stderr.contains("the shell did not expand '~bob'"), "{}", ended.stderr);
    let is_tilde = |path: &Path| path.file_name().unwrap().to_string_lossy().starts_with('~');
    assert!(!std::fs::read_dir(room.path("")).unwrap().any(|entry| is_tilde(&entry.unwrap().path())));
}
