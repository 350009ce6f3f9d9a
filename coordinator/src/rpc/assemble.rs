//! Puts the results of a `Complete` call together from their parts, in bounded memory; a malformed result does not harm the
//! others.

use std::sync::Arc;

use refute_proto::MAX_RESULTS;
use refute_proto::v1::{self, complete_request::Part};
use refute_shared::sweep::{Candidate, ClaimTally, Coverage, CoverageKey, Group, Groups, KeptRecord, ShardResult, Tally};

use crate::driver::Delivery;
use crate::schedule::{LeaseId, WorkerId};

use super::budget::{Budget, Refused, Reservation, cost};

/// What is wrong with one result of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It cannot be read.
    Malformed(String),
    /// Nobody wants it, as its header shows.
    NotWanted(String),
}

/// What does not belong into a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// A part with nothing in it.
    #[error("a part of a result is empty")]
    Empty,
    /// More than one header.
    #[error("a result has two headers")]
    TwoHeaders,
    /// Another part than the header comes first.
    #[error("the first part of a result is its header")]
    NoHeaderFirst,
    /// No part at all.
    #[error("a result has no header")]
    NoHeader,
    /// A claim that the header does not count.
    #[error("counterexamples to claim {0}, and the header has fewer")]
    NoSuchClaim(u32),
    /// More claims are said to be stated than there are.
    #[error("stated is {stated}, and there are {claims} claims")]
    TooManyStated {
        /// As many as are said to be stated.
        stated: usize,
        /// As many as there are.
        claims: usize,
    },
    /// A number that every result has.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A class of the coverage that came before.
    #[error("the coverage has a class twice")]
    ClassTwice,
    /// A group that came before.
    #[error("a group stands twice")]
    GroupTwice,
    /// It takes more memory than a result may have.
    #[error(transparent)]
    TooLarge(Refused),
}

/// Why no more of a call is taken in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// A part belongs to no result, or to one too many.
    #[error("{0}")]
    Malformed(String),
    /// There is no memory for it now.
    #[error(transparent)]
    Full(Refused),
}

/// Puts the results of a call together: each is one header and then its other parts.
pub struct Results {
    finished: Vec<Result<Delivery, Problem>>,
    /// The result whose parts are coming in, or what is wrong with it: the rest of its parts is passed over then.
    current: Option<Result<Assembler, Problem>>,
    held: Reservation,
}

impl Results {
    /// Nothing has come in of a call that takes its memory from this budget.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Self { finished: Vec::new(), current: None, held: Reservation::new(budget) }
    }

    /// Takes in one part. What it takes in memory is reserved before that.
    ///
    /// # Errors
    /// [`CallError`].
    pub fn take(&mut self, request: v1::CompleteRequest) -> Result<(), CallError> {
        if matches!(request.part, Some(Part::Header(_))) {
            self.begin(Ok(Assembler::default()))?;
        }
        let assembler = match &mut self.current {
            None => return Err(CallError::Malformed("the first part of a call is the header of a result".into())),
            Some(Err(_)) => return Ok(()),
            Some(Ok(assembler)) => assembler,
        };
        let taken = match self.held.grow(cost(&request)) {
            Err(full @ Refused::Full) => return Err(CallError::Full(full)),
            Err(too_large @ Refused::TooLarge) => Err(PartError::TooLarge(too_large)),
            Ok(()) => assembler.take(request),
        };
        if let Err(problem) = taken {
            self.current = Some(Err(Problem::Malformed(problem.to_string())));
        }
        Ok(())
    }

    /// A header has come in of a result that nobody wants: nothing of it is kept.
    ///
    /// # Errors
    /// [`CallError::Malformed`] if it is one too many.
    pub fn refuse(&mut self, reason: String) -> Result<(), CallError> {
        self.begin(Err(Problem::NotWanted(reason)))
    }

    /// A header takes next to nothing on the wire, so their number is bounded.
    fn begin(&mut self, next: Result<Assembler, Problem>) -> Result<(), CallError> {
        self.finish_current();
        if self.finished.len() >= MAX_RESULTS {
            return Err(CallError::Malformed(format!("a call has at most {MAX_RESULTS} results")));
        }
        self.current = Some(next);
        Ok(())
    }

    fn finish_current(&mut self) {
        if let Some(current) = self.current.take() {
            self.finished.push(current.and_then(|assembler| assembler.finish().map_err(|problem| Problem::Malformed(problem.to_string()))));
        }
    }

    /// Each result of the call, or what is wrong with it; and the memory that they have, to be given back when all of them are
    /// answered.
    pub fn finish(mut self) -> (Vec<Result<Delivery, Problem>>, Reservation) {
        self.finish_current();
        (self.finished, self.held)
    }
}

