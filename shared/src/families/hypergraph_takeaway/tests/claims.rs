//! Copies of the claims that are off by one are refuted, and groups, values and counts are those that a second program found.

use std::collections::BTreeSet;

use crate::claim::Prediction;
use crate::families::testing::refuted_copies;
use crate::families::{Check, Confirmation, Game, Predicate};
use crate::value::{Impartial, Nimber, Play};

use super::super::HypergraphTakeaway;
use super::super::claims::{Position, drawn, some_a, some_b_or_c};
use super::super::components::{Component, Components, Numbering};
use super::super::hypergraph::Hypergraph;
use super::super::member::{Group, Member};
use super::super::reference::ReferenceSolver;
use super::super::solver::Members;
use super::{solve, sweep, whole};

/// The claims of which some copy is refuted that reads the position one unit beside: a vertex or a hyperedge more, or a member
/// with one vertex of a subcategory, or one hyperedge of Y, more or fewer.
pub fn refuted_when_off_by_one() -> BTreeSet<String> {
    let mut entries = HypergraphTakeaway::claims();
    entries.retain(|entry| !matches!(entry.predicate, Predicate::Text { .. }));
    let mut refuted = copies_of_texts_are_refuted();
    let mut reference = ReferenceSolver::default();
    let complete = [0b011u64, 0b101, 0b110, 0b111];
    let several =
        (0u32..16).map(|sets| complete.into_iter().enumerate().filter(|(place, _)| sets >> place & 1 == 1).map(|(_, set)| set).collect());
    let numbering = Numbering::new(8);
    let members = [2, 4, 6].into_iter().flat_map(|order| (1..numbering.count(order)).map(move |number| (order, number)));
    let members = members.map(|(order, number)| numbering.graph(order, number).member());
    for hypergraph in several.map(|sets| Hypergraph::new(3, sets)).chain(members) {
        let value = Impartial::Grundy(Nimber(reference.grundy(&hypergraph)));
        for position in beside(Position::of(&hypergraph)) {
            let wrong = |says: Prediction<_, Impartial>| says.check(Some(&value), &[]) == Check::Refuted;
            refuted.extend(
                entries.iter().filter(|entry| wrong(entry.predict(&position).unwrap())).map(|entry| entry.claim.id.clone().into_owned()),
            );
        }
    }
    // That groups III to V have a B or a C vertex, and groups I, III, IV and V an A vertex, is their definition, and no member can
    // say otherwise. The copy for the group before them is refuted by the smallest member, and that for group II by the cycle.
    let smallest = Position::of(&numbering.graph(2, 1).member());
    if some_b_or_c(&smallest, &[Group::I]).check(None, &[]) == Check::Refuted {
        refuted.insert("hypergraphs/remark-6.b".to_owned());
    }
    let cycle = Position::of(&Components::new(vec![Component { order: 4, is_cycle: true }]).member());
    if some_a(&cycle, |member| member.group() == Some(Group::II)).check(None, &[]) == Check::Refuted {
        refuted.insert("hypergraphs/remark-6.a".to_owned());
    }
    // Figure 3 is drawn as it is, and a member beside is another one. With B and C exchanged for A and D its third is refuted.
    let third = Position::of(&path_and_isolated(4, 2).member());
    if drawn(&third, &[("ABCDEF", &["AB", "BC", "CD"], Some(["BC", "AD", "EF"]))]).check(None, &[]) == Check::Refuted {
        refuted.insert("hypergraphs/figure-3".to_owned());
    }
    refuted
}

/// The claims that are their texts: a copy of each with a value, a parity or a group that is off by one.
fn copies_of_texts_are_refuted() -> BTreeSet<String> {
    let copies = [
        ("thm-7-kinds", "o.vertices % 2 == 1", "o.vertices % 2 == 0"),
        ("thm-7-mex", "mex([2, 0, 1, 1]) == 3", "mex([2, 0, 1, 1]) == 4"),
        ("thm-7-base-options", "o.all_even ? 2 : 3", "o.all_even ? 2 : 4"),
        ("thm-7-options", "y_edges - 1 ? 0 : 3", "y_edges - 1 ? 0 : 4"),
        ("thm-7-case-6", "0 : 4", "0 : 3"),
        ("thm-8-base-options", "? 3 : 0", "? 3 : 1"),
        ("thm-8-options", "? 3 : 0", "? 2 : 0"),
        ("thm-9-base-options", "? 2 : 3", "? 2 : 4"),
        ("thm-9-options", "? 2 : 3", "? 1 : 3"),
        ("thm-10-options", "? 2 : 0", "? 2 : 1"),
    ];
    let ids: Vec<String> = copies.iter().map(|(id, ..)| format!("hypergraphs/{id}")).collect();
    refuted_copies(&HypergraphTakeaway, "[space]\nvertices = \"2..=8\"\n", &ids, |id, says| {
        let (_, from, to) = copies.iter().find(|(item, ..)| id.ends_with(&format!("/{item}"))).unwrap();
        says.replacen(from, to, 1)
    })
}

