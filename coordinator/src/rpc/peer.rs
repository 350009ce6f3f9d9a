use std::net::SocketAddr;
use std::sync::Arc;

use tokio_rustls::rustls::pki_types::CertificateDer;
use x509_parser::prelude::{FromDer as _, X509Certificate};

/// Who is at the other end of a connection.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Its address.
    pub address: SocketAddr,
    /// Whom its certificate is for; none on a connection in plain text.
    pub subject: Option<Arc<Subject>>,
}

/// Whom a certificate is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its common name (CN): a machine or a person.
    pub name: String,
    /// Its organizational units (OU), one of which is its role.
    pub units: Vec<String>,
}

impl Subject {
    /// Reads the subject of a certificate. What is no text counts as not there.
    ///
    /// # Errors
    /// A sentence, if it is no certificate.
    pub fn of(certificate: &CertificateDer<'_>) -> Result<Self, String> {
        let (_, read) = X509Certificate::from_der(certificate).map_err(|error| format!("its certificate cannot be read: {error}"))?;
        let subject = read.subject();
        let name = subject.iter_common_name().find_map(|name| name.as_str().ok()).unwrap_or_default();
        let units = subject.iter_organizational_unit().filter_map(|unit| unit.as_str().ok());
        Ok(Self { name: name.to_owned(), units: units.map(str::to_owned).collect() })
    }
}
