//! Tests of messages and what they are turned into.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use prost::Message as _;
use refute_proto::v1::complete_request::Part;
use refute_proto::{MAX_MESSAGE_BYTES, v1};
use refute_shared::sweep::{Candidate, ClaimTally, Coverage, CoverageKey, Group, Groups, KeptRecord, Record, Shard, ShardResult, Tally};

use crate::assignment::Solved;

use super::parts::PART_BYTES;
use super::{Parts, assignment, check_sendable};

fn lease() -> v1::Lease {
    v1::Lease {
        lease_id: 9,
        sweep_id: "t-0123456789ab".into(),
        family: "graph-nim".into(),
        solver_version: 1,
        space: "a space".into(),
        stated: Vec::new(),
        claims: vec!["a/claim".into()],
        counterexamples: 10,
        record: "losing".into(),
        shard_number: 4,
        shard: Some(v1::Shard { box_index: 1, start: 2, end: 5 }),
    }
}

fn solved(result: ShardResult) -> Arc<Solved> {
    Arc::new(Solved { assignment: assignment(lease()).unwrap(), result, seconds: 1.5 })
}

/// Puts parts together as a coordinator does, and checks their order and size on the way.
fn assemble(parts: impl Iterator<Item = v1::CompleteRequest>) -> (v1::CompleteHeader, ShardResult) {
    let mut parts = parts.map(|request| {
        assert!(request.encoded_len() < MAX_MESSAGE_BYTES, "{} bytes", request.encoded_len());
        request.part.unwrap()
    });
    let Some(Part::Header(header)) = parts.next() else { panic!("no header") };
    let mut result = ShardResult { tally: Tally::new(0), ..ShardResult::default() };
    result.tally.decided = header.decided.unwrap().into();
    result.tally.records_hash = header.records_hash.unwrap().into();
    let counts = |claim: &v1::ClaimCounts| ClaimTally {
        held: claim.held.unwrap().into(),
        vacuous: claim.vacuous.map_or(0, u128::from),
        undefined: claim.undefined.map_or(0, u128::from),
        refuted: claim.refuted.unwrap().into(),
    };
    result.tally.claims = header.claims.iter().map(counts).collect();
    result.counterexamples = vec![Vec::new(); header.claims.len() + header.stated as usize];
    for part in parts {
        match part {
            Part::Header(_) => panic!("a second header"),
            Part::Counterexamples(part) => {
                let list = &mut result.counterexamples[part.claim as usize];
                list.extend(part.candidates.into_iter().map(|item| Candidate { key: item.key, actual: item.actual }));
            }
            Part::Records(part) => {
                result.records.extend(part.records.into_iter().map(|item| KeptRecord { key: item.key, value: item.value }));
            }
            Part::Groups(part) => {
                for count in part.counts {
                    let key = (count.box_index, Group::decode(&count.label));
                    assert_eq!(result.tally.groups.0.insert(key, count.count.unwrap().into()), None);
                }
            }
            Part::Coverage(part) => {
                for count in part.counts {
                    let key = CoverageKey { box_index: count.box_index, value: count.value, claims: count.claims.unwrap().into() };
                    assert_eq!(result.tally.coverage.0.insert(key, count.count.unwrap().into()), None);
                }
            }
        }
    }
    (header, result)
}

fn candidates(count: usize, key_bytes: usize) -> Vec<Candidate> {
    (0..count).map(|index| Candidate { key: vec![index as u8; key_bytes], actual: index.to_string() }).collect()
}