/// A path and isolated vertices.
fn path_and_isolated(order: u8, isolated: usize) -> Components {
    let path = |order| Component { order, is_cycle: false };
    Components::new(std::iter::once(path(order)).chain(std::iter::repeat_n(path(1), isolated)).collect())
}

fn beside(position: Position) -> Vec<Position> {
    let mut all = vec![
        Position { vertices: position.vertices + 1, ..position.clone() },
        Position { hyperedges: position.hyperedges + 1, ..position.clone() },
        Position { greatest_y: position.greatest_y + 1, ..position.clone() },
        Position { all_odd: true, ..position.clone() },
    ];
    if let Some(member) = position.member {
        let fewer = |count: u32| count.checked_sub(1);
        let changed = [
            Some(Member { y: member.y + 1, ..member }),
            Some(Member { x: member.x + 1, ..member }),
            fewer(member.y).map(|y| Member { y, ..member }),
            fewer(member.a).and_then(fewer).map(|a| Member { a, c: member.c + 2, ..member }),
            fewer(member.b).map(|b| Member { b, c: member.c + 1, ..member }),
            Some(Member { a: 0, b: member.a + member.b, ..member }),
            Some(Member { a: 0, b: 0, c: member.x, ..member }),
            Some(Member { a: 0, b: member.x, c: 0, ..member }),
        ];
        all.extend(changed.into_iter().flatten().map(|member| Position { member: Some(member), ..position.clone() }));
    }
    all
}

/// What a second program, which shares no code with this one, found on every member with up to 14 vertices in X: the graph, the
/// group, |E(Y)| and the Grundy value.
const MEMBERS: &str = include_str!("golden/members.tsv");

/// What claims come to by a program that shares no code with this one; `golden/claims.py` made it.
fn counted(space: &'static str) -> impl Iterator<Item = (String, (u128, u128))> {
    include_str!("golden/claims.txt").lines().filter(|line| !line.starts_with('#')).filter_map(move |line| {
        let [of, claim, held, refuted] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        (of == space).then(|| (format!("hypergraphs/{claim}"), (held.parse().unwrap(), refuted.parse().unwrap())))
    })
}

/// The claims about options, which a sweep names.
#[test]
fn options_of_members_come_to_what_another_program_counts() {
    let expected: Vec<(String, (u128, u128))> = counted("members 2..=8").collect();
    assert_eq!(expected.len(), 10);
    let ids: Vec<&String> = expected.iter().map(|(id, _)| id).collect();
    let found = counts(&format!("claims = {ids:?}\n[space]\nvertices = \"2..=8\"\n"));
    assert_eq!(found, expected.into_iter().collect());
}

/// Held and refuted by claim.
type Counts = std::collections::BTreeMap<String, (u128, u128)>;

fn counts(boxes: &str) -> Counts {
    let sweep = sweep(boxes);
    let mut solver = sweep.space.solver();
    let mut counts = Counts::new();
    for box_index in 0..sweep.space.boxes() {
        let result = solve(solver.as_mut(), &sweep, &whole(&sweep, box_index));
        for (id, tally) in sweep.claim_ids().into_iter().zip(result.tally.claims) {
            let sum = counts.entry(id.to_owned()).or_default();
            *sum = (sum.0 + tally.held, sum.1 + tally.refuted);
        }
    }
    counts
}

#[test]
fn every_member_has_the_group_and_the_value_that_a_second_program_found() {
    let numbering = Numbering::new(14);
    let mut solver = Members::new(14, Play::Normal);
    solver.fill(14, &mut || true).unwrap();
    let expected: BTreeSet<(Components, String, u32, u8)> = MEMBERS.lines().filter(|line| !line.starts_with('#')).map(row).collect();
    let mut found = BTreeSet::new();
    for order in (2..=14).step_by(2) {
        for number in 1..numbering.count(order) {
            let graph = solver.graph(order, number);
            let member = Member::of_components(&graph);
            let group = member.group().map_or("none".to_owned(), |group| group.to_string());
            found.insert((graph, group, member.y, solver.worth(order, number)));
        }
    }
    assert_eq!(found.len(), 887);
    assert!(found == expected, "{:?}", found.symmetric_difference(&expected).next());
}

