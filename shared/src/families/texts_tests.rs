//! The claims of the papers in the language of manifests come to what their compiled predicates come to.

use std::collections::{BTreeMap, BTreeSet};

use crate::sweep::{ClaimTally, Manifest, Shard, Stated, Sweep};

use super::testing::{GoOn, task};
use super::{FAMILIES, built_in, built_ins, find, text, texts};

/// The built-in sweeps that have claims with a text, each with a smaller space of the same boxes that is solved at once; without
/// one it is small itself.
const SMALLER: &[(&str, Option<&str>)] = &[
    (
        "four-edges",
        Some(
            r#"
            [[space]]
            graph   = ["K3", "F1", "F2", "G2", "G3", "G4"]
            weights = "1..=7"
            [[space]]
            graph   = ["G1", "H2", "H3", "I1", "I2"]
            weights = "0..=5"
            [[space]]
            edges   = "AB CD EF"
            weights = "0..=12"
            [[space]]
            graph   = "H1"
            weights = { AB = "0..=9", BC = "0..=4", CD = "0..=9", EF = "0..=12" }
            [[space]]
            edge_sets = { vertices = 6, edges = 4 }
            "#,
        ),
    ),
    ("four-edges-zero", Some("[space]\ngraph = [\"G1\", \"H1\", \"H2\", \"H3\", \"I1\", \"I2\"]\nweights = \"0..=4\"\n")),
    ("h1", Some("[space]\ngraph = \"H1\"\nweights = \"0..=8\"\n")),
    ("g4", Some("[space]\ngraph = \"G4\"\nweights = \"1..=10\"\n")),
    ("truncated-support-outcomes", Some("[space]\na = \"1..=6\"\nb = \"1..=11\"\ntau = \"0..=10\"\nheap = \"0..=60\"\n")),
    ("truncated-support", Some("[space]\na = \"1..=5\"\nb = \"1..=7\"\ntau = \"0..=5\"\nheap = \"0..=36\"\n")),
    ("problem-7-1", Some("[space]\nb = \"2..=11\"\ntau = \"b-a\"\n")),
    ("olives-dags", Some("[space]\ndags = { vertices = \"1..=3\", weights = \"0..=2\" }\n")),
    ("conj-7-1", Some("[space]\nb = \"2..=8\"\n")),
    ("figures", None),
    ("hypergraphs", Some("[space]\nvertices = \"2..=10\"\n")),
    ("hypergraphs-all", Some("[[space]]\nall = { vertices = \"1..=4\" }\n[[space]]\nall = { vertices = 5 }\nuniform = 3\n")),
    ("olives-paths", Some("[space]\npaths = { vertices = \"1..=5\", weights = \"0..=3\" }\n")),
    ("olives-grids", Some("[space]\ngrid = { rows = \"1..=4\", columns = \"1..=4\", weights = \"0..=1\" }\n")),
];

/// The claims of a sweep that have a text and may speak there, and their texts under ids of their own.
fn both(sweep: &Sweep) -> (Vec<String>, Stated) {
    let (mut ids, mut both) = (Vec::new(), Stated::default());
    for paper in texts().unwrap() {
        let mut wanted = BTreeSet::new();
        for (index, claim) in sweep.claims.iter().enumerate().filter(|(index, _)| sweep.space.can_speak(*index)) {
            let Some(only) = paper.only(&claim.id) else { continue };
            assert!(sweep.space.can_speak(index));
            wanted.extend(only.definitions.into_iter().map(|(name, _)| name));
            ids.push(claim.id.clone().into_owned());
            let id = claim.id.replace('/', "-");
            both.claims.extend(only.claims.into_iter().map(|claim| crate::sweep::StatedClaim { id: format!("text/{id}"), ..claim }));
        }
        both.definitions.extend(paper.definitions.into_iter().filter(|(name, _)| wanted.contains(name)));
    }
    (ids, both)
}

/// What a claim comes to over a whole sweep: its counts, and where it is refuted first.
type Found = (ClaimTally, Vec<Vec<u8>>);

