//! The service `Workers`, which workers call: it translates between the wire and the driver, and bounds what a worker may ask
//! for and say about itself.

use std::sync::Arc;
use std::time::Duration;

use prost::Message as _;
use refute_proto::v1::complete_request::Part;
use refute_proto::v1::stated_claim;
use refute_proto::v1::workers_server::Workers;
use refute_proto::{MAX_MESSAGE_BYTES, MAX_SLOTS, PROTOCOL, v1};
use refute_shared::families::find;
use refute_shared::sweep::{Sentence, StatedClaim};
use refute_shared::text::{is_unprintable, plain, quoted};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tonic::{Code, Request, Response, Status, Streaming};
use tracing::warn;

use crate::driver::{Answer, Coordinator, DeliveryError, Driver, DriverError, Leased, Registration};
use crate::schedule::{LANGUAGE, LeaseId, UnknownWorker, WorkerId, WorkerInfo};

use super::assemble::{CallError, Problem, Results};
use super::budget::Budget;
use super::peer::host;
use super::unanswered::{busy, unanswered};

/// The most leases in one answer.
const MAX_LEASES: u32 = 256;

/// What the leases of one answer may take, in bytes; the rest of the message is for what stands around them.
const MAX_LEASES_BYTES: usize = MAX_MESSAGE_BYTES - 1024;

/// When a worker that found nothing to do asks again.
const RETRY_AFTER_MS: u64 = 200;

/// The most families that a worker may know; there are a handful.
const MAX_FAMILIES: usize = 100;
/// How many versions of these are kept of a worker.
const MAX_VERSIONS: usize = 32;
/// The longest text in which a worker says something about itself, in bytes: as long as the name of a host may be.
const MAX_TEXT_BYTES: usize = 255;

/// The most that is kept of an error, in characters.
const MAX_ERROR_CHARACTERS: usize = 1_000;

/// How long the next part of a call may take, and all of them: what they take in memory is kept from others.
const PART: Duration = Duration::from_secs(30);
const CALL: Duration = Duration::from_secs(300);

/// When a worker comes back for whose results there is no memory.
const FULL_RETRY_AFTER_MS: u64 = 1_000;

/// What workers call.
pub struct WorkerService {
    driver: Driver,
    budget: Arc<Budget>,
}

impl WorkerService {
    pub fn new(driver: Driver) -> Self {
        Self { driver, budget: Arc::default() }
    }
}

fn unknown_worker(error: UnknownWorker) -> Status {
    Status::not_found(error.to_string())
}

/// What a worker may not say about itself.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum UnfitWorker {
    #[error("a worker has 1 to {max} slots, and at most {max} results on their way", max = MAX_SLOTS)]
    Slots,
    #[error("a worker knows at most {max} families", max = MAX_FAMILIES)]
    Families,
    #[error("the worker's {0} is not allowed; it has at most {max} bytes of plain text", max = MAX_TEXT_BYTES)]
    Text(&'static str),
}

/// Whether what a worker says about itself can be kept and shown to people. It is kept for as long as the worker is remembered, and
/// stands in the answers, reports and terminals of others.
fn check(request: &v1::RegisterRequest) -> Result<(), UnfitWorker> {
    if !(1..=MAX_SLOTS).contains(&request.slots) || request.backlog > MAX_SLOTS {
        return Err(UnfitWorker::Slots);
    }
    if request.families.len() > MAX_FAMILIES {
        return Err(UnfitWorker::Families);
    }
    let v1::RegisterRequest { host, build, instance, families, .. } = request;
    let texts = [("host", host), ("build", build), ("instance", instance)].into_iter();
    let mut texts = texts.chain(families.iter().map(|family| ("family", &family.family)));
    let unfit = texts.find(|(_, text)| text.len() > MAX_TEXT_BYTES || text.contains(is_unprintable));
    unfit.map_or(Ok(()), |(what, _)| Err(UnfitWorker::Text(what)))
}

fn info_of(request: v1::RegisterRequest, host: String) -> WorkerInfo {
    // No sweep here is of another family.
    let is_known = |name: &str| name == LANGUAGE || find(name).is_some();
    let families = request.families.into_iter().filter(|family| is_known(&family.family));
    let families = families.map(|family| (family.family, family.solver_version));
    WorkerInfo {
        host,
        machine: request.host,
        build: request.build,
        instance: request.instance,
        slots: request.slots,
        backlog: request.backlog,
        slot_bytes: request.slot_bytes,
        memory_kills: request.memory_kills,
        families: families.take(MAX_VERSIONS).collect(),
    }
}

