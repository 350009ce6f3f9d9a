//! What the null game promises: shards that cost nothing, and as many of them as one likes.

use std::collections::BTreeSet;

use crate::families::testing::{self, GoOn, assert_refused, task};
use crate::families::{Family, SolveError};
use crate::sweep::{Plan, Shard};

use super::Null;

/// Spaces of this family that are small enough to be solved again by the reference.
pub const SAMPLES: [&str; 2] = ["heap = \"0..=40\"\n", "heap = 7\n"];

/// The family makes no claim, so none can be off by one.
pub fn refuted_when_off_by_one() -> BTreeSet<String> {
    BTreeSet::new()
}

#[test]
fn each_heap_is_a_shard_of_its_own_where_shards_are_to_be_short() {
    let sweep = testing::sweep(&Null, "[space]\nheap = \"5..=1004\"\n[run]\nshard_seconds = 1e-9\n");
    let plan = Plan::new(sweep.space.as_ref(), sweep.options()).unwrap();
    assert_eq!((plan.shards(), sweep.configurations()), (1000, 1000));
    assert_eq!(plan.shard(999), Some(Shard { box_index: 0, start: 999, end: 1000 }));
}

#[test]
fn each_bad_box_gets_a_sentence_that_names_the_key() {
    let cases = [
        ("", "space.heap is missing"),
        ("heap = \"many\"", "space.heap: 'many' is not a range"),
        ("heap = \"0..=18446744073709551615\"", "space.heap: 0..=18446744073709551615 has more than 2^63 heaps"),
        ("heaps = 4", "space.heaps: unknown key; did you mean 'heap'?"),
    ];
    assert_refused(&Null, &cases);
}

#[test]
fn a_heap_is_explained_and_a_bad_parameter_gets_a_sentence() {
    let explain = |key: &str, value: &str| Null.explain(&[(key.to_owned(), value.to_owned())]);
    let explained = explain("heap", "3").unwrap();
    assert_eq!((explained.outcome.as_deref(), explained.value.as_deref(), explained.moves), (Some("P"), Some("0"), 0));
    assert!(explain("heap", "-1").unwrap_err().to_string().starts_with("--heap: '-1' is no heap"));
    assert!(explain("heaps", "3").unwrap_err().to_string().starts_with("--heaps: unknown key"));
    assert!(Null.explain(&[]).unwrap_err().to_string().starts_with("--heap is missing"));
}

#[test]
fn a_shard_beyond_the_box_is_none() {
    let sweep = testing::sweep(&Null, "[space]\nheap = \"1..=9\"\n");
    for (start, end) in [(0, 10), (9, 9), (4, 3)] {
        let shard = Shard { box_index: 0, start, end };
        let solved = sweep.space.solver().solve(&shard, &task(&sweep), &mut GoOn);
        assert_eq!(solved, Err(SolveError::NoSuchShard(shard)));
    }
}
