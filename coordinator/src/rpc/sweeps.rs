//! The service `Sweeps`, which clients call: it translates between the wire and the driver for submitting, listing,
//! controlling, reporting, draining and backups.

use std::path::PathBuf;
use std::pin::Pin;

use refute_proto::v1;
use refute_proto::v1::sweeps_server::Sweeps;
use refute_shared::text::quoted;
use tokio_stream::{Stream, StreamExt as _, iter};
use tonic::{Request, Response, Status};
use tracing::{info, warn};

use crate::driver::{Coordinator, Driver, ReportError, RunningShard, SubmitError, SweepStatus, WorkerStatus};
use crate::schedule::{ControlError, SweepState};
use crate::status::BoxStatus;
use crate::store::{BackupError, BackupSource};

use super::backups::{PlaceError, place};
use super::unanswered::unanswered;

/// Bytes of a report in one message, well below the limit of a message.
const CHUNK_BYTES: usize = 1 << 19;

/// The longest name of a host, in bytes: as many characters as one has, each of up to four.
const MAX_HOST_BYTES: usize = 4 * 255;

/// What clients call.
pub struct SweepService {
    driver: Driver,
    /// Where backups are made for callers, if anywhere.
    backups: Option<PathBuf>,
}

impl SweepService {
    pub fn new(driver: Driver, backups: Option<PathBuf>) -> Self {
        Self { driver, backups }
    }

    /// Does something to a sweep, and returns its state in a word.
    async fn control(&self, id: String, control: fn(&mut Coordinator, &str) -> Result<SweepState, ControlError>) -> Result<String, Status> {
        let asked = id.clone();
        let state = self.driver.call(move |core, _| control(core, &asked)).await.map_err(unanswered)?;
        let state = state.map_err(|error| match error {
            ControlError::Sweep(_) => no_such_sweep(&id),
            ControlError::Ended { .. } => Status::invalid_argument(error.to_string()),
        })?;
        Ok(state.word().to_owned())
    }
}

fn no_such_sweep(id: &str) -> Status {
    Status::not_found(format!("there is no sweep '{}'; 'refute list' lists them", quoted(id)))
}

fn to_wire(status: SweepStatus) -> v1::StatusResponse {
    v1::StatusResponse {
        eta_seconds: status.eta_seconds(),
        id: status.id,
        state: status.state.word().to_owned(),
        shards_total: status.shards.total,
        shards_done: status.shards.done,
        shards_leased: status.shards.leased,
        shards_quarantined: status.shards.quarantined,
        configurations_total: Some(status.total.into()),
        configurations_decided: Some(status.decided.into()),
        configurations_in_progress: Some(status.in_progress.into()),
        rate: status.rate,
        name: status.name,
        family: status.family,
        claims_refuted: u32::try_from(status.claims_refuted).unwrap_or(u32::MAX),
        reason: status.reason.unwrap_or_default(),
        priority: status.priority,
        replicas: status.replicas,
        hosts: status.hosts,
        boxes: status.boxes.into_iter().map(box_to_wire).collect(),
    }
}

fn box_to_wire(BoxStatus { text, shards }: BoxStatus) -> v1::BoxStatus {
    v1::BoxStatus {
        text,
        shards_total: shards.total,
        shards_done: shards.done,
        shards_leased: shards.leased,
        shards_quarantined: shards.quarantined,
    }
}

fn worker_to_wire(worker: WorkerStatus) -> v1::Worker {
    let shard = |shard: RunningShard| v1::RunningShard {
        sweep_id: shard.sweep_id,
        shard_number: shard.shard_number,
        decided: Some(shard.decided.into()),
        running_ms: shard.running_ms,
    };
    let lost_shard = |(sweep_id, shard_number)| v1::LostShard { sweep_id, shard_number };
    v1::Worker {
        worker_id: worker.worker_id,
        host: worker.host,
        build: worker.build,
        slots: worker.slots,
        slot_bytes: worker.slot_bytes,
        silent_ms: worker.silent_ms,
        shards: worker.shards.into_iter().map(shard).collect(),
        banned: worker.banned.unwrap_or_default(),
        other_version: worker.other_version.unwrap_or_default(),
        rate: worker.rate,
        registered_for_ms: worker.registered_for_ms,
        shards_done: worker.shards_done,
        configurations_decided: Some(worker.decided.into()),
        leases_lost: worker.leases_lost,
        errors: worker.errors,
        returned: worker.returned,
        contradicted: worker.contradicted,
        lost_shards: worker.lost_shards.into_iter().map(lost_shard).collect(),
        peer: worker.peer,
        drained: worker.drained,
        probation: worker.probation.unwrap_or_default(),
        too_small: worker.too_small.unwrap_or_default(),
        memory_kills: worker.memory_kills,
    }
}

/// Makes a backup on a thread that may wait for the disk.
async fn back_up(source: BackupSource, to: PathBuf) -> Result<v1::BackupResponse, Status> {
    let directory = to.display().to_string();
    let made = tokio::task::spawn_blocking(move || source.back_up(&to)).await;
    let backup = made.map_err(|error| Status::internal(format!("the backup failed: {error}")))?.map_err(|error| {
        warn!(directory, %error, "no backup");
        match error {
            BackupError::Place { .. } => Status::invalid_argument(error.to_string()),
            BackupError::Gathering { .. } | BackupError::Store(_) => Status::internal(error.to_string()),
        }
    })?;
    info!(directory, sweeps = backup.sweeps, bytes = backup.bytes(), "backup");
    Ok(v1::BackupResponse { sweeps: backup.sweeps, bytes: backup.bytes() })
}

