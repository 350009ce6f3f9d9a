//! The report of a sweep: what was checked, claim by claim, and what came out. Pure: data in, text out.

mod build;
mod figure;
mod layout;
mod markdown;
mod model;
mod text;

pub use build::{Findings, build, fit_counterexample};
pub use figure::figure_lines;
pub use layout::{Style, cut, fitted};
pub use markdown::markdown;
pub use model::{ClaimReport, Configurations, CoverageReport, FORMAT_VERSION, GroupReport, Kept, Report, Share, SweepHead, Verdict};
pub use text::{claim_text, counterexample_lines, parameters, text, who};
