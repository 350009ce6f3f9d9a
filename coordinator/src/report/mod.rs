//! The report of a sweep: what was checked, claim by claim, and what came out. Pure: data in, text out.

mod build;
mod difference;
mod figure;
mod html;
mod latex;
mod layout;
mod markdown;
mod model;
mod text;

pub use build::{Findings, build, fit_counterexample};
pub use difference::{ClaimDifference, Difference, Pair, difference, difference_text};
pub use figure::figure_lines;
pub use html::html_page;
pub use latex::latex;
pub use layout::{Style, cut, fitted};
pub use markdown::markdown;
pub use model::{ClaimReport, Configurations, CoverageReport, FORMAT_VERSION, GroupReport, Kept, Report, Share, SweepHead, Verdict};
pub use text::{claim_text, counterexample_lines, parameters, text, who};
