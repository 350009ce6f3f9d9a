//! What stands once for all families, tried on the smallest of them.

use std::sync::Arc;

use crate::claim::{Kind, Paper, Prediction, Relation};
use crate::sweep::{ClaimTally, Manifest, ManifestError, Record, Shard, Stated, Sweep};
use crate::value::Nimber;

use super::entry::choose;
use super::one_heap::{Heap, OneHeap};
use super::testing::{self, GoOn, assert_refused, task};
use super::{
    Check, Confirmation, DecodeError, Entry, Family, GameSpace, Judge, Known, MAX_CLAIMS, Predicate, Printed, SolveError, Space, Task,
    keyed,
};

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
    let decoded = OneHeap.decode(&sweep.space.encode(), &[], &["nim/size".to_owned()]).unwrap();
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
    let space =
        GameSpace::<OneHeap>::parse(&tables, None, &Stated::default()).unwrap().with(vec![made("made/off", off), made("made/even", even)]);
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
    assert_eq!(choose(Vec::new(), several(MAX_CLAIMS), None, |_| true).map(|entries| entries.len()).ok(), Some(128));
    let refused = choose(Vec::new(), several(MAX_CLAIMS + 1), None, |_| true).err().unwrap();
    let says = "claims: there are 129 claims and a sweep has at most 128; name some of them, and the others in another sweep";
    assert_eq!(refused.to_string(), says);
    // Those that cannot speak and are not named do not count.
    assert!(choose(Vec::new(), several(MAX_CLAIMS + 1), None, |_| false).is_ok());
    let ids: Vec<String> = (0..=MAX_CLAIMS).map(|_| "nim/size".to_owned()).collect();
    let decoded = OneHeap.decode(&sweep("3").space.encode(), &[], &ids);
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
        |encoding: &str, id: &str| OneHeap.decode(encoding, &[], &[id.to_owned()]).err().map(|error| error.to_string()).unwrap_or_default();
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

/// What a manifest with these claims comes to on heaps 0 to 9: the sweep, and its counts claim by claim.
fn stated(claims: &str) -> (Sweep, crate::sweep::ShardResult) {
    let sweep = testing::sweep(&OneHeap, &format!("{claims}\n[space]\nheap = \"0..=9\"\n"));
    let result = sweep.space.solver().solve(&whole(&sweep), &task(&sweep), &mut GoOn).unwrap();
    (sweep, result)
}

const FIVE_CLAIMS: &str = r#"
claims = ["nim/*"]
[let]
half = "heap // 2"
[[claim]]
id = "mine/holds"
source = "page 12"
where = "heap >= 1"
says = "grundy > half"
[[claim]]
id = "mine/refuted"
where = "heap >= 1"
predict = "heap xor (heap // 8)"
[[claim]]
id = "mine/silent"
where = "heap > 9 && grundy == 1"
says = "false"
[[claim]]
id = "mine/vacuous"
says = "grundy > 9 => false"
[[claim]]
id = "mine/undefined"
says = "10 // (heap - 2) <= 10"
"#;

#[test]
fn claims_of_a_manifest_are_counted_beside_those_of_the_family() {
    let (sweep, result) = stated(FIVE_CLAIMS);
    assert_eq!(sweep.claim_ids(), ["mine/holds", "mine/refuted", "mine/silent", "mine/vacuous", "mine/undefined", "nim/size"]);
    let undefined = ClaimTally { held: 7, undefined: 3, ..ClaimTally::default() };
    let vacuous = ClaimTally { vacuous: 10, ..ClaimTally::default() };
    assert_eq!(
        result.tally.claims,
        [ClaimTally::of(9, 0), ClaimTally::of(7, 2), ClaimTally::of(0, 0), vacuous, undefined, ClaimTally::of(10, 0)]
    );
    assert_eq!(result.counterexamples.len(), sweep.lists());
    let actual: Vec<Vec<&str>> =
        result.counterexamples.iter().map(|list| list.iter().map(|candidate| &*candidate.actual).collect()).collect();
    let (none, divisor) = (vec![], "a divisor below 1");
    assert_eq!(actual[..6], [none.clone(), vec!["8", "9"], none.clone(), none.clone(), none.clone(), none.clone()]);
    assert_eq!(actual[6..], [none.clone(), none.clone(), none.clone(), none, vec![divisor; 3]]);
}

