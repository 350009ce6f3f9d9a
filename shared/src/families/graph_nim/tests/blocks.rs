//! What claims of a manifest come to by blocks of positions is what a visit to every position comes to.

use proptest::prelude::*;
use proptest::sample::{Index, subsequence};

use crate::families::{Described, Game, GameBox, GameSpace, Read, Room};
use crate::sweep::{Fingerprint, Manifest, Record, Sweep};

use super::super::GraphNim;
use super::super::about::{About, about};
use super::super::boxes::BoxKind;
use super::super::by_blocks::Sampler;
use super::rows::{H1S, h1_claims, range, solve_whole};
use super::{SAMPLES, sweep};

/// Claims of each shape about H1: a hypothesis (or none), the key of what is said, and that.
const SHAPES: [(&str, &str, &str); 30] = [
    // The pivot is pinned.
    ("EF >= 11 && AB % pow2(floor_log2(EF) + 1) == 5 && BC == 1", "says", "outcome == P <=> CD == AB + 1"),
    ("BC == 1 && EF >= 1", "predict", "abs(AB - CD) == 1 ? P : N"),
    ("BC in [1, 3] && AB > 2", "predict", "CD > AB ? N : P"),
    // A line, or all of the row, is pinned.
    ("AB == 2", "says", "outcome == N"),
    ("CD == 3 && BC >= 1", "predict", "AB == CD ? P : N"),
    ("EF == 4", "says", "outcome == P => AB + BC >= CD"),
    ("EF > 1000", "says", "outcome == P"),
    // Ranges, on either side and on both.
    ("1 < BC <= 4", "says", "outcome == P <=> AB + CD == EF"),
    ("BC >= 2 && CD in 1..=5", "predict", "N"),
    ("BC >= AB", "predict", "N"),
    // Everywhere.
    ("", "says", "outcome == N || AB + BC + CD + EF >= 0"),
    ("", "predict", "AB xor CD xor EF == 0 && BC == 0 ? P : N"),
    ("", "says", "outcome == P"),
    ("outcome == P", "says", "BC <= AB + CD + EF"),
    // The pivot and the line in one operand; other operands that are the same along one side.
    ("AB * BC == 6", "says", "outcome == N"),
    ("BC % 3 == 1 && AB % 2 == 0", "predict", "N"),
    ("AB % 4 == 1", "predict", "BC * EF > CD ? N : P"),
    // Not defined: all over the row, along a line, at single positions; before and behind a range.
    ("floor_log2(EF) >= 1 && BC == 1", "says", "outcome == N"),
    ("BC == 1 && 7 % AB == 0", "says", "outcome == N"),
    ("7 % AB == 0 && BC == 1", "predict", "N"),
    ("AB >= 1 => 5 // BC == 1", "says", "outcome == N"),
    ("", "says", "CD >= 1 => AB // (BC - 2) >= 0"),
    // Vacuous.
    ("BC >= 1", "says", "AB == 1 => outcome == N"),
    ("", "says", "all(i in 3..=AB, outcome == N || i + BC > CD)"),
    // Quantifiers take steps.
    ("any(i in 0..=CD, i * i == AB)", "says", "outcome == P => BC <= AB + CD"),
    ("BC == 2", "predict", "count(i in 0..=AB, i % 2 == 1) == EF ? P : N"),
    // Names other than edges.
    ("sum_B == 5", "says", "outcome == N || total >= 5"),
    ("h1_l1 == 1 && BC <= 1", "predict", "h1_l2 == 0 ? P : N"),
    ("h1_modulus == 4 && h1_m2 >= 1", "says", "outcome == P => min(weights) == 0 || len(weights) == 4"),
    ("is_H1 && total % 2 == 1 && BC == 1", "predict", "N"),
];

/// A claim of a manifest.
fn stated(id: usize, (condition, key, text): (&str, &str, &str)) -> String {
    let condition = if condition.is_empty() { String::new() } else { format!("where = \"{condition}\"\n") };
    format!("[[claim]]\nid = \"mine/c{id}\"\n{condition}{key} = \"{text}\"\n")
}

