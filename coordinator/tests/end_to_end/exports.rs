//! Tables of what a sweep has found, and two reports beside each other, as a person gets them.

use serde_json::{Value, json};

use crate::manifests::REFUTED;
use crate::network::Coordinator;
use crate::room::Room;

/// The rows of a table as JSON lines.
fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A small sweep of each family that refutes something and keeps positions.
const SWEEPS: [(&str, &str); 4] = [
    ("graph-nim", "graph = \"H1\"\nweights = \"0..=4\"\n"),
    ("partizan-subtraction", "a = 1\nb = 3\ntau = 1\nheap = \"0..=12\"\n"),
    ("hypergraph-takeaway", "vertices = 4\n"),
    ("directed-grabbing", "grid = { rows = 2, columns = 2, weights = \"0..=2\" }\n"),
];

fn manifest(family: &str, space: &str) -> String {
    let own = "[[claim]]\nid = \"my/never\"\nsays = \"1 == 2\"\n[[claim]]\nid = \"my/undefined\"\nsays = \"1 // 0 == 1\"\n";
    format!("name = \"exported\"\nfamily = \"{family}\"\n[space]\n{space}{own}[run]\nrecord = \"all\"\ncounterexamples = 7\n")
}

#[test]
fn tables_hold_what_the_json_report_holds_in_every_family() {
    for (family, space) in SWEEPS {
        let room = Room::new();
        let file = room.write("m.toml", &manifest(family, space));
        let report = room.refute(["run", &file, "--json"]).json(1);
        let id = report["sweep"]["id"].as_str().unwrap();
        let export = |what: &str, format: &str| room.refute(["export", id, "--what", what, "--format", format]).expect(0).to_owned();
        let total: usize = report["configurations"]["total"].as_str().unwrap().parse().unwrap();
        let found = rows(&export("counterexamples", "jsonl"));
        let lists = [("my/never", "refuted", "counterexamples"), ("my/undefined", "undefined", "undefined_at")];
        for (claim, finding, key) in lists {
            let listed = report["claims"].as_array().unwrap().iter().find(|one| one["id"] == claim).unwrap()[key].as_array().unwrap();
            let of_claim: Vec<&Value> = found.iter().filter(|row| row["claim"] == claim).collect();
            assert_eq!([listed.len(), of_claim.len()], [total.min(7); 2], "{family}");
            for (row, listed) in of_claim.into_iter().zip(listed) {
                for part in ["predicted", "actual", "confirmed", "witness", "reason"] {
                    assert_eq!(row[part], listed[part], "{family}");
                }
                assert_eq!((&row["finding"], &row["box"]), (&json!(finding), &report["sweep"]["boxes"][0]), "{family}");
            }
        }
        let positions = rows(&export("positions", "jsonl"));
        assert_eq!(positions.len(), total, "{family}");
        assert!(positions.iter().all(|row| row["value"].as_str().is_some_and(|value| !value.is_empty())), "{family}");
        let tallies = rows(&export("tallies", "jsonl"));
        for (row, claim) in tallies.iter().zip(report["claims"].as_array().unwrap()) {
            assert_eq!(row["refuted"].to_string(), claim["refuted"].as_str().unwrap());
            assert_eq!((&row["claim"], &row["verdict"]), (&claim["id"], &claim["verdict"]));
        }
        assert_eq!(rows(&export("counts", "jsonl")).len(), report["groups"].as_array().map_or(0, Vec::len), "{family}");
        // The same rows as CSV, with the names of the columns above them; no cell here has a line of its own.
        for what in ["counterexamples", "positions", "tallies", "counts"] {
            assert_eq!(export(what, "csv").lines().count(), 1 + rows(&export(what, "jsonl")).len(), "{family}: {what}");
        }
    }
}

#[test]
fn weights_stand_in_a_column_per_edge() {
    let room = Room::new();
    let file = room.write("m.toml", REFUTED);
    let id = room.refute(["run", &file, "--json"]).json(1)["sweep"]["id"].as_str().unwrap().to_owned();
    let csv = room.refute(["export", &id, "--what", "counterexamples"]).expect(0).to_owned();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("claim,finding,box,graph,AB,BC,CD,EF,predicted,actual,confirmed,witness,reason,subexpressions"));
    assert!(lines.next().unwrap().starts_with("four-edges/"), "{csv}");
}

