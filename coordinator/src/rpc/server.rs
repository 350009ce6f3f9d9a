//! Serves the coordinator's gRPC services and its health on one socket; when told to stop, it gives the calls under way two
//! more seconds.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use refute_proto::MAX_MESSAGE_BYTES;
use refute_proto::v1::sweeps_server::SweepsServer;
use refute_proto::v1::workers_server::WorkersServer;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tonic::server::NamedService as _;
use tonic_health::ServingStatus;

use crate::driver::Driver;

use super::accept::connections;
use super::gate::GateLayer;
use super::sweeps::SweepService;
use super::tls::Tls;
use super::workers::WorkerService;

/// How long calls may still take once the server is told to stop. A silent connection would keep it
/// forever; what a worker could not hand over by then it keeps, and comes back with.
const FAREWELL: Duration = Duration::from_secs(2);

/// A connection that is silent for so long is asked whether it lives: a machine that vanished does not close its
/// connections, and they would stay forever, with the parts of a result that have come in.
const SILENCE: Duration = Duration::from_secs(5);

/// How long the connection has to say so.
const PATIENCE: Duration = Duration::from_secs(10);

/// The coordinator's services on one socket.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    tls: Option<Tls>,
    backups: Option<PathBuf>,
}

/// Why the services cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The address.
    #[error(
        "cannot listen on '{address}': {reason}; --listen takes an address of this machine with a port that is free, such as 127.0.0.1:7433"
    )]
    Listen {
        /// As given.
        address: String,
        /// What the system says.
        reason: String,
    },
    /// The transport.
    #[error("the server stopped: {0}")]
    Transport(#[from] tonic::transport::Error),
}

impl Server {
    /// Takes the socket, for plain text. Port 0 picks a free one.
    ///
    /// # Errors
    /// [`ServerError::Listen`].
    pub async fn bind(address: &str) -> Result<Self, ServerError> {
        let refused = |error: std::io::Error| ServerError::Listen { address: address.to_owned(), reason: error.to_string() };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        Ok(Self { listener, address, tls: None, backups: None })
    }

    /// The same with TLS: every caller needs a certificate, and its role says what it may call.
    #[must_use]
    pub fn with_tls(self, tls: Tls) -> Self {
        Self { tls: Some(tls), ..self }
    }

    /// The same with a directory in which it makes backups for callers, without links or `..` in its path. Without one it makes none.
    #[must_use]
    pub fn with_backups(self, backups: Option<PathBuf>) -> Self {
        Self { backups, ..self }
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` resolves, and at most two seconds longer for calls that are under way.
    ///
    /// # Errors
    /// [`ServerError::Transport`].
    pub async fn serve(self, driver: Driver, stop: impl Future<Output = ()>) -> Result<(), ServerError> {
        let closing = driver.clone();
        let workers = WorkersServer::new(WorkerService::new(driver.clone()))
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        let sweeps = SweepsServer::new(SweepService::new(driver, self.backups))
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        let incoming = connections(self.listener, self.tls);
        let (reporter, health) = tonic_health::server::health_reporter();
        reporter.set_serving::<WorkersServer<WorkerService>>().await;
        reporter.set_serving::<SweepsServer<SweepService>>().await;
        let builder = tonic::transport::Server::builder();
        let builder = builder.http2_keepalive_interval(Some(SILENCE)).http2_keepalive_timeout(Some(PATIENCE));
        let mut builder = builder.layer(GateLayer);
        let server = builder.add_service(workers).add_service(sweeps).add_service(health);
        let (tell, told) = oneshot::channel();
        let stop = async move {
            stop.await;
            // Health says so first; then no worker is given anything new.
            for service in ["", WorkersServer::<WorkerService>::NAME, SweepsServer::<SweepService>::NAME] {
                reporter.set_service_status(service, ServingStatus::NotServing).await;
            }
            closing.close();
            // Nobody listens only if the server has ended by itself.
            let _ = tell.send(());
        };
        tokio::select! {
            served = server.serve_with_incoming_shutdown(incoming, stop) => Ok(served?),
            () = farewell(told) => Ok(()),
        }
    }
}

/// Resolves when the time for farewells is over.
async fn farewell(told: oneshot::Receiver<()>) {
    match told.await {
        Ok(()) => tokio::time::sleep(FAREWELL).await,
        Err(_) => std::future::pending().await,
    }
}
