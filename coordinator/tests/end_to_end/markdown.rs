//! The report as Markdown: what is in it, and that its tables are tables.

use crate::manifests::REFUTED;
use crate::network::Coordinator;
use crate::room::Room;

/// The cells of each row of each table.
type Table = Vec<Vec<String>>;

/// Splits a row at its pipes, but not at those that are escaped.
fn cells(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut characters = row.chars();
    while let Some(character) = characters.next() {
        match character {
            '|' => cells.push(String::new()),
            '\\' => cells.last_mut().unwrap().extend(characters.next()),
            other => cells.last_mut().unwrap().push(other),
        }
    }
    let [before, inner @ .., after] = cells.as_slice() else { panic!("no row: {row}") };
    assert!(before.is_empty() && after.is_empty(), "a row begins and ends with a pipe: {row}");
    inner.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// The tables of a report. Each row has as many cells as its head, and beneath the head is a line of dashes.
#[track_caller]
fn tables(markdown: &str) -> Vec<Table> {
    let mut tables = vec![Table::new()];
    for line in markdown.lines() {
        if line.starts_with('|') {
            tables.last_mut().unwrap().push(cells(line));
        } else if !tables.last().unwrap().is_empty() {
            tables.push(Table::new());
        }
    }
    tables.retain(|table| !table.is_empty());
    for table in &tables {
        assert!(table.len() > 2, "a head, dashes and something beneath: {table:?}");
        for row in table {
            assert_eq!(row.len(), table[0].len(), "{row:?} under {:?}", table[0]);
        }
        assert!(table[1].iter().all(|cell| cell.trim_end_matches(':') == "---"), "{:?}", table[1]);
    }
    tables
}

#[test]
fn the_tables_hold_what_the_json_report_holds() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", REFUTED);
    for (sweep, groups) in [(manifest.as_str(), 2), ("figures", 6), ("truncated-support-outcomes", 4)] {
        let report = room.refute(["run", sweep, "--json"]).json(1);
        let id = report["sweep"]["id"].as_str().unwrap();
        let markdown = room.refute(["report", id, "--format", "markdown"]);
        let tables = tables(markdown.expect(1));
        assert_eq!(tables.len(), if groups > 0 { 2 } else { 1 }, "{}", markdown.stdout);
        assert_eq!(tables[0][0], ["verdict", "claim", "source", "where", "says", "right", "vacuous", "not defined", "wrong"]);
        let claims = report["claims"].as_array().unwrap();
        assert_eq!(tables[0].len(), claims.len() + 2);
        for (row, claim) in tables[0][2..].iter().zip(claims) {
            let keys = ["verdict", "id", "source", "hypothesis", "statement", "held", "vacuous", "undefined", "refuted"];
            let expected = keys.map(|key| claim[key].as_str().unwrap());
            let plain = row.iter().enumerate().map(|(place, cell)| if place < 5 { cell.clone() } else { cell.replace(',', "") });
            assert_eq!(plain.collect::<Vec<_>>(), expected);
        }
        if groups > 0 {
            assert_eq!((&tables[1][0][..], tables[1].len()), (&["box", "what", "how many"].map(str::to_owned)[..], groups + 2));
            for (row, group) in tables[1][2..].iter().zip(report["groups"].as_array().unwrap()) {
                assert_eq!(row[..], ["box", "label", "count"].map(|key| group[key].as_str().unwrap()));
            }
        }
        assert!(markdown.stdout.starts_with(&format!("# {id}: complete\n")), "{}", markdown.stdout);
        assert!(markdown.stdout.contains(report["fingerprint"].as_str().unwrap()), "{}", markdown.stdout);
        // Counterexamples of a claim stand under a heading of their own.
        for claim in claims {
            let has_some = !claim["counterexamples"].as_array().unwrap().is_empty();
            let heading = format!("\n## Counterexamples to {}\n", claim["id"].as_str().unwrap());
            assert_eq!(markdown.stdout.contains(&heading), has_some, "{heading}");
        }
    }
}

#[test]
fn one_claim_alone_and_a_sweep_that_is_not_complete() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(REFUTED);
    let queued = coordinator.refute(&["report", &id, "--format", "markdown"]).expect(3).to_owned();
    assert!(queued.starts_with(&format!("# {id}: queued\n")) && !queued.contains("fingerprint"), "{queued}");
    assert!(tables(&queued)[0][2..].iter().all(|row| row[0] == "incomplete"), "{queued}");
    let _worker = room.start_worker(&coordinator.address);
    coordinator.complete(&id);
    let one = ["report", &id, "--format", "markdown", "--claim", "four-edges/lemma-4.9.iii-printed"];
    let told = coordinator.refute(&one).expect(1).to_owned();
    let table = &tables(&told)[0];
    assert_eq!((table.len(), table[2][0].as_str(), table[2][1].as_str()), (3, "refuted", one[5]));
    coordinator.process.signal("TERM");
    assert_eq!(coordinator.process.wait().code, Some(0));
    assert_eq!(room.refute(one.iter().chain(&["--data", "data"])).expect(1), told);
}