#[test]
fn a_coordinator_and_its_directory_give_the_same_table_and_a_file_is_whole_or_not_there() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(REFUTED);
    let early = coordinator.refute(&["export", &id, "--what", "tallies"]);
    assert_eq!(early.expect(0).lines().next().unwrap().split(',').next(), Some("claim"));
    assert!(early.stderr.contains(&format!("{id} is queued: these are")), "{}", early.stderr);
    let _worker = room.start_worker(&coordinator.address);
    coordinator.complete(&id);
    let export = ["export", &id, "--what", "counterexamples", "--format", "jsonl"];
    let remote = coordinator.refute(&export).expect(0).to_owned();
    assert_eq!(room.refute(export.iter().chain(&["--data", "data"])).expect(0), remote);
    assert_eq!(coordinator.refute(&[&export[..], &["--out", "found.jsonl"]].concat()).expect(0), "");
    assert_eq!(std::fs::read_to_string(room.path("found.jsonl")).unwrap(), remote);
    let unknown = coordinator.refute(&["export", "nope", "--what", "tallies", "--out", "none.csv"]);
    assert_eq!(unknown.expect(2), "");
    assert!(unknown.stderr.contains("there is no sweep 'nope'"), "{}", unknown.stderr);
    assert!(!room.path("none.csv").exists() && !room.path("none.csv.partial").exists());
    let sequence = coordinator.refute(&["export", &id, "--what", "tallies", "--format", "bfile"]);
    assert_eq!(sequence.expect(2), "");
    assert!(sequence.stderr.contains("--format bfile: tallies are no sequence"), "{}", sequence.stderr);
    coordinator.process.signal("TERM");
    assert_eq!(coordinator.process.wait().code, Some(0));
}

#[test]
fn grundy_values_of_a_heap_are_a_sequence() {
    let room = Room::new();
    let nim = "name = \"heap\"\nfamily = \"graph-nim\"\n[space]\nedges = \"AB BC\"\nweights = { AB = \"0..=9\", BC = 3 }\nquantities = [\"grundy\"]\n[run]\nrecord = \"all\"\n";
    let file = room.write("m.toml", nim);
    let id = room.refute(["run", &file, "--json"]).json(0)["sweep"]["id"].as_str().unwrap().to_owned();
    let sequence = room.refute(["export", &id, "--what", "positions", "--format", "bfile"]);
    let terms: Vec<&str> = sequence.expect(0).lines().collect();
    assert_eq!((terms.len(), terms[0]), (10, "0 3"), "{}", sequence.stdout);
}

#[test]
fn two_reports_are_held_against_each_other() {
    let room = Room::new();
    let file = room.write("m.toml", REFUTED);
    let report = room.refute(["run", &file, "--json"]);
    let id = report.json(1)["sweep"]["id"].as_str().unwrap().to_owned();
    room.write("report.json", &report.stdout);
    let same = room.refute(["diff", &id, "report.json"]);
    assert!(same.expect(0).starts_with(&format!("{id} and {id} agree")), "{}", same.stdout);
    let other = room.refute(["run", &file, "--json", "--set", "space.weights=0..=3"]);
    let other = other.json(1)["sweep"]["id"].as_str().unwrap().to_owned();
    let differ = room.refute(["diff", &id, &other]);
    assert!(differ.expect(1).contains("boxes: ") && differ.stdout.contains("  right: "), "{}", differ.stdout);
    assert_eq!(room.refute(["diff", &id, &other, "--json"]).json(1)["same"], json!(false));
    room.write("none.json", "{}");
    let none = room.refute(["diff", &id, "./none.json"]);
    assert_eq!(none.expect(2), "");
    assert!(none.stderr.contains("none.json: no JSON report of refute"), "{}", none.stderr);
}

#[test]
fn a_report_as_latex_and_as_html_names_every_claim() {
    let room = Room::new();
    let file = room.write("m.toml", REFUTED);
    let report = room.refute(["run", &file, "--json"]).json(1);
    let id = report["sweep"]["id"].as_str().unwrap();
    let html = room.refute(["report", id, "--format", "html"]).expect(1).to_owned();
    let latex = room.refute(["report", id, "--format", "latex"]).expect(1).to_owned();
    assert!(html.starts_with("<!DOCTYPE html>") && !html.contains("<script") && !html.contains("http:") && !html.contains("https:"));
    assert_eq!(latex.matches("\\begin{").count(), latex.matches("\\end{").count());
    for claim in report["claims"].as_array().unwrap() {
        let id = claim["id"].as_str().unwrap();
        assert!(html.contains(&format!("<section id=\"{id}\">")), "{id}");
        assert!(latex.contains(&id.replace('_', "\\_").replace('/', "/\\allowbreak{}")), "{id}");
    }
}
