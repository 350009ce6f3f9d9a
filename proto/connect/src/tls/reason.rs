//! Why there is no TLS, in sentences for the person at this end.

use std::io;

use tokio_rustls::rustls::{AlertDescription, CertificateError, Error, OtherError};

use super::files::TlsFiles;

/// Why there is no TLS connection, in a sentence that says what to change.
pub(super) fn sentence(error: &io::Error, files: &TlsFiles) -> String {
    let Some(said) = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) else {
        return match error.kind() {
            io::ErrorKind::UnexpectedEof => "it closed the connection during the handshake".to_owned(),
            _ => error.to_string(),
        };
    };
    match said {
        Error::InvalidCertificate(problem) => format!("its certificate {}", of_the_coordinator(problem, files)),
        Error::AlertReceived(alert) => match of_this_side(*alert) {
            Some(problem) => format!("it refuses the certificate in '{}': {problem}", files.certificate.display()),
            None => format!("it aborts the handshake: {alert:?}"),
        },
        Error::InvalidMessage(_) => "what answers there does not speak TLS".to_owned(),
        other => format!("TLS: {other}"),
    }
}

fn of_the_coordinator(problem: &CertificateError, files: &TlsFiles) -> String {
    match problem {
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            format!("is not signed by the authority in '{}'", files.authority.display())
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "has expired".to_owned(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => "is not valid yet".to_owned(),
        CertificateError::NotValidForNameContext { expected, presented } => {
            let hosts: Vec<&str> = presented.iter().map(|presented| host(presented)).collect();
            let hosts = if hosts.is_empty() { "no host".to_owned() } else { hosts.join(", ") };
            format!("is for {hosts} and not for {}", expected.to_str())
        }
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            "is not one of a coordinator: its extendedKeyUsage is not serverAuth".to_owned()
        }
        // What is not the library's own says by itself what is wrong.
        CertificateError::Other(OtherError(problem)) => format!("is not accepted: {problem}"),
        other => format!("is not accepted: {other}"),
    }
}

/// A host as people write it, of one such as `DnsName("refute.example")`.
fn host(presented: &str) -> &str {
    presented.split_once('(').map_or(presented, |(_, host)| host.trim_end_matches(')').trim_matches('"'))
}

/// What an alert says about this side's certificate; nothing if it is about something else.
fn of_this_side(alert: AlertDescription) -> Option<&'static str> {
    Some(match alert {
        AlertDescription::UnknownCA | AlertDescription::DecryptError => "it is not signed by the authority that the coordinator trusts",
        AlertDescription::CertificateExpired => "it has expired or is not valid yet",
        AlertDescription::CertificateRevoked => "it has been revoked",
        AlertDescription::UnsupportedCertificate => "it is not one of a worker or client: its extendedKeyUsage is not clientAuth",
        AlertDescription::BadCertificate | AlertDescription::CertificateUnknown | AlertDescription::AccessDenied => "it is not accepted",
        AlertDescription::CertificateRequired => "there is none",
        _ => return None,
    })
}
