use refute_proto::PROTOCOL;
use refute_proto::v1::workers_server::Workers;
use refute_proto::v1::{self, lease_response::Answer};
use tonic::{Request, Response, Status, Streaming};

use crate::driver::{Core, DeliveryError, Driver, DriverError};
use crate::schedule::{LeaseGrant, LeaseId, UnknownWorker, WorkerId, WorkerInfo};

use super::assemble::Assembler;
use super::server::unanswered;

/// When a worker that found nothing to do asks again.
const RETRY_AFTER_MS: u64 = 200;

/// What workers call.
pub struct WorkerService {
    driver: Driver,
}

impl WorkerService {
    pub fn new(driver: Driver) -> Self {
        Self { driver }
    }
}

fn unknown_worker(error: UnknownWorker) -> Status {
    Status::not_found(error.to_string())
}

fn info_of(request: v1::RegisterRequest) -> WorkerInfo {
    WorkerInfo {
        host: request.host,
        build: request.build,
        instance: request.instance,
        slots: request.slots,
        slot_bytes: request.slot_bytes,
        families: request.families.into_iter().map(|family| (family.family, family.solver_version)).collect(),
    }
}

/// The lease as it goes over the wire, or nothing if its sweep is gone from memory.
fn lease_of(core: &Core, grant: LeaseGrant) -> Option<v1::Lease> {
    let (sweep, record) = core.laid_down(&grant.sweep_id)?;
    let shard = record.plan.shard(grant.shard_number)?;
    Some(v1::Lease {
        lease_id: grant.lease_id.0,
        sweep_id: grant.sweep_id,
        family: record.family.clone(),
        solver_version: record.solver_version,
        space: sweep.space.encode(),
        claims: sweep.claim_ids().into_iter().map(str::to_owned).collect(),
        // At most 10^6.
        counterexamples: u32::try_from(sweep.options().counterexamples).unwrap_or(u32::MAX),
        record: sweep.options().record.word().to_owned(),
        shard_number: grant.shard_number,
        shard: Some(v1::Shard { box_index: shard.box_index, start: shard.start, end: shard.end }),
    })
}

#[tonic::async_trait]
impl Workers for WorkerService {
    async fn register(&self, request: Request<v1::RegisterRequest>) -> Result<Response<v1::RegisterResponse>, Status> {
        let request = request.into_inner();
        if request.protocol != PROTOCOL {
            let (theirs, ours) = (request.protocol, PROTOCOL);
            let sentence = format!("this coordinator speaks protocol {ours} and the worker {theirs}; run the same version on both");
            return Err(Status::failed_precondition(sentence));
        }
        if request.slots == 0 {
            return Err(Status::invalid_argument("a worker has at least one slot"));
        }
        let info = info_of(request);
        let response = self.driver.call(move |core, now_ms| {
            let config = core.schedule.config();
            let worker = core.register(now_ms, info);
            v1::RegisterResponse { worker_id: worker.0, lease_ttl_ms: config.lease_ttl_ms, heartbeat_every_ms: config.heartbeat_every_ms }
        });
        Ok(Response::new(response.await.map_err(unanswered)?))
    }

    async fn lease(&self, request: Request<v1::LeaseRequest>) -> Result<Response<v1::LeaseResponse>, Status> {
        let worker = WorkerId(request.into_inner().worker_id);
        let granted = self.driver.call(move |core, now_ms| {
            if core.closing {
                return Err(unanswered(DriverError::Stopped));
            }
            let grant = core.lease(now_ms, worker).map_err(unknown_worker)?;
            let banned = core.schedule.workers().find(|view| view.id == worker).and_then(|view| view.banned.map(str::to_owned));
            Ok((grant.and_then(|grant| lease_of(core, grant)), banned))
        });
        let (lease, banned) = granted.await.map_err(unanswered)??;
        if let Some(reason) = banned {
            return Err(Status::permission_denied(format!("this worker gets no more work: {reason}")));
        }
        let answer = lease.map_or(Answer::RetryAfterMs(RETRY_AFTER_MS), Answer::Lease);
        Ok(Response::new(v1::LeaseResponse { answer: Some(answer) }))
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
        let mut parts = request.into_inner();
        let mut assembler = Assembler::default();
        while let Some(part) = parts.message().await? {
            assembler.take(part).map_err(Status::invalid_argument)?;
        }
        let delivery = assembler.finish().map_err(Status::invalid_argument)?;
        let counted = self.driver.answered(move |core, _, answer| core.deliver(delivery, answer)).await.map_err(unanswered)?;
        let counted = counted.map_err(|error| match error {
            // NOT_FOUND would say that the worker is unknown.
            DeliveryError::NotWanted(_) => Status::failed_precondition(error.to_string()),
            DeliveryError::Invalid { .. } => Status::invalid_argument(error.to_string()),
            DeliveryError::NotWritten(_) => Status::unavailable(error.to_string()),
        })?;
        Ok(Response::new(v1::CompleteResponse { counted }))
    }

    async fn release(&self, request: Request<v1::ReleaseRequest>) -> Result<Response<v1::ReleaseResponse>, Status> {
        let v1::ReleaseRequest { worker_id, lease_id, error } = request.into_inner();
        let released = self.driver.call(move |core, now_ms| {
            let error = (!error.is_empty()).then_some(error);
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
