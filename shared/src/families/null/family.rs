use serde_json::json;
use toml::Table;

use crate::families::legacy::Claim;
use crate::families::legacy::{Explanation, Family, Parameters, Space};
use crate::sweep::ManifestError;

use super::play;
use super::space::NullSpace;

const KEYS: [&str; 1] = ["heap"];

/// The family `null`. It makes no claim.
pub struct Null;

impl Family for Null {
    fn id(&self) -> &'static str {
        "null"
    }

    fn about(&self) -> &'static str {
        "The null game, for tests and benches: heaps from which nothing can be removed, so that whoever is to move loses"
    }

    fn solver_version(&self) -> u32 {
        1
    }

    fn claims(&self) -> &'static [Claim] {
        &[]
    }

    fn space(&self, boxes: &[Table]) -> Result<Box<dyn Space>, ManifestError> {
        Ok(Box::new(NullSpace::parse(boxes)?))
    }

    fn decode(&self, encoding: &str) -> Result<Box<dyn Space>, String> {
        Ok(Box::new(NullSpace::decode(encoding)?))
    }

    fn explain_example(&self) -> &'static str {
        "--heap 3"
    }

    fn explain(&self, parameters: &Parameters) -> Result<Explanation, ManifestError> {
        if let Some((key, _)) = parameters.iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
            return Err(ManifestError::unknown_parameter(key, &KEYS));
        }
        let missing = || ManifestError::Missing { field: "--heap".into(), example: "--heap 3".into() };
        let (_, text) = parameters.first().ok_or_else(missing)?;
        let problem = |_| ManifestError::field("--heap", format!("'{text}' is no heap; it is a whole number from 0 on"));
        let heap: u64 = text.parse().map_err(problem)?;
        Ok(Explanation {
            parameters: json!({ "heap": heap }),
            outcome: Some("P".to_owned()),
            value: Some(play::value(heap).to_string()),
            moves: play::options(heap).len() as u128,
            winning_moves: Vec::new(),
            options: Vec::new(),
            facts: Vec::new(),
            figure: None,
            claims: Vec::new(),
        })
    }
}