/// What each claim of a manifest and its text come to, by id.
fn compare(manifest: Manifest) -> BTreeMap<String, (Found, Found)> {
    let family = find(&manifest.family).unwrap();
    let (ids, stated) = both(&Sweep::of(family, manifest.clone()).unwrap());
    if ids.is_empty() {
        return BTreeMap::new();
    }
    let sweep = Sweep::of(family, Manifest { claims: Some(ids.clone()), stated, ..manifest }).unwrap();
    let place = |id: &str| sweep.claims.iter().position(|claim| claim.id == id).unwrap();
    let mut found: BTreeMap<String, (Found, Found)> = BTreeMap::new();
    for box_index in 0..sweep.space.boxes() {
        let shard = Shard { box_index, start: 0, end: sweep.space.units(box_index) };
        let result = sweep.space.solver().solve(&shard, &task(&sweep), &mut GoOn).unwrap();
        let of = |place: usize| {
            let keys = result.counterexamples[place].iter().map(|candidate| candidate.key.clone());
            (result.tally.claims[place], keys.collect::<Vec<_>>())
        };
        for id in &ids {
            let (compiled, text) = (of(place(id)), of(place(&format!("text/{}", id.replace('/', "-")))));
            let (all_compiled, all_text) = found.entry(id.clone()).or_default();
            for (all, one) in [(all_compiled, compiled), (all_text, text)] {
                all.0 = add(all.0, one.0);
                all.1.extend(one.1);
            }
        }
    }
    found
}

fn add(one: ClaimTally, other: ClaimTally) -> ClaimTally {
    ClaimTally {
        held: one.held + other.held,
        vacuous: one.vacuous + other.vacuous,
        undefined: one.undefined + other.undefined,
        refuted: one.refuted + other.refuted,
    }
}

fn smaller(name: &str, space: Option<&str>) -> Manifest {
    let manifest = Manifest::parse(built_in(name).unwrap().manifest).unwrap();
    let Some(space) = space else { return manifest };
    let head = format!("name = \"{name}\"\nfamily = \"{}\"\n", manifest.family);
    Manifest { space: Manifest::parse(&format!("{head}{space}")).unwrap().space, ..manifest }
}

#[test]
fn a_claim_in_the_language_comes_to_what_its_compiled_predicate_comes_to() {
    let mut spoken = BTreeSet::new();
    for (name, space) in SMALLER {
        for (id, (compiled, text)) in compare(smaller(name, *space)) {
            assert_eq!(compiled, text, "{id} in {name}: what is compiled in, and its text");
            if compiled.0 != ClaimTally::default() {
                spoken.insert(id);
            }
        }
    }
    let all: BTreeSet<String> = texts().unwrap().into_iter().flat_map(|paper| paper.claims).map(|claim| claim.id).collect();
    assert_eq!(spoken, all, "the claims that spoke somewhere, and all that have a text");
    assert_eq!(all.len(), 140);
}

#[test]
fn the_smaller_spaces_leave_out_no_built_in_sweep() {
    for built_in in built_ins() {
        let sweep = Manifest::parse(built_in.manifest).and_then(Sweep::resolve).unwrap();
        let is_smaller = SMALLER.iter().any(|(name, _)| *name == built_in.name);
        assert_eq!(is_smaller, !both(&sweep).0.is_empty(), "{}", built_in.name);
    }
}

