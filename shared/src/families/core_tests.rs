//! What stands once for all families, tried on the smallest of them.

use std::sync::Arc;

use crate::claim::{Kind, Paper, Prediction, Relation};
use crate::sweep::{Manifest, ManifestError, Record, Shard, Sweep};
use crate::value::Nimber;

use super::entry::{MAX_CLAIMS, choose};
use super::one_heap::{Heap, OneHeap};
use super::testing::{self, GoOn, assert_refused, task};
use super::{Check, Confirmation, DecodeError, Entry, Family, GameSpace, Judge, Known, Predicate, Printed, SolveError, Space, Task, keyed};

fn sweep(heaps: &str) -> Sweep {
    testing::sweep(&OneHeap, &format!("[space]\nheap = {heaps}\n"))
}

fn whole(sweep: &Sweep) -> Shard {
    Shard { box_index: 0, start: 0, end: sweep.space.units(0) }
}

#[test]
fn a_family_of_a_hundred_lines_is_swept_confirmed_explained_and_encoded() {
    let sweep = sweep("\"0..=20\"");
    assert_eq!((sweep.claim_ids(), sweep.configurations()), (vec!["nim/size"], 21));
    let task = Task { record: Record::All, ..task(&sweep) };
    let result = sweep.space.solver().solve(&whole(&sweep), &task, &mut GoOn).unwrap();
    assert_eq!((result.tally.decided, result.tally.claims[0].held, result.tally.claims[0].refuted), (21, 21, 0));
    let mut reference = sweep.space.reference();
    for record in &result.records {
        assert_eq!(reference.value(&record.key).as_ref(), Some(&record.value));
    }
    let explained = Family::explain(&OneHeap, &[("heap".to_owned(), "5".to_owned())]).unwrap();
    assert_eq!((explained.moves, explained.claims[0].predicted.as_deref(), explained.claims[0].verdict), (5, Some("*5"), Check::Held));
    let decoded = OneHeap.decode(&sweep.space.encode(), &["nim/size".to_owned()]).unwrap();
    assert_eq!((decoded.to_json(), decoded.claims()), (sweep.space.to_json(), sweep.claims.clone()));
    assert_refused(&OneHeap, &[("heaps = 3", "space.heaps: unknown key"), ("heap = \"x\"", "space.heap: 'x' is not a range")]);
}

/// A claim that no list has: this predicate, whose text is of no account.
fn made(id: &'static str, predict: impl Fn(&u64) -> super::Says<OneHeap> + Send + Sync + 'static) -> Entry<OneHeap> {
    let printed = Printed {
        id,
        kind: Kind::Open,
        item: "-",
        section: "-",
        hypothesis: "-",
        statement: "-",
        scope: (),
        predict: |_| Prediction::Silent,
    };
    let entry = Printed::of(&Paper::new("made", "Made", "-"), &[printed]).remove(0);
    Entry { predicate: Predicate::Made(Arc::new(predict)), ..entry }
}

fn even(heap: &u64) -> super::Says<OneHeap> {
    Prediction::Relation(Box::new(Relation::of_position(heap.is_multiple_of(2), "even", "odd")))
}

#[test]
fn a_claim_that_a_sweep_brings_along_is_judged_like_any_other() {
    let tables = ["heap = \"0..=9\"".parse().unwrap()];
    let off = |heap: &u64| Prediction::Value(Nimber(if *heap == 7 { 8 } else { *heap as u32 }));
    let space = GameSpace::<OneHeap>::parse(&tables, None).unwrap().with(vec![made("made/off", off), made("made/even", even)]);
    let task = Task { counterexamples: 3, record: Record::None, budget_bytes: 1 << 20 };
    let result = space.solver().solve(&Shard { box_index: 0, start: 0, end: 10 }, &task, &mut GoOn).unwrap();
    let counts: Vec<(u128, u128)> = result.tally.claims.iter().map(|counts| (counts.held, counts.refuted)).collect();
    assert_eq!(counts, [(9, 1), (5, 5)]);
    assert_eq!(result.counterexamples[0][0].key, keyed(0, &Heap(7)));
    let mut reference = space.reference();
    let mut confirm = |claim: usize, heap, actual: &str| match reference.confirm(claim, &keyed(0, &Heap(heap)), actual) {
        Confirmation::Stands(found) => Some((found.predicted, found.actual, found.confirmed)),
        Confirmation::Disagrees(_) => None,
    };
    assert_eq!(confirm(0, 7, "*7"), Some(("*8".to_owned(), "*7".to_owned(), true)));
    assert_eq!(confirm(1, 3, "odd"), Some(("even".to_owned(), "odd".to_owned(), true)));
    // A claim that holds there, a value that is another one, a heap outside the box, and no claim.
    for (claim, heap, actual) in [(0, 6, "*6"), (0, 7, "*6"), (1, 11, "odd"), (2, 7, "*7")] {
        assert_eq!(confirm(claim, heap, actual), None, "{claim} {heap}");
    }
}

