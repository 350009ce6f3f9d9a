use refute_worker::version::Build;

use crate::report::FORMAT_VERSION;
use crate::store::FORMAT;

/// This program.
pub const PROGRAM: Build = Build {
    program: "refute",
    version: env!("CARGO_PKG_VERSION"),
    commit: env!("REFUTE_BUILT_FROM"),
    target: env!("REFUTE_BUILT_FOR"),
    rustc: env!("REFUTE_BUILT_BY"),
    formats: &[("store", FORMAT), ("report", FORMAT_VERSION as u64)],
};