/// The lease as it goes over the wire.
fn to_wire(leased: Leased<'_>) -> v1::Lease {
    let Leased { grant, shard, sweep, record, encoded_space } = leased;
    v1::Lease {
        lease_id: grant.lease_id.0,
        sweep_id: grant.sweep_id,
        family: record.family.clone(),
        solver_version: record.solver_version,
        space: encoded_space.to_owned(),
        claims: sweep.claims.iter().filter(|claim| claim.stated.is_none()).map(|claim| claim.id.clone().into_owned()).collect(),
        stated: sweep.stated().into_iter().map(stated).collect(),
        // At most 10^6.
        counterexamples: u32::try_from(sweep.options().counterexamples).unwrap_or(u32::MAX),
        record: sweep.options().record.word().to_owned(),
        shard_number: grant.shard_number,
        shard: Some(v1::Shard { box_index: shard.box_index, start: shard.start, end: shard.end }),
    }
}

fn stated(claim: &StatedClaim) -> v1::StatedClaim {
    let sentence = match &claim.sentence {
        Sentence::Says(written) => stated_claim::Sentence::Says(written.text.clone()),
        Sentence::Predict(written) => stated_claim::Sentence::Predict(written.text.clone()),
    };
    let r#where = claim.condition.as_ref().map(|written| written.text.clone());
    v1::StatedClaim { id: claim.id.clone(), r#where, per: claim.per.clone(), sentence: Some(sentence) }
}

/// Leases so many shards to a worker, or as many as there are and as one message holds: first those with which the same request
/// was answered before.
fn leases_of(core: &mut Coordinator, now_ms: u64, request: &v1::LeaseRequest) -> Result<Vec<v1::Lease>, UnknownWorker> {
    let (worker, shards) = (WorkerId(request.worker_id), request.shards.clamp(1, MAX_LEASES));
    let Some(again) = core.ask(now_ms, worker, request.number)? else { return Ok(Vec::new()) };
    let mut leases: Vec<v1::Lease> = again.into_iter().filter_map(|grant| core.leased(grant).map(to_wire)).collect();
    let mut bytes: usize = leases.iter().map(|lease| lease.encoded_len() + 8).sum();
    while (leases.len() as u32) < shards {
        let Some(leased) = core.lease(now_ms, worker)? else { break };
        let lease = to_wire(leased);
        bytes += lease.encoded_len() + 8;
        if bytes > MAX_LEASES_BYTES && !leases.is_empty() {
            core.take_back(now_ms, worker, LeaseId(lease.lease_id))?;
            break;
        }
        leases.push(lease);
    }
    Ok(leases)
}

/// The answer to one of a worker's results.
fn answer_of(answered: Result<Result<bool, DeliveryError>, Problem>) -> v1::ResultAnswer {
    let refused = |code: Code, reason: String| v1::ResultAnswer { code: code as u32, reason, ..Default::default() };
    match answered {
        Ok(Ok(counted)) => v1::ResultAnswer { counted, ..Default::default() },
        // NOT_FOUND would say that the worker is unknown.
        Ok(Err(error @ DeliveryError::NotWanted(_))) => refused(Code::FailedPrecondition, error.to_string()),
        Ok(Err(error @ DeliveryError::Invalid { .. })) => refused(Code::InvalidArgument, error.to_string()),
        Ok(Err(error @ DeliveryError::HandedInAgain)) => refused(Code::Aborted, error.to_string()),
        Ok(Err(error @ DeliveryError::NotWritten(_))) => refused(Code::Unavailable, error.to_string()),
        Err(Problem::NotWanted(reason)) => refused(Code::FailedPrecondition, reason),
        Err(Problem::Malformed(reason)) => refused(Code::InvalidArgument, reason),
    }
}

/// Who may hand in results for what: asked of the driver before anything of a result is kept.
struct Admission<'a> {
    driver: &'a Driver,
    /// The last header that was let in, with the number of shards of its sweep: mostly the next one is alike.
    known: Option<(v1::CompleteHeader, u64)>,
}

