//! What this program was built from, for `--version --verbose`.

use refute_connect::version::Build;
use refute_proto::PROTOCOL;
use refute_shared::families::FAMILIES;

use crate::report::FORMAT_VERSION;

/// This program.
pub const PROGRAM: Build = Build {
    program: "refute",
    version: env!("CARGO_PKG_VERSION"),
    commit: env!("REFUTE_BUILT_FROM"),
    target: env!("REFUTE_BUILT_FOR"),
    rustc: env!("REFUTE_BUILT_BY"),
    protocol: PROTOCOL,
    solvers: || FAMILIES.iter().map(|family| (family.id(), family.solver_version())).collect(),
    #[cfg(feature = "store")]
    formats: &[("store", crate::store::FORMAT), ("report", FORMAT_VERSION as u64)],
    #[cfg(not(feature = "store"))]
    formats: &[("report", FORMAT_VERSION as u64)],
};