#[test]
fn claims_that_predict_a_value_rightly_are_known_by_their_place_in_the_sweep() {
    let right = |heap: &u64| Prediction::Value(Nimber(*heap as u32));
    let entries = [made("made/even", even), made("made/wrong", |_| Prediction::Value(Nimber(99))), made("made/right", right)];
    let task = Task { counterexamples: 1, record: Record::None, budget_bytes: 0 };
    let mut judge = Judge::<OneHeap>::new(0, &entries, |_| true, &task);
    // A relation that holds is no prediction of a value.
    assert_eq!(judge.decide(&Heap(4), &4, &mut Known(Nimber(4))), Ok(0b100));
    let mut judge = Judge::<OneHeap>::new(0, &entries, |entry| entry.claim.id != "made/even", &task);
    assert_eq!(judge.hold([1], &Heap(4), &4, &mut Known(Nimber(4))), Ok(0b100));
    assert_eq!(judge.hold([0], &Heap(4), &4, &mut Known(Nimber(4))), Ok(0));
}

#[test]
fn a_sweep_has_at_most_128_claims() {
    let several = |count: usize| (0..count).map(|_| made("made/even", even)).collect::<Vec<_>>();
    assert_eq!(choose(several(MAX_CLAIMS), None, |_| true).map(|entries| entries.len()).ok(), Some(128));
    let refused = choose(several(MAX_CLAIMS + 1), None, |_| true).err().unwrap();
    let says = "claims: there are 129 claims and a sweep has at most 128; name some of them, and the others in another sweep";
    assert_eq!(refused.to_string(), says);
    // Those that cannot speak and are not named do not count.
    assert!(choose(several(MAX_CLAIMS + 1), None, |_| false).is_ok());
    let ids: Vec<String> = (0..=MAX_CLAIMS).map(|_| "nim/size".to_owned()).collect();
    let decoded = OneHeap.decode(&sweep("3").space.encode(), &ids);
    assert!(matches!(decoded.err(), Some(DecodeError::TooManyClaims { count: 129 })));
}

#[test]
fn claims_and_encodings_that_this_version_does_not_know_are_refused_by_name() {
    let manifest =
        |claims: &str| Manifest::parse(&format!("name = \"x\"\nfamily = \"null\"\nclaims = [\"{claims}\"]\n[space]\nheap = 3\n")).unwrap();
    let refused =
        |claims: &str| Sweep::of(&OneHeap, manifest(claims)).err().map(|error: ManifestError| error.to_string()).unwrap_or_default();
    assert_eq!(
        refused("nim/sise"),
        "claims: unknown claim 'nim/sise'; did you mean 'nim/size'? ('refute claims --family one-heap' lists them)"
    );
    assert!(refused("nim/*").is_empty());
    let encoding = sweep("3").space.encode();
    let says =
        |encoding: &str, id: &str| OneHeap.decode(encoding, &[id.to_owned()]).err().map(|error| error.to_string()).unwrap_or_default();
    assert_eq!(says(&encoding, "nim/sise"), "this version knows no claim 'nim/sise' of one-heap");
    assert_eq!(
        says(&encoding.replace("\"version\":1", "\"version\":2"), "nim/size"),
        "a space of one-heap in encoding 2, and this version reads 1"
    );
    assert!(says("{}", "nim/size").starts_with("not a space of one-heap"));
    assert!(says(&encoding.replace("heap", "heaps"), "nim/size").starts_with("space.heaps: unknown key"));
}

#[test]
fn a_shard_that_is_none_and_one_that_does_not_fit_are_refused() {
    let sweep = sweep("\"1..=9\"");
    for (start, end) in [(0, 10), (9, 9), (4, 3)] {
        let shard = Shard { box_index: 0, start, end };
        let solved: Result<_, SolveError> = sweep.space.solver().solve(&shard, &task(&sweep), &mut GoOn);
        assert_eq!(solved, Err(SolveError::NoSuchShard(shard)));
    }
    let beyond = Shard { box_index: 1, start: 0, end: 1 };
    assert!(matches!(sweep.space.solver().solve(&beyond, &task(&sweep), &mut GoOn), Err(SolveError::NoSuchShard(_))));
    let small = Task { budget_bytes: 7, ..task(&sweep) };
    let solved = sweep.space.solver().solve(&whole(&sweep), &small, &mut GoOn);
    assert_eq!(solved, Err(SolveError::TooLarge { needs: 8, budget: 7 }));
}