impl Admission<'_> {
    /// Why nobody wants a result with this header, if that is so.
    ///
    /// # Errors
    /// The status of the call, if the worker is not known or the driver does not answer.
    async fn refuses(&mut self, header: &v1::CompleteHeader) -> Result<Option<String>, Status> {
        let v1::CompleteHeader { worker_id, instance, sweep_id, shard_number, .. } = header;
        let is_alike = |known: &v1::CompleteHeader| (known.worker_id, &known.instance, &known.sweep_id) == (*worker_id, instance, sweep_id);
        let known = self.known.as_ref().filter(|(known, _)| is_alike(known)).map(|(_, shards)| *shards);
        let shards = match known {
            Some(shards) => shards,
            None => {
                if instance.len() > MAX_TEXT_BYTES || sweep_id.len() > MAX_TEXT_BYTES {
                    let reason = format!("the name of a worker or of a sweep has at most {MAX_TEXT_BYTES} bytes");
                    warn!(worker = worker_id, reason, "result refused");
                    return Ok(Some(reason));
                }
                let (worker, instance, id) = (WorkerId(*worker_id), instance.clone(), sweep_id.clone());
                let admitted = self.driver.call(move |core, _| core.admit(worker, &instance, &id)).await.map_err(unanswered)?;
                match admitted.map_err(unknown_worker)? {
                    Ok(shards) => shards,
                    Err(reason) => {
                        warn!(worker = worker_id, reason, "result refused");
                        return Ok(Some(reason));
                    }
                }
            }
        };
        if known.is_none() {
            self.known = Some((v1::CompleteHeader { claims: Vec::new(), ..header.clone() }, shards));
        }
        Ok((*shard_number >= shards).then(|| format!("sweep '{}' has no shard {shard_number}", quoted(sweep_id))))
    }
}

/// Reads the parts of a call.
///
/// # Errors
/// The status of the call, if they cannot be read to the end.
async fn read(mut parts: Streaming<v1::CompleteRequest>, admission: &mut Admission<'_>, mut results: Results) -> Result<Results, Status> {
    while let Some(part) = timeout(PART, parts.message()).await.map_err(|_| too_slow(PART))?? {
        let refused = match &part.part {
            Some(Part::Header(header)) => admission.refuses(header).await?,
            _ => None,
        };
        let taken = match refused {
            Some(reason) => results.refuse(reason),
            None => results.take(part),
        };
        taken.map_err(|error| match error {
            CallError::Malformed(problem) => Status::invalid_argument(problem),
            CallError::Full(full) => busy(full.to_string(), FULL_RETRY_AFTER_MS),
        })?;
    }
    Ok(results)
}

fn too_slow(limit: Duration) -> Status {
    busy(format!("nothing more of the results came within {} s", limit.as_secs()), FULL_RETRY_AFTER_MS)
}

#[tonic::async_trait]
impl Workers for WorkerService {
    async fn register(&self, request: Request<v1::RegisterRequest>) -> Result<Response<v1::RegisterResponse>, Status> {
        let host = host(&request);
        let request = request.into_inner();
        if request.protocol != PROTOCOL {
            let (theirs, ours) = (request.protocol, PROTOCOL);
            let sentence = format!("this coordinator speaks protocol {ours} and the worker {theirs}; run the same version on both");
            return Err(Status::failed_precondition(sentence));
        }
        check(&request).map_err(|unfit| Status::invalid_argument(unfit.to_string()))?;
        let info = info_of(request, host);
        let registered = self.driver.call(move |core, now_ms| core.register(now_ms, info)).await.map_err(unanswered)?;
        let Registration { worker, lease_ttl_ms, heartbeat_every_ms } = registered.map_err(|error| {
            warn!(reason = %error, "worker refused");
            busy(error.to_string(), FULL_RETRY_AFTER_MS)
        })?;
        Ok(Response::new(v1::RegisterResponse { worker_id: worker.0, lease_ttl_ms, heartbeat_every_ms }))
    }

    async fn lease(&self, request: Request<v1::LeaseRequest>) -> Result<Response<v1::LeaseResponse>, Status> {
        let request = request.into_inner();
        let worker = WorkerId(request.worker_id);
        let granted = self.driver.call(move |core, now_ms| {
            if core.is_closing() {
                return Err(unanswered(DriverError::Stopped));
            }
            let leases = leases_of(core, now_ms, &request).map_err(unknown_worker)?;
            Ok((leases, core.banned(worker).map(str::to_owned)))
        });
        let (leases, banned) = granted.await.map_err(unanswered)??;
        if let Some(reason) = banned {
            return Err(Status::permission_denied(format!("this worker gets no more work: {reason}")));
        }
        let retry_after_ms = if leases.is_empty() { RETRY_AFTER_MS } else { 0 };
        Ok(Response::new(v1::LeaseResponse { leases, retry_after_ms }))
    }

    async fn heartbeat(&self, request: Request<v1::HeartbeatRequest>) -> Result<Response<v1::HeartbeatResponse>, Status> {
        let request = request.into_inner();
        let worker = WorkerId(request.worker_id);
        let decided = |progress: &v1::LeaseProgress| progress.decided.map_or(0, u128::from);
        let leases: Vec<(LeaseId, u128)> = request.leases.iter().map(|lease| (LeaseId(lease.lease_id), decided(lease))).collect();
        let stop = self.driver.call(move |core, now_ms| core.heartbeat(now_ms, worker, &leases));
        let stop = stop.await.map_err(unanswered)?.map_err(unknown_worker)?;
        Ok(Response::new(v1::HeartbeatResponse { stop: stop.into_iter().map(|lease| lease.0).collect() }))
    }

