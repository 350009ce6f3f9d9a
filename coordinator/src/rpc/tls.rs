use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::CertificateRevocationListDer;
use tokio_rustls::rustls::server::{NoServerSessionStorage, WebPkiClientVerifier};
use tokio_rustls::rustls::sign::{CertifiedKey, SingleCertAndKey};
use tokio_rustls::rustls::{RootCertStore, ServerConfig};
use tracing::{error, info};

/// How often the files are looked at, at most.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// What the server needs: its own certificate with the key, and which certificates of callers to accept.
pub struct ServerCredentials {
    /// The certificate with its key.
    pub own: Arc<CertifiedKey>,
    /// The authorities that are trusted.
    pub authorities: Arc<RootCertStore>,
    /// The certificates that they have revoked.
    pub revoked: Vec<CertificateRevocationListDer<'static>>,
}

/// Reads the files; a sentence if they will not do.
pub type ReadCredentials = Box<dyn Fn() -> Result<ServerCredentials, String> + Send>;

/// The TLS of the server, which follows its files: once they have changed, new connections are made with what they hold then.
pub struct Tls {
    read: ReadCredentials,
    files: Vec<PathBuf>,
    /// The files as they were when they were last read.
    seen: Vec<Option<Stamp>>,
    looked: Instant,
    acceptor: TlsAcceptor,
}

/// What changes when a file is replaced or written to.
type Stamp = (SystemTime, u64);

impl Tls {
    /// Reads the files for the first time.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn new(files: Vec<PathBuf>, read: ReadCredentials) -> Result<Self, String> {
        let seen = stamps(&files);
        let acceptor = acceptor(&read)?;
        Ok(Self { read, files, seen, looked: Instant::now(), acceptor })
    }

    /// What the next connection is accepted with. Files that have changed are read again; if they will not do, all stays as it
    /// was until they change once more.
    ///
    /// Cost: a look at the files every two seconds, at most.
    pub fn acceptor(&mut self) -> TlsAcceptor {
        if self.looked.elapsed() >= LOOK_EVERY {
            self.looked = Instant::now();
            let stamps = stamps(&self.files);
            if stamps != self.seen {
                self.seen = stamps;
                match acceptor(&self.read) {
                    Ok(acceptor) => {
                        info!("the files of TLS have changed and were read again");
                        self.acceptor = acceptor;
                    }
                    Err(sentence) => error!("the files of TLS have changed and will not do; what they held before stays: {sentence}"),
                }
            }
        }
        self.acceptor.clone()
    }
}

fn stamps(files: &[PathBuf]) -> Vec<Option<Stamp>> {
    let stamp = |file: &PathBuf| std::fs::metadata(file).and_then(|data| Ok((data.modified()?, data.len()))).ok();
    files.iter().map(stamp).collect()
}

fn acceptor(read: &ReadCredentials) -> Result<TlsAcceptor, String> {
    let ServerCredentials { own, authorities, revoked } = read()?;
    let provider = Arc::new(default_provider());
    let verifier = WebPkiClientVerifier::builder_with_provider(authorities, Arc::clone(&provider)).with_crls(revoked);
    // An authority without a list has revoked nothing.
    let verifier = verifier.only_check_end_entity_revocation().allow_unknown_revocation_status();
    let verifier = verifier.build().map_err(|error| format!("--tls-crl: the list of revoked certificates will not do: {error}"))?;
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| error.to_string())?.with_client_cert_verifier(verifier);
    let mut config = builder.with_cert_resolver(Arc::new(SingleCertAndKey::from(own)));
    config.alpn_protocols = vec![b"h2".to_vec()];
    // Each connection has its certificate looked at anew: one that has expired meanwhile, or whose authority is no longer
    // trusted, must not come in on the strength of an earlier visit.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
