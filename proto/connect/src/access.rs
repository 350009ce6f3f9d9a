//! How to reach a coordinator: the flags that the worker and every client command share.

use std::path::PathBuf;

use clap::Args;

use crate::address::{Address, Scheme};
use crate::path::path_parser;
use crate::tls::{TlsFiles, TlsFlagsError};

/// TLS with a certificate of one's own, or plain text.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// For TLS: this side's certificate, whose OU says its role, in PEM form
    #[arg(long, value_name = "FILE", env = "REFUTE_TLS_CERT", value_parser = path_parser())]
    pub tls_cert: Option<PathBuf>,
    /// For TLS: the private key of that certificate
    #[arg(long, value_name = "FILE", env = "REFUTE_TLS_KEY", value_parser = path_parser())]
    pub tls_key: Option<PathBuf>,
    /// For TLS: the authority that signed the coordinator's certificate
    #[arg(long, value_name = "FILE", env = "REFUTE_TLS_CA", value_parser = path_parser())]
    pub tls_ca: Option<PathBuf>,
    /// Allow plain text to another machine, which anyone on the way can read and change
    #[arg(long, env = "REFUTE_INSECURE")]
    pub insecure: bool,
}

/// Where a coordinator is and how to reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its URL.
    pub url: String,
    /// What TLS needs; none for plain text.
    pub tls: Option<TlsFiles>,
}

/// Why the flags and the address do not go together. As a sentence it says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// The flags that name files.
    #[error(transparent)]
    Flags(#[from] TlsFlagsError),
    /// The address is one for plain text, and the files are for TLS.
    #[error("'{typed}' is plain text and --tls-cert is for TLS; write {url}, or leave out the --tls- files")]
    PlainAddress {
        /// The address.
        typed: String,
        /// The address for TLS.
        url: String,
    },
    /// The address is one for TLS, and no files are named.
    #[error("'{typed}' is TLS, which needs --tls-cert, --tls-key and --tls-ca")]
    NoFiles {
        /// The address.
        typed: String,
    },
    /// Plain text would leave this machine, which nobody allowed.
    #[error(
        "'{url}' is plain text to another machine, which anyone on the way can read and change; give --tls-cert, --tls-key and \
         --tls-ca, or --insecure if it may be so"
    )]
    Insecure {
        /// The address.
        url: String,
    },
}

impl Access {
    /// The coordinator at an address. No file is read.
    ///
    /// # Errors
    /// [`AccessError`].
    pub fn target(&self, address: &Address) -> Result<Target, AccessError> {
        let Self { tls_cert, tls_key, tls_ca, insecure } = self.clone();
        let tls = TlsFiles::of(tls_cert, tls_key, tls_ca, insecure)?;
        let scheme = if tls.is_some() { Scheme::Https } else { Scheme::Http };
        let url = address.url(scheme);
        match (address.scheme, scheme) {
            (Some(Scheme::Http), Scheme::Https) => {
                return Err(AccessError::PlainAddress { typed: address.url(Scheme::Http), url });
            }
            (Some(Scheme::Https), Scheme::Http) => {
                return Err(AccessError::NoFiles { typed: address.url(Scheme::Https) });
            }
            _ => {}
        }
        if scheme == Scheme::Http && !address.is_loopback && !insecure {
            return Err(AccessError::Insecure { url });
        }
        Ok(Target { url, tls })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::parse_coordinator;

    fn with_files() -> Access {
        let file = |name: &str| Some(PathBuf::from(name));
        Access { tls_cert: file("a.crt"), tls_key: file("a.key"), tls_ca: file("ca.crt"), insecure: false }
    }

    fn url(access: &Access, address: &str) -> Result<String, String> {
        access.target(&parse_coordinator(address).unwrap()).map(|target| target.url).map_err(|error| error.to_string())
    }

    #[test]
    fn the_files_say_what_an_address_without_scheme_means() {
        assert_eq!(url(&Access::default(), "localhost:1").as_deref(), Ok("http://localhost:1"));
        assert_eq!(url(&with_files(), "localhost:1").as_deref(), Ok("https://localhost:1"));
        assert_eq!(url(&with_files(), "https://far.example:1").as_deref(), Ok("https://far.example:1"));
        assert!(with_files().target(&parse_coordinator("far.example:1").unwrap()).unwrap().tls.is_some());
    }

    #[test]
    fn a_scheme_that_does_not_fit_the_files_is_refused() {
        assert!(url(&with_files(), "http://localhost:1").unwrap_err().contains("write https://localhost:1"));
        assert!(url(&Access::default(), "https://localhost:1").unwrap_err().contains("needs --tls-cert"));
    }

    #[test]
    fn plain_text_leaves_this_machine_only_where_that_was_said() {
        let insecure = Access { insecure: true, ..Access::default() };
        assert_eq!(url(&insecure, "far.example:1").as_deref(), Ok("http://far.example:1"));
        for address in ["far.example:1", "http://10.0.0.1:1"] {
            assert!(url(&Access::default(), address).unwrap_err().contains("or --insecure"), "{address}");
        }
    }
}
