//! Says for the log why a TLS handshake failed.

use std::io;

use tokio_rustls::rustls::{CertificateError, Error, OtherError, PeerIncompatible};

/// Why a handshake failed, as a sentence about the caller.
pub fn refusal(error: &io::Error) -> String {
    let Some(said) = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) else {
        return match error.kind() {
            io::ErrorKind::UnexpectedEof => "it went away before its handshake was done".to_owned(),
            _ => error.to_string(),
        };
    };
    match said {
        Error::NoCertificatesPresented => "it has no certificate".to_owned(),
        Error::InvalidCertificate(problem) => format!("its certificate {}", of_a_caller(problem)),
        Error::InvalidMessage(_) => "it does not speak TLS".to_owned(),
        Error::AlertReceived(alert) => format!("it refuses the coordinator's certificate or TLS ({alert:?})"),
        Error::NoApplicationProtocol => "it does not speak HTTP/2".to_owned(),
        // The signature algorithms are what a TLS before 1.2 does not name.
        Error::PeerIncompatible(
            PeerIncompatible::Tls12NotOffered
            | PeerIncompatible::SupportedVersionsExtensionRequired
            | PeerIncompatible::SignatureAlgorithmsExtensionRequired,
        ) => "it speaks no version of TLS from 1.2 on".to_owned(),
        other => format!("TLS: {other}"),
    }
}

fn of_a_caller(problem: &CertificateError) -> String {
    match problem {
        // Where two authorities have the same name the signature tells them apart.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => "is not signed by the authority in --tls-ca".to_owned(),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "has expired".to_owned(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => "is not valid yet".to_owned(),
        CertificateError::Revoked => "has been revoked".to_owned(),
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            "is not one of a worker or client: its extendedKeyUsage is not clientAuth".to_owned()
        }
        // What is not the library's own says by itself what is wrong.
        CertificateError::Other(OtherError(problem)) => format!("is not accepted: {problem}"),
        other => format!("is not accepted: {other}"),
    }
}
