//! Streams of `CompleteRequest` that no worker sends: none makes the assembler panic, each result comes out once or with what is wrong
//! with it, and what is held never passes its bounds. `deploy/fuzz.sh` runs this for long.

#![allow(clippy::print_stdout)]

use std::sync::Arc;

use prost::Message as _;
use refute_proto::v1::{self, complete_request::Part};
use refute_proto::{MAX_MESSAGE_BYTES, MAX_RESULTS};

use super::{CallError, Problem, Results};
use crate::rpc::budget::{Budget, CALL_BYTES};

#[path = "../../../shared/tests/fuzz/runner.rs"]
mod runner;

/// A stream as bytes: each message has its length in two bytes before it.
fn stream(parts: &[Part]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        let message = v1::CompleteRequest { part: Some(part.clone()) }.encode_to_vec();
        bytes.extend(u16::try_from(message.len()).unwrap().to_be_bytes());
        bytes.extend(message);
    }
    bytes
}

fn number(value: u128) -> Option<v1::U128> {
    Some(v1::U128::from(value))
}

fn header(claims: usize, stated: u32) -> Part {
    let counts = v1::ClaimCounts { held: number(1), refuted: number(2), vacuous: number(3), undefined: number(4) };
    Part::Header(v1::CompleteHeader {
        worker_id: 7,
        lease_id: 8,
        sweep_id: "h1-0123456789ab".into(),
        shard_number: 3,
        decided: number(9),
        claims: vec![counts; claims],
        records_hash: number(u128::MAX),
        seconds: 1.5,
        instance: "ada".into(),
        stated,
    })
}

fn parts() -> Vec<Part> {
    let candidate = v1::Candidate { key: vec![1, 2, 3], actual: "P".into() };
    let record = v1::Record { key: vec![4, 5], value: "N".into() };
    let coverage = v1::CoverageCount { box_index: 1, value: "P".into(), claims: number(3), count: number(4) };
    let group = |label: &str| v1::GroupCount { box_index: 1, label: label.into(), count: number(5) };
    vec![
        header(2, 1),
        Part::Counterexamples(v1::CounterexamplePart { claim: 1, candidates: vec![candidate; 3] }),
        Part::Records(v1::RecordPart { records: vec![record; 3] }),
        Part::Coverage(v1::CoveragePart { counts: vec![coverage] }),
        Part::Groups(v1::GroupPart { counts: vec![group("a"), group("least b")] }),
    ]
}

/// Takes in a stream as the service does, where every fourth header is one that nobody wants.
fn take_in(input: &[u8]) -> String {
    let budget = Arc::new(Budget::default());
    let mut results = Results::new(&budget);
    let (mut rest, mut headers, mut messages) = (input, 0usize, 0usize);
    let mut ended = "whole";
    while let [first, second, after @ ..] = rest {
        let length = usize::from(u16::from_be_bytes([*first, *second])).min(after.len());
        let (message, next) = after.split_at(length);
        rest = next;
        // What cannot be decoded ends the call before it comes here.
        let Ok(request) = v1::CompleteRequest::decode(message) else {
            ended = "not decoded";
            break;
        };
        assert!(request.encoded_len() < MAX_MESSAGE_BYTES);
        messages += 1;
        let is_header = matches!(request.part, Some(Part::Header(_)));
        let taken = match is_header && headers % 4 == 3 {
            true => results.refuse("nobody wants it".into()),
            false => results.take(request),
        };
        assert!(budget.used() <= CALL_BYTES);
        match taken {
            Ok(()) => headers += usize::from(is_header),
            Err(CallError::Malformed(_)) => {
                ended = "malformed";
                break;
            }
            Err(CallError::Full(_)) => panic!("one call alone has room"),
        }
    }
    let (finished, held) = results.finish();
    assert_eq!(finished.len(), headers.min(MAX_RESULTS), "each header is one result");
    let (mut sound, mut malformed, mut unwanted) = (0u32, 0u32, 0u32);
    for result in &finished {
        match result {
            Ok(delivery) => {
                sound += 1;
                let lists = delivery.result.counterexamples.len();
                assert!((delivery.result.tally.claims.len()..=2 * delivery.result.tally.claims.len()).contains(&lists));
            }
            Err(Problem::Malformed(problem)) => {
                assert!(problem.len() < 200, "{problem}");
                malformed += 1;
            }
            Err(Problem::NotWanted(_)) => unwanted += 1,
        }
    }
    assert_eq!(unwanted, (headers / 4) as u32);
    drop((finished, held));
    assert_eq!(budget.used(), 0, "all of it is given back");
    let size = |count: u32| count.checked_ilog2().map_or(0, |size| size + 1);
    format!("{ended}, {} messages, {} sound, {} malformed", size(messages as u32), size(sound), size(malformed))
}

#[test]
fn streams_of_results() {
    let mut corpus: Vec<Vec<u8>> =
        vec![stream(&parts()), stream(&[parts(), parts(), parts()].concat()), stream(&[header(0, 0)]), Vec::new()];
    corpus.extend(parts()[1..].iter().map(|part| stream(&[header(2, 1), part.clone()])));
    corpus.push(stream(&vec![header(1, 0); 1_030]));
    assert_eq!(take_in(&corpus[1]), "whole, 4 messages, 2 sound, 0 malformed");
    let pieces = ["\0\u{1}", "\0\0", "\u{7f}", "\n\0", "\u{12}\0", "\u{1a}\u{2}", "\u{22}\u{7f}", "P", "least ", "ada"];
    runner::run("results", corpus, &pieces, take_in);
}
