//! What this machine is called.

use std::{env, fs};

/// The machine's name, for people; `unknown` where the system does not tell.
#[must_use]
pub fn host_name() -> String {
    let kernel = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = kernel.or_else(|| env::var("HOSTNAME").ok()).unwrap_or_default();
    if name.trim().is_empty() { "unknown".to_owned() } else { name.trim().to_owned() }
}
