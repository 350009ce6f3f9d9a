//! The server's side of TLS: makes its configuration from the certificate files, and reads them again once they change.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use refute_connect::tls::{Authorities, TlsFileError};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::CertificateRevocationListDer;
use tokio_rustls::rustls::server::{NoServerSessionStorage, WebPkiClientVerifier};
use tokio_rustls::rustls::sign::{CertifiedKey, SingleCertAndKey};
use tracing::{error, info};

/// How often the files are looked at, at most.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// What the server needs: its own certificate with the key, and which certificates of callers to accept.
pub struct ServerCredentials {
    /// The certificate with its key.
    pub own: Arc<CertifiedKey>,
    /// The authorities that are trusted.
    pub authorities: Authorities,
    /// The certificates that they have revoked.
    pub revoked: Vec<CertificateRevocationListDer<'static>>,
}

/// Reads the files.
pub type ReadCredentials = Box<dyn Fn() -> Result<ServerCredentials, TlsFileError> + Send>;

/// Why a server cannot speak TLS with its files.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] TlsFileError),
    /// The lists of revoked certificates fit nothing.
    #[error("--tls-crl: the list of revoked certificates cannot be used: {0}")]
    Revoked(String),
    /// The library has no version of TLS to speak.
    #[error(transparent)]
    Library(#[from] tokio_rustls::rustls::Error),
}

/// The TLS of the server, which follows its files: once they have changed, new connections are made with what they hold then.
pub struct Tls {
    read: ReadCredentials,
    files: Vec<PathBuf>,
    /// The files as they were when they were last read and would do.
    seen: Vec<Option<Stamp>>,
    /// What was last said about files that cannot be used.
    complaint: Option<String>,
    looked: Instant,
    acceptor: TlsAcceptor,
}

/// What changes when a file is replaced or written to.
type Stamp = (SystemTime, u64);

impl Tls {
    /// Reads the files for the first time.
    ///
    /// # Errors
    /// [`TlsError`], which names the file.
    pub fn new(files: Vec<PathBuf>, read: ReadCredentials) -> Result<Self, TlsError> {
        let seen = stamps(&files);
        let acceptor = acceptor(&read)?;
        Ok(Self { read, files, seen, complaint: None, looked: Instant::now(), acceptor })
    }

    /// What the next connection is accepted with. Files that have changed are read again, and while they cannot be used, all stays
    /// as it was and they are read at each look: who may read a file can change without a trace in the file, and so can whether
    /// the system gives a descriptor for it.
    ///
    /// Cost: a look at the files every two seconds, at most.
    pub fn acceptor(&mut self) -> TlsAcceptor {
        if self.looked.elapsed() >= LOOK_EVERY {
            self.looked = Instant::now();
            let stamps = stamps(&self.files);
            if stamps != self.seen {
                self.reload(stamps);
            }
        }
        self.acceptor.clone()
    }

    fn reload(&mut self, stamps: Vec<Option<Stamp>>) {
        match acceptor(&self.read) {
            Ok(acceptor) => {
                info!("the TLS files have changed and were read again");
                (self.acceptor, self.seen, self.complaint) = (acceptor, stamps, None);
            }
            Err(problem) if self.complaint.as_ref() == Some(&problem.to_string()) => {}
            Err(problem) => {
                let sentence = problem.to_string();
                error!("the TLS files have changed and cannot be used; what they held before stays in use: {sentence}");
                self.complaint = Some(sentence);
            }
        }
    }
}

fn stamps(files: &[PathBuf]) -> Vec<Option<Stamp>> {
    let stamp = |file: &PathBuf| std::fs::metadata(file).and_then(|data| Ok((data.modified()?, data.len()))).ok();
    files.iter().map(stamp).collect()
}

fn acceptor(read: &ReadCredentials) -> Result<TlsAcceptor, TlsError> {
    let ServerCredentials { own, authorities, revoked } = read()?;
    let provider = Arc::new(default_provider());
    let verifier = authorities.client_verifier(|roots| {
        // Each certificate of the path is looked up, also those of authorities in between. An authority without a list has revoked
        // nothing.
        let verifier = WebPkiClientVerifier::builder_with_provider(roots, Arc::clone(&provider)).with_crls(revoked.clone());
        verifier.allow_unknown_revocation_status().build()
    });
    let verifier = verifier.map_err(|error| TlsError::Revoked(error.to_string()))?;
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder?.with_client_cert_verifier(verifier);
    let mut config = builder.with_cert_resolver(Arc::new(SingleCertAndKey::from(own)));
    config.alpn_protocols = vec![b"h2".to_vec()];
    // Each connection has its certificate checked again: one that has expired meanwhile, or whose authority is no longer
    // trusted, must not come in on the strength of an earlier visit.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use rcgen::{CertifiedKey as Certified, generate_simple_self_signed};
    use tokio_rustls::rustls::pki_types::PrivateKeyDer;

    use super::*;

    fn credentials() -> ServerCredentials {
        let Certified { cert, signing_key } = generate_simple_self_signed(["hub".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let authorities = Authorities::of([cert.der().clone()]).unwrap();
        let own = CertifiedKey::from_der(vec![cert.der().clone()], key, &default_provider()).unwrap();
        ServerCredentials { own: Arc::new(own), authorities, revoked: Vec::new() }
    }

    #[test]
    fn files_that_would_not_do_are_read_again_although_they_look_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("hub.key");
        std::fs::write(&file, "old").unwrap();
        let (reads, is_readable) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(true)));
        let read = {
            let (reads, is_readable) = (Arc::clone(&reads), Arc::clone(&is_readable));
            move || {
                reads.fetch_add(1, Ordering::Relaxed);
                let (flag, file, reason) = ("--tls-key", "hub.key".to_owned(), "permission denied".to_owned());
                is_readable.load(Ordering::Relaxed).then(credentials).ok_or(TlsFileError::Unreadable { flag, file, reason })
            }
        };
        let mut tls = Tls::new(vec![file.clone()], Box::new(read)).unwrap();
        let mut look = |is_readable_now: bool| {
            is_readable.store(is_readable_now, Ordering::Relaxed);
            tls.looked = Instant::now().checked_sub(LOOK_EVERY).unwrap();
            tls.acceptor();
            (reads.load(Ordering::Relaxed), tls.complaint.clone())
        };
        assert_eq!(look(true), (1, None), "nothing has changed");
        std::fs::write(&file, "renewed").unwrap();
        let complaint = Some("--tls-key: 'hub.key' cannot be read: permission denied".to_owned());
        assert_eq!(look(false), (2, complaint.clone()));
        assert_eq!(look(false), (3, complaint));
        assert_eq!(look(true), (4, None), "its owner was changed, which the file does not show");
        assert_eq!(look(false), (4, None), "it was taken up");
    }
}
