//! What monitoring asks over HTTP: metrics in the text format of Prometheus, and whether the coordinator lives and hands out
//! work. Nothing can be changed here, and nothing of a sweep's results can be read.

mod metrics;
mod server;

pub use metrics::text;
pub use server::{WebError, WebServer};
