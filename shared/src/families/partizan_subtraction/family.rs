use toml::Table;

use crate::families::legacy::Claim;
use crate::families::legacy::{Explanation, Family, Parameters, Space};
use crate::sweep::ManifestError;

use super::space::SubtractionSpace;
use super::{claims, explain};

/// The family `partizan-subtraction`.
pub struct PartizanSubtraction;

impl Family for PartizanSubtraction {
    fn id(&self) -> &'static str {
        "partizan-subtraction"
    }

    fn about(&self) -> &'static str {
        "Partizan subtraction on one heap: Left removes a number in one finite set, Right one in another; who cannot move loses"
    }

    fn solver_version(&self) -> u32 {
        // 2: claims about canonical forms and atomic weights, whose values are canonical records as well.
        2
    }

    fn claims(&self) -> &'static [Claim] {
        claims::claims()
    }

    fn space(&self, boxes: &[Table]) -> Result<Box<dyn Space>, ManifestError> {
        Ok(Box::new(SubtractionSpace::parse(boxes)?))
    }

    fn decode(&self, encoding: &str) -> Result<Box<dyn Space>, String> {
        Ok(Box::new(SubtractionSpace::decode(encoding)?))
    }

    fn explain_example(&self) -> &'static str {
        "--left 1..3 --right 5..7 --heap 26"
    }

    fn explain(&self, parameters: &Parameters) -> Result<Explanation, ManifestError> {
        explain::explain(parameters)
    }
}