/// A small condition or number over the edges and some other names.
fn generated() -> impl Strategy<Value = (String, bool, String)> {
    let name = || prop_oneof![4 => Just("AB"), 4 => Just("BC"), 4 => Just("CD"), 4 => Just("EF"), 1 => Just("sum_C"), 1 => Just("total"), 1 => Just("h1_l2")];
    let term = move || {
        prop_oneof![
            3 => name().prop_map(str::to_owned),
            1 => (0u32..8).prop_map(|number| number.to_string()),
            1 => (name(), name()).prop_map(|(one, other)| format!("({one} + {other})")),
            1 => (name(), name()).prop_map(|(one, other)| format!("({one} * {other} - 3)")),
            1 => (name(), name()).prop_map(|(one, other)| format!("({one} % {other})")),
            1 => (name(), 1u32..5).prop_map(|(one, by)| format!("({one} // {by})")),
        ]
    };
    let sign = prop_oneof![Just("=="), Just("!="), Just("<"), Just(">=")];
    let atom = prop_oneof![
        6 => (term(), sign, term()).prop_map(|(one, sign, other)| format!("{one} {sign} {other}")),
        1 => (name(), 0u32..6, 0u32..6).prop_map(|(name, one, other)| format!("{name} in [{one}, {other}]")),
        1 => (name(), 0u32..4, 0u32..9).prop_map(|(name, low, high)| format!("{low} <= {name} < {high}")),
        1 => Just("outcome == P".to_owned()),
    ];
    let atom = atom.boxed();
    let condition = prop::collection::vec(atom.clone(), 0..4).prop_map(|atoms| atoms.join(" && "));
    let plain = (name(), name(), 0u32..5).prop_map(|(one, other, number)| format!("{one} + {number} == {other} ? P : N"));
    let says = (atom.clone(), atom, prop_oneof![Just("=>"), Just("<=>"), Just("||")])
        .prop_map(|(one, other, sign)| format!("({one}) {sign} ({other})"));
    (condition, any::<bool>(), plain, says)
        .prop_map(|(condition, predicts, plain, says)| (condition, predicts, if predicts { plain } else { says }))
}

/// A box on H1, with edges in any order and under the names that the claims use: each weight from one of 0, 1, 2 or more on.
fn h1_box() -> impl Strategy<Value = String> {
    (prop_oneof![Just(0usize), Just(1), Just(3)], [range(9), range(9), range(9), range(9)]).prop_map(|(graph, ranges)| {
        let weights: Vec<String> =
            ["AB", "BC", "CD", "EF"].iter().zip(ranges).map(|(edge, range)| format!("{edge} = \"{range}\"")).collect();
        format!("[space]\n{}\nweights = {{ {} }}\n", H1S[graph], weights.join(", "))
    })
}

/// The sweep by blocks, cut in two ways, comes to what a visit to each position comes to.
fn assert_two_ways(sweep: &Sweep, cut: u64) {
    let by_positions = solve_whole(sweep, u64::MAX, Record::All);
    for units_per_shard in [u64::MAX, cut] {
        let by_blocks = solve_whole(sweep, units_per_shard, Record::Losing);
        assert_eq!(by_blocks, by_positions);
        assert_eq!(Fingerprint::of(&by_blocks.0, &sweep.claim_ids()), Fingerprint::of(&by_positions.0, &sweep.claim_ids()));
    }
}

/// Each shape by itself, so that none hides what another does, and all of them together with the papers' claims.
#[test]
fn claims_of_each_shape_come_to_what_positions_come_to() {
    let spaces = [
        "[space]\ngraph = \"H1\"\nweights = \"0..=5\"\n",
        "[space]\ngraph = \"H1\"\nweights = { AB = \"1..=4\", BC = \"0..=11\", CD = \"2..=7\", EF = \"1..=3\" }\n",
        "[space]\nedges = \"EF CD BC AB\"\nweights = { AB = \"0..=12\", BC = \"1..=2\", CD = \"0..=12\", EF = \"0..=3\" }\n",
    ];
    for space in spaces {
        for (index, shape) in SHAPES.into_iter().enumerate() {
            assert_two_ways(&sweep(&format!("{space}{}", stated(index, shape))), 5);
        }
        let all: String = SHAPES.into_iter().enumerate().map(|(index, shape)| stated(index, shape)).collect();
        assert_two_ways(&sweep(&format!("claims = [\"*\"]\n{space}{all}")), 7);
    }
}

