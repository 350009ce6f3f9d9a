//! `refute backup`: a backup of a data directory, by its coordinator or from the directory itself.

use std::path::PathBuf;

use clap::Args;
use refute_connect::path::path_parser;
use refute_shared::text::{bytes, several};
use serde_json::json;

use crate::client::ClientError;

use super::connection::Origin;
use super::exit::{Failure, Output};

/// Makes a backup of a data directory, also while a coordinator runs on it
#[derive(Args, Debug)]
#[command(after_help = "Example: refute backup monday --coordinator http://10.0.0.1:7433\n\
    It is there whole or not at all. On the file system of the data directory it shares files with it and takes next to no \
    room: copy it to another disk, or name a directory there, to be safe from a broken one. 'refute restore' makes a data \
    directory of it. With --data you must be able to write the directory, and no process may have it in use: a \
    coordinator makes a backup of its own directory itself.")]
pub struct BackupCommand {
    /// A directory that does not exist yet; with a coordinator its name in the directory that --backups of the coordinator names
    #[arg(value_name = "DIR", value_parser = path_parser())]
    directory: PathBuf,
    #[command(flatten)]
    origin: Origin,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl BackupCommand {
    pub fn run(&self) -> Result<Output, Failure> {
        let (directory, sweeps, size) = self.origin.read(
            async |client| {
                let unreadable = || ClientError::Wrong(format!("DIR '{}' is not UTF-8", self.directory.display()));
                let directory = self.directory.to_str().ok_or_else(unreadable)?.to_owned();
                let (sweeps, size) = client.backup(directory.clone()).await?;
                Ok((directory, sweeps, size))
            },
            |data| data.back_up(&self.directory),
        )?;
        if self.json {
            return Ok(Output::line(json!({ "directory": directory, "sweeps": sweeps, "bytes": size })));
        }
        Ok(Output::line(format!("{directory}: {}, {}", several(sweeps.into(), "sweep"), bytes(size.into()))))
    }
}
