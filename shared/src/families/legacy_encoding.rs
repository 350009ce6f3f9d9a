//! How spaces of families that are not made of `Game` yet are written.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Serialize, Deserialize)]
struct Encoded<B> {
    version: u32,
    boxes: Vec<B>,
}

pub fn encode<B: Serialize>(version: u32, boxes: Vec<B>) -> String {
    json!(Encoded { version, boxes }).to_string()
}

pub fn decode<B: DeserializeOwned>(family: &str, version: u32, text: &str) -> Result<Vec<B>, String> {
    let encoded: Encoded<B> = serde_json::from_str(text).map_err(|error| format!("not a space of {family}: {error}"))?;
    if encoded.version != version || encoded.boxes.is_empty() {
        return Err(format!("a space of {family} in encoding {}, and this version reads {version}", encoded.version));
    }
    Ok(encoded.boxes)
}
