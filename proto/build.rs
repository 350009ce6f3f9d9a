//! Compiles the wire contract without `protoc`, so that a build needs nothing but cargo.

use std::error::Error;

const CONTRACT: &str = "refute/v1/refute.proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={CONTRACT}");
    let is_server = std::env::var_os("CARGO_FEATURE_SERVER").is_some();
    let descriptors = protox::compile([CONTRACT], ["."])?;
    tonic_prost_build::configure().build_server(is_server).emit_rerun_if_changed(false).compile_fds(descriptors)?;
    Ok(())
}
