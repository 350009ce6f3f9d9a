//! What a worker is told at its start.

use refute_connect::tls::TlsFiles;

/// What a worker is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerOptions {
    /// Where the coordinator is, as a URL such as `http://10.0.0.5:7433`.
    pub coordinator: String,
    /// The files for TLS, where the URL is an `https` one; none for plain text.
    pub tls: Option<TlsFiles>,
    /// How many shards it solves at a time, at least one.
    pub slots: usize,
    /// What the tables of one slot may take, in bytes.
    pub slot_bytes: u64,
    /// How often lack of memory had ended processes of this one's control group before, for people.
    pub memory_kills: u64,
    /// The machine's name, for people.
    pub host: String,
}