/// A row of the table of members.
fn row(line: &str) -> (Components, String, u32, u8) {
    let [_, graph, group, size, grundy] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
    let components = graph.split('+').flat_map(|word| {
        let (times, kind) = word.split_at(word.find(['P', 'C']).unwrap());
        let component = Component { order: kind[1..].parse().unwrap(), is_cycle: kind.starts_with('C') };
        std::iter::repeat_n(component, if times.is_empty() { 1 } else { times.parse().unwrap() })
    });
    (Components::new(components.collect()), group.to_owned(), size.parse().unwrap(), grundy.parse().unwrap())
}

#[test]
fn on_every_member_with_up_to_14_vertices_in_x_the_claims_come_to_what_a_second_program_counted() {
    // The theorems are held against the values of that table; the lemmas and remarks are counted by `golden/claims.py`.
    let theorems = [("thm-7", (387, 53)), ("thm-8", (370, 0)), ("thm-9", (3, 0)), ("thm-10", (33, 0))];
    let theorems = theorems.map(|(id, counts)| (format!("hypergraphs/{id}"), counts));
    let expected: Counts = theorems.into_iter().chain(counted("members 2..=14")).collect();
    assert_eq!(counts("[space]\nvertices = \"2..=14\"\n"), expected);
}

#[test]
fn on_small_hypergraphs_the_two_theorems_come_to_what_a_second_program_counted() {
    let theorems = |held_2_4, held_2_8| -> Counts {
        [("hypergraphs/thm-2.4".to_owned(), (held_2_4, 0)), ("hypergraphs/thm-2.8".to_owned(), (held_2_8, 0))].into()
    };
    let claims = "claims = [\"hypergraphs/thm-2.*\"]\n";
    assert_eq!(counts(&format!("{claims}[space]\nall = {{ vertices = \"1..=5\" }}\n")), theorems(77, 84));
    assert_eq!(counts(&format!("{claims}[space]\nall = {{ vertices = 6 }}\nuniform = 3\n")), theorems(2136, 1));
    let with_single_vertices = counts(&format!("{claims}[space]\nall = {{ vertices = \"1..=4\", smallest = 1 }}\n"));
    assert_eq!(with_single_vertices, counted("all 1..=4 smallest 1").collect());
}

#[test]
fn each_refuted_claim_has_its_smallest_counterexample_confirmed() {
    let sweep = sweep("[space]\nvertices = \"2..=8\"\n");
    let result = solve(sweep.space.solver().as_mut(), &sweep, &whole(&sweep, 0));
    let mut reference = sweep.space.reference();
    let mut found = Vec::new();
    for ((claim, id), candidates) in sweep.claim_ids().into_iter().enumerate().zip(&result.counterexamples) {
        let confirmed: Vec<_> = candidates.iter().map(|candidate| reference.confirm(claim, &candidate.key, &candidate.actual)).collect();
        for confirmation in &confirmed {
            assert!(matches!(confirmation, Confirmation::Stands(counterexample) if counterexample.confirmed), "{id}: {confirmation:?}");
        }
        if let Some(Confirmation::Stands(first)) = confirmed.first() {
            found.push((id, first.parameters["edges"].to_string(), first.predicted.clone(), first.actual.clone()));
        }
        if let Some(candidate) = candidates.first() {
            let disagrees = reference.confirm(claim, &candidate.key, "*17");
            assert!(matches!(disagrees, Confirmation::Disagrees(_)), "{disagrees:?}");
        }
    }
    let found: Vec<(&str, &str, &str, &str)> =
        found.iter().map(|(id, edges, predicted, actual)| (*id, edges.as_str(), predicted.as_str(), actual.as_str())).collect();
    let triangle = r#"["abcd","Sab","Sbc","Sac"]"#;
    let expected = [
        ("hypergraphs/remark-2", r#"["ab","Sab"]"#, "the greatest |E(Y)| with |V(X)| = 2 is 2", "|E(Y)| = 1 and |V(X)| = 2"),
        ("hypergraphs/lemma-4", triangle, "not all vertices of X are in B and C", "the vertices of X are in B and C, and none is in A"),
        ("hypergraphs/lemma-6", triangle, "it is in exactly one of the groups I to V", "it is in no group"),
        ("hypergraphs/remark-6.a-as-used", triangle, "some vertex of X is in A", "no vertex of X is in A"),
        ("hypergraphs/thm-7", triangle, "*", "0"),
        ("hypergraphs/thm-7-step", triangle, "in group I, III, IV or V", "in group II or in no group"),
    ];
    assert_eq!(found, expected);
}
