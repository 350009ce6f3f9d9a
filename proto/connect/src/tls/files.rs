//! The files that TLS needs: certificate, key, authority, and the lists of revoked certificates.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_rustls::rustls::Error;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};
use tokio_rustls::rustls::sign::CertifiedKey;

use super::authorities::Authorities;

const CERTIFICATE: &str = "--tls-cert";
const KEY: &str = "--tls-key";
const AUTHORITY: &str = "--tls-ca";
const REVOKED: &str = "--tls-crl";

/// The most that is read of a file; a chain of certificates takes some kilobytes.
const MAX_BYTES: u64 = 1 << 20;

/// The three files that one side of TLS needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// Its own certificate, followed by those between it and the authority if there are any.
    pub certificate: PathBuf,
    /// The private key of that certificate.
    pub key: PathBuf,
    /// The authorities that may have signed the other side's certificate.
    pub authority: PathBuf,
}

/// What the files hold.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The certificate with its key.
    pub own: Arc<CertifiedKey>,
    /// The authorities that are trusted.
    pub authorities: Authorities,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TlsFileError {
    /// It cannot be read.
    #[error("{flag}: '{file}' cannot be read: {reason}")]
    Unreadable {
        /// The flag that names it.
        flag: &'static str,
        /// As it was named.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// It holds no item of the kind that is wanted.
    #[error("{flag}: '{file}' holds no {wanted}")]
    Without {
        /// The flag that names it.
        flag: &'static str,
        /// As it was named.
        file: String,
        /// What it should hold.
        wanted: &'static str,
    },
    /// It holds something of that kind which cannot be read.
    #[error("{flag}: '{file}' is damaged or of a kind that is not known here: {reason}")]
    Malformed {
        /// The flag that names it.
        flag: &'static str,
        /// As it was named.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Others than its owner and its group can get at the key.
    #[error(
        "--tls-key: everyone on this machine may read or replace what is in '{file}' (mode {mode:04o}); take that away: chmod o= '{file}'"
    )]
    Open {
        /// As it was named.
        file: String,
        /// Its permissions.
        mode: u32,
    },
    /// The key is of a kind that is not known, or damaged.
    #[error(
        "--tls-key: the key in '{file}' is damaged or of a kind that is not known here; it must be of EC P-256 or P-384, Ed25519, or RSA \
         of 2048 to 4096 bits"
    )]
    UnknownKey {
        /// As it was named.
        file: String,
    },
    /// The key is another certificate's.
    #[error("--tls-key: the key in '{key}' does not belong to the certificate in '{certificate}'")]
    OtherKey {
        /// The file with the key.
        key: String,
        /// The file with the certificate.
        certificate: String,
    },
}

/// Why the flags that name the files do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TlsFlagsError {
    /// Plain text is allowed, and there would be none.
    #[error("--insecure allows plain text, and with {CERTIFICATE} there is none; leave out one of the two")]
    Insecure,
    /// Only some of the files are named.
    #[error("{CERTIFICATE}, {KEY} and {AUTHORITY} come together or not at all; missing: {}", missing.join(" and "))]
    Incomplete {
        /// The flags that are missing.
        missing: Vec<&'static str>,
    },
}

impl TlsFiles {
    /// The files, if they are named. They come together or not at all, and not where plain text was asked for.
    ///
    /// # Errors
    /// [`TlsFlagsError`].
    pub fn of(cert: Option<PathBuf>, key: Option<PathBuf>, ca: Option<PathBuf>, insecure: bool) -> Result<Option<Self>, TlsFlagsError> {
        let named = [(CERTIFICATE, cert.is_some()), (KEY, key.is_some()), (AUTHORITY, ca.is_some())];
        match (cert, key, ca) {
            (None, None, None) => Ok(None),
            (Some(_), Some(_), Some(_)) if insecure => Err(TlsFlagsError::Insecure),
            (Some(certificate), Some(key), Some(authority)) => Ok(Some(Self { certificate, key, authority })),
            _ => {
                let missing = named.into_iter().filter(|(_, is_named)| !is_named).map(|(flag, _)| flag).collect();
                Err(TlsFlagsError::Incomplete { missing })
            }
        }
    }

    /// All three, in the order of the fields.
    #[must_use]
    pub fn paths(&self) -> [&Path; 3] {
        [&self.certificate, &self.key, &self.authority]
    }

