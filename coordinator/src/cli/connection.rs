//! Where a command gets its answer: from a running coordinator, or from a data directory.

use std::path::PathBuf;

use clap::Args;
use refute_connect::access::{Access, Target};
use refute_connect::address::{Address, Scheme, parse_coordinator};
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

    /// The flags that name this coordinator to another command, each with a space before it. What the environment says is left out.
    pub fn flags(&self) -> String {
        let Access { tls_cert, tls_key, tls_ca, insecure } = &self.access;
        let in_environment = std::env::var(ENVIRONMENT).ok().and_then(|url| parse_coordinator(&url).ok());
        let mut flags = String::new();
        if in_environment.as_ref() != Some(&self.coordinator) {
            let scheme = self.coordinator.scheme.unwrap_or(if tls_cert.is_some() { Scheme::Https } else { Scheme::Http });
            flags += &format!(" --coordinator {}", self.coordinator.url(scheme));
        }
        for (flag, variable, file) in
            [("--tls-cert", "REFUTE_TLS_CERT", tls_cert), ("--tls-key", "REFUTE_TLS_KEY", tls_key), ("--tls-ca", "REFUTE_TLS_CA", tls_ca)]
        {
            let typed = file.as_ref().filter(|file| std::env::var_os(variable).as_deref() != Some(file.as_os_str()));
            flags.extend(typed.map(|file| format!(" {flag} {}", quoted(&file.to_string_lossy()))));
        }
        if *insecure && std::env::var_os("REFUTE_INSECURE").is_none() {
            flags += " --insecure";
        }
        flags
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Where an answer comes from.
pub enum Place {
    /// The coordinator at this address.
    Coordinator(Address),
    /// This directory.
    Directory(DataDirectory),
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
    #[arg(long, value_name = "DIR", conflicts_with = "coordinator", value_parser = path_parser())]
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
        match self.place()? {
            Place::Coordinator(address) => self.call(&address, remote),
            Place::Directory(data) => local(&data),
        }
    }

    /// Where the answer comes from, for what [`Origin::read`] does.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn place(&self) -> Result<Place, Failure> {
        Ok(match self.coordinator()? {
            Some(address) => Place::Coordinator(address),
            None => Place::Directory(DataDirectory::choose(self.data.as_deref())?),
        })
    }

    /// Connects to a coordinator and does something.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn call<T>(&self, address: &Address, call: impl AsyncFnOnce(&mut Client) -> Result<T, ClientError>) -> Result<T, Failure> {
        with_client(address, &self.access, call)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_where_a_shell_would_not_take_it_as_it_is() {
        for (word, expected) in [("a/b-c.crt", "a/b-c.crt"), ("a b", "'a b'"), ("it's", r"'it'\''s'"), ("", "''"), ("$HOME", "'$HOME'")] {
            assert_eq!(quoted(word), expected);
        }
    }

    #[test]
    fn the_flags_that_were_typed_name_the_coordinator_again() {
        let access =
            Access { tls_cert: Some("a.crt".into()), tls_key: Some("a b.key".into()), tls_ca: Some("ca.crt".into()), insecure: false };
        let coordinator = Coordinator { coordinator: parse_coordinator("hub.example:7433").unwrap(), access };
        let flags = " --coordinator https://hub.example:7433 --tls-cert a.crt --tls-key 'a b.key' --tls-ca ca.crt";
        assert_eq!(coordinator.flags(), flags);
        let plain = Coordinator { access: Access { insecure: true, ..Access::default() }, ..coordinator };
        assert_eq!(plain.flags(), " --coordinator http://hub.example:7433 --insecure");
    }
}
