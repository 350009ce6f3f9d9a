//! Everything that can be typed wrong: exit code 2, one sentence that names the field and what would be right, and nothing
//! left behind.

use crate::manifests::HELD;
use crate::process::Ended;
use crate::room::Room;

/// Nothing was done, and one sentence says why, with all of these in it.
#[track_caller]
pub fn refused(room: &Room, ended: &Ended, code: i32, expected: &[&str]) {
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(code), ""), "{expected:?}: {}", ended.stderr);
    assert!(ended.stderr.starts_with("refute: ") && ended.stderr.lines().count() == 1, "one sentence: {}", ended.stderr);
    for part in expected {
        assert!(ended.stderr.contains(part), "'{part}' is not in: {}", ended.stderr);
    }
    assert!(!room.has_data(), "{expected:?}: a data directory was made");
}

/// The manifest with this box, and nothing else to its discredit.
fn with_space(space: &str) -> String {
    format!("name = \"bad\"\nfamily = \"graph-nim\"\n[space]\n{space}\n")
}

/// Each of these manifests is refused by `run` and by `check` with a sentence that has all of these in it.
pub fn refuse_manifests(cases: &[(String, &[&str])]) {
    let room = Room::new();
    for (text, expected) in cases {
        let manifest = room.write("bad.toml", text);
        for command in ["run", "check"] {
            let ended = room.refute([command, &manifest]);
            refused(&room, &ended, 2, expected);
            assert!(ended.stderr.starts_with("refute: bad.toml: ") || text.contains("[run]"), "{}", ended.stderr);
        }
    }
}

#[test]
fn a_wrong_space_is_refused_by_its_field() {
    refuse_manifests(&[
        (with_space("graph = \"H9\"\nweights = \"1..=3\""), &["space.graph: unknown graph 'H9'", "'H1'", "edges = "]),
        (with_space("graph = \"\"\nweights = \"1..=3\""), &["space.graph: ", "\"H1\""]),
        (with_space("graph = []\nweights = \"1..=3\""), &["space.graph: ", "\"H1\""]),
        (with_space("graph = 7\nweights = \"1..=3\""), &["space.graph: ", "\"H1\""]),
        (with_space("graph = \"H1\"\nedges = \"AB\"\nweights = 1"), &["edges"]),
        (with_space("weights = \"1..=3\""), &["space.graph", "edges"]),
        (with_space("graph = \"H1\""), &["space.weights is missing", "weights = \"1..=32\""]),
        (with_space("graph = \"H1\"\nwieghts = \"1..=3\""), &["space.wieghts: unknown key", "did you mean 'weights'?"]),
        (with_space("graph = \"H1\"\nweights = \"\""), &["space.weights: '' is not a range", "1..=32"]),
        (with_space("graph = \"H1\"\nweights = \"1..=\""), &["space.weights: '1..=' is not a range", "1..=32"]),
        (with_space("graph = \"H1\"\nweights = \"-1..=3\""), &["space.weights: '-1..=3' is not a range", "1..=32"]),
        (with_space("graph = \"H1\"\nweights = -1"), &["space.weights: '-1' is not a range"]),
        (with_space("graph = \"H1\"\nweights = 1.5"), &["space.weights: '1.5' is not a range"]),
        (with_space("graph = \"H1\"\nweights = \"9..=2\""), &["space.weights: the range 9..=2 is empty", "must not be above"]),
        (with_space("graph = \"H1\"\nweights = \"0..=65536\""), &["space.weights: ", "65535 (2^16 - 1)"]),
        (with_space("graph = \"H1\"\nweights = 65536"), &["space.weights: ", "65535 (2^16 - 1)"]),
        (with_space("graph = \"H1\"\nweights = \"0..=99999999999999999999\""), &["space.weights: ", "is not a range"]),
        (with_space("graph = \"H1\"\nweights = { AB = \"1..=3\" }"), &["space.weights", "BC", "other"]),
        (with_space("graph = \"H1\"\nweights = { AC = 1, other = 2 }"), &["space.weights", "AC", "AB, BC, CD, EF"]),
        (with_space("edges = \"AB CC\"\nweights = 1"), &["space.edges: the edge CC is a loop", "two different vertices"]),
        (with_space("edges = \"AB BC BA\"\nweights = 1"), &["space.edges: the edge BA stands twice (AB before it)", "once"]),
        (with_space("edges = \"AB B\"\nweights = 1"), &["space.edges: 'B' is no edge", "such as AB"]),
        (with_space("edges = \"\"\nweights = 1"), &["space.edges: there are 0 edges"]),
        (with_space("edge_sets = { vertices = 1, edges = 1 }"), &["space.edge_sets.vertices: 1 is not allowed", "from 2 to 26"]),
        (with_space("edge_sets = { vertices = 20, edges = 10 }"), &["space.edge_sets: ", "the limit is 1,000,000,000"]),
        (with_space("edge_sets = { vertices = 4, edge = 2 }"), &["space.edge_sets.edge: unknown key", "'edges'"]),
        (with_space("edge_sets = 4"), &["space.edge_sets: ", "{ vertices = 8, edges = 4 }"]),
    ]);
}

