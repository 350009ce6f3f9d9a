//! A channel to a coordinator, with or without TLS.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::rt::TokioIo;
use tokio::io::AsyncBufReadExt as _;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::{Resumption, WebPkiServerVerifier};
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::sign::SingleCertAndKey;
use tokio_rustls::rustls::{self, ClientConfig};
use tonic::transport::{Channel, Endpoint, Uri};

use crate::address::bare_host;

use super::files::{Credentials, TlsFileError, TlsFiles};
use super::reason::sentence;

/// How long a connection may take to be made, with its handshake: less than either end's own limit, which would not say why.
const PATIENCE: Duration = Duration::from_secs(4);

/// Why there is no connection. None has a source: each says by itself what happened.
#[derive(Debug, thiserror::Error)]
enum ConnectError {
    #[error("{0}")]
    Files(#[from] TlsFileError),
    #[error("{0}")]
    Network(String),
    #[error("'{0}' is no name that a certificate could be for")]
    Name(String),
    #[error("{0}")]
    Handshake(String),
    #[error("there is no connection with TLS within {} s", PATIENCE.as_secs())]
    Silence,
}

/// A channel to a coordinator, which connects at the first call and again whenever it has to. With TLS the files are read at
/// each connection, so that renewed ones are used without a restart.
#[must_use]
pub fn channel(endpoint: Endpoint, tls: Option<TlsFiles>) -> Channel {
    let Some(files) = tls else { return endpoint.connect_lazy() };
    let files = Arc::new(files);
    endpoint.connect_with_connector_lazy(tower::service_fn(move |uri| {
        let files = Arc::clone(&files);
        async move {
            let connected = timeout(PATIENCE, connect(&uri, &files)).await;
            connected.unwrap_or(Err(ConnectError::Silence)).map(TokioIo::new)
        }
    }))
}

async fn connect(uri: &Uri, files: &TlsFiles) -> Result<TlsStream<TcpStream>, ConnectError> {
    let host = bare_host(uri.host().unwrap_or_default());
    let name = ServerName::try_from(host.to_owned()).map_err(|_| ConnectError::Name(host.to_owned()))?;
    let config = client_config(files.read()?).map_err(|error| ConnectError::Handshake(error.to_string()))?;
    let network = |error: io::Error| ConnectError::Network(error.to_string());
    let stream = TcpStream::connect((host, uri.port_u16().unwrap_or(443))).await.map_err(network)?;
    stream.set_nodelay(true).map_err(network)?;
    let refused = |error: io::Error| ConnectError::Handshake(sentence(&error, files));
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.map_err(refused)?;
    // For this side the handshake is over before the coordinator has seen the certificate. A coordinator speaks first, so what
    // it says tells whether it has accepted it; a call that is made before would only see the connection break.
    if stream.fill_buf().await.map_err(refused)?.is_empty() {
        return Err(ConnectError::Handshake("it closed the connection before it said anything".to_owned()));
    }
    Ok(stream)
}

fn client_config(credentials: Credentials) -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider())).with_safe_default_protocol_versions()?;
    let provider = builder.crypto_provider().clone();
    let verifier =
        credentials.authorities.server_verifier(|roots| WebPkiServerVerifier::builder_with_provider(roots, provider.clone()).build());
    let verifier = verifier.map_err(|error| rustls::Error::General(error.to_string()))?;
    let mut config = builder
        // Not dangerous: it does what the usual one does, and more.
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_client_cert_resolver(Arc::new(SingleCertAndKey::from(credentials.own)));
    config.alpn_protocols = vec![b"h2".to_vec()];
    // Each connection has its certificates checked again.
    config.resumption = Resumption::disabled();
    Ok(config)
}
