//! The report of a sweep: what was checked, claim by claim, and what came out. Pure: data in, text out.

mod build;
mod model;
mod text;

pub use build::{Findings, build};
pub use model::{ClaimReport, Configurations, CoverageReport, FORMAT_VERSION, Report, Share, SweepHead, Verdict};
pub use text::{claim_text, parameters, text};
