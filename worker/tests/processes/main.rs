//! A worker over a real loopback socket, as a library and as a program, with a coordinator that does as the test says.

#![allow(clippy::unwrap_used)]

mod binary;
mod coordinator;
mod loopback;