/// Puts a result together from its parts: the header first, then the others in any order.
#[derive(Default)]
struct Assembler {
    delivery: Option<Delivery>,
}

impl Assembler {
    /// Takes in one part.
    ///
    /// # Errors
    /// [`PartError`], if the part does not belong there.
    fn take(&mut self, request: v1::CompleteRequest) -> Result<(), PartError> {
        match (request.part, &mut self.delivery) {
            (None, _) => return Err(PartError::Empty),
            (Some(Part::Header(header)), None) => self.delivery = Some(delivery(header)?),
            (Some(Part::Header(_)), Some(_)) => return Err(PartError::TwoHeaders),
            (Some(_), None) => return Err(PartError::NoHeaderFirst),
            (Some(Part::Counterexamples(part)), Some(delivery)) => {
                let list = delivery.result.counterexamples.get_mut(part.claim as usize);
                let list = list.ok_or(PartError::NoSuchClaim(part.claim))?;
                list.extend(part.candidates.into_iter().map(|found| Candidate { key: found.key, actual: found.actual }));
            }
            (Some(Part::Records(part)), Some(delivery)) => {
                delivery.result.records.extend(part.records.into_iter().map(|record| KeptRecord { key: record.key, value: record.value }));
            }
            (Some(Part::Coverage(part)), Some(delivery)) => {
                for count in part.counts {
                    let key =
                        CoverageKey { box_index: count.box_index, value: count.value, claims: number(count.claims, "coverage.claims")? };
                    if delivery.result.tally.coverage.0.insert(key, number(count.count, "coverage.count")?).is_some() {
                        return Err(PartError::ClassTwice);
                    }
                }
            }
            (Some(Part::Groups(part)), Some(delivery)) => {
                for group in part.counts {
                    let count = number(group.count, "groups.count")?;
                    if delivery.result.tally.groups.0.insert((group.box_index, Group::decode(&group.label)), count).is_some() {
                        return Err(PartError::GroupTwice);
                    }
                }
            }
        }
        Ok(())
    }

    /// The whole result.
    ///
    /// # Errors
    /// [`PartError::NoHeader`].
    fn finish(self) -> Result<Delivery, PartError> {
        self.delivery.ok_or(PartError::NoHeader)
    }
}

