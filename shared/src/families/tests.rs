//! What every registered family promises.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::sweep::{Fingerprint, Group, GroupKind, KeptRecord, Manifest, Record, Shard, Smallest, Sweep, Tally};

use super::testing::{self, GoOn, task};
use super::{FAMILIES, Family, Task, built_ins, directed_grabbing, find, graph_nim, hypergraph_takeaway, null, partizan_subtraction};

/// What a family's own tests have for the tests over all families.
struct Samples {
    family: &'static str,
    /// Small spaces, one of each kind of box.
    spaces: &'static [&'static str],
    /// The claims of which a copy that is off by one is refuted.
    refuted_when_off_by_one: fn() -> BTreeSet<String>,
}

static SAMPLES: &[Samples] = &[
    Samples { family: "graph-nim", spaces: &graph_nim::tests::SAMPLES, refuted_when_off_by_one: graph_nim::tests::refuted_when_off_by_one },
    Samples {
        family: "partizan-subtraction",
        spaces: &partizan_subtraction::tests::SAMPLES,
        refuted_when_off_by_one: partizan_subtraction::tests::refuted_when_off_by_one,
    },
    Samples {
        family: "hypergraph-takeaway",
        spaces: &hypergraph_takeaway::tests::SAMPLES,
        refuted_when_off_by_one: hypergraph_takeaway::tests::refuted_when_off_by_one,
    },
    Samples {
        family: "directed-grabbing",
        spaces: &directed_grabbing::tests::SAMPLES,
        refuted_when_off_by_one: directed_grabbing::tests::refuted_when_off_by_one,
    },
    Samples { family: "null", spaces: &null::tests::SAMPLES, refuted_when_off_by_one: null::tests::refuted_when_off_by_one },
];

fn families() -> impl Iterator<Item = (&'static dyn Family, &'static Samples)> {
    FAMILIES.iter().map(|family| {
        let samples = SAMPLES.iter().find(|samples| samples.family == family.id());
        (*family, samples.unwrap_or_else(|| panic!("{} has no samples for the tests over all families", family.id())))
    })
}

fn sweep(family: &'static dyn Family, boxes: &[&str]) -> Sweep {
    testing::sweep(family, &boxes.iter().map(|one| format!("[[space]]\n{one}")).collect::<String>())
}

#[test]
fn ids_are_unique() {
    let mut families = BTreeSet::new();
    let mut claims = BTreeSet::new();
    for family in FAMILIES {
        assert!(families.insert(family.id()), "{}", family.id());
        assert_eq!(find(family.id()).map(Family::id), Some(family.id()));
        for claim in family.claims() {
            assert!(claims.insert(claim.id.clone()), "{}", claim.id);
        }
    }
}

#[test]
fn every_claim_has_a_source_a_hypothesis_and_a_statement() {
    for claim in FAMILIES.iter().flat_map(|family| family.claims()) {
        assert_eq!(claim.id.split_once('/').map(|(key, _)| key), Some(&*claim.source.paper.key), "{}", claim.id);
        for text in [&claim.source.item, &claim.source.section, &claim.source.paper.title, &claim.hypothesis, &claim.statement] {
            assert!(!text.is_empty() && text.trim() == text && !text.contains("  "), "{}: '{text}'", claim.id);
        }
    }
}

#[test]
fn every_claim_has_a_copy_that_is_off_by_one_and_refuted() {
    for (family, samples) in families() {
        let refuted = (samples.refuted_when_off_by_one)();
        for claim in family.claims() {
            assert!(refuted.contains(&*claim.id), "{}", claim.id);
        }
    }
}

#[test]
fn spaces_survive_being_encoded_and_decoded() {
    for (family, samples) in families() {
        let sweep = sweep(family, samples.spaces);
        let (space, ids) = (&sweep.space, sweep.claims.iter().map(|claim| claim.id.clone().into_owned()).collect::<Vec<_>>());
        let decoded = family.decode(&space.encode(), &[], &ids).unwrap();
        assert_eq!(decoded.claims(), sweep.claims);
        assert_eq!(decoded.encode(), space.encode());
        assert_eq!(decoded.to_json(), space.to_json());
        assert_eq!(decoded.total(), space.total());
    }
}

#[test]
fn every_value_equals_that_of_the_reference() {
    for (family, samples) in families() {
        let sweep = sweep(family, samples.spaces);
        let mut reference = sweep.space.reference();
        let task = Task { record: Record::All, ..task(&sweep) };
        for box_index in 0..sweep.space.boxes() {
            let shard = Shard { box_index, start: 0, end: sweep.space.units(box_index) };
            let result = sweep.space.solver().solve(&shard, &task, &mut GoOn).unwrap();
            assert_eq!(result.records.len() as u128, sweep.space.configurations(&shard));
            for KeptRecord { key, value } in result.records {
                assert_eq!(reference.value(&key), Some(value), "{} {key:?}", family.id());
            }
        }
    }
}

