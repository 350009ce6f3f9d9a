//! Reports, written on threads of their own at the pace of those who read them.

use std::io::{self, Write};

use refute_proto::v1;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

use crate::driver::{ReportError, ReportSource};
use crate::store::StoreError;

/// Bytes of a report in one message. A reader costs as much as a few of these.
const CHUNK_BYTES: usize = 1 << 17;

type Chunk = Result<v1::ReportChunk, Status>;

/// Writes a report on a thread of its own, which waits for the reader. What is returned are its chunks, once there is the first. The
/// thread ends when they are dropped.
///
/// # Errors
/// The status of the call, if there is no report.
pub async fn read(source: ReportSource) -> Result<ReceiverStream<Chunk>, Status> {
    let (to, mut chunks) = channel(1);
    spawn_blocking(move || write(source, to));
    match begun(&mut chunks).await {
        Some(refused) => Err(refused),
        None => Ok(ReceiverStream::new(chunks)),
    }
}

/// Waits until there is something to read, and returns why there is no report if there is none.
async fn begun(chunks: &mut Receiver<Chunk>) -> Option<Status> {
    // It is said before the first chunk whether there is a report.
    match chunks.recv().await {
        Some(Ok(_)) => None,
        Some(Err(refused)) => Some(refused),
        None => Some(Status::internal("the report could not be made; see the log of the coordinator")),
    }
}

fn write(source: ReportSource, to: Sender<Chunk>) {
    let mut chunks = Chunks { buffer: Vec::new(), begun: false, to };
    let written = source.write(&mut chunks).and_then(|()| chunks.flush().map_err(|error| ReportError::NotWritten(error.to_string())));
    // Where nobody reads any more there is nobody to be told.
    if let Err(error) = written
        && !matches!(error, ReportError::NotWritten(_))
    {
        let _ = chunks.to.blocking_send(Err(no_report(error)));
    }
}

/// Why there is no report, or no more of it.
pub fn no_report(error: ReportError) -> Status {
    match error {
        ReportError::NoSuchSweep { .. } => Status::not_found(error.to_string()),
        ReportError::Store(StoreError::Reopening { .. }) => Status::unavailable(error.to_string()),
        ReportError::Manifest { .. } | ReportError::Store(_) | ReportError::NotWritten(_) => Status::internal(error.to_string()),
    }
}

/// Puts what is written into chunks, and waits until each is taken.
struct Chunks {
    buffer: Vec<u8>,
    /// Whether it was said that there is a report.
    begun: bool,
    to: Sender<Chunk>,
}

impl Chunks {
    fn send(&mut self, json: Vec<u8>) -> io::Result<()> {
        self.to.blocking_send(Ok(v1::ReportChunk { json })).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
    }
}

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.begun {
            self.begun = true;
            self.send(Vec::new())?;
        }
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= CHUNK_BYTES {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let json = std::mem::take(&mut self.buffer);
        if json.is_empty() { Ok(()) } else { self.send(json) }
    }
}
