//! Puts the results of a `Complete` call together from their parts, in bounded memory; a malformed result does not harm the
//! others.

use refute_proto::MAX_RESULTS;
use refute_proto::v1::{self, complete_request::Part};
use refute_shared::sweep::{Candidate, ClaimTally, Coverage, CoverageKey, Group, Groups, KeptRecord, ShardResult, Tally};

use crate::driver::Delivery;
use crate::schedule::{LeaseId, WorkerId};

/// The most bytes that the results of one call may take in memory.
const MAX_RESULT_BYTES: usize = 1 << 29;

/// What an item takes in memory besides its bytes. On the wire an empty one takes two bytes, so that bytes alone would bound
/// nothing.
const ITEM_BYTES: usize = 48;

/// Puts the results of a call together: each is one header and then its other parts.
#[derive(Default)]
pub struct Results {
    finished: Vec<Result<Delivery, String>>,
    /// The result whose parts are coming in, or what is wrong with it: the rest of its parts is passed over then.
    current: Option<Result<Assembler, String>>,
    /// Bytes of the finished ones.
    bytes: usize,
}

impl Results {
    /// Takes in one part.
    ///
    /// # Errors
    /// A sentence, if the part belongs to no result, or to one too many: a header takes next to nothing on the wire.
    pub fn take(&mut self, request: v1::CompleteRequest) -> Result<(), String> {
        if matches!(request.part, Some(Part::Header(_))) {
            self.finish_current();
            if self.finished.len() >= MAX_RESULTS {
                return Err(format!("a call has at most {MAX_RESULTS} results"));
            }
            self.current = Some(Ok(Assembler { delivery: None, bytes: self.bytes }));
        }
        match &mut self.current {
            None => return Err("the first part of a call is the header of a result".into()),
            Some(Err(_)) => {}
            Some(Ok(assembler)) => {
                if let Err(problem) = assembler.take(request) {
                    self.current = Some(Err(problem));
                }
            }
        }
        Ok(())
    }

    fn finish_current(&mut self) {
        if let Some(current) = self.current.take() {
            self.finished.push(current.and_then(|assembler| {
                self.bytes = assembler.bytes;
                assembler.finish()
            }));
        }
    }

    /// Each result of the call, or what is wrong with it.
    pub fn finish(mut self) -> Vec<Result<Delivery, String>> {
        self.finish_current();
        self.finished
    }
}

/// Puts a result together from its parts: the header first, then the others in any order.
#[derive(Default)]
struct Assembler {
    delivery: Option<Delivery>,
    bytes: usize,
}

impl Assembler {
    /// Takes in one part.
    ///
    /// # Errors
    /// A sentence, if the part does not belong there.
    fn take(&mut self, request: v1::CompleteRequest) -> Result<(), String> {
        match (request.part, &mut self.delivery) {
            (None, _) => Err("a part of a result is empty".into()),
            (Some(Part::Header(header)), None) => {
                self.bytes += ITEM_BYTES * (1 + header.claims.len()) + header.sweep_id.len() + header.instance.len();
                self.delivery = Some(delivery(header)?);
                self.check_size()
            }
            (Some(Part::Header(_)), Some(_)) => Err("a result has two headers".into()),
            (Some(_), None) => Err("the first part of a result is its header".into()),
            (Some(Part::Counterexamples(part)), Some(delivery)) => {
                let list = delivery.result.counterexamples.get_mut(part.claim as usize);
                let list = list.ok_or_else(|| format!("counterexamples to claim {}, and the header has fewer", part.claim))?;
                self.bytes += part.candidates.iter().map(|found| ITEM_BYTES + found.key.len() + found.actual.len()).sum::<usize>();
                list.extend(part.candidates.into_iter().map(|found| Candidate { key: found.key, actual: found.actual }));
                self.check_size()
            }
            (Some(Part::Records(part)), Some(delivery)) => {
                self.bytes += part.records.iter().map(|record| ITEM_BYTES + record.key.len() + record.value.len()).sum::<usize>();
                delivery.result.records.extend(part.records.into_iter().map(|record| KeptRecord { key: record.key, value: record.value }));
                self.check_size()
            }
            (Some(Part::Coverage(part)), Some(delivery)) => {
                for count in part.counts {
                    let key =
                        CoverageKey { box_index: count.box_index, value: count.value, claims: number(count.claims, "coverage.claims")? };
                    self.bytes += ITEM_BYTES + key.value.len();
                    if delivery.result.tally.coverage.0.insert(key, number(count.count, "coverage.count")?).is_some() {
                        return Err("the coverage has a class twice".into());
                    }
                }
                self.check_size()
            }
            (Some(Part::Groups(part)), Some(delivery)) => {
                for group in part.counts {
                    self.bytes += ITEM_BYTES + group.label.len();
                    let count = number(group.count, "groups.count")?;
                    if delivery.result.tally.groups.0.insert((group.box_index, Group::decode(&group.label)), count).is_some() {
                        return Err("a group stands twice".into());
                    }
                }
                self.check_size()
            }
        }
    }

