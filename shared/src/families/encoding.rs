//! How spaces are written on the wire and on disk: the boxes of a family as JSON, with the version of their form.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::sweep::ManifestError;

use super::MAX_CLAIMS;

/// Why a text is no space of a family.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// It has not the form of one.
    #[error("not a space of {family}: {error}")]
    Space {
        /// The family.
        family: &'static str,
        /// What the parser says.
        error: serde_json::Error,
    },
    /// It is of another version, or has no box.
    #[error("a space of {family} in encoding {found}, and this version reads {ours}")]
    Version {
        /// The family.
        family: &'static str,
        /// The version found.
        found: u32,
        /// The version of this program.
        ours: u32,
    },
    /// A box has not the form of one.
    #[error("not a box: {0}")]
    Form(#[from] serde_json::Error),
    /// A box cannot be.
    #[error(transparent)]
    Box(#[from] ManifestError),
    /// There are more claims than a sweep may have.
    #[error("there are {count} claims and a sweep has at most {MAX_CLAIMS}")]
    TooManyClaims {
        /// How many there are.
        count: usize,
    },
    /// The family has no such claim.
    #[error("this version knows no claim '{id}' of {family}")]
    Claim {
        /// The family.
        family: &'static str,
        /// The claim's id.
        id: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Encoded {
    version: u32,
    boxes: Vec<Value>,
}

/// Boxes as text that [`decode`] reads back.
pub fn encode(version: u32, boxes: Vec<Value>) -> String {
    json!(Encoded { version, boxes }).to_string()
}

/// Reads boxes of a family, at least one, and the version of their form, which is at most this one.
///
/// # Errors
/// [`DecodeError`].
pub fn decode(family: &'static str, version: u32, text: &str) -> Result<(u32, Vec<Value>), DecodeError> {
    let encoded: Encoded = serde_json::from_str(text).map_err(|error| DecodeError::Space { family, error })?;
    if !(1..=version).contains(&encoded.version) || encoded.boxes.is_empty() {
        return Err(DecodeError::Version { family, found: encoded.version, ours: version });
    }
    Ok((encoded.version, encoded.boxes))
}
