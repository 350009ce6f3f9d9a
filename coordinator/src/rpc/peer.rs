//! Who is at the other end of a connection: its address, the subject of its certificate, and the name of the host that follows
//! from these.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio_rustls::rustls::pki_types::CertificateDer;
use tonic::Request;
use x509_parser::prelude::{FromDer as _, X509Certificate};

use super::pace::Pace;

/// Who is at the other end of a connection.
#[derive(Clone)]
pub struct Peer {
    /// Its address.
    pub address: SocketAddr,
    /// Whom its certificate is for; none on a connection in plain text.
    pub subject: Option<Arc<Subject>>,
    /// Its answers, as far as it has not taken them.
    pub pace: Arc<Pace>,
}

/// The host from which a call comes; empty if it is not known.
pub fn host<T>(request: &Request<T>) -> String {
    request.extensions().get::<Peer>().map(Peer::host).unwrap_or_default()
}

/// The longest name of a host, in characters.
const MAX_HOST_CHARACTERS: usize = 255;

impl Peer {
    /// The host at the other end, for whose failures it answers: the name in its certificate, or its address if it has none.
    #[must_use]
    pub fn host(&self) -> String {
        let name = self.subject.as_deref().map(|subject| subject.name.trim()).filter(|name| !name.is_empty());
        let address = || self.address.ip().to_canonical().to_string();
        let name = name.map_or_else(address, str::to_owned);
        name.chars().take(MAX_HOST_CHARACTERS).map(|character| if character.is_control() { ' ' } else { character }).collect()
    }
}

/// Whom a certificate is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its common name (CN): a machine or a person.
    pub name: String,
    /// Its organizational units (OU), one of which is its role.
    pub units: Vec<String>,
}

/// What a caller shows is no certificate, or none that can be read.
#[derive(Debug, thiserror::Error)]
#[error("its certificate cannot be read: {0}")]
pub struct UnreadableCertificate(String);

impl Subject {
    /// Reads the subject of a certificate. What is no text counts as not there.
    ///
    /// # Errors
    /// [`UnreadableCertificate`].
    pub fn of(certificate: &CertificateDer<'_>) -> Result<Self, UnreadableCertificate> {
        let (_, read) = X509Certificate::from_der(certificate).map_err(|error| UnreadableCertificate(error.to_string()))?;
        let subject = read.subject();
        let name = subject.iter_common_name().find_map(|name| name.as_str().ok()).unwrap_or_default();
        let units = subject.iter_organizational_unit().filter_map(|unit| unit.as_str().ok());
        Ok(Self { name: name.to_owned(), units: units.map(str::to_owned).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_host_is_the_name_in_the_certificate_or_the_address_without_the_port() {
        let peer = |address: &str, name: Option<&str>| {
            let subject = name.map(|name| Arc::new(Subject { name: name.into(), units: Vec::new() }));
            let address = address.parse().unwrap();
            Peer { address, subject, pace: Pace::new(address).0 }.host()
        };
        assert_eq!(peer("10.0.0.7:40000", None), "10.0.0.7");
        assert_eq!(peer("[::ffff:10.0.0.7]:40000", None), "10.0.0.7");
        assert_eq!(peer("[fd00::1]:40000", None), "fd00::1");
        assert_eq!(peer("10.0.0.7:40000", Some("eve")), "eve");
        assert_eq!(peer("10.0.0.7:40000", Some(" ")), "10.0.0.7");
        assert_eq!(peer("10.0.0.7:40000", Some("eve\nworker 7 on ada")), "eve worker 7 on ada");
    }
}
