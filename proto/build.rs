//! Compiles the wire contract without `protoc`, so that a build needs nothing but cargo.

use std::error::Error;

const CONTRACT: &str = "refute/v1/refute.proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={CONTRACT}");
    let descriptors = protox::compile([CONTRACT], ["."])?;
    tonic_prost_build::configure().emit_rerun_if_changed(false).compile_fds(descriptors)?;
    Ok(())
}