fn delivery(header: v1::CompleteHeader) -> Result<Delivery, PartError> {
    let counts = |claim: v1::ClaimCounts| -> Result<ClaimTally, PartError> {
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
        return Err(PartError::TooManyStated { stated, claims: claims.len() });
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

fn number(value: Option<v1::U128>, field: &'static str) -> Result<u128, PartError> {
    value.map(u128::from).ok_or(PartError::Missing(field))
}

#[cfg(test)]
#[path = "assemble_fuzz.rs"]
mod fuzz;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use prost::Message as _;

    use crate::rpc::budget::{CALL_BYTES, ITEM_BYTES};

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
        let mut results = Results::new(&Arc::default());
        assert!(results.take(part(Part::Records(v1::RecordPart::default()))).is_err(), "no header yet");
        let broken = || part(Part::Counterexamples(v1::CounterexamplePart { claim: 9, candidates: vec![] }));
        let record = || part(Part::Records(v1::RecordPart { records: vec![v1::Record::default()] }));
        let no_counts = part(Part::Header(v1::CompleteHeader::default()));
        for message in [header(1), record(), header(2), broken(), record(), no_counts, record(), header(3), record(), record()] {
            results.take(message).unwrap();
        }
        let found: Vec<Result<usize, Problem>> =
            results.finish().0.into_iter().map(|result| result.map(|delivery| delivery.result.records.len())).collect();
        let problem = |problem: &str| Err(Problem::Malformed(problem.to_owned()));
        let expected = [Ok(1), problem("counterexamples to claim 9, and the header has fewer"), problem("decided is missing"), Ok(2)];
        assert_eq!(found, expected);
    }

    #[test]
    fn headers_without_end_are_refused_whether_they_can_be_read_or_not() {
        for header in [header(1), part(Part::Header(v1::CompleteHeader::default()))] {
            let mut results = Results::new(&Arc::default());
            for _ in 0..MAX_RESULTS {
                results.take(header.clone()).unwrap();
            }
            assert!(results.take(header).unwrap_err().to_string().contains("at most 1024 results"));
            assert!(results.refuse("not wanted".into()).unwrap_err().to_string().contains("at most 1024 results"));
            assert_eq!(results.finish().0.len(), MAX_RESULTS);
        }
    }

    /// One message of so many records of nothing.
    fn empty(items: usize) -> v1::CompleteRequest {
        part(Part::Records(v1::RecordPart { records: vec![v1::Record::default(); items] }))
    }

    /// More of them take too much in memory, however little they take on the wire.
    const MESSAGES: usize = CALL_BYTES / ITEM_BYTES / ITEMS;
    const ITEMS: usize = 400_000;

    #[test]
    fn the_results_of_a_call_are_bounded_together() {
        let budget = Arc::new(Budget::default());
        let mut results = Results::new(&budget);
        results.take(header(1)).unwrap();
        (0..MESSAGES - 1).for_each(|_| results.take(empty(ITEMS)).unwrap());
        results.take(header(1)).unwrap();
        results.take(empty(ITEMS)).unwrap();
        results.take(empty(ITEMS)).unwrap();
        assert!(budget.used() <= CALL_BYTES);
        let (finished, held) = results.finish();
        assert!(matches!(&finished[1], Err(Problem::Malformed(problem)) if problem.contains("at most")), "the one before counts too");
        assert!(finished[0].is_ok());
        drop(held);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn calls_that_come_together_share_what_there_is_and_one_of_them_ends() {
        let budget = Arc::new(Budget::default());
        let mut calls = [(); 4].map(|()| Some(Results::new(&budget)));
        let (mut refused, mut full) = (0, 0);
        for message in 0..=MESSAGES {
            for call in &mut calls {
                let Some(results) = call else { continue };
                match results.take(if message == 0 { header(1) } else { empty(ITEMS) }) {
                    Ok(()) => {}
                    Err(CallError::Full(Refused::Full)) => {
                        full += 1;
                        *call = None;
                    }
                    Err(_) => refused += 1,
                }
                assert!(budget.used() <= 256 << 20, "{}", budget.used());
            }
        }
        assert_eq!((refused, full), (0, 3));
        let (finished, held) = calls.into_iter().flatten().next().unwrap().finish();
        assert_eq!(finished.len(), 1);
        drop((finished, held));
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn nothing_is_kept_of_a_result_that_nobody_wants() {
        let budget = Arc::new(Budget::default());
        let mut results = Results::new(&budget);
        results.refuse("there is no sweep 'h9'".into()).unwrap();
        (0..100).for_each(|_| results.take(empty(1_000)).unwrap());
        assert_eq!(budget.used(), 0);
        results.take(header(1)).unwrap();
        let (finished, _held) = results.finish();
        assert!(matches!(&finished[..], [Err(Problem::NotWanted(reason)), Ok(_)] if reason == "there is no sweep 'h9'"));
    }

    #[test]
    fn a_number_that_is_missing_is_named() {
        let request = part(Part::Header(v1::CompleteHeader::default()));
        assert_eq!(Assembler::default().take(request), Err(PartError::Missing("decided")));
    }

    #[test]
    fn items_of_nothing_count_for_what_they_take_in_memory() {
        assert!(empty(ITEMS).encoded_len() < refute_proto::MAX_MESSAGE_BYTES, "one message");
        assert!(cost(&empty(ITEMS)) >= 2 * ITEMS * size_of::<KeptRecord>());
        assert!(cost(&header(1_000)) >= 1_000 * (size_of::<ClaimTally>() + 2 * size_of::<Vec<Candidate>>()));
        let text = v1::Record { key: vec![0], value: "P".into() };
        let texts = part(Part::Records(v1::RecordPart { records: vec![text] }));
        assert!(cost(&texts) >= size_of::<KeptRecord>() + 2 * 32, "the allocator gives no less");
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
        let (mut assembler, mut bytes_taken) = (Assembler::default(), 0);
        for message in 0..100_000 {
            // Every now and then a new result begins, mostly with a header that can be read.
            if message % 8 == 0 {
                (assembler, bytes_taken) = (Assembler::default(), 0);
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
                Ok(request) => {
                    bytes_taken += cost(&request);
                    match assembler.take(request) {
                        Ok(()) => taken += 1,
                        Err(_) => refused += 1,
                    }
                }
            }
            // Eight messages of at most a few dozen bytes, each of which makes items of at most so many bytes.
            assert!(held(&assembler) <= bytes_taken && bytes_taken < 8 * 128 * ITEM_BYTES);
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
