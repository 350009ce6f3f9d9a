//! The calls to the coordinator: each is one future that ends in the event that a session is told.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use refute_proto::v1;
use refute_proto::v1::workers_client::WorkersClient;
use refute_proto::{MAX_MESSAGE_BYTES, PROTOCOL, why_unanswered};
use refute_shared::families::FAMILIES;
use refute_shared::language;
use tonic::transport::{Channel, Endpoint, Error as TransportError};
use tonic::{Code, Response, Status};

use crate::assignment::Solved;
use crate::log;
use crate::options::WorkerOptions;
use crate::session::{BACKLOG, CallFailure, Event, Granted};
use crate::wire::{self, Parts};
use refute_connect::tls::{self, TlsFiles};

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(5);

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(10);

/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_millis(500);

/// How long a result may take to be handed back: it has many parts, and is answered only after its counterexamples are
/// solved again and it is on disk. A coordinator that vanishes before that is noticed by [`SILENCE`] and [`PATIENCE`].
const DELIVERY: Duration = Duration::from_secs(600);

/// A connection with calls on it that is silent for so long is asked whether it lives: a machine that vanished does not
/// close its connections.
const SILENCE: Duration = Duration::from_secs(5);

/// How long the connection has to say so.
const PATIENCE: Duration = Duration::from_secs(10);

/// A client of the coordinator at `url`, which connects at the first call, and again whenever it has to.
pub(crate) fn client(url: &str, tls: Option<TlsFiles>) -> Result<WorkersClient<Channel>, TransportError> {
    let endpoint = Endpoint::from_shared(url.to_owned())?
        .connect_timeout(CONNECT)
        .http2_keep_alive_interval(SILENCE)
        .keep_alive_timeout(PATIENCE)
        .tcp_nodelay(true);
    let client = WorkersClient::new(tls::channel(endpoint, tls));
    Ok(client.max_decoding_message_size(MAX_MESSAGE_BYTES).max_encoding_message_size(MAX_MESSAGE_BYTES))
}

pub(crate) async fn register(mut client: WorkersClient<Channel>, options: WorkerOptions, instance: String) -> Event {
    let request = v1::RegisterRequest {
        protocol: PROTOCOL,
        build: env!("CARGO_PKG_VERSION").to_owned(),
        host: options.host,
        slots: u32::try_from(options.slots).unwrap_or(u32::MAX),
        slot_bytes: options.slot_bytes,
        memory_kills: options.memory_kills,
        families: FAMILIES
            .iter()
            .map(|family| (family.id(), family.solver_version()))
            .chain([("language", language::VERSION)])
            .map(|(family, solver_version)| v1::FamilyVersion { family: family.to_owned(), solver_version })
            .collect(),
        instance,
        // A small constant.
        backlog: BACKLOG as u32,
    };
    match within(ANSWER, client.register(request)).await {
        Ok(v1::RegisterResponse { worker_id, lease_ttl_ms, heartbeat_every_ms }) => {
            Event::Registered { worker_id, lease_ttl_ms, heartbeat_every_ms }
        }
        // There is no id yet, so there is none that the coordinator could not know.
        Err(status) => Event::RegisterFailed(failure(&status, 0)),
    }
}

pub(crate) async fn lease(mut client: WorkersClient<Channel>, worker_id: u64, shards: u32, number: u64) -> Event {
    match within(ANSWER, client.lease(v1::LeaseRequest { worker_id, shards, number })).await {
        Ok(v1::LeaseResponse { leases, retry_after_ms }) if leases.is_empty() => Event::NothingToDo { retry_after_ms },
        Ok(v1::LeaseResponse { leases, .. }) => Event::Leased { leases: leases.into_iter().map(granted).collect() },
        Err(status) => Event::LeaseFailed { failure: failure(&status, worker_id) },
    }
}

fn granted(lease: v1::Lease) -> Granted {
    let lease_id = lease.lease_id;
    match wire::assignment(lease) {
        Ok(assignment) => Granted::Shard(Box::new(assignment)),
        Err(error) => Granted::Malformed { lease_id, problem: error.to_string() },
    }
}