#[test]
fn a_space_too_large_is_refused_with_its_size_and_the_limit() {
    let five = "edges = \"AB BC CD DE EF\"\nweights = \"0..=65535\"";
    let seven = "edges = \"AB BC CD DE EF FG GH\"\nweights = \"0..=65535\"";
    let four = "graph = \"G4\"\nweights = \"0..=65535\"";
    refuse_manifests(&[
        (with_space(five), &["space.weights: ", "18,446,744,073,709,551,616 lines", "the limit is 2^62"]),
        (with_space(seven), &["space.weights: ", "lines", "the limit is 2^62"]),
    ]);
    let room = Room::new();
    let manifest = room.write("bad.toml", &with_space(four));
    for command in ["run", "check"] {
        refused(&room, &room.refute([command, &manifest]), 2, &["run.shard_seconds: 10 cuts this space into", "the limit is 10000000"]);
    }
    for (size, limit) in [("1KiB", "1.0 KiB"), ("1B", "1 B")] {
        let ended = room.refute(["run", "h1", "--memory", size]);
        refused(&room, &ended, 2, &["--memory: H1, weights 0..=48 needs 10.3 KiB of tables", &format!("the limit is {limit}")]);
    }
}

#[test]
fn a_wrong_manifest_is_refused_by_its_key() {
    let good_space = "[space]\ngraph = \"H1\"\nweights = \"1..=3\"\n";
    let with_claims = |claims: &str| format!("name = \"bad\"\nfamily = \"graph-nim\"\nclaims = {claims}\n{good_space}");
    let with_run = |run: &str| format!("{HELD}[run]\n{run}\n");
    refuse_manifests(&[
        (String::new(), &["name is missing", "name = "]),
        ("name = \"bad\"\nfamily == 1\n".to_owned(), &["line 2, column 9: not TOML"]),
        ("name = \"bad\"\nname = \"bad\"\n".to_owned(), &["line 2, column 1: not TOML"]),
        (format!("nmae = \"bad\"\nfamily = \"graph-nim\"\n{good_space}"), &["nmae: unknown key", "did you mean 'name'?"]),
        (format!("name = \"a/b\"\nfamily = \"graph-nim\"\n{good_space}"), &["name: 'a/b' is not allowed", "letters, digits"]),
        (format!("name = \"bad\"\n{good_space}"), &["family is missing", "graph-nim"]),
        (format!("name = \"bad\"\nfamily = \"graph-nym\"\n{good_space}"), &["family: unknown family 'graph-nym'", "graph-nim"]),
        ("name = \"bad\"\nfamily = \"graph-nim\"\n".to_owned(), &["space is missing", "[space]"]),
        ("name = \"bad\"\nfamily = \"graph-nim\"\nspace = 7\n".to_owned(), &["space: must be one box"]),
        (with_claims("[\"four-edges/lemma-4.77\"]"), &["claims: unknown claim 'four-edges/lemma-4.77'", "four-edges/lemma-4.7"]),
        (with_claims("[\"four-edges/thm-9.*\"]"), &["claims: unknown claim 'four-edges/thm-9.*'", "refute claims"]),
        (with_claims("[]"), &["claims: must be a list of claim ids"]),
        (with_claims("\"four-edges/lemma-4.7\""), &["claims: must be a list of claim ids"]),
        (with_run("shard_seconds = 0"), &["run.shard_seconds: 0 is not allowed", "above 0"]),
        (with_run("shard_seconds = \"10\""), &["run.shard_seconds: ", "a number of seconds"]),
        (with_run("counterexamples = 1000001"), &["run.counterexamples: 1000001 is not allowed", "from 1 to 1000000"]),
        (with_run("record = \"some\""), &["run.record: ", "\"none\", \"losing\" or \"all\""]),
        (with_run("replicas = 0"), &["run.replicas: 0 is not allowed"]),
        (with_run("shardseconds = 1"), &["run.shardseconds: unknown key", "did you mean 'shard_seconds'?"]),
    ]);
}

