//! The HTTP pages for monitoring, on a socket of their own.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use prometheus_client::encoding::prometheus_text::CONTENT_TYPE;
use tokio::net::TcpListener;
use tokio::time::{sleep, sleep_until, timeout};
use tracing::{debug, warn};

use crate::connection_limit::ConnectionLimit;
use crate::driver::{Coordinator, Driver, Readiness};

use super::metrics::text;

/// Connections at a time; further ones wait to be taken.
const MAX_CONNECTIONS: usize = 128;
/// How long a connection may last while others wait, so that those who say nothing do not keep out a probe, after whose
/// failures the coordinator would be restarted.
const WHILE_OTHERS_WAIT: Duration = Duration::from_secs(1);
/// How long a request may take to come in.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a connection may last, from its first byte to the last of its answer.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(20);
/// How long the coordinator's thread may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest head of a request, in bytes. A body is never read.
const MAX_HEAD_BYTES: usize = 16 << 10;
/// How long nothing is taken when no connection could be.
const PAUSE: Duration = Duration::from_millis(100);

const INDEX: &str = "refute coordinator: /metrics /healthz /readyz\n";

/// The pages for monitoring, on a socket of their own.
pub struct WebServer {
    listener: TcpListener,
    address: SocketAddr,
}

/// Why there are no pages.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot serve HTTP on '{address}': {reason}; --http takes an address of this machine with a port that is free, such as 127.0.0.1:7434"
)]
pub struct WebError {
    /// As given.
    pub address: String,
    /// What the system says.
    pub reason: String,
}

impl WebServer {
    /// Takes the socket. Port 0 picks a free one.
    ///
    /// # Errors
    /// [`WebError`].
    pub async fn bind(address: &str) -> Result<Self, WebError> {
        let refused = |error: std::io::Error| WebError { address: address.to_owned(), reason: error.to_string() };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        Ok(Self { listener, address })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until it is dropped. One request a connection, each within bounds of time and size.
    pub async fn serve(self, driver: Driver) {
        let pages = router(driver);
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(REQUEST_TIMEOUT).max_buf_size(MAX_HEAD_BYTES).keep_alive(false);
        let mut connections = ConnectionLimit::new(MAX_CONNECTIONS, WHILE_OTHERS_WAIT);
        loop {
            let (is_full, grace_ends) = (connections.is_full(), connections.grace_ends());
            tokio::select! {
                Some(_) = connections.next() => {}
                () = sleep_until(grace_ends), if is_full => {
                    if let Some(peer) = connections.close_oldest() {
                        warn!(%peer, "an HTTP connection was closed, since many others waited");
                    }
                }
                accepted = self.listener.accept(), if !is_full => match accepted {
                    Ok((stream, peer)) => {
                        let answering = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(pages.clone()));
                        connections.serve(peer, async move {
                            match timeout(CONNECTION_TIMEOUT, answering).await {
                                Ok(Ok(())) => {}
                                Ok(Err(error)) => debug!(%peer, %error, "an HTTP connection failed"),
                                Err(_) => debug!(%peer, "a connection for HTTP took too long"),
                            }
                        });
                    }
                    Err(error) => {
                        // Too many open files, mostly.
                        warn!(%error, "a connection for HTTP could not be taken");
                        sleep(PAUSE).await;
                    }
                },
            }
        }
    }
}

fn router(driver: Driver) -> Router {
    let pages = Router::new().route("/", get(async || INDEX)).route("/metrics", get(metrics));
    pages.route("/healthz", get(healthz)).route("/readyz", get(readyz)).with_state(driver)
}

/// Asks the coordinator's thread, or says why it does not answer.
async fn ask<T: Send + 'static>(
    driver: &Driver,
    question: impl FnOnce(&mut Coordinator, u64) -> T + Send + 'static,
) -> Result<T, Response> {
    let silent = |sentence: String| (StatusCode::SERVICE_UNAVAILABLE, sentence).into_response();
    match timeout(ANSWER_TIMEOUT, driver.call(question)).await {
        Ok(answer) => answer.map_err(|error| silent(format!("{error}\n"))),
        Err(_) => Err(silent(format!("the coordinator's thread has not answered for {} s\n", ANSWER_TIMEOUT.as_secs()))),
    }
}

async fn metrics(State(driver): State<Driver>) -> Result<Response, Response> {
    let metrics = ask(&driver, |core, now_ms| core.metrics(now_ms)).await?;
    let broken = |_| (StatusCode::INTERNAL_SERVER_ERROR, "the metrics could not be written\n").into_response();
    let text = text(metrics).map_err(broken)?;
    Ok(([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response())
}

async fn healthz(State(driver): State<Driver>) -> Result<&'static str, Response> {
    ask(&driver, |_, _| ()).await.map(|()| "the coordinator answers\n")
}

async fn readyz(State(driver): State<Driver>) -> Result<Response, Response> {
    Ok(match ask(&driver, |core, _| core.readiness()).await? {
        Readiness::Ready => "ready\n".into_response(),
        Readiness::Stopping => (StatusCode::SERVICE_UNAVAILABLE, "stopping\n").into_response(),
        Readiness::Unwritable(reason) => {
            (StatusCode::SERVICE_UNAVAILABLE, format!("the data directory cannot be written: {reason}\n")).into_response()
        }
    })
}
