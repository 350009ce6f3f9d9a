//! Where a command gets its answer: from a running coordinator, or from a data directory.

use std::path::PathBuf;

use clap::Args;
use refute_connect::access::{Access, Target};
use refute_connect::address::{Address, parse_coordinator};
use refute_connect::path::path_parser;
use refute_connect::tls::{self, TlsFiles};
use tokio::runtime::{Builder, Runtime};

use crate::client::{Client, ClientError};

use super::exit::Failure;
use super::store::DataDirectory;

/// The environment variable that names a coordinator.
const ENVIRONMENT: &str = "REFUTE_COORDINATOR";

/// A running coordinator.
#[derive(Args, Debug)]
pub struct Coordinator {
    /// The coordinator, such as https://refute.example:7433
    #[arg(long, value_name = "URL", env = ENVIRONMENT, value_parser = parse_coordinator)]
    coordinator: Address,
    #[command(flatten)]
    access: Access,
}

impl Coordinator {
    /// Connects and does something.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn call<T>(&self, call: impl AsyncFnOnce(&mut Client) -> Result<T, ClientError>) -> Result<T, Failure> {
        with_client(&self.coordinator, &self.access, call)
    }
}

/// A running coordinator, or else a data directory, which another process may have in use.
#[derive(Args, Debug)]
pub struct Origin {
    /// The coordinator to ask, such as https://refute.example:7433 [env: REFUTE_COORDINATOR]
    #[arg(long, value_name = "URL", value_parser = parse_coordinator)]
    coordinator: Option<Address>,
    #[command(flatten)]
    access: Access,
    /// Without a coordinator: the data directory to read [default: ./refute-data]
    #[arg(long, value_name = "DIR", value_parser = path_parser())]
    #[cfg_attr(not(feature = "store"), arg(hide = true))]
    data: Option<PathBuf>,
}

impl Origin {
    /// Asks the coordinator if one is named; else reads the directory if one is named; else asks the coordinator that the
    /// environment names; else reads the default directory. So flags override the environment.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn read<T>(
        &self,
        remote: impl AsyncFnOnce(&mut Client) -> Result<T, ClientError>,
        local: impl FnOnce(&DataDirectory) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match self.coordinator()? {
            Some(address) => with_client(&address, &self.access, remote),
            None => local(&DataDirectory::choose(self.data.as_deref())?),
        }
    }

    fn coordinator(&self) -> Result<Option<Address>, Failure> {
        if self.coordinator.is_some() || self.data.is_some() {
            return Ok(self.coordinator.clone());
        }
        let named = std::env::var(ENVIRONMENT).ok().filter(|url| !url.is_empty());
        let parsed = named.map(|url| parse_coordinator(&url)).transpose();
        parsed.map_err(|error| Failure::wrong(format!("{ENVIRONMENT}: {error}")))
    }
}

/// A runtime for a command that talks over sockets.
///
/// # Errors
/// [`Failure`] if the system gives no threads.
pub fn runtime() -> Result<Runtime, Failure> {
    Builder::new_multi_thread().enable_all().build().map_err(|error| Failure::not_done(format!("no threads: {error}")))
}

fn with_client<T>(address: &Address, access: &Access, call: impl AsyncFnOnce(&mut Client) -> Result<T, ClientError>) -> Result<T, Failure> {
    let Target { url, tls } = access.target(address).map_err(Failure::wrong)?;
    // They are read again when it connects; what is wrong with them is said before.
    tls.as_ref().map(TlsFiles::read).transpose().map_err(Failure::wrong)?;
    let runtime = runtime()?;
    let called = runtime.block_on(async {
        let mut client = Client::new(&url, |endpoint| tls::channel(endpoint, tls)).map_err(client_failure)?;
        call(&mut client).await.map_err(client_failure)
    });
    // A name that is still being looked up is not waited for.
    runtime.shutdown_background();
    called
}

/// What is wrong with the request is the caller's; the rest is not done.
pub fn client_failure(error: ClientError) -> Failure {
    match error {
        ClientError::Wrong(_) => Failure::wrong(error),
        ClientError::Unreachable { .. } | ClientError::Refused { .. } | ClientError::Failed { .. } => Failure::not_done(error),
    }
}
