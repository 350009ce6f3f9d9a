//! Reports and tables, written on threads of their own at the pace of those who read them.

use std::io::{self, Write};

use refute_proto::v1;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

use crate::driver::ReportError;
use crate::export::ExportError;
use crate::store::StoreError;

/// Bytes of a report or a table in one message. A reader costs as much as a few of these.
const CHUNK_BYTES: usize = 1 << 17;

/// A message that holds some bytes of what is written.
pub trait Chunk: Send + 'static {
    /// The message with these bytes.
    fn of(bytes: Vec<u8>) -> Self;
}

impl Chunk for v1::ReportChunk {
    fn of(json: Vec<u8>) -> Self {
        Self { json }
    }
}

impl Chunk for v1::ExportChunk {
    fn of(lines: Vec<u8>) -> Self {
        Self { lines }
    }
}

/// What is read: chunks, or why there are no more.
pub type Chunks<C> = ReceiverStream<Result<C, Status>>;

/// Writes a report or a table on a thread of its own, which waits for the reader. What is returned are its chunks, once there is the
/// first. The thread ends when they are dropped.
///
/// # Errors
/// The status of the call, if there is nothing to read.
pub async fn read<C: Chunk>(write: impl FnOnce(&mut dyn Write) -> Result<(), ReportError> + Send + 'static) -> Result<Chunks<C>, Status> {
    let (to, mut chunks) = channel(1);
    spawn_blocking(move || write_to(write, to));
    match begun(&mut chunks).await {
        Some(refused) => Err(refused),
        None => Ok(ReceiverStream::new(chunks)),
    }
}

/// Waits until there is something to read, and returns why there is no report if there is none.
async fn begun<C>(chunks: &mut Receiver<Result<C, Status>>) -> Option<Status> {
    // It is said before the first chunk whether there is a report.
    match chunks.recv().await {
        Some(Ok(_)) => None,
        Some(Err(refused)) => Some(refused),
        None => Some(Status::internal("the report could not be made; see the log of the coordinator")),
    }
}

fn write_to<C: Chunk>(write: impl FnOnce(&mut dyn Write) -> Result<(), ReportError>, to: Sender<Result<C, Status>>) {
    let mut chunks = Writer { buffer: Vec::new(), begun: false, to };
    let written = write(&mut chunks).and_then(|()| chunks.flush().map_err(|error| ReportError::NotWritten(error.to_string())));
    // Where nobody reads any more there is nobody to answer.
    if let Err(error) = written
        && !matches!(error, ReportError::NotWritten(_) | ReportError::Export(ExportError::Write(_)))
    {
        let _ = chunks.to.blocking_send(Err(no_report(error)));
    }
}

/// Why there is no report, or no more of it.
pub fn no_report(error: ReportError) -> Status {
    match error {
        ReportError::NoSuchSweep { .. } => Status::not_found(error.to_string()),
        ReportError::Store(StoreError::Reopening { .. }) => Status::unavailable(error.to_string()),
        ReportError::Manifest { .. } | ReportError::Store(_) | ReportError::NotWritten(_) | ReportError::Export(_) => {
            Status::internal(error.to_string())
        }
    }
}

/// Puts what is written into chunks, and waits until each is taken.
struct Writer<C> {
    buffer: Vec<u8>,
    /// Whether it was said that there is a report.
    begun: bool,
    to: Sender<Result<C, Status>>,
}

impl<C: Chunk> Writer<C> {
    fn send(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        self.to.blocking_send(Ok(C::of(bytes))).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
    }
}

impl<C: Chunk> Write for Writer<C> {
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
        let bytes = std::mem::take(&mut self.buffer);
        if bytes.is_empty() { Ok(()) } else { self.send(bytes) }
    }
}