#[test]
fn a_counterexample_to_a_stated_claim_is_confirmed_with_its_parts() {
    let (sweep, result) = stated(FIVE_CLAIMS);
    let mut reference = sweep.space.reference();
    let refuted = &result.counterexamples[1][0];
    let Confirmation::Stands(found) = reference.confirm(1, &refuted.key, &refuted.actual) else { panic!() };
    assert_eq!((&*found.predicted, &*found.actual, found.confirmed), ("9", "8", true));
    let parts: Vec<String> = found.subexpressions.iter().map(|part| format!("{} = {}", part.expression, part.value)).collect();
    assert_eq!(
        parts,
        ["heap >= 1 = true", "heap = 8", "grundy == heap xor heap // 8 = false", "grundy = 8", "heap xor heap // 8 = 9", "heap // 8 = 1"]
    );
    let undefined = &result.counterexamples[10][0];
    let Confirmation::Stands(found) = reference.confirm(10, &undefined.key, &undefined.actual) else { panic!() };
    assert_eq!((&*found.actual, found.confirmed), ("a divisor below 1", true));
    for (list, place) in [(1, 10), (0, 1), (10, 1)] {
        let candidate = &result.counterexamples[place][0];
        assert!(matches!(reference.confirm(list, &candidate.key, &candidate.actual), Confirmation::Disagrees(_)), "{list}");
    }
}

#[test]
fn stated_claims_travel_to_a_worker_without_their_definitions() {
    let (sweep, result) = stated(FIVE_CLAIMS);
    let stated: Vec<crate::sweep::StatedClaim> = sweep.stated().into_iter().cloned().collect();
    let sent: Vec<crate::sweep::StatedClaim> = serde_json::from_str(&serde_json::to_string(&stated).unwrap()).unwrap();
    let decoded = OneHeap.decode(&sweep.space.encode(), &sent, &["nim/size".to_owned()]).unwrap();
    assert_eq!(decoded.claims(), sweep.claims);
    assert_eq!(decoded.solver().solve(&whole(&sweep), &task(&sweep), &mut GoOn).unwrap(), result);
}

#[test]
fn the_id_of_a_sweep_depends_on_what_its_claims_say() {
    let id = |claim: &str| stated(&format!("[[claim]]\nid = \"mine/a\"\n{claim}")).0.id();
    let one = id("says = \"grundy == heap\"");
    assert_eq!(one, id("says = \" grundy==(heap) \""));
    for other in ["says = \"grundy >= heap\"", "predict = \"heap\"", "where = \"true\"\nsays = \"grundy == heap\""] {
        assert_ne!(one, id(other), "{other}");
    }
}

#[test]
fn what_is_wrong_with_a_stated_claim_is_named_with_its_place() {
    let refused = |claims: &str| {
        let text = format!("name = \"t\"\nfamily = \"x\"\n[space]\nheap = \"0..=9\"\n{claims}");
        Manifest::parse(&text).and_then(|manifest| Sweep::of(&OneHeap, manifest)).err().unwrap().to_string()
    };
    let found = refused("[[claim]]\nid = \"mine/a\"\nsays = \"heap > 1 && hep == 1\"\n");
    let place = "claim 'mine/a', says: line 7, column 21: there is no name 'hep'";
    assert!(found.starts_with(place), "{found}");
    assert!(found.ends_with("\n  heap > 1 && hep == 1\n              ^^^"), "{found}");
    for (claims, words) in [
        ("[[claim]]\nsays = \"true\"\n", "id of claim 1 is missing"),
        ("[[claim]]\nid = \"mine\"\nsays = \"true\"\n", "'mine' is no id of a claim"),
        ("[[claim]]\nid = \"nim/size\"\nsays = \"true\"\n", "there is a claim 'nim/size' already"),
        ("[[claim]]\nid = \"a/b\"\n", "says of claim 'a/b' is missing"),
        ("[[claim]]\nid = \"a/b\"\nsays = \"true\"\npredict = \"1\"\n", "has says and predict"),
        ("[[claim]]\nid = \"a/b\"\nsays = \"true\"\nwher = \"true\"\n", "wher: unknown key"),
        ("[[claim]]\nid = \"a/b\"\npredict = \"grundy\"\n", "must not see what is solved"),
        ("[[claim]]\nid = \"a/b\"\nsays = \"heap\"\n", "a statement (true or false) is expected here"),
        ("[let]\nheap = \"1\"\n[[claim]]\nid = \"a/b\"\nsays = \"true\"\n", "[let] heap: 'heap' is a variable already"),
        ("[let]\nM = \"1\"\n", "there is no [[claim]] to use them"),
        ("[[claim]]\nid = \"a/b\"\nsays = 3\n", "3 is not a string"),
        ("[claim]\nid = \"a/b\"\n", "in double brackets"),
    ] {
        let found = refused(claims);
        assert!(found.contains(words), "{claims}: {found}");
    }
}
