//! The code in `src/generated` is what the contract generates. It is checked in so that a build compiles no compiler of
//! contracts; this test, which has one, holds the two against each other and renews the code on demand.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

const CONTRACT: &str = "refute/v1/refute.proto";

#[test]
fn the_generated_code_is_that_of_the_contract() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let written = package.join("src/generated/refute.v1.rs");
    let folder = tempfile::tempdir().unwrap();
    let descriptors = protox::compile([package.join(CONTRACT)], [package]).unwrap();
    tonic_prost_build::configure()
        .server_mod_attribute(".", "#[cfg(feature = \"server\")]")
        .emit_rerun_if_changed(false)
        .out_dir(folder.path())
        .compile_fds(descriptors)
        .unwrap();
    let generated = fs::read_to_string(folder.path().join("refute.v1.rs")).unwrap();
    if std::env::var_os("REFUTE_GENERATE").is_some() {
        fs::write(&written, &generated).unwrap();
    }
    assert!(
        fs::read_to_string(&written).unwrap() == generated,
        "{CONTRACT} was changed; run `REFUTE_GENERATE=1 cargo test -p refute-proto --test contract` and commit the result"
    );
}
