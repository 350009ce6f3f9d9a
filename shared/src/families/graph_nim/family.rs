use toml::Table;

use crate::families::legacy::Claim;
use crate::families::legacy::{Explanation, Family, Parameters, Space};
use crate::sweep::ManifestError;

use super::space::GraphNimSpace;
use super::{claims, explain};

/// The family `graph-nim`.
pub struct GraphNim;

impl Family for GraphNim {
    fn id(&self) -> &'static str {
        "graph-nim"
    }

    fn about(&self) -> &'static str {
        "Graph Nim: a move picks a vertex and removes a total of at least 1 from the weights of the edges at it; who cannot move loses"
    }

    fn solver_version(&self) -> u32 {
        2
    }

    fn claims(&self) -> &'static [Claim] {
        claims::claims()
    }

    fn space(&self, boxes: &[Table]) -> Result<Box<dyn Space>, ManifestError> {
        Ok(Box::new(GraphNimSpace::parse(boxes)?))
    }

    fn decode(&self, encoding: &str) -> Result<Box<dyn Space>, String> {
        Ok(Box::new(GraphNimSpace::decode(encoding)?))
    }

    fn explain_example(&self) -> &'static str {
        "--graph H1 --weights 5,1,6,11"
    }

    fn explain(&self, parameters: &Parameters) -> Result<Explanation, ManifestError> {
        explain::explain(parameters)
    }
}