fn result() -> impl Strategy<Value = ShardResult> {
    let counts = (any::<u128>(), any::<u128>(), prop_oneof![Just(0), any::<u128>()], prop_oneof![Just(0), any::<u128>()]);
    let counts = counts.prop_map(|(held, refuted, vacuous, undefined)| ClaimTally { held, vacuous, undefined, refuted });
    let claims = prop::collection::vec((counts, 0usize..40), 1..4);
    let coverage = prop::collection::btree_map((any::<u32>(), any::<u128>()), any::<u128>(), 0..40);
    // Keys of up to 100 kB make several parts of a list of 40.
    (claims, coverage, 0usize..40, 0usize..100_000, any::<u128>()).prop_map(|(claims, coverage, records, key_bytes, hash)| {
        let coverage: BTreeMap<CoverageKey, u128> = coverage
            .into_iter()
            .map(|((box_index, claims), count)| (CoverageKey { box_index, value: "N".into(), claims }, count))
            .collect();
        ShardResult {
            tally: Tally {
                decided: hash ^ 1,
                claims: claims.iter().map(|(counts, _)| *counts).collect(),
                coverage: Coverage(coverage),
                groups: Groups((0..records as u32).map(|index| ((index, Group::sum("a".repeat(key_bytes))), 1)).collect()),
                records_hash: hash,
            },
            counterexamples: claims.iter().map(|(_, count)| candidates(*count, key_bytes)).collect(),
            records: candidates(records, key_bytes).into_iter().map(|item| KeptRecord { key: item.key, value: item.actual }).collect(),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_parts_of_a_result_put_together_are_the_result(result in result()) {
        check_sendable(&result).unwrap();
        let (header, assembled) = assemble(Parts::new(3, "ada", solved(result.clone())));
        prop_assert_eq!(assembled, result);
        prop_assert_eq!((header.worker_id, header.lease_id, header.shard_number), (3, 9, 4));
        prop_assert_eq!((header.sweep_id.as_str(), header.seconds), ("t-0123456789ab", 1.5));
    }
}

#[test]
fn many_small_items_go_in_few_messages_each_below_the_limit() {
    let coverage = (0..60_000).map(|claims| (CoverageKey { box_index: 0, value: "P".into(), claims }, 1)).collect();
    let result = ShardResult {
        tally: Tally { coverage: Coverage(coverage), ..Tally::new(1) },
        counterexamples: vec![candidates(100_000, 12)],
        records: vec![KeptRecord { key: vec![1; 12], value: "P".into() }; 100_000],
    };
    let parts = Parts::new(1, "ada", solved(result.clone()));
    assert_eq!(assemble(parts).1, result);
    assert!((5..20).contains(&Parts::new(1, "ada", solved(result)).count()));
}

#[test]
fn a_result_of_nothing_is_a_header_alone() {
    let result = ShardResult { tally: Tally::new(2), counterexamples: vec![Vec::new(); 2], records: Vec::new() };
    assert_eq!(Parts::new(1, "ada", solved(result)).count(), 1);
}

#[test]
fn what_fits_no_message_is_told_before_it_is_sent() {
    let result = ShardResult { counterexamples: vec![candidates(1, MAX_MESSAGE_BYTES)], ..ShardResult::default() };
    assert!(check_sendable(&result).unwrap_err().to_string().contains("counterexample"));
    let result = ShardResult { counterexamples: vec![candidates(3, PART_BYTES - 100)], ..ShardResult::default() };
    check_sendable(&result).unwrap();
    assert_eq!(Parts::new(1, "ada", solved(result)).map(|part| assert!(part.encoded_len() < MAX_MESSAGE_BYTES)).count(), 4);
}

#[test]
fn a_lease_is_read_whole() {
    let read = assignment(lease()).unwrap();
    assert_eq!((read.lease_id, read.shard_number, read.solver_version, read.counterexamples), (9, 4, 1, 10));
    assert_eq!(read.shard, Shard { box_index: 1, start: 2, end: 5 });
    assert_eq!((read.record, read.claims), (Record::Losing, vec!["a/claim".to_owned()]));
}

#[test]
fn a_lease_that_makes_no_sense_is_told_in_a_sentence() {
    type Change = fn(&mut v1::Lease);
    let changes: [(Change, &str); 4] = [
        (|lease| lease.shard = None, "does not say which units"),
        (|lease| lease.shard = Some(v1::Shard { box_index: 0, start: 5, end: 5 }), "which are none"),
        (|lease| lease.shard = Some(v1::Shard { box_index: 0, start: 6, end: 5 }), "which are none"),
        (|lease| lease.record = "some".into(), "none, losing and all"),
    ];
    for (change, expected) in changes {
        let mut lease = lease();
        change(&mut lease);
        let sentence = assignment(lease).unwrap_err().to_string();
        assert!(sentence.contains(expected) && sentence.contains("t-0123456789ab"), "{sentence}");
    }
}

#[test]
fn a_hundred_thousand_malformed_leases_are_read_or_told_of_and_none_panics() {
    let sound = lease().encode_to_vec();
    // The generator is SplitMix64.
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 31)) as usize % below
    };
    let (mut read, mut told, mut unread) = (0, 0, 0);
    for _ in 0..100_000 {
        let mut bytes = sound.clone();
        for _ in 0..=random(4) {
            let place = random(bytes.len());
            match random(4) {
                0 => bytes[place] ^= 1 << random(8),
                1 => bytes[place] = random(256) as u8,
                2 => bytes.truncate(place.max(1)),
                _ => bytes.insert(place, random(256) as u8),
            }
        }
        match v1::Lease::decode(&*bytes).map(assignment) {
            Err(_) => unread += 1,
            Ok(Err(error)) => {
                let sentence = error.to_string();
                assert!(sentence.starts_with("lease "), "{sentence}");
                told += 1;
            }
            Ok(Ok(read_lease)) => {
                assert!(read_lease.shard.start < read_lease.shard.end);
                read += 1;
            }
        }
    }
    assert!(read > 1_000 && told > 1_000 && unread > 1_000, "{read} read, {told} reported, {unread} unread");
}