    async fn complete(&self, request: Request<Streaming<v1::CompleteRequest>>) -> Result<Response<v1::CompleteResponse>, Status> {
        let mut admission = Admission { driver: &self.driver, known: None };
        let read = timeout(CALL, read(request.into_inner(), &mut admission, Results::new(&self.budget)));
        let (results, held) = read.await.map_err(|_| too_slow(CALL))??.finish();
        let held = Arc::new(held);
        let (mut deliveries, mut waiting) = (Vec::new(), Vec::new());
        for result in results {
            let (answer, answered) = oneshot::channel();
            waiting.push(result.map(|delivery| {
                deliveries.push((delivery, Answer::new(answer, Arc::clone(&held))));
                answered
            }));
        }
        drop(held);
        let deliver = move |core: &mut Coordinator, _| deliveries.into_iter().for_each(|(delivery, answer)| core.deliver(delivery, answer));
        self.driver.tell(deliver).map_err(unanswered)?;
        let mut answers = Vec::with_capacity(waiting.len());
        for answered in waiting {
            let answered = match answered {
                Ok(answered) => Ok(answered.await.map_err(|_| unanswered(DriverError::Stopped))?),
                Err(problem) => Err(problem),
            };
            answers.push(answer_of(answered));
        }
        Ok(Response::new(v1::CompleteResponse { results: answers }))
    }

    async fn release(&self, request: Request<v1::ReleaseRequest>) -> Result<Response<v1::ReleaseResponse>, Status> {
        let v1::ReleaseRequest { worker_id, lease_id, error } = request.into_inner();
        let released = self.driver.call(move |core, now_ms| {
            let error = (!error.is_empty()).then(|| plain(&error, MAX_ERROR_CHARACTERS));
            core.release(now_ms, WorkerId(worker_id), LeaseId(lease_id), error)
        });
        released.await.map_err(unanswered)?.map_err(unknown_worker)?;
        Ok(Response::new(v1::ReleaseResponse {}))
    }

    async fn deregister(&self, request: Request<v1::DeregisterRequest>) -> Result<Response<v1::DeregisterResponse>, Status> {
        let worker = WorkerId(request.into_inner().worker_id);
        let gone = self.driver.call(move |core, _| core.deregister(worker));
        gone.await.map_err(unanswered)?.map_err(unknown_worker)?;
        Ok(Response::new(v1::DeregisterResponse {}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> v1::RegisterRequest {
        v1::RegisterRequest {
            protocol: PROTOCOL,
            build: "0.1.0".into(),
            host: "ada-ü".into(),
            slots: 1,
            slot_bytes: 1 << 30,
            families: vec![v1::FamilyVersion { family: "graph-nim".into(), solver_version: 2 }],
            instance: "a".repeat(MAX_TEXT_BYTES),
            backlog: MAX_SLOTS,
            memory_kills: 0,
        }
    }

    #[test]
    fn what_a_worker_says_about_itself_is_short_plain_text_and_its_numbers_are_bounded() {
        assert_eq!(check(&request()), Ok(()));
        let family = |family: &str| v1::FamilyVersion { family: family.into(), solver_version: 1 };
        for (refused, expected) in [
            (v1::RegisterRequest { slots: 0, ..request() }, "1 to 4096 slots"),
            (v1::RegisterRequest { slots: 4097, ..request() }, "1 to 4096 slots"),
            (v1::RegisterRequest { backlog: 4097, ..request() }, "at most 4096 results on their way"),
            (v1::RegisterRequest { host: "a\nworker 7 on b".into(), ..request() }, "host is not allowed"),
            (v1::RegisterRequest { host: "\u{1b}[2J".into(), ..request() }, "host is not allowed"),
            (v1::RegisterRequest { build: "\u{9b}2J".into(), ..request() }, "build is not allowed"),
            (v1::RegisterRequest { build: "0.1\u{202e}".into(), ..request() }, "build is not allowed"),
            (v1::RegisterRequest { instance: "a".repeat(MAX_TEXT_BYTES + 1), ..request() }, "instance is not allowed"),
            (v1::RegisterRequest { families: vec![family("graph-nim"), family("\0")], ..request() }, "family is not allowed"),
            (v1::RegisterRequest { families: vec![family("graph-nim"); 101], ..request() }, "at most 100 families"),
        ] {
            let sentence = check(&refused).unwrap_err().to_string();
            assert!(sentence.contains(expected), "{sentence}");
        }
    }
}
