//! TLS as a worker or a client speaks it: the files it needs, the connection, and what is said when there is none.

mod authorities;
mod connect;
mod files;
mod reason;

pub use authorities::{Authorities, PathTooLong};
pub use connect::channel;
pub use files::{Credentials, TlsFileError, TlsFiles, TlsFlagsError, read_revocation_lists};
