//! The service `Sweeps`, which clients call: it translates between the wire and the driver for submitting, listing,
//! controlling, reporting, draining and backups.

use std::path::PathBuf;
use std::pin::Pin;

use refute_proto::v1;
use refute_proto::v1::sweeps_server::Sweeps;
use refute_shared::text::quoted;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status};
use tracing::{info, warn};

use crate::driver::{Coordinator, Driver, ReportError, SubmitError};
use crate::export::{Exported, LineWriter};
use crate::schedule::{ControlError, SweepState};
use crate::store::{BackupError, BackupSource};

use super::backups::{PlaceError, place};
use super::lists::{self, to_wire};
use super::pace::{Readers, held};
use super::peer::host;
use super::reports::{self, Chunks};
use super::unanswered::unanswered;

/// The longest name of a host, in bytes: as many characters as one has, each of up to four.
const MAX_HOST_BYTES: usize = 4 * 255;

/// What clients call.
pub struct SweepService {
    driver: Driver,
    /// Where backups are made for callers, if anywhere.
    backups: Option<PathBuf>,
    readers: Readers,
}

impl SweepService {
    pub fn new(driver: Driver, backups: Option<PathBuf>) -> Self {
        Self { driver, backups, readers: Readers::new() }
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
    type ReportStream = Chunks<v1::ReportChunk>;
    type ExportStream = Chunks<v1::ExportChunk>;

    async fn submit(&self, request: Request<v1::SubmitRequest>) -> Result<Response<v1::SubmitResponse>, Status> {
        let v1::SubmitRequest { manifest, fresh, priority } = request.into_inner();
        let id = self.driver.submit(manifest, fresh, priority).await.map_err(unanswered)?;
        let id = id.map_err(|error| match error {
            SubmitError::Store(_) => Status::internal(error.to_string()),
            _ => Status::invalid_argument(error.to_string()),
        })?;
        Ok(Response::new(v1::SubmitResponse { id }))
    }

    async fn list(&self, request: Request<v1::ListRequest>) -> Result<Response<v1::ListResponse>, Status> {
        let place = self.readers.place(host(&request)).await?;
        let list = lists::sweeps(&self.driver, request.into_inner()).await?;
        Ok(held(Response::new(list), place))
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

    async fn list_workers(&self, request: Request<v1::ListWorkersRequest>) -> Result<Response<v1::ListWorkersResponse>, Status> {
        let place = self.readers.place(host(&request)).await?;
        let list = lists::workers(&self.driver, request.into_inner()).await?;
        Ok(held(Response::new(list), place))
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
        let place = self.readers.place(host(&request)).await?;
        let id = request.into_inner().id;
        let source = self.driver.call(move |core, _| core.report_source(id)).await.map_err(unanswered)?;
        let source = source.map_err(ReportError::Store).map_err(reports::no_report)?;
        let report = reports::read(move |to| source.write(to)).await?;
        Ok(held(Response::new(report), place))
    }

    async fn export(&self, request: Request<v1::ExportRequest>) -> Result<Response<Self::ExportStream>, Status> {
        let place = self.readers.place(host(&request)).await?;
        let v1::ExportRequest { id, what } = request.into_inner();
        let known = Exported::ALL.into_iter().find(|known| known.word() == what);
        let what = known.ok_or_else(|| Status::invalid_argument(format!("this coordinator exports no '{}'", quoted(&what))))?;
        let source = self.driver.call(move |core, _| core.report_source(id)).await.map_err(unanswered)?;
        let source = source.map_err(ReportError::Store).map_err(reports::no_report)?;
        let table = reports::read(move |to| source.export(what, &mut LineWriter::new(to))).await?;
        Ok(held(Response::new(table), place))
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