    fn check_size(&self) -> Result<(), String> {
        if self.bytes > MAX_RESULT_BYTES { Err(format!("the results of a call are at most {MAX_RESULT_BYTES} bytes")) } else { Ok(()) }
    }

    /// The whole result.
    ///
    /// # Errors
    /// A sentence, if there was no header.
    fn finish(self) -> Result<Delivery, String> {
        self.delivery.ok_or_else(|| "a result has no header".into())
    }
}

fn delivery(header: v1::CompleteHeader) -> Result<Delivery, String> {
    let counts = |claim: v1::ClaimCounts| -> Result<ClaimTally, String> {
        Ok(ClaimTally {
            held: number(claim.held, "claims.held")?,
            vacuous: claim.vacuous.map_or(0, u128::from),
            undefined: claim.undefined.map_or(0, u128::from),
            refuted: number(claim.refuted, "claims.refuted")?,
        })
    };
    let stated = header.stated as usize;
    let claims: Vec<ClaimTally> = header.claims.into_iter().map(counts).collect::<Result<_, _>>()?;
    if stated > claims.len() {
        return Err(format!("stated is {stated}, and there are {} claims", claims.len()));
    }
    let counterexamples = vec![Vec::new(); claims.len() + stated];
    let tally = Tally {
        decided: number(header.decided, "decided")?,
        claims,
        coverage: Coverage::default(),
        groups: Groups::default(),
        records_hash: number(header.records_hash, "records_hash")?,
    };
    Ok(Delivery {
        worker: WorkerId(header.worker_id),
        instance: header.instance,
        lease: LeaseId(header.lease_id),
        sweep_id: header.sweep_id,
        shard_number: header.shard_number,
        result: ShardResult { tally, counterexamples, records: Vec::new() },
        seconds: header.seconds,
    })
}

