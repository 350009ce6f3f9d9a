//! Boxes of hypergraphs: their sizes, the order of their units, their encodings and keys, and the sentence that each bad box
//! gets.

use crate::families::testing::assert_refused;
use crate::families::{Family, GameBox, GameSpace, Room, SolveError, Task};
use crate::sweep::{Record, Stated};

use super::super::HypergraphTakeaway;
use super::super::boxes::{HypergraphBox, Unit};
use super::super::names::Named;
use super::{GoOn, sweep, task, whole};

#[test]
fn odd_numbers_of_vertices_are_passed_over() {
    let even = sweep("[space]\nvertices = \"2..=14\"\n");
    assert_eq!(even.configurations(), sweep("[space]\nvertices = \"1..=15\"\n").configurations());
    assert_eq!(even.configurations(), 1 + 6 + 18 + 45 + 105 + 231 + 481);
}

#[test]
fn all_hypergraphs_are_as_many_as_burnside_says() {
    assert_eq!(sweep("[space]\nall = { vertices = \"1..=5\" }\n").configurations(), 1 + 2 + 8 + 180 + 612_032);
    assert_eq!(sweep("[space]\nall = { vertices = 6 }\nuniform = 3\n").configurations(), 2136);
    assert_eq!(sweep("[space]\nall = { vertices = \"1..=4\", smallest = 1 }\n").configurations(), 2 + 6 + 40 + 1992);
}

#[test]
fn units_are_in_the_order_of_size() {
    let tables: Vec<toml::Table> =
        ["vertices = \"2..=4\"", "all = { vertices = \"1..=2\" }"].iter().map(|text| text.parse().unwrap()).collect();
    let space = GameSpace::<HypergraphTakeaway>::parse(&tables, None, &Stated::default()).unwrap();
    let units = |index| (0..space.get(index).unwrap().units()).map(|unit| space.get(index).unwrap().unit(unit)).collect::<Vec<Unit>>();
    let member = |order, number| Unit::Member { order, number };
    assert_eq!(units(0), [member(2, 1), member(4, 1), member(4, 2), member(4, 3), member(4, 4), member(4, 5), member(4, 6)]);
    let class = |vertices, number| Unit::Class { vertices, number };
    assert_eq!(units(1), [class(1, 0), class(2, 0), class(2, 1)]);
}

#[test]
fn each_bad_box_gets_a_sentence_that_names_the_key() {
    let cases = [
        ("", "space.vertices is missing"),
        ("vertices = 3", "space.vertices: 3 has no even number from 2 on"),
        ("vertices = \"0..=1\"", "space.vertices: 0..=1 has no even number from 2 on"),
        ("vertices = \"2..=64\"", "space.vertices: 2..=64 goes beyond what the solver can hold, which is 62 vertices in X"),
        ("vertices = \"two\"", "space.vertices: 'two' is not a range"),
        ("vertices = 4\nedges = \"ab\"", "space: a box has one of vertices, all and edges"),
        ("vertices = 4\nuniform = 3", "space.uniform: it goes with all"),
        ("vertex = 4", "space.vertex: unknown key; known: "),
        ("all = 5", "space.all: write for instance"),
        ("all = {}", "space.all: write for instance"),
        ("all = { edges = 5 }", "space.all.edges: unknown key; known: vertices"),
        ("all = { smallest = 1 }", "space.all: write for instance"),
        ("all = { vertices = 3, smallest = 0 }", "space.all.smallest: 0 is not allowed; it is the least number of vertices"),
        ("all = { vertices = 3, smallest = 3 }", "space.all.smallest: 3 is not allowed"),
        ("all = { vertices = 3, smallest = \"1\" }", "space.all.smallest: \"1\" is not allowed"),
        ("all = { vertices = 3, smallest = 1 }\nuniform = 2", "space.all.smallest: with uniform every hyperedge has as many"),
        ("all = { vertices = 5, smallest = 1 }", "space.all.vertices: 5 goes beyond what the solver can hold"),
        ("all = { vertices = \"1..=6\" }", "space.all.vertices: 1..=6 goes beyond what the solver can hold"),
        ("all = { vertices = 99999999999 }", "space.all.vertices: 99999999999 goes beyond what the solver can hold"),
        ("all = { vertices = 7 }\nuniform = 3", "space.all.vertices: 7 goes beyond what the solver can hold"),
        ("all = { vertices = 5 }\nuniform = 1", "space.uniform: 1 is not allowed"),
        ("all = { vertices = 5 }\nuniform = \"3\"", "space.uniform: \"3\" is not allowed"),
        ("edges = 5", "space.edges: write for instance"),
        ("edges = [5]", "space.edges: write for instance"),
        ("edges = []", "space.edges: there are 0 hypergraphs"),
        ("edges = \"abc,ab?\"", "space.edges: 'ab?' has '?', which is no vertex"),
        ("edges = [\"abc\", \"abc,cba\"]", "space.edges: the hyperedge abc stands twice"),
        ("edges = \"abc,,d\"", "space.edges: hyperedge 2 is empty"),
        ("edges = \"abcdefghijklmnopqrstu\"", "space.edges: abcdefghijklmnopqrstu, with 21 vertices, goes beyond what the solver can hold"),
    ];
    assert_refused(&HypergraphTakeaway, &cases);
}