pub(crate) async fn heartbeat(mut client: WorkersClient<Channel>, worker_id: u64, leases: Vec<v1::LeaseProgress>) -> Event {
    match within(ANSWER, client.heartbeat(v1::HeartbeatRequest { worker_id, leases })).await {
        Ok(v1::HeartbeatResponse { stop }) => Event::HeartbeatAnswered { worker_id, stop },
        Err(status) => Event::HeartbeatFailed { worker_id, failure: failure(&status, worker_id) },
    }
}

pub(crate) async fn deliver(
    mut client: WorkersClient<Channel>,
    worker_id: u64,
    instance: String,
    results: Vec<(u64, Arc<Solved>)>,
) -> Event {
    let solved: Vec<Arc<Solved>> = results.iter().map(|(_, solved)| Arc::clone(solved)).collect();
    let parts = solved.into_iter().flat_map(move |solved| Parts::new(worker_id, &instance, solved));
    let answers = match within(DELIVERY, client.complete(tokio_stream::iter(parts))).await {
        Ok(v1::CompleteResponse { results: answers }) => each_answer(&results, answers, worker_id),
        Err(status) => {
            let failure = failure(&status, worker_id);
            results.iter().map(|(report, _)| (*report, Err(failure.clone()))).collect()
        }
    };
    Event::Reported { answers }
}

/// What the coordinator says about each result of a call: its answers come in their order.
fn each_answer(results: &[(u64, Arc<Solved>)], answers: Vec<v1::ResultAnswer>, worker_id: u64) -> Vec<(u64, Result<(), CallFailure>)> {
    let answers = answers.into_iter().map(Some).chain(std::iter::repeat(None));
    results.iter().zip(answers).map(|((report, solved), answer)| (*report, delivered(solved, answer, worker_id))).collect()
}

/// What the coordinator says about one result.
fn delivered(solved: &Solved, answer: Option<v1::ResultAnswer>, worker_id: u64) -> Result<(), CallFailure> {
    let Some(v1::ResultAnswer { counted, code, reason, retry_after_ms }) = answer else {
        return Err(CallFailure::Busy { retry_after_ms: None, reason: "it did not answer to every result".to_owned() });
    };
    if code == 0 {
        log::delivered(worker_id, solved, counted);
        return Ok(());
    }
    let mut status = Status::new(Code::from_i32(i32::try_from(code).unwrap_or(i32::MAX)), reason);
    if retry_after_ms > 0 {
        status.metadata_mut().insert(PUSHBACK, retry_after_ms.into());
    }
    Err(failure(&status, worker_id))
}

pub(crate) async fn release(mut client: WorkersClient<Channel>, report: u64, worker_id: u64, lease_id: u64, error: String) -> Event {
    let answer = match within(ANSWER, client.release(v1::ReleaseRequest { worker_id, lease_id, error })).await {
        Ok(v1::ReleaseResponse {}) => Ok(()),
        Err(status) => Err(failure(&status, worker_id)),
    };
    Event::Reported { answers: vec![(report, answer)] }
}

/// Says goodbye. If it does not get through, the coordinator finds out by itself.
pub(crate) async fn deregister(mut client: WorkersClient<Channel>, worker_id: u64) {
    if let Err(status) = within(GOODBYE, client.deregister(v1::DeregisterRequest { worker_id })).await {
        tracing::debug!(worker = worker_id, %status, "the goodbye was not heard");
    }
}

async fn within<T>(limit: Duration, call: impl Future<Output = Result<Response<T>, Status>>) -> Result<T, Status> {
    match tokio::time::timeout(limit, call).await {
        Ok(answer) => answer.map(Response::into_inner),
        Err(_) => Err(Status::deadline_exceeded(format!("no answer within {limit:?}"))),
    }
}

