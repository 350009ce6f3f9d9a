//! The client of a running coordinator. Wire types stop here, as they do in `rpc` at the other end.

use std::time::Duration;

use refute_proto::v1;
use refute_proto::v1::sweeps_client::SweepsClient;
use refute_proto::{MAX_MESSAGE_BYTES, why_unanswered};
use refute_shared::text::bytes;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};

use crate::export::{ExportError, Exported, LineReader, Sink};
use crate::report::Report;
use crate::schedule::ShardCounts;
use crate::status::{BoxStatus, RunningShard, SweepStatus, WorkerStatus};

/// How long a call may take; a report of a million counterexamples is read from disk first.
const CALL_TIMEOUT: Duration = Duration::from_secs(120);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The longest manifest that is sent, in bytes; the rest of the message is for what stands around it.
const MAX_MANIFEST_BYTES: usize = MAX_MESSAGE_BYTES - 1024;

/// A client of a running coordinator.
pub struct Client {
    sweeps: SweepsClient<Channel>,
    url: String,
}

/// What can be done to a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Call it off.
    Cancel,
    /// Stop handing out its shards.
    Pause,
    /// Hand them out again.
    Resume,
}

/// Why a call did not succeed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// What was asked is wrong: no such sweep, or a manifest with a mistake.
    #[error("{0}")]
    Wrong(String),
    /// The coordinator cannot be reached.
    #[error("cannot reach a coordinator at {url}: {reason}")]
    Unreachable {
        /// Where.
        url: String,
        /// Why.
        reason: String,
    },
    /// The caller may not do it.
    #[error("the coordinator at {url} refuses it: {reason}")]
    Refused {
        /// Where.
        url: String,
        /// Why.
        reason: String,
    },
    /// The coordinator could not do it.
    #[error("the coordinator at {url} could not do it: {reason}")]
    Failed {
        /// Where.
        url: String,
        /// Why.
        reason: String,
    },
}

impl Client {
    /// A client of a coordinator, over the channel that `open` makes to it. It may connect as late as at the first call.
    ///
    /// # Errors
    /// [`ClientError::Wrong`] if the address is none.
    pub fn new(url: &str, open: impl FnOnce(Endpoint) -> Channel) -> Result<Self, ClientError> {
        let wrong = |error: tonic::transport::Error| ClientError::Wrong(format!("--coordinator '{url}' is no address: {error}"));
        let endpoint = Endpoint::from_shared(url.to_owned()).map_err(wrong)?.connect_timeout(CONNECT_TIMEOUT).timeout(CALL_TIMEOUT);
        let sweeps =
            SweepsClient::new(open(endpoint)).max_decoding_message_size(MAX_MESSAGE_BYTES).max_encoding_message_size(MAX_MESSAGE_BYTES);
        Ok(Self { sweeps, url: url.to_owned() })
    }

    fn error(&self, status: Status) -> ClientError {
        // An older coordinator that does not know a call says nothing more than that.
        let reason = if status.message().is_empty() { status.code().description() } else { status.message() };
        let (url, reason) = (self.url.clone(), reason.to_owned());
        if let Some(reason) = why_unanswered(&status) {
            return ClientError::Unreachable { url, reason };
        }
        match status.code() {
            Code::InvalidArgument | Code::NotFound => ClientError::Wrong(reason),
            Code::Unavailable => ClientError::Unreachable { url, reason },
            Code::PermissionDenied => ClientError::Refused { url, reason },
            _ => ClientError::Failed { url, reason },
        }
    }

