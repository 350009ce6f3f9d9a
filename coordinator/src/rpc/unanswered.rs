//! The gRPC status of a call that the driver did not answer, because it has stopped or its queue is full.

use tonic::Status;
use tonic::metadata::{Ascii, MetadataValue};

use crate::driver::DriverError;

/// What a caller is told when the driver did not answer: a full queue says when to come back.
pub fn unanswered(error: DriverError) -> Status {
    match error {
        DriverError::Stopped => Status::unavailable(error.to_string()),
        DriverError::Busy { retry_after_ms } => busy(error.to_string(), retry_after_ms),
    }
}

/// What a caller is told that may come back in so many milliseconds.
pub fn busy(sentence: String, retry_after_ms: u64) -> Status {
    let mut status = Status::resource_exhausted(sentence);
    if let Ok(value) = retry_after_ms.to_string().parse::<MetadataValue<Ascii>>() {
        status.metadata_mut().insert("grpc-retry-pushback-ms", value);
    }
    status
}