fn number(value: Option<v1::U128>, field: &str) -> Result<u128, String> {
    value.map(u128::from).ok_or_else(|| format!("{field} is missing"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use prost::Message as _;

    use super::*;

    fn header(claims: usize) -> v1::CompleteRequest {
        let zero = || Some(v1::U128::from(0));
        let claim = v1::ClaimCounts { held: zero(), refuted: zero(), ..Default::default() };
        let header = v1::CompleteHeader { decided: zero(), records_hash: zero(), claims: vec![claim; claims], ..Default::default() };
        v1::CompleteRequest { part: Some(Part::Header(header)) }
    }

    fn part(part: Part) -> v1::CompleteRequest {
        v1::CompleteRequest { part: Some(part) }
    }

    #[test]
    fn parts_out_of_place_are_refused() {
        let mut assembler = Assembler::default();
        assert!(assembler.take(v1::CompleteRequest { part: None }).is_err());
        assert!(assembler.take(part(Part::Records(v1::RecordPart::default()))).is_err());
        assert!(assembler.take(header(1)).is_ok());
        assert!(assembler.take(header(1)).is_err());
        assert!(assembler.take(part(Part::Counterexamples(v1::CounterexamplePart { claim: 1, candidates: vec![] }))).is_err());
        let twice = v1::CoverageCount { box_index: 0, value: "P".into(), claims: Some(1u128.into()), count: Some(2u128.into()) };
        assert!(assembler.take(part(Part::Coverage(v1::CoveragePart { counts: vec![twice.clone(), twice] }))).is_err());
        assert!(Assembler::default().finish().is_err());
    }

    #[test]
    fn a_call_has_one_result_a_header_and_a_malformed_one_takes_no_others_with_it() {
        let mut results = Results::default();
        assert!(results.take(part(Part::Records(v1::RecordPart::default()))).is_err(), "no header yet");
        let broken = || part(Part::Counterexamples(v1::CounterexamplePart { claim: 9, candidates: vec![] }));
        let record = || part(Part::Records(v1::RecordPart { records: vec![v1::Record::default()] }));
        let no_counts = part(Part::Header(v1::CompleteHeader::default()));
        for message in [header(1), record(), header(2), broken(), record(), no_counts, record(), header(3), record(), record()] {
            results.take(message).unwrap();
        }
        let found: Vec<Result<usize, String>> =
            results.finish().into_iter().map(|result| result.map(|delivery| delivery.result.records.len())).collect();
        let problems = ["counterexamples to claim 9, and the header has fewer".to_owned(), "decided is missing".to_owned()];
        assert_eq!(found, [Ok(1), Err(problems[0].clone()), Err(problems[1].clone()), Ok(2)]);
    }

    #[test]
    fn headers_without_end_are_refused_whether_they_can_be_read_or_not() {
        for header in [header(1), part(Part::Header(v1::CompleteHeader::default()))] {
            let mut results = Results::default();
            for _ in 0..MAX_RESULTS {
                results.take(header.clone()).unwrap();
            }
            assert!(results.take(header).unwrap_err().contains("at most 1024 results"));
            assert_eq!(results.finish().len(), MAX_RESULTS);
        }
    }

    #[test]
    fn the_results_of_a_call_are_bounded_together() {
        let mut results = Results::default();
        results.take(header(1)).unwrap();
        results.take(header(1)).unwrap();
        let Some(Ok(assembler)) = &mut results.current else { panic!("a header begins a result") };
        assert!(assembler.bytes >= 2 * ITEM_BYTES, "the one before counts too");
        assembler.bytes = MAX_RESULT_BYTES;
        results.take(part(Part::Records(v1::RecordPart { records: vec![v1::Record::default()] }))).unwrap();
        assert!(results.finish()[1].as_ref().unwrap_err().contains("at most"));
    }

    #[test]
    fn a_number_that_is_missing_is_named() {
        let request = part(Part::Header(v1::CompleteHeader::default()));
        assert_eq!(Assembler::default().take(request), Err("decided is missing".into()));
    }

    #[test]
    fn items_of_nothing_count_for_what_they_take_in_memory() {
        const ITEMS: usize = 400_000;
        let empty = |items: usize| part(Part::Records(v1::RecordPart { records: vec![v1::Record::default(); items] }));
        assert!(empty(ITEMS).encoded_len() < refute_proto::MAX_MESSAGE_BYTES, "one message");
        let mut assembler = Assembler::default();
        assembler.take(header(1)).unwrap();
        assembler.take(empty(ITEMS)).unwrap();
        assert!(assembler.bytes >= ITEMS * size_of::<KeptRecord>(), "{}", assembler.bytes);
        assembler.bytes = MAX_RESULT_BYTES;
        assert!(assembler.take(empty(1)).unwrap_err().contains("at most"));
    }

    /// The messages of a sound result, as they go over the wire.
    fn sound() -> Vec<Vec<u8>> {
        let number = |value: u128| Some(v1::U128::from(value));
        let candidate = v1::Candidate { key: vec![1, 2, 3], actual: "P".into() };
        let record = v1::Record { key: vec![4, 5], value: "N".into() };
        let coverage = v1::CoverageCount { box_index: 1, value: "P".into(), claims: number(3), count: number(4) };
        let group = v1::GroupCount { box_index: 1, label: "a".into(), count: number(5) };
        let claims = vec![v1::ClaimCounts { held: number(1), refuted: number(2), vacuous: number(3), undefined: None }; 2];
        let header = v1::CompleteHeader {
            worker_id: 7,
            sweep_id: "h1-0123456789ab".into(),
            decided: number(9),
            claims,
            records_hash: number(u128::MAX),
            seconds: 1.5,
            instance: "ada".into(),
            ..Default::default()
        };
        let parts = [
            Part::Header(header),
            Part::Counterexamples(v1::CounterexamplePart { claim: 1, candidates: vec![candidate; 3] }),
            Part::Records(v1::RecordPart { records: vec![record; 3] }),
            Part::Coverage(v1::CoveragePart { counts: vec![coverage] }),
            Part::Groups(v1::GroupPart { counts: vec![group] }),
        ];
        parts.into_iter().map(|one| part(one).encode_to_vec()).collect()
    }

    /// What a result that is being put together takes in memory, at least.
    fn held(assembler: &Assembler) -> usize {
        let Some(delivery) = &assembler.delivery else { return 0 };
        let ShardResult { tally, counterexamples, records } = &delivery.result;
        let candidates: usize = counterexamples.iter().flatten().map(|found| ITEM_BYTES + found.key.len() + found.actual.len()).sum();
        let records: usize = records.iter().map(|record| ITEM_BYTES + record.key.len() + record.value.len()).sum();
        candidates + records + ITEM_BYTES * (tally.coverage.0.len() + tally.groups.0.len())
    }

    #[test]
    fn a_hundred_thousand_malformed_messages_neither_panic_nor_grow() {
        let sound = sound();
        // The generator is SplitMix64.
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (mixed ^ (mixed >> 31)) as usize % below
        };
        let (mut taken, mut refused, mut unread) = (0, 0, 0);
        let mut assembler = Assembler::default();
        for message in 0..100_000 {
            // Every now and then a new result begins, mostly with a header that can be read.
            if message % 8 == 0 {
                assembler = Assembler::default();
                let _ = assembler.take(v1::CompleteRequest::decode(&*sound[0]).unwrap());
            }
            let mut bytes = sound[random(sound.len())].clone();
            for _ in 0..random(4) {
                let place = random(bytes.len());
                match random(4) {
                    0 => bytes[place] ^= 1 << random(8),
                    1 => bytes[place] = random(256) as u8,
                    2 => bytes.truncate(place.max(1)),
                    _ => bytes.insert(place, random(256) as u8),
                }
            }
            match v1::CompleteRequest::decode(&*bytes) {
                Err(_) => unread += 1,
                Ok(request) => match assembler.take(request) {
                    Ok(()) => taken += 1,
                    Err(_) => refused += 1,
                },
            }
            // Eight messages of at most a few dozen bytes, each of which makes items of at most so many bytes.
            assert!(held(&assembler) <= assembler.bytes && assembler.bytes < 8 * 128 * ITEM_BYTES);
        }
        assert!(taken > 1_000 && refused > 1_000 && unread > 1_000, "{taken} taken, {refused} refused, {unread} unread");
    }

    proptest! {
        #[test]
        fn no_part_makes_the_assembler_panic(claim: u32, key in prop::collection::vec(any::<u8>(), 0..9), actual in ".{0,9}", box_index: u32) {
            let mut assembler = Assembler::default();
            let candidates = vec![v1::Candidate { key: key.clone(), actual: actual.clone() }];
            let _ = assembler.take(part(Part::Counterexamples(v1::CounterexamplePart { claim, candidates: candidates.clone() })));
            assembler.take(header(2)).unwrap();
            let _ = assembler.take(part(Part::Counterexamples(v1::CounterexamplePart { claim, candidates })));
            let _ = assembler.take(part(Part::Coverage(v1::CoveragePart { counts: vec![v1::CoverageCount { box_index, value: actual, claims: None, count: None }] })));
            prop_assert!(assembler.finish().is_ok());
        }
    }
}