/// On the first of these boxes each shape says something, so that the test above is not one of silence: counted by hand where that
/// is easy.
#[test]
fn the_shapes_speak() {
    let claims: String = SHAPES.into_iter().enumerate().map(|(index, shape)| stated(index, shape)).collect();
    let sweep = sweep(&format!("[space]\ngraph = \"H1\"\nweights = \"0..=15\"\n{claims}"));
    let (tally, kept, _) = solve_whole(&sweep, u64::MAX, Record::None);
    let spoke = |index: usize| &tally.claims[index];
    for (index, (condition, ..)) in SHAPES.into_iter().enumerate() {
        let counts = spoke(index);
        let any = counts.held + counts.refuted + counts.vacuous + counts.undefined;
        assert_eq!(any > 0, condition != "EF > 1000", "{condition}");
    }
    // EF from 11 to 15 and AB = 5, with any CD.
    assert_eq!(spoke(0).held + spoke(0).refuted, 5 * 16);
    // EF = 0, with any AB and CD: nothing is asked of BC before the logarithm is.
    assert_eq!(spoke(17).undefined, 16 * 16 * 16);
    // AB = 0 and BC = 1, with any CD and EF; the other way round any BC.
    assert_eq!((spoke(18).undefined, spoke(19).undefined), (16 * 16, 16 * 16 * 16));
    assert_eq!(spoke(22).vacuous, 15 * 15 * 16 * 16);
    assert!(kept.iter().any(|kept| kept.len() == 7));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Any box on H1, any claims of the manifest and of the paper about it, cut in any way.
    #[test]
    fn blocks_come_to_what_positions_come_to(
        space in h1_box(),
        generated in prop::collection::vec(generated(), 1..4),
        shapes in prop::collection::vec(any::<Index>(), 0..3),
        claims in subsequence(h1_claims(), 0..=h1_claims().len()),
        cut in 1u64..300,
    ) {
        let generated = generated.iter().map(|(condition, predicts, text)| (condition.as_str(), if *predicts { "predict" } else { "says" }, text.as_str()));
        let shapes = shapes.iter().map(|index| *index.get(&SHAPES));
        let own: String = generated.chain(shapes).enumerate().map(|(index, shape)| stated(index, shape)).collect();
        let claims = if claims.is_empty() { String::new() } else { format!("claims = {claims:?}\n") };
        assert_two_ways(&sweep(&format!("{claims}{space}{own}")), cut);
    }
}

/// Other graphs: with papers' claims that are not counted by rows, without any, with one edge, and with names that a box lacks.
#[test]
fn blocks_come_to_what_positions_come_to_on_other_graphs() {
    let own = [
        ("AB >= 1 && BC == 1", "predict", "total % 2 == 0 ? P : N"),
        ("is_special && special_k <= 1", "says", "outcome == P || AB + BC >= 1"),
        ("stars_xor == 0", "predict", "P"),
        ("", "says", "sum_A >= 1 => outcome == N"),
        ("AB == 2", "says", "outcome == N"),
        ("special_i == {1} || AB == 0", "says", "outcome == N"),
    ];
    let spaces = [
        "graph = \"G4\"\nweights = \"0..=3\"\n",
        "graph = \"K3\"\nweights = { AB = \"0..=3\", BC = \"1..=4\", other = \"0..=5\" }\n",
        "graph = [\"I1\", \"G4\"]\nweights = \"0..=3\"\n",
        "edges = \"AB CD\"\nweights = \"0..=9\"\n",
        "edges = \"AB\"\nweights = \"0..=9\"\n",
        "edges = \"AB BC CD DA AC\"\nweights = \"0..=2\"\n",
    ];
    let mut compared = 0;
    for (space, claims) in spaces.iter().flat_map(|space| [(space, ""), (space, "claims = [\"*\"]\n")]) {
        for (index, shape) in own.into_iter().enumerate() {
            let text = format!("name = \"test\"\nfamily = \"graph-nim\"\n{claims}[space]\n{space}{}", stated(index, shape));
            // A name that none of the boxes has is an error.
            if let Ok(sweep) = Sweep::of(&GraphNim, Manifest::parse(&text).unwrap()) {
                assert_two_ways(&sweep, 3);
                compared += 1;
            }
        }
    }
    assert!(compared >= 40, "{compared}");
}

