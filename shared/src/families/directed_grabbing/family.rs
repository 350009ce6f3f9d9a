use toml::Table;

use crate::families::legacy::Claim;
use crate::families::legacy::{Explanation, Family, Parameters, Space};
use crate::sweep::ManifestError;

use super::space::GrabbingSpace;
use super::{claims, explain};

/// The family `directed-grabbing`.
pub struct DirectedGrabbing;

impl Family for DirectedGrabbing {
    fn id(&self) -> &'static str {
        "directed-grabbing"
    }

    fn about(&self) -> &'static str {
        "Directed grabbing: Alice and Bob in turn remove a sink of an acyclic digraph and collect its weight; val is her total minus his"
    }

    fn solver_version(&self) -> u32 {
        1
    }

    fn claims(&self) -> &'static [Claim] {
        claims::claims()
    }

    fn space(&self, boxes: &[Table]) -> Result<Box<dyn Space>, ManifestError> {
        Ok(Box::new(GrabbingSpace::parse(boxes)?))
    }

    fn decode(&self, encoding: &str) -> Result<Box<dyn Space>, String> {
        Ok(Box::new(GrabbingSpace::decode(encoding)?))
    }

    fn explain_example(&self) -> &'static str {
        "--paths \"3,1,2;0,4\""
    }

    fn explain(&self, parameters: &Parameters) -> Result<Explanation, ManifestError> {
        explain::explain(parameters)
    }
}