    /// Submits a sweep and returns its id.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn submit(&mut self, manifest: String, fresh: bool, priority: Option<i32>) -> Result<String, ClientError> {
        // Said here, since the connection would only break.
        if manifest.len() > MAX_MANIFEST_BYTES {
            let (size, limit) = (bytes(manifest.len() as u128), bytes(MAX_MANIFEST_BYTES as u128));
            return Err(ClientError::Wrong(format!(
                "the manifest takes {size} and a coordinator takes {limit}; make several sweeps of it"
            )));
        }
        let response = self.sweeps.submit(v1::SubmitRequest { manifest, fresh, priority }).await;
        Ok(response.map_err(|status| self.error(status))?.into_inner().id)
    }

    /// Where every sweep stands.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn list(&mut self) -> Result<Vec<SweepStatus>, ClientError> {
        let (mut sweeps, mut after) = (Vec::new(), String::new());
        loop {
            let response = self.sweeps.list(v1::ListRequest { paged: true, after: after.clone() }).await;
            let page = response.map_err(|status| self.error(status))?.into_inner();
            for status in page.sweeps {
                sweeps.push(self.status_from(status)?);
            }
            // An older coordinator has sent all of them.
            if page.next.is_empty() || page.next == after {
                return Ok(sweeps);
            }
            after = page.next;
        }
    }

    /// Where a sweep stands.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn status(&mut self, id: &str) -> Result<SweepStatus, ClientError> {
        let response = self.sweeps.status(v1::StatusRequest { id: id.to_owned() }).await;
        let status = response.map_err(|status| self.error(status))?.into_inner();
        self.status_from(status)
    }

    /// Cancels, pauses or resumes a sweep and returns its state.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn control(&mut self, id: &str, control: Control) -> Result<String, ClientError> {
        let id = id.to_owned();
        let state = match control {
            Control::Cancel => self.sweeps.cancel(v1::CancelRequest { id }).await.map(|response| response.into_inner().state),
            Control::Pause => self.sweeps.pause(v1::PauseRequest { id }).await.map(|response| response.into_inner().state),
            Control::Resume => self.sweeps.resume(v1::ResumeRequest { id }).await.map(|response| response.into_inner().state),
        };
        state.map_err(|status| self.error(status))
    }

    /// The workers that are there, in the order in which they registered, and after them those that were lost lately.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn workers(&mut self) -> Result<Vec<WorkerStatus>, ClientError> {
        let (mut there, mut lost, mut after) = (Vec::new(), Vec::new(), String::new());
        loop {
            let response = self.sweeps.list_workers(v1::ListWorkersRequest { paged: true, after: after.clone() }).await;
            let page = response.map_err(|status| self.error(status))?.into_inner();
            there.extend(page.workers.into_iter().map(|worker| worker_from(worker, false)));
            lost.extend(page.lost.into_iter().map(|worker| worker_from(worker, true)));
            // An older coordinator has sent all of them.
            if page.next.is_empty() || page.next == after {
                there.append(&mut lost);
                return Ok(there);
            }
            after = page.next;
        }
    }

    /// Stops leasing to a host and returns how many workers it has; or with `undo` leases to it again, and returns none if it was
    /// not drained.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn drain(&mut self, host: &str, undo: bool) -> Result<Option<u64>, ClientError> {
        let response = self.sweeps.drain(v1::DrainRequest { host: host.to_owned(), undo }).await;
        let v1::DrainResponse { workers, was_drained } = response.map_err(|status| self.error(status))?.into_inner();
        Ok((!undo || was_drained).then_some(workers))
    }

    /// The report of a sweep so far.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn report(&mut self, id: &str) -> Result<Report, ClientError> {
        let response = self.sweeps.report(v1::ReportRequest { id: id.to_owned() }).await;
        let mut chunks = response.map_err(|status| self.error(status))?.into_inner();
        let mut json = Vec::new();
        while let Some(chunk) = chunks.message().await.map_err(|status| self.error(status))? {
            json.extend_from_slice(&chunk.json);
        }
        serde_json::from_slice(&json).map_err(|error| self.not_understood(&error))
    }

    /// Hands a table of what a sweep has found to a sink.
    ///
    /// # Errors
    /// [`ClientError`] where the call fails; what the sink says of a table is in the answer.
    pub async fn export(&mut self, id: &str, what: Exported, to: &mut dyn Sink) -> Result<Result<(), ExportError>, ClientError> {
        let response = self.sweeps.export(v1::ExportRequest { id: id.to_owned(), what: what.word().to_owned() }).await;
        let mut chunks = response.map_err(|status| self.error(status))?.into_inner();
        let mut reader = LineReader::new(to);
        while let Some(chunk) = chunks.message().await.map_err(|status| self.error(status))? {
            if let Err(error) = reader.take(&chunk.lines) {
                return Ok(Err(error));
            }
        }
        Ok(reader.finish())
    }

    /// Has the coordinator make a backup, at an absolute path on its machine, and returns how many sweeps and how many bytes
    /// are in it. Takes as long as it takes.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn backup(&mut self, directory: String) -> Result<(u64, u64), ClientError> {
        let response = self.sweeps.backup(v1::BackupRequest { directory }).await;
        let mut answers = response.map_err(|status| self.error(status))?.into_inner();
        let answer = answers.message().await.map_err(|status| self.error(status))?;
        let v1::BackupResponse { sweeps, bytes } = answer.ok_or_else(|| self.not_understood(&"there was none"))?;
        Ok((sweeps, bytes))
    }

    fn not_understood(&self, error: &dyn std::fmt::Display) -> ClientError {
        ClientError::Failed { url: self.url.clone(), reason: format!("its answer is not understood: {error}") }
    }

    fn status_from(&self, status: v1::StatusResponse) -> Result<SweepStatus, ClientError> {
        let counts = |total: u64, done: u64, leased: u64, quarantined: u64| {
            let pending = total.saturating_sub(done).saturating_sub(leased).saturating_sub(quarantined);
            ShardCounts { total, done, leased, quarantined, pending }
        };
        let boxes = status.boxes.into_iter().map(|of_box| BoxStatus {
            text: of_box.text,
            shards: counts(of_box.shards_total, of_box.shards_done, of_box.shards_leased, of_box.shards_quarantined),
        });
        Ok(SweepStatus {
            state: status.state.parse().map_err(|error| self.not_understood(&error))?,
            id: status.id,
            name: status.name,
            family: status.family,
            reason: (!status.reason.is_empty()).then_some(status.reason),
            shards: counts(status.shards_total, status.shards_done, status.shards_leased, status.shards_quarantined),
            total: status.configurations_total.map_or(0, u128::from),
            decided: status.configurations_decided.map_or(0, u128::from),
            in_progress: status.configurations_in_progress.map_or(0, u128::from),
            rate: status.rate,
            claims_refuted: status.claims_refuted as usize,
            priority: status.priority,
            // An older coordinator does not say it.
            replicas: status.replicas.max(1),
            hosts: status.hosts,
            boxes: boxes.collect(),
        })
    }
}