#[test]
fn a_manifest_that_cannot_be_had_is_refused_by_its_name() {
    let room = Room::new();
    room.write("binary.toml", "");
    std::fs::write(room.path("binary.toml"), [0xff, 0xfe, 0x00]).unwrap();
    for command in ["run", "check"] {
        for (manifest, expected) in [
            ("missing.toml", ["missing.toml: cannot be read", "No such file"]),
            ("./missing", ["./missing: cannot be read", "No such file"]),
            ("./", ["./: cannot be read", "directory"]),
            ("binary.toml", ["binary.toml: cannot be read", "UTF-8"]),
            ("four-edge", ["unknown sweep 'four-edge'", "did you mean 'four-edges'?"]),
            ("", ["unknown sweep ''", "are known ('refute sweeps' lists them)"]),
        ] {
            refused(&room, &room.refute([command, manifest]), 2, &expected);
        }
    }
}

#[test]
fn a_wrong_set_is_refused() {
    let room = Room::new();
    for (assignment, expected) in [
        ("space.weight=3", vec!["--set space.weight: unknown key", "graph, weights"]),
        ("space.weights=", vec!["space.weights: '' is not a range"]),
        ("space.weights=3..=1", vec!["space.weights: the range 3..=1 is empty"]),
        ("space.graph=H0", vec!["space.graph: unknown graph 'H0'"]),
    ] {
        refused(&room, &room.refute(["run", "h1", "--set", assignment]), 2, &expected);
    }
    for assignment in ["weights=3", "space.weights", "space.=3", "run.record=all", "space.a.b=3", "=", ""] {
        let ended = room.refute(["run", "h1", "--set", assignment]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        let sentence = format!("'{assignment}' is not of the form space.KEY=VALUE, such as space.weights=0..=64");
        assert!(ended.stderr.contains(&sentence) && !room.has_data(), "{}", ended.stderr);
    }
}

#[test]
fn a_wrong_option_is_refused() {
    let room = Room::new();
    for (arguments, expected) in [
        (vec!["run", "h1", "--memory", "lots"], "'lots' is no size; write for instance 2GiB"),
        (vec!["run", "h1", "--memory", "0"], "'0' is no memory at all"),
        (vec!["run", "h1", "--memory", "99999999TiB"], "is more than 2^64 bytes"),
        (vec!["run", "h1", "--workers", "0"], "write one from 1 to 4096"),
        (vec!["run", "h1", "--workers", "two"], "write one from 1 to 4096"),
        (vec!["run", "h1", "--wrokers", "2"], "'--workers'"),
        (vec!["run", "h1", "--workers", "-1"], "--workers: '-1' is no number of slots; write one from 1 to 4096"),
        (vec!["run", "h1", "--memory", "5"], "--memory: '5' means 5 bytes, too little for any table; write the unit as well"),
        (vec!["run", "h1", "--data", "-1"], "--data has no value; if '-1' is meant as one, write --data=-1"),
        (vec!["run", "h1", "--workers", "1", "--workers", "2"], "--workers stands twice; keep one of them"),
        (
            vec!["run", "h1", "--set", "space.weights=1", "--set", "space.graph=G4", "--set", "space.weights=2"],
            "--set space.weights stands twice; keep one of them",
        ),
        (vec!["run", "nope"], "unknown sweep 'nope'; 25 are known ('refute sweeps' lists them); a file has a '/'"),
        (vec!["run"], "MANIFEST"),
        (vec!["rnu", "h1"], "'rnu'"),
        (vec!["submit", "h1"], "--coordinator"),
        (vec!["cancel", "h1"], "--coordinator"),
        (vec!["submit", "h1", "--coordinator", "here"], "'here' names no port; write for instance http://127.0.0.1:7433"),
        (vec!["list", "--coordinator", "localhost:9", "--data", "d"], "--coordinator and --data do not go together; keep one of them"),
        (vec!["list", "--coordinator", "ftp://here:1"], "'ftp://here:1' is neither an http nor an https URL"),
        (vec!["serve"], "--data"),
        (vec!["serve", "--data", "data", "--lease-ttl-ms", "1"], "write one from 100 to 86400000, such as 15000"),
        (vec!["report", "h1", "--format", "yaml"], "--format: 'yaml' is none of its values; write one of text, json, markdown"),
        (vec!["report", "h1", "--format", "jsno"], "did you mean 'json'?"),
        (vec!["claims", "--family", "chess"], "--family: unknown family 'chess'"),
        (vec!["claims", "--source", "Theorem 99"], "--source: no claim has the source 'Theorem 99'; write for instance \"Theorem 4.6\""),
    ] {
        let ended = room.refute(&arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(expected), "'{expected}' is not in: {}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        assert!(!room.has_data(), "{arguments:?}");
    }
}

/// Each flag that takes a number, a size, an address or one of several words, with the rest of a command that takes it. Whatever
/// makes no sense is refused in one line that names the flag and what would be right, and with exit code 2.
#[test]
fn whatever_makes_no_sense_as_the_value_of_a_flag_is_refused_by_its_name() {
    let room = Room::new();
    let nonsense = ["abc", "-1", "", "1.5", "99999999999999999999999999"];
    let zero = ["0"];
    let (run, serve) = (&["run", "h1"], &["serve", "--data", "data"]);
    let remote = &["submit", "h1", "--coordinator", "localhost:9"];
    for (command, flag, values, right) in [
        (&run[..], "--workers", [&nonsense[..], &zero].concat(), "write one from 1 to 4096"),
        (run, "--memory", [&nonsense[..4], &zero].concat(), "write "),
        (run, "--set", nonsense.to_vec(), "space.KEY=VALUE"),
        (run, "--log-format", nonsense.to_vec(), "text, json"),
        (serve, "--lease-ttl-ms", [&nonsense[..], &zero].concat(), "write one from 100 to 86400000"),
        (serve, "--listen", [&nonsense[..], &zero].concat(), "--listen"),
        (serve, "--http", [&nonsense[..], &zero].concat(), "--http"),
        (remote, "--priority", vec!["abc", "", "1.5", "99999999999999999999999999"], "write a whole number from -2147483648"),
        (&["list"], "--coordinator", [&nonsense[..], &zero].concat(), "http://127.0.0.1:7433"),
        (&["counterexamples", "x"], "--limit", nonsense.to_vec(), "write a whole number, such as 20"),
        (&["report", "x"], "--format", nonsense.to_vec(), "text, json, markdown"),
        (&["claims"], "--family", nonsense.to_vec(), "known: graph-nim"),
    ] {
        for value in values {
            for typed in [vec![flag.to_owned(), value.to_owned()], vec![format!("{flag}={value}")]] {
                let ended = room.refute(command.iter().map(|word| (*word).to_owned()).chain(typed.clone()));
                let is_one_line = ended.stderr.starts_with("refute: ") && ended.stderr.lines().count() == 1;
                assert!(ended.code == Some(2) && ended.stdout.is_empty() && is_one_line, "{typed:?}: {}", ended.stderr);
                assert!(ended.stderr.contains(flag), "{typed:?}: {}", ended.stderr);
                // What looks like a flag itself, or is nothing, may not come as far as being looked at.
                let is_unseen = ended.stderr.contains("has no value");
                assert!(is_unseen || ended.stderr.contains(right), "{typed:?}: {}", ended.stderr);
                assert!(!room.has_data(), "{typed:?}");
            }
        }
    }
}

#[test]
fn what_is_not_there_is_told() {
    let room = Room::new();
    for question in [vec!["list"], vec!["status", "h1-0"], vec!["report", "h1-0"]] {
        let nothing = ["there is no data in './refute-data': there is no such directory; --data names a directory where 'refute run' or"];
        refused(&room, &room.refute(&question), 2, &nothing);
        let elsewhere = room.refute(question.iter().chain(&["--data", "elsewhere"]));
        refused(&room, &elsewhere, 2, &["there is no data in 'elsewhere'"]);
    }
    // Nobody listens on port 9 of this machine.
    let nobody = ["cannot reach a coordinator at http://127.0.0.1:9: ", "Connection refused"];
    for question in [vec!["list"], vec!["status", "h1-0"], vec!["report", "h1-0"], vec!["submit", "h1"], vec!["cancel", "h1-0"]] {
        let ended = room.refute(question.iter().chain(&["--coordinator", "127.0.0.1:9"]));
        refused(&room, &ended, 3, &nobody);
    }
    let manifest = room.write("manifest.toml", HELD);
    room.refute(["run", &manifest]).expect(0);
    for id in ["held-000000000000", "held", "", "\u{1F600}"] {
        for command in ["status", "report"] {
            let ended = room.refute([command, id]);
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
            assert_eq!(ended.stderr, format!("refute: there is no sweep '{id}'; 'refute list' lists them\n"));
        }
    }
}

#[test]
fn a_position_that_cannot_be_explained_is_told_with_an_example() {
    let room = Room::new();
    for (parameters, expected) in [
        ("", "--graph is missing"),
        ("--graph H1", "--weights is missing"),
        ("--graph H1 --weights", "--weights has no value"),
        ("--graph H9 --weights 1,2,3,4", "--graph: unknown graph 'H9'"),
        ("--graph H1 --weights 1,2,3", "--weights: H1 has 4 edges, AB, BC, CD, EF, and there are 3 weights"),
        ("--graph H1 --weights 1,2,3,four", "--weights: 'four' is no weight"),
        ("--graph H1 --weights 1,2,3,65536", "--weights: '65536' is no weight"),
        ("--graph H1 --weights 1,2,3,-1", "--weights: '-1' is no weight"),
        ("--graph H1 --weights 1,,3,4", "--weights: '' is no weight"),
        ("--graph H1 --weights 60000,60000,60000,60000", "--weights: too large for the reference"),
        ("--graph H1 --edges AB --weights 1", "--edges: --graph already names the graph"),
        ("--graph H1 --heap 4", "unknown key"),
        ("--edges AA --weights 1", "--edges: the edge AA is a loop"),
        ("--edges AB,BA --weights 1,2", "--edges: the edge BA stands twice"),
        ("H1 1,2,3,4", "'H1' is no parameter"),
    ] {
        let ended = room.refute(["explain", "graph-nim"].into_iter().chain(parameters.split_whitespace()));
        let example = if parameters.starts_with("--edges") { "--edges AB,BC,CD --weights 5,1,6" } else { "--graph H1 --weights 5,1,6,11" };
        refused(&room, &ended, 2, &[expected, &format!("refute explain graph-nim {example}")]);
    }
    refused(&room, &room.refute(["explain", "chess", "--board", "8"]), 2, &["unknown family 'chess'", "graph-nim"]);
    let twice = room.refute(["explain", "graph-nim", "--graph", "H1", "--graph", "H2"]);
    refused(&room, &twice, 2, &["--graph stands twice"]);
}