#[test]
fn built_in_sweeps_resolve_under_their_own_names() {
    for built_in in built_ins() {
        let sweep = Manifest::parse(built_in.manifest).and_then(Sweep::resolve).unwrap();
        assert_eq!(sweep.manifest.name, built_in.name);
        assert!(!built_in.about().is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// Shards tile: however a space is cut, and in whatever order its shards are solved, the result is the same.
    #[test]
    fn the_result_does_not_depend_on_how_a_space_is_cut(cut in 1u64..200, reverse: bool) {
        for (family, samples) in families() {
            let sweep = sweep(family, samples.spaces);
            prop_assert_eq!(result(&sweep, u64::MAX, false), result(&sweep, cut, reverse));
        }
    }
}

/// What solvers hand over is what a family says that they may hand over, and little else is.
#[test]
fn every_count_and_key_of_a_result_is_one_that_the_family_knows() {
    for (family, samples) in families() {
        let sweep = sweep(family, samples.spaces);
        let space = sweep.space.as_ref();
        let task = Task { counterexamples: 5, record: Record::All, ..task(&sweep) };
        for box_index in 0..space.boxes() {
            let shard = Shard { box_index, start: 0, end: space.units(box_index) };
            let part = space.solver().solve(&shard, &task, &mut GoOn).unwrap();
            for ((of, group), number) in &part.tally.groups.0 {
                assert!(*of == box_index && space.may_count(box_index, group, *number), "{}: {group:?} {number}", family.id());
                let other = match group.kind {
                    GroupKind::Sum => Group::least(group.label.clone()),
                    GroupKind::Least => Group::sum(group.label.clone()),
                };
                for other in [other, Group { label: format!("{}x", group.label), ..group.clone() }] {
                    assert!(!space.may_count(box_index, &other, *number), "{}: {other:?}", family.id());
                }
                assert!(!space.may_count(space.boxes(), group, *number), "there is no such box");
                assert!(group.kind == GroupKind::Sum || !space.may_count(box_index, group, u128::MAX), "{group:?}");
            }
            for label in ["", "x", "a: b", "02 02 all 99", "no period found within +1 heaps"] {
                let groups = [Group::sum(label), Group::least(label)];
                assert!(!groups.iter().any(|group| space.may_count(box_index, group, 0)), "{}: {label}", family.id());
            }
            let keys = part.counterexamples.iter().flatten().map(|found| &found.key).chain(part.records.iter().map(|record| &record.key));
            for key in keys {
                assert!(space.has_key(box_index, key), "{}: {key:?}", family.id());
                assert!(!space.has_key(box_index + 1, key) && !space.has_key(box_index, &key[1..]), "{}: {key:?}", family.id());
            }
            assert!(!space.has_key(box_index, &[]) && !space.has_key(box_index, &box_index.to_be_bytes()));
        }
    }
}

fn result(sweep: &Sweep, units_per_shard: u64, reverse: bool) -> (Tally, Vec<Vec<Vec<u8>>>, Fingerprint) {
    let task = Task { counterexamples: 5, ..task(sweep) };
    let mut shards = Vec::new();
    for box_index in 0..sweep.space.boxes() {
        let units = sweep.space.units(box_index);
        let mut start = 0;
        while start < units {
            let end = units.min(start.saturating_add(units_per_shard));
            shards.push(Shard { box_index, start, end });
            start = end;
        }
    }
    if reverse {
        shards.reverse();
    }
    let mut tally = Tally::new(sweep.claims.len());
    let mut kept = vec![Smallest::new(5); sweep.claims.len()];
    let mut solver = sweep.space.solver();
    for shard in shards {
        let part = solver.solve(&shard, &task, &mut GoOn).unwrap();
        assert_eq!(part.tally.decided, sweep.space.configurations(&shard));
        tally.merge(&part.tally).unwrap();
        for (kept, candidates) in kept.iter_mut().zip(part.counterexamples) {
            candidates.into_iter().for_each(|candidate| drop(kept.offer(candidate.key)));
        }
    }
    assert_eq!(tally.decided, sweep.space.total());
    let fingerprint = Fingerprint::of(&tally, &sweep.claim_ids());
    (tally, kept.into_iter().map(Smallest::into_sorted).collect(), fingerprint)
}