/// Counting the positions of a hypergraph on 20 vertices goes through all sets of them, which is known before.
#[test]
fn counting_positions_takes_room_before_it_is_done() {
    let listed = |room: &mut Room| HypergraphBox::listed(vec![Named::parse("abcdefghij,ab,bc").unwrap()], room).map(|one| one.units());
    let mut room = Room::default();
    room.steps("space.edges", (1 << 30) - (1 << 10) * 4).unwrap();
    assert_eq!(listed(&mut room), Ok(1));
    let refused = listed(&mut room).unwrap_err().to_string();
    assert!(refused.starts_with("space.edges: to make the boxes up to this one takes more than 1,073,741,824 steps"), "{refused}");
}

#[test]
fn each_bad_parameter_gets_a_sentence_that_names_it() {
    let explain = |pairs: &[(&str, &str)]| {
        let parameters: Vec<(String, String)> = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        HypergraphTakeaway.explain(&parameters).map(|_| ()).unwrap_err().to_string()
    };
    assert!(explain(&[]).starts_with("--edges is missing"));
    assert!(explain(&[("edge", "ab")]).starts_with("--edge: unknown key; did you mean 'edges'?"));
    assert!(explain(&[("edges", "ab,")]).starts_with("--edges: hyperedge 2 is empty"));
    assert!(explain(&[("edges", "abcdefghijklmnopqrstu")]).contains("too large for the reference"));
}

#[test]
fn bad_encodings_are_refused() {
    for bad in [
        "",
        "{}",
        "{\"version\":2,\"boxes\":[{\"members\":{\"vertices\":\"2\"}}]}",
        "{\"version\":1,\"boxes\":[]}",
        "{\"version\":1,\"boxes\":[{\"members\":{\"vertices\":\"3\"}}]}",
        "{\"version\":1,\"boxes\":[{\"listed\":{\"edges\":[\"a?\"]}}]}",
    ] {
        assert!(HypergraphTakeaway.decode(bad, &[], &[]).is_err(), "{bad}");
    }
}

#[test]
fn keys_of_what_is_not_in_the_space_have_no_value() {
    let sweep = sweep("[space]\nall = { vertices = \"2..=4\" }\n");
    let mut reference = sweep.space.reference();
    // Of the three words with one edge on three vertices the least is canonical.
    let key = |vertices: u16, hyperedges: u16, word: u64, box_index: u32| {
        [&vertices.to_be_bytes()[..], &hyperedges.to_be_bytes(), &[2], &word.to_be_bytes(), &box_index.to_be_bytes()].concat()
    };
    assert_eq!(reference.value(&key(3, 1, 1, 0)).as_deref(), Some("*3"));
    for wrong in [key(3, 1, 2, 0), key(3, 2, 1, 0), key(3, 1, 1, 1), key(1, 0, 0, 0), key(5, 0, 0, 0), key(3, 1, 1 << 40, 0), vec![1, 2, 3]]
    {
        assert_eq!(reference.value(&wrong), None, "{wrong:?}");
    }
}

#[test]
fn keys_of_members_that_are_not_in_the_box_have_no_value() {
    let sweep = sweep("[space]\nvertices = \"4..=6\"\n");
    let mut reference = sweep.space.reference();
    let key = |vertices: u16, hyperedges: u16, number: u64| {
        [&vertices.to_be_bytes()[..], &hyperedges.to_be_bytes(), &[1], &number.to_be_bytes(), &0u32.to_be_bytes()].concat()
    };
    // With four vertices in X: the six graphs after the one without an edge, by their edges; the first is one path of an edge.
    assert_eq!(reference.value(&key(5, 2, 1)).as_deref(), Some("*"));
    for wrong in [key(5, 1, 0), key(5, 5, 7), key(3, 2, 1), key(9, 2, 1), key(5, 3, 1), key(0, 0, 0)] {
        assert_eq!(reference.value(&wrong), None, "{wrong:?}");
    }
}

#[test]
fn what_is_kept_of_a_sweep_for_losing_positions_is_worth_0() {
    let sweep = sweep("[space]\nvertices = \"2..=6\"\n");
    let records = |record| {
        let task = Task { record, ..task(&sweep) };
        let mut records = sweep.space.solver().solve(&whole(&sweep, 0), &task, &mut GoOn).unwrap().records;
        records.sort();
        records
    };
    let zero: Vec<_> = records(Record::All).into_iter().filter(|record| record.value == "0").collect();
    assert!(!zero.is_empty());
    assert_eq!(records(Record::Losing), zero);
}

#[test]
fn a_budget_below_the_tables_is_refused_before_they_are_made() {
    for space in ["vertices = \"2..=30\"", "all = { vertices = 5 }", "edges = \"abcdefghijkl,abc,def,ghi\""] {
        let sweep = sweep(&format!("[space]\n{space}\n"));
        let task = Task { budget_bytes: 1000, ..task(&sweep) };
        let result = sweep.space.solver().solve(&whole(&sweep, 0), &task, &mut GoOn);
        assert!(matches!(result, Err(SolveError::TooLarge { budget: 1000, .. })), "{space}");
    }
}
