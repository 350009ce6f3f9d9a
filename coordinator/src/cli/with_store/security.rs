//! The flags of `refute serve` that say who may connect, and how.

use std::path::{Path, PathBuf};

use clap::Args;
use refute_connect::path::path_parser;
use refute_connect::tls::{Credentials, TlsFileError, TlsFiles, read_revocation_lists};

use crate::rpc::{Server, ServerCredentials, Tls, TlsError};

use super::super::exit::Failure;

/// How a coordinator may be reached. Not from the environment: that is for clients, which may be on the same machine.
#[derive(Args, Debug)]
pub struct Security {
    /// For TLS: the coordinator's certificate, in PEM form; it is read again when it has changed
    #[arg(long, value_name = "FILE", value_parser = path_parser())]
    tls_cert: Option<PathBuf>,
    /// For TLS: the private key of that certificate
    #[arg(long, value_name = "FILE", value_parser = path_parser())]
    tls_key: Option<PathBuf>,
    /// For TLS: the authority that signs the certificates of workers and clients
    #[arg(long, value_name = "FILE", value_parser = path_parser())]
    tls_ca: Option<PathBuf>,
    /// For TLS: certificates that the authority has revoked, a CRL in PEM form
    #[arg(long, value_name = "FILE", requires = "tls_cert", value_parser = path_parser())]
    tls_crl: Option<PathBuf>,
    /// Allow plain text from other machines: anyone who can connect may then do everything
    #[arg(long)]
    insecure: bool,
}

impl Security {
    /// What was asked for: TLS with what is in the files, or plain text.
    ///
    /// # Errors
    /// [`Failure`] with a sentence that names the flag.
    pub fn tls(&self) -> Result<Option<Tls>, Failure> {
        let files = TlsFiles::of(self.tls_cert.clone(), self.tls_key.clone(), self.tls_ca.clone(), self.insecure);
        let files = files.map_err(Failure::wrong)?;
        files.map(|files| read(files, self.tls_crl.clone())).transpose().map_err(Failure::wrong)
    }

    /// Gives a server its TLS; without, it must stay on this machine, unless more was allowed.
    ///
    /// # Errors
    /// [`Failure`] with a sentence that names the flag.
    pub fn secure(&self, server: Server, tls: Option<Tls>) -> Result<Server, Failure> {
        match tls {
            Some(tls) => Ok(server.with_tls(tls)),
            None if self.insecure || server.address().ip().to_canonical().is_loopback() => Ok(server),
            None => Err(Failure::wrong(format!(
                "--listen: {} is open to other machines, and in plain text anyone who can connect may do everything; give --tls-cert, \
                 --tls-key and --tls-ca, or --insecure if it may be so",
                server.address()
            ))),
        }
    }
}

fn read(files: TlsFiles, revoked: Option<PathBuf>) -> Result<Tls, TlsError> {
    let watched = files.paths().into_iter().chain(revoked.as_deref()).map(Path::to_path_buf).collect();
    let read = move || -> Result<ServerCredentials, TlsFileError> {
        let Credentials { own, authorities } = files.read()?;
        let revoked = revoked.as_deref().map(read_revocation_lists).transpose()?.unwrap_or_default();
        Ok(ServerCredentials { own, authorities, revoked })
    };
    Tls::new(watched, Box::new(read))
}