/// What a status means for a worker that called with this id.
fn failure(status: &Status, worker_id: u64) -> CallFailure {
    if let Some(reason) = why_unanswered(status) {
        return CallFailure::Unreachable { reason };
    }
    let reason = status.message().to_owned();
    let retry_after_ms = pushback_ms(status);
    match status.code() {
        Code::NotFound => CallFailure::UnknownWorker { worker_id },
        Code::DeadlineExceeded | Code::Cancelled => CallFailure::Unreachable { reason },
        Code::Unavailable if retry_after_ms.is_none() => CallFailure::Unreachable { reason },
        Code::FailedPrecondition
        | Code::InvalidArgument
        | Code::OutOfRange
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::Unauthenticated
        | Code::Unimplemented => CallFailure::Refused { reason },
        _ => CallFailure::Busy { retry_after_ms, reason },
    }
}

/// Where a status says when to come back, in milliseconds.
const PUSHBACK: &str = "grpc-retry-pushback-ms";

/// The time to come back that the coordinator named, in milliseconds. A negative one, which says never, counts as none.
fn pushback_ms(status: &Status) -> Option<u64> {
    status.metadata().get(PUSHBACK)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use refute_shared::sweep::{Record, Shard, ShardResult};

    use crate::assignment::Assignment;

    use super::*;

    #[test]
    fn each_answer_is_that_to_the_result_in_its_place_and_one_without_an_answer_is_handed_in_again() {
        let assignment = Assignment {
            lease_id: 1,
            sweep_id: "t".into(),
            shard_number: 1,
            shard: Shard { box_index: 0, start: 0, end: 1 },
            family: "null".into(),
            solver_version: 1,
            space: String::new(),
            stated: Vec::new(),
            claims: Vec::new(),
            counterexamples: 1,
            record: Record::None,
        };
        let solved = Arc::new(Solved { assignment, result: ShardResult::default(), seconds: 1.0 });
        let results: Vec<(u64, Arc<Solved>)> = [7, 3, 9, 4].map(|report| (report, solved.clone())).into();
        let reason = || "why".to_owned();
        let answers = vec![
            v1::ResultAnswer { counted: true, ..Default::default() },
            v1::ResultAnswer { code: Code::InvalidArgument as u32, reason: reason(), ..Default::default() },
            v1::ResultAnswer { code: Code::Unavailable as u32, reason: reason(), retry_after_ms: 300, ..Default::default() },
        ];
        let unanswered = "it did not answer to every result".to_owned();
        let expected = [
            (7, Ok(())),
            (3, Err(CallFailure::Refused { reason: reason() })),
            (9, Err(CallFailure::Busy { retry_after_ms: Some(300), reason: reason() })),
            (4, Err(CallFailure::Busy { retry_after_ms: None, reason: unanswered })),
        ];
        assert_eq!(each_answer(&results, answers, 2), expected);
    }

    #[test]
    fn a_status_says_what_to_do_next() {
        let reason = || "why".to_owned();
        let busy = |retry_after_ms| CallFailure::Busy { retry_after_ms, reason: reason() };
        for (code, pushback, expected) in [
            (Code::NotFound, None, CallFailure::UnknownWorker { worker_id: 7 }),
            (Code::Unavailable, None, CallFailure::Unreachable { reason: reason() }),
            (Code::Unavailable, Some("300"), busy(Some(300))),
            (Code::ResourceExhausted, Some("300"), busy(Some(300))),
            (Code::ResourceExhausted, Some("-1"), busy(None)),
            (Code::ResourceExhausted, None, busy(None)),
            (Code::Internal, None, busy(None)),
            (Code::DeadlineExceeded, None, CallFailure::Unreachable { reason: reason() }),
            (Code::FailedPrecondition, None, CallFailure::Refused { reason: reason() }),
            (Code::InvalidArgument, None, CallFailure::Refused { reason: reason() }),
        ] {
            let mut status = Status::new(code, reason());
            if let Some(pushback) = pushback {
                status.metadata_mut().insert(PUSHBACK, pushback.parse().unwrap());
            }
            assert_eq!(failure(&status, 7), expected, "{code:?} {pushback:?}");
        }
    }
}
