//! Calls that got no answer, told apart from those that were refused.

use std::error::Error;

use tonic::Status;

/// What HTTP/2 says about an answer in TLS: it takes the alert for a frame that is far too long.
const ALERT_AS_A_FRAME: &str = "frame with invalid size";

/// Why a call got no answer, if it got none: it did not get through, or its answer did not. A status that the other side sent
/// is an answer, whatever it says.
#[must_use]
pub fn why_unanswered(status: &Status) -> Option<String> {
    // Only a status that was made on this side has a source.
    let mut error: &(dyn Error + 'static) = status.source()?;
    // The last of the chain says what happened rather than to what.
    while let Some(source) = error.source() {
        error = source;
    }
    let reason = error.to_string();
    if reason.contains(ALERT_AS_A_FRAME) {
        return Some(
            "it does not speak HTTP/2 in plain text; if it speaks TLS, write https and give --tls-cert, --tls-key, --tls-ca".to_owned(),
        );
    }
    Some(reason)
}