fn worker_from(worker: v1::Worker, is_lost: bool) -> WorkerStatus {
    let shard = |shard: v1::RunningShard| RunningShard {
        sweep_id: shard.sweep_id,
        shard_number: shard.shard_number,
        decided: shard.decided.map_or(0, u128::from),
        running_ms: shard.running_ms,
    };
    let sentence = |text: String| (!text.is_empty()).then_some(text);
    WorkerStatus {
        worker_id: worker.worker_id,
        host: worker.host,
        build: worker.build,
        slots: worker.slots,
        slot_bytes: worker.slot_bytes,
        silent_ms: worker.silent_ms,
        shards: worker.shards.into_iter().map(shard).collect(),
        banned: sentence(worker.banned),
        other_version: sentence(worker.other_version),
        too_small: sentence(worker.too_small),
        memory_kills: worker.memory_kills,
        registered_for_ms: worker.registered_for_ms,
        rate: worker.rate,
        shards_done: worker.shards_done,
        decided: worker.configurations_decided.map_or(0, u128::from),
        leases_lost: worker.leases_lost,
        errors: worker.errors,
        returned: worker.returned,
        contradicted: worker.contradicted,
        lost_shards: worker.lost_shards.into_iter().map(|lost| (lost.sweep_id, lost.shard_number)).collect(),
        peer: worker.peer,
        drained: worker.drained,
        probation: sentence(worker.probation),
        is_lost,
    }
}