#[tonic::async_trait]
impl Sweeps for SweepService {
    type BackupStream = Pin<Box<dyn Stream<Item = Result<v1::BackupResponse, Status>> + Send>>;
    type ReportStream = Pin<Box<dyn Stream<Item = Result<v1::ReportChunk, Status>> + Send>>;

    async fn submit(&self, request: Request<v1::SubmitRequest>) -> Result<Response<v1::SubmitResponse>, Status> {
        let v1::SubmitRequest { manifest, fresh, priority } = request.into_inner();
        let id = self.driver.submit(manifest, fresh, priority).await.map_err(unanswered)?;
        let id = id.map_err(|error| match error {
            SubmitError::Store(_) => Status::internal(error.to_string()),
            _ => Status::invalid_argument(error.to_string()),
        })?;
        Ok(Response::new(v1::SubmitResponse { id }))
    }

    async fn list(&self, _request: Request<v1::ListRequest>) -> Result<Response<v1::ListResponse>, Status> {
        let list = self.driver.call(|core, _| core.list()).await.map_err(unanswered)?;
        Ok(Response::new(v1::ListResponse { sweeps: list.into_iter().map(to_wire).collect() }))
    }

    async fn status(&self, request: Request<v1::StatusRequest>) -> Result<Response<v1::StatusResponse>, Status> {
        let id = request.into_inner().id;
        let asked = id.clone();
        let status = self.driver.call(move |core, _| core.status_by_box(&asked)).await.map_err(unanswered)?;
        Ok(Response::new(to_wire(status.ok_or_else(|| no_such_sweep(&id))?)))
    }

    async fn cancel(&self, request: Request<v1::CancelRequest>) -> Result<Response<v1::CancelResponse>, Status> {
        let state = self.control(request.into_inner().id, Coordinator::cancel).await?;
        Ok(Response::new(v1::CancelResponse { state }))
    }

    async fn pause(&self, request: Request<v1::PauseRequest>) -> Result<Response<v1::PauseResponse>, Status> {
        let state = self.control(request.into_inner().id, Coordinator::pause).await?;
        Ok(Response::new(v1::PauseResponse { state }))
    }

    async fn resume(&self, request: Request<v1::ResumeRequest>) -> Result<Response<v1::ResumeResponse>, Status> {
        let state = self.control(request.into_inner().id, Coordinator::resume).await?;
        Ok(Response::new(v1::ResumeResponse { state }))
    }

    async fn list_workers(&self, _request: Request<v1::ListWorkersRequest>) -> Result<Response<v1::ListWorkersResponse>, Status> {
        let workers = self.driver.call(|core, now_ms| core.workers(now_ms)).await.map_err(unanswered)?;
        let (lost, there): (Vec<_>, Vec<_>) = workers.into_iter().partition(|worker| worker.is_lost);
        let to_wire = |workers: Vec<_>| workers.into_iter().map(worker_to_wire).collect();
        Ok(Response::new(v1::ListWorkersResponse { workers: to_wire(there), lost: to_wire(lost) }))
    }

    async fn drain(&self, request: Request<v1::DrainRequest>) -> Result<Response<v1::DrainResponse>, Status> {
        let v1::DrainRequest { host, undo } = request.into_inner();
        if host.is_empty() || host.len() > MAX_HOST_BYTES || host.chars().any(char::is_control) {
            let sentence = format!("'{}' is no host; 'refute workers' names them", quoted(&host));
            return Err(Status::invalid_argument(sentence));
        }
        let workers = self.driver.call(move |core, _| core.set_drained(&host, !undo)).await.map_err(unanswered)?;
        let workers = workers.map_err(|error| Status::resource_exhausted(error.to_string()))?;
        Ok(Response::new(v1::DrainResponse { workers: workers.unwrap_or(0) as u64, was_drained: undo && workers.is_some() }))
    }

    async fn report(&self, request: Request<v1::ReportRequest>) -> Result<Response<Self::ReportStream>, Status> {
        let id = request.into_inner().id;
        let report = self.driver.call(move |core, _| core.report(&id)).await.map_err(unanswered)?;
        let report = report.map_err(|error| match error {
            ReportError::NoSuchSweep { .. } => Status::not_found(error.to_string()),
            ReportError::Manifest { .. } | ReportError::Store(_) => Status::internal(error.to_string()),
        })?;
        let json = serde_json::to_vec(&report).map_err(|error| Status::internal(error.to_string()))?;
        let chunks: Vec<_> = json.chunks(CHUNK_BYTES).map(|chunk| Ok(v1::ReportChunk { json: chunk.to_vec() })).collect();
        Ok(Response::new(Box::pin(iter(chunks))))
    }

    async fn backup(&self, request: Request<v1::BackupRequest>) -> Result<Response<Self::BackupStream>, Status> {
        let to = place(&request.into_inner().directory, self.backups.as_deref()).map_err(|error| match error {
            PlaceError::None => Status::failed_precondition(error.to_string()),
            PlaceError::Elsewhere { .. } => Status::invalid_argument(error.to_string()),
        })?;
        let source = self.driver.call(|core, _| core.backup_source()).await.map_err(unanswered)?;
        let source = source.map_err(|error| Status::internal(error.to_string()))?;
        // Finished even if the caller goes away.
        let making = tokio::spawn(back_up(source, to));
        let made = async { making.await.unwrap_or_else(|error| Err(Status::internal(format!("the backup failed: {error}")))) };
        Ok(Response::new(Box::pin(tokio_stream::once(made).then(|made| made))))
    }
}