/// A name depends on no edge but those that it is said to be about, and sums are what they are said to be.
#[test]
fn names_depend_on_the_edges_that_they_are_about() {
    for sample in SAMPLES {
        let table = toml::from_str(sample).unwrap();
        for one in BoxKind::parse(&table, &mut Room::default()).unwrap() {
            let BoxKind::Weights(weights) = &one else { continue };
            let subject = weights.subject();
            let edges = subject.graph.edges().len();
            for named in GraphNim::names(Described::Box(&one)) {
                let Read::Position(read) = &named.read else { continue };
                let at = |weights: &[u32]| read(&subject.view(weights));
                let name = &named.variable.name;
                // Weights of 0 and more, with some that make a triangle special.
                let starts =
                    (0..200u32).map(|seed| (0..edges as u32).map(|edge| (seed * 7 + edge * edge * seed + edge) % 6).collect::<Vec<u32>>());
                for start in starts {
                    let depends = match about(name, subject) {
                        About::Sum(edges) => {
                            let sum: i64 = edges.iter().map(|edge| i64::from(start[*edge])).sum();
                            assert_eq!(at(&start), crate::language::Value::Integer(sum).into(), "{name} at {start:?}");
                            edges
                        }
                        About::Edges(edges) => edges,
                    };
                    for edge in (0..edges).filter(|edge| !depends.contains(edge)) {
                        let mut other = start.clone();
                        other[edge] += 1;
                        assert_eq!(at(&start), at(&other), "{name} at {start:?} and {other:?}");
                    }
                }
            }
        }
    }
}

/// How many positions of a row a claim is held against, by what `where` says.
#[test]
fn what_is_false_along_a_row_is_not_looked_at() {
    for (condition, lanes) in [
        ("BC == 1", 101),
        ("AB == 7", 101),
        ("CD == 7", 101),
        ("EF >= 11", 101 * 101),
        ("EF < 3", 0),
        ("EF >= 11 && AB % 4 != 1 && CD % 4 != 1 && BC == 1", 101),
        ("BC in [1, 3]", 2 * 101),
        ("AB <= 9 && CD <= 9 && BC in 20..=39", 200),
        ("EF % 2 == 1 && BC == 1", 0),
        ("1 // (EF - 50) == 0", 101 * 101),
    ] {
        let own = stated(0, (condition, "says", "outcome == N"));
        let text = format!("name = \"test\"\nfamily = \"graph-nim\"\n[space]\ngraph = \"H1\"\nweights = \"0..=100\"\n{own}");
        let manifest = Manifest::parse(&text).unwrap();
        let space = GameSpace::<GraphNim>::parse(&manifest.space, None, &manifest.stated).unwrap();
        let Some(BoxKind::Weights(weights)) = space.get(0) else { panic!() };
        let mut sampler = Sampler::new(weights, space.entries()[0].stated().unwrap()).unwrap();
        // The row in which EF is 50; along it AB or CD runs, and the other one is 7.
        let mut first = weights.first_of_row(0);
        let at = |name: &str| weights.subject().graph.edge_between([name.as_bytes()[0].into(), name.as_bytes()[1].into()]).unwrap();
        let across = *weights.layout().order.last().unwrap();
        first[at("EF")] = 50;
        first[if across == at("AB") { at("CD") } else { at("AB") }] = 7;
        let found = sampler.row(&first).lanes;
        let pinned = ["AB", "CD"].into_iter().find(|name| condition == format!("{name} == 7"));
        let expected = match pinned {
            // Of the edge that does not run the whole row has the weight.
            Some(name) if at(name) != across => 101 * 101,
            _ => lanes,
        };
        assert_eq!(found, f64::from(expected), "{condition}");
    }
}
