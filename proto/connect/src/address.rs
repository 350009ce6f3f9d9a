//! The address of a coordinator, as a person writes it.

use std::net::IpAddr;

use tonic::transport::Uri;

/// Where a coordinator is, as it was written: `http://HOST:PORT`, `https://HOST:PORT` or `HOST:PORT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// What stands before `://`; none if nothing does.
    pub scheme: Option<Scheme>,
    /// `HOST:PORT`, an IPv6 address in brackets.
    pub authority: String,
    /// Whether the host is this machine by its very name, so that what is said stays on it. Names are not looked up.
    pub is_loopback: bool,
}

/// The protocol that a URL names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// In plain text.
    Http,
    /// With TLS.
    Https,
}

impl Address {
    /// The URL with this scheme.
    #[must_use]
    pub fn url(&self, scheme: Scheme) -> String {
        match scheme {
            Scheme::Http => format!("http://{}", self.authority),
            Scheme::Https => format!("https://{}", self.authority),
        }
    }
}

/// Why a text is no address of a coordinator. As a sentence it says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' {problem}; write for instance http://127.0.0.1:7433, https://refute.example:7433 or 127.0.0.1:7433")]
pub struct AddressError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub problem: AddressProblem,
}

/// What is wrong with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressProblem {
    /// Its scheme is another one.
    #[error("is neither an http nor an https URL")]
    Scheme,
    /// It cannot be read as a URL.
    #[error("is no URL")]
    NoUrl,
    /// The host is missing.
    #[error("names no host")]
    NoHost,
    /// The port is missing or no number below 65,536.
    #[error("names no port")]
    NoPort,
    /// There is something before an `@`.
    #[error("names a user and a coordinator knows none")]
    User,
    /// There is something behind the port.
    #[error("has a path and a coordinator has none")]
    Path,
}

/// Reads the address of a coordinator, a URL or `host:port`.
///
/// # Errors
/// [`AddressError`].
pub fn parse_coordinator(text: &str) -> Result<Address, AddressError> {
    let wrong = |problem| AddressError { text: text.to_owned(), problem };
    let text = text.trim();
    let (scheme, rest) = match text.split_once("://") {
        Some(("http", rest)) => (Some(Scheme::Http), rest),
        Some(("https", rest)) => (Some(Scheme::Https), rest),
        Some(_) => return Err(wrong(AddressProblem::Scheme)),
        None => (None, text),
    };
    let uri: Uri = format!("http://{rest}").parse().map_err(|_| wrong(AddressProblem::NoUrl))?;
    let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(|| wrong(AddressProblem::NoHost))?;
    let port = uri.port_u16().ok_or_else(|| wrong(AddressProblem::NoPort))?;
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err(wrong(AddressProblem::User));
    }
    if uri.path_and_query().is_some_and(|path| path != "/") {
        return Err(wrong(AddressProblem::Path));
    }
    Ok(Address { scheme, authority: format!("{host}:{port}"), is_loopback: is_loopback(host) })
}

fn is_loopback(host: &str) -> bool {
    let address = bare_host(host).parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.to_canonical().is_loopback())
}

/// A host of a URL without the brackets that an IPv6 address has there.
pub(crate) fn bare_host(host: &str) -> &str {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_and_a_host_with_port_are_both_right() {
        for (text, scheme, authority) in [
            ("http://10.0.0.5:7433", Some(Scheme::Http), "10.0.0.5:7433"),
            ("https://refute.example:7433/", Some(Scheme::Https), "refute.example:7433"),
            ("localhost:7433", None, "localhost:7433"),
            ("[::1]:7433", None, "[::1]:7433"),
            (" host:1 ", None, "host:1"),
        ] {
            let address = parse_coordinator(text).unwrap();
            assert_eq!((address.scheme, address.authority.as_str()), (scheme, authority));
        }
    }

    #[test]
    fn this_machine_is_told_from_others_by_its_name_alone() {
        for (text, expected) in [
            ("127.0.0.1:1", true),
            ("http://127.255.0.9:1", true),
            ("LocalHost:1", true),
            ("https://[::1]:1", true),
            ("[::ffff:127.0.0.1]:1", true),
            ("128.0.0.1:1", false),
            ("0.0.0.0:1", false),
            ("[::]:1", false),
            ("localhost.example:1", false),
            ("127.0.0.1.example:1", false),
        ] {
            assert_eq!(parse_coordinator(text).unwrap().is_loopback, expected, "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused_with_what_would_be_right() {
        for text in [
            "",
            "localhost",
            "http://",
            ":7433",
            "ftp://host:1",
            "HTTPS:host:1",
            "host:seven",
            "host:70000",
            "host:1/path",
            "a b:1",
            "me@host:1",
        ] {
            let sentence = parse_coordinator(text).unwrap_err().to_string();
            assert!(sentence.contains("http://127.0.0.1:7433"), "{sentence}");
        }
    }
}