    /// Reads the files. Whether the certificates are still valid is not looked at: the other side does that.
    ///
    /// # Errors
    /// [`TlsFileError`] for the first that is missing or invalid.
    pub fn read(&self) -> Result<Credentials, TlsFileError> {
        let chain = certificates(CERTIFICATE, &self.certificate)?;
        let key = private_key(&self.key)?;
        let own = CertifiedKey::from_der(chain, key, &default_provider()).map_err(|error| match error {
            Error::InconsistentKeys(_) => TlsFileError::OtherKey { key: named(&self.key), certificate: named(&self.certificate) },
            Error::InvalidCertificate(_) => malformed(CERTIFICATE, &self.certificate, &error),
            _ => TlsFileError::UnknownKey { file: named(&self.key) },
        })?;
        let authorities = Authorities::of(certificates(AUTHORITY, &self.authority)?);
        let authorities = authorities.map_err(|error| malformed(AUTHORITY, &self.authority, &error))?;
        Ok(Credentials { own: Arc::new(own), authorities })
    }
}

/// Reads the lists of revoked certificates in a file, which is named by `--tls-crl`.
///
/// # Errors
/// [`TlsFileError`] if there is none.
pub fn read_revocation_lists(file: &Path) -> Result<Vec<CertificateRevocationListDer<'static>>, TlsFileError> {
    let wanted = "list of revoked certificates in PEM form (-----BEGIN X509 CRL-----)";
    items(REVOKED, file, wanted)
}

fn named(file: &Path) -> String {
    file.display().to_string()
}

fn malformed(flag: &'static str, file: &Path, error: &dyn std::fmt::Display) -> TlsFileError {
    TlsFileError::Malformed { flag, file: named(file), reason: error.to_string() }
}

fn unreadable_pem(flag: &'static str, file: &Path, error: &pem::Error) -> TlsFileError {
    match error {
        // As of a file that has not been written to its end yet.
        pem::Error::MissingSectionEnd { .. } => malformed(flag, file, &"it ends before its last line, -----END …-----"),
        other => malformed(flag, file, other),
    }
}

fn certificates(flag: &'static str, file: &Path) -> Result<Vec<CertificateDer<'static>>, TlsFileError> {
    items(flag, file, "certificate in PEM form (-----BEGIN CERTIFICATE-----)")
}

/// All that a file holds of a kind, which is at least one.
fn items<T: PemObject>(flag: &'static str, file: &Path, wanted: &'static str) -> Result<Vec<T>, TlsFileError> {
    let found: Result<Vec<T>, pem::Error> = T::pem_slice_iter(&contents(flag, file)?.0).collect();
    let found = found.map_err(|error| unreadable_pem(flag, file, &error))?;
    if found.is_empty() { Err(TlsFileError::Without { flag, file: named(file), wanted }) } else { Ok(found) }
}

fn private_key(file: &Path) -> Result<PrivateKeyDer<'static>, TlsFileError> {
    let (contents, mode) = contents(KEY, file)?;
    // Its group may: that is how secrets are mounted into containers.
    if mode & 0o007 != 0 {
        return Err(TlsFileError::Open { file: named(file), mode });
    }
    // What OpenSSL wrote before PKCS #8 has the name of a key that is not encrypted, and says within that it is.
    let is_encrypted = String::from_utf8_lossy(&contents).contains("\nProc-Type: 4,ENCRYPTED");
    PrivateKeyDer::from_pem_slice(&contents).map_err(|error| match error {
        pem::Error::NoItemsFound => without_key(file),
        _ if is_encrypted => without_key(file),
        _ => unreadable_pem(KEY, file, &error),
    })
}

fn without_key(file: &Path) -> TlsFileError {
    let wanted = "private key in PEM form that is not encrypted (-----BEGIN PRIVATE KEY-----)";
    TlsFileError::Without { flag: KEY, file: named(file), wanted }
}

/// What a file holds, and its permissions.
fn contents(flag: &'static str, file: &Path) -> Result<(Vec<u8>, u32), TlsFileError> {
    let unreadable = |error: io::Error| TlsFileError::Unreadable { flag, file: named(file), reason: error.to_string() };
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|file| {
        let mode = file.metadata()?.permissions().mode() & 0o777;
        file.take(MAX_BYTES).read_to_end(&mut bytes)?;
        Ok(mode)
    });
    Ok((bytes, read.map_err(unreadable)?))
}
