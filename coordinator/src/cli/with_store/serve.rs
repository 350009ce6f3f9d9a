//! `refute serve`: a coordinator until it is told to stop.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use refute_connect::number::{NumberError, parse_number};
use refute_connect::path::path_parser;
use refute_connect::signals::told_to_stop;
use refute_connect::streams::tell;
use tracing::{info, warn};

use crate::driver::{Driver, DriverOptions};
use crate::rpc::Server;
use crate::store::{Store, StoreError, keep_private, passing};
use crate::web::WebServer;

use super::super::connection::runtime;
use super::super::exit::{Failure, Output};
use super::data_directory::store_failure;
use super::security::Security;

/// The coordinator: keeps the sweeps, and hands out their shards to workers
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  refute serve --data /srv/refute --listen 0.0.0.0:7433 \\\n      \
    --tls-cert coordinator.crt --tls-key coordinator.key --tls-ca authority.crt\n\n\
    With TLS every caller needs a certificate; its OU says what it may do: refute-worker, refute-client or refute-read-only. \
    deploy/tls makes them.")]
pub struct Serve {
    /// Where everything is kept; one process at a time has it
    #[arg(long, value_name = "DIR", value_parser = path_parser())]
    data: PathBuf,
    /// Where to take connections; port 0 picks a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7433")]
    listen: String,
    /// Where to serve metrics and health over HTTP, such as 127.0.0.1:7434; without it nowhere. Port 0 picks a free one
    #[arg(long, value_name = "ADDR")]
    http: Option<String>,
    /// The directory in which 'refute backup' has backups made, and the only one; without it none are made for callers
    #[arg(long, value_name = "DIR", value_parser = path_parser())]
    backups: Option<PathBuf>,
    #[command(flatten)]
    security: Security,
    /// How long a worker may be silent before its shard goes to another, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 15_000, value_parser = parse_lease, allow_negative_numbers = true)]
    lease_ttl_ms: u64,
    /// Save what can be read of a damaged data directory, say on stderr what cannot, and solve that again
    #[arg(long)]
    repair: bool,
}

fn parse_lease(text: &str) -> Result<u64, NumberError> {
    parse_number(text, 100..=86_400_000, "number of milliseconds for a lease", "one from 100 to 86400000, such as 15000")
}

impl Serve {
    pub fn run(&self) -> Result<Output, Failure> {
        keep_private();
        runtime()?.block_on(self.serve())
    }

    /// Where backups are made for callers, by its real path.
    fn backups(&self) -> Result<Option<PathBuf>, Failure> {
        let Some(backups) = &self.backups else { return Ok(None) };
        let refused =
            |problem: &str| Failure::wrong(format!("--backups: '{}' {problem}; name a directory that is there", backups.display()));
        let found = backups.canonicalize().map_err(|error| refused(&format!("cannot be found: {error}")))?;
        if found.is_dir() { Ok(Some(found)) } else { Err(refused("is no directory")) }
    }

    fn open(&self) -> Result<Store, Failure> {
        if !self.repair {
            return Store::open_or_create(&self.data).map_err(|error| match error {
                StoreError::Database { .. } | StoreError::Damaged { .. } if error.refusal().is_none() => {
                    self.not_started(&error.to_string())
                }
                other => refused(other),
            });
        }
        let (store, repaired) = Store::repair(&self.data).map_err(refused)?;
        if repaired.were_files_damaged {
            tell("refute: files were damaged; of sweeps and results that were written last there may be no trace");
        } else if repaired.lost.is_empty() {
            tell("refute: all that is there is whole");
        }
        for lost in repaired.lost {
            tell(format_args!("refute: {lost}"));
        }
        Ok(store)
    }

    /// That it did not start, and what can be done where the data is damaged.
    fn not_started(&self, error: &str) -> Failure {
        let data = self.data.display();
        Failure::not_done(format!("{error}; if files are damaged, 'refute serve --repair --data {data}' saves the rest"))
    }

    async fn serve(&self) -> Result<Output, Failure> {
        // Each worker is a connection, and what a shell allows by default is too little for a thousand of them. Where the system
        // allows no more, so be it.
        let _ = rlimit::increase_nofile_limit(u64::MAX);
        let stop = told_to_stop().map_err(|error| Failure::not_done(format!("no signals: {error}")))?;
        // The sockets first: an invalid address or certificate leaves no data directory behind.
        let tls = self.security.tls()?;
        let server = self.security.secure(Server::bind(&self.listen).await.map_err(Failure::wrong)?, tls)?;
        let web = match &self.http {
            Some(address) => Some(WebServer::bind(address).await.map_err(Failure::wrong)?),
            None => None,
        };
        let server = server.with_backups(self.backups()?);
        let store = self.open()?;
        if let Some(sentence) = passing(&self.data) {
            warn!("{sentence}");
        }
        let address = server.address().to_string();
        store.set_address(&address).map_err(store_failure)?;
        let options = DriverOptions { lease_ttl_ms: self.lease_ttl_ms, ..DriverOptions::default() };
        let (driver, thread) = Driver::start(store, options).map_err(|error| self.not_started(&error.to_string()))?;
        let mut lines = format!("listening on {address}\n");
        lines.extend(web.as_ref().map(|web| format!("http on {}\n", web.address())));
        // The caller may wait for these lines, so they are not held back until the end. Workers and clients do not read them, so
        // it serves them also where nobody does.
        let mut stdout = std::io::stdout();
        if let Err(error) = stdout.write_all(lines.as_bytes()).and_then(|()| stdout.flush()) {
            warn!(%error, "cannot say on stdout where it listens: {address}");
        }
        // It ends with the runtime, so that it says to the last that the coordinator is stopping.
        drop(web.map(|web| tokio::spawn(web.serve(driver.clone()))));
        let stop = async {
            stop.await;
            info!("told to stop; what is done is kept");
        };
        let served = server.serve(driver.clone(), stop).await;
        driver.stop();
        let ended = tokio::task::spawn_blocking(move || thread.join()).await;
        served.map_err(Failure::not_done)?;
        match ended {
            Ok(Ok(())) => Ok(Output::done("")),
            _ => Err(Failure::not_done("the coordinator's thread ended badly; see the log")),
        }
    }
}

fn refused(error: StoreError) -> Failure {
    match error {
        StoreError::InUse { .. } => {
            Failure::not_done(format!("{error}; a data directory has one coordinator: ask that one, or give this one another --data"))
        }
        other => store_failure(other),
    }
}
