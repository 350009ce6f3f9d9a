use toml::Table;

use crate::claim::Claim;
use crate::families::{Explanation, Family, Parameters, Space};
use crate::sweep::ManifestError;

use super::space::HypergraphSpace;
use super::{claims, explain};

/// The family `hypergraph-takeaway`.
pub struct HypergraphTakeaway;

impl Family for HypergraphTakeaway {
    fn id(&self) -> &'static str {
        "hypergraph-takeaway"
    }

    fn about(&self) -> &'static str {
        "Take-away on a hypergraph: a move removes a vertex with every hyperedge that contains it, or one hyperedge alone; who takes the last vertex wins"
    }

    fn solver_version(&self) -> u32 {
        1
    }

    fn claims(&self) -> &'static [Claim] {
        claims::claims()
    }

    fn space(&self, boxes: &[Table]) -> Result<Box<dyn Space>, ManifestError> {
        Ok(Box::new(HypergraphSpace::parse(boxes)?))
    }

    fn decode(&self, encoding: &str) -> Result<Box<dyn Space>, String> {
        Ok(Box::new(HypergraphSpace::decode(encoding)?))
    }

    fn explain_example(&self) -> &'static str {
        "--edges \"abcd,Sab,Sbc\""
    }

    fn explain(&self, parameters: &Parameters) -> Result<Explanation, ManifestError> {
        explain::explain(parameters)
    }
}
