//! What this worker was built from, for `--version --verbose`.

use refute_connect::version::Build;
use refute_proto::PROTOCOL;
use refute_shared::families::FAMILIES;

/// This worker.
pub const WORKER: Build = Build {
    program: "refute-worker",
    version: env!("CARGO_PKG_VERSION"),
    commit: env!("REFUTE_BUILT_FROM"),
    target: env!("REFUTE_BUILT_FOR"),
    rustc: env!("REFUTE_BUILT_BY"),
    protocol: PROTOCOL,
    solvers: || FAMILIES.iter().map(|family| (family.id(), family.solver_version())).collect(),
    formats: &[],
};
