//! The address of a coordinator as people type it.

use tonic::transport::Uri;

/// Reads the address of a coordinator, a URL or `host:port`, and gives it as a URL.
///
/// # Errors
/// A sentence that says what would be right.
pub fn parse_coordinator(text: &str) -> Result<String, String> {
    let wrong = |problem: &str| format!("'{text}' {problem}; write for instance http://127.0.0.1:7433 or 127.0.0.1:7433");
    let text = text.trim();
    let url = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let uri: Uri = url.parse().map_err(|_| wrong("is no URL"))?;
    match uri.scheme_str() {
        Some("http") => {}
        Some("https") => return Err(wrong("asks for TLS, which this build does not speak")),
        _ => return Err(wrong("is no http URL")),
    }
    if uri.host().is_none_or(str::is_empty) {
        return Err(wrong("names no host"));
    }
    if uri.port_u16().is_none() {
        return Err(wrong("names no port"));
    }
    if uri.path_and_query().is_some_and(|path| path != "/") {
        return Err(wrong("has a path and a coordinator has none"));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_and_a_host_with_port_are_both_right() {
        for (text, url) in [
            ("http://10.0.0.5:7433", "http://10.0.0.5:7433"),
            ("localhost:7433", "http://localhost:7433"),
            ("[::1]:7433", "http://[::1]:7433"),
            (" host:1 ", "http://host:1"),
        ] {
            assert_eq!(parse_coordinator(text).as_deref(), Ok(url));
        }
    }

    #[test]
    fn anything_else_is_refused_with_what_would_be_right() {
        for text in
            ["", "localhost", "http://", ":7433", "ftp://host:1", "https://host:1", "host:seven", "host:70000", "host:1/path", "a b:1"]
        {
            let sentence = parse_coordinator(text).unwrap_err();
            assert!(sentence.contains("http://127.0.0.1:7433"), "{sentence}");
        }
    }
}