/// Says a line a sweep, those of the fewest configurations first, and fails at the end. `REFUTE_SWEEP` names one of them.
#[test]
#[ignore = "every built-in sweep as a whole: deploy/soak.sh has a stage for it"]
fn on_every_built_in_sweep_a_claim_comes_to_what_its_compiled_predicate_comes_to() {
    let only = std::env::var("REFUTE_SWEEP").ok();
    let wanted = built_ins().iter().filter(|built_in| only.as_deref().is_none_or(|only| only == built_in.name));
    let mut sweeps: Vec<_> = wanted
        .map(|built_in| {
            let manifest = Manifest::parse(built_in.manifest).unwrap();
            let sweep = Sweep::resolve(manifest.clone()).unwrap();
            (sweep.configurations(), built_in.name, manifest)
        })
        .collect();
    sweeps.sort_by_key(|(configurations, ..)| *configurations);
    let mut different = Vec::new();
    for (configurations, name, manifest) in sweeps {
        let found = compare(manifest);
        let all = |of: fn(&ClaimTally) -> u128| found.values().map(|(compiled, _)| of(&compiled.0)).sum::<u128>();
        eprint!(
            "{name}: {configurations} configurations, {} claims with a text: held {}, vacuous {}, undefined {}, refuted {}\n",
            found.len(),
            all(|tally| tally.held),
            all(|tally| tally.vacuous),
            all(|tally| tally.undefined),
            all(|tally| tally.refuted)
        );
        let differs = found.iter().filter(|(_, (compiled, text))| compiled != text).map(|(id, _)| format!("{id} in {name}"));
        different.extend(differs);
    }
    assert!(different.is_empty(), "what is compiled in and its text differ: {different:?}");
}

#[test]
fn a_text_has_the_id_of_a_claim_and_the_definitions_that_it_uses() {
    let ids: BTreeSet<String> = FAMILIES.iter().flat_map(|family| family.claims()).map(|claim| claim.id.into_owned()).collect();
    for claim in texts().unwrap().into_iter().flat_map(|paper| paper.claims) {
        assert!(ids.contains(&claim.id), "{}", claim.id);
    }
    let definitions = |id: &str| text(id).map(|stated| stated.definitions.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
    assert_eq!(definitions("four-edges/lemma-4.9.ii"), Some(vec!["M".to_owned(), "l1".to_owned(), "l2".to_owned()]));
    assert_eq!(definitions("hypergraphs/thm-7"), Some(Vec::new()));
    assert_eq!(definitions("truncated-support/lemma-3.6"), None);
}

#[test]
fn what_is_written_of_a_text_is_read_back_as_it_was() {
    for id in texts().unwrap().into_iter().flat_map(|paper| paper.claims).map(|claim| claim.id) {
        let stated = text(&id).unwrap();
        assert_eq!(Stated::parse(&stated.to_toml()).unwrap(), stated, "{id}");
    }
}

/// How often each hypothesis is true, position by position and by the counts of the solver.
#[test]
fn the_configurations_of_a_box_by_their_numbers_are_those_that_are_solved() {
    let mut counted = BTreeSet::new();
    for (name, space) in SMALLER.iter().filter(|(name, _)| !matches!(*name, "figures" | "h1" | "four-edges-zero")) {
        let manifest = smaller(name, *space);
        let family = find(&manifest.family).unwrap();
        let (_, stated) = both(&Sweep::of(family, manifest.clone()).unwrap());
        let sweep = Sweep::of(family, Manifest { claims: None, stated, ..manifest }).unwrap();
        for box_index in 0..sweep.space.boxes() {
            let shard = Shard { box_index, start: 0, end: sweep.space.units(box_index) };
            let count = sweep.space.configurations(&shard);
            let mut meant = vec![Some(0); sweep.claims.len()];
            let mut numbered = 0;
            for found in (0..count).map_while(|number| sweep.space.hypotheses(box_index, number)) {
                numbered += 1;
                for (sum, is_true) in meant.iter_mut().zip(found.are_true) {
                    *sum = sum.zip(is_true).map(|(sum, is_true)| sum + u128::from(is_true));
                }
            }
            assert!(sweep.space.hypotheses(box_index, count).is_none(), "{name}");
            // All hypergraphs on some vertices are not known before they are solved.
            assert_eq!(numbered, if *name == "hypergraphs-all" { 0 } else { count }, "{name}");
            if numbered == 0 {
                continue;
            }
            counted.insert(family.id());
            let result = sweep.space.solver().solve(&shard, &task(&sweep), &mut GoOn).unwrap();
            for (claim, (meant, found)) in sweep.claims.iter().zip(meant.into_iter().zip(&result.tally.claims)) {
                if found.undefined == 0
                    && let Some(meant) = meant
                {
                    assert_eq!(Some(meant), found.not_silent(), "{}, box {box_index} of {name}", claim.id);
                }
            }
        }
    }
    assert_eq!(counted.len(), 4, "{counted:?}");
}
