//! `refute restore`: a data directory from a backup.

use std::path::PathBuf;

use clap::Args;
use refute_connect::path::path_parser;
use refute_shared::text::{bytes, several};
use serde_json::{Value, json};

use crate::store::{Backup, RestoreError, Store, StoreError, SweepRecord, keep_private, restore};

use super::super::exit::{Failure, Output};
use super::data_directory::store_failure;

/// Makes a data directory from a backup, and verifies every sweep in it
#[derive(Args, Debug)]
#[command(after_help = "Example: refute restore /srv/backups/monday --data /srv/refute\n\
    What was running when the backup was made goes on when a coordinator is started on the data directory.")]
pub struct Restore {
    /// The backup; it stays as it is
    #[arg(value_name = "DIR", value_parser = path_parser())]
    backup: PathBuf,
    /// The data directory to make: one that is empty or does not exist
    #[arg(long, value_name = "DATA", value_parser = path_parser())]
    data: PathBuf,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Restore {
    pub fn run(&self) -> Result<Output, Failure> {
        keep_private();
        let (store, backup) = restore(&self.backup, &self.data).map_err(|error| match error {
            RestoreError::NotABackup { .. }
            | RestoreError::Occupied { .. }
            | RestoreError::NotADirectory { .. }
            | RestoreError::Inside { .. } => Failure::wrong(error),
            RestoreError::Damaged { .. } => Failure::not_done(error),
            RestoreError::Store(error) => store_failure(error),
        })?;
        let mut sweeps = Vec::new();
        for sweep in store.sweeps().map_err(store_failure)? {
            let done = done(&store, &sweep).map_err(store_failure)?;
            sweeps.push((sweep, done));
        }
        Ok(if self.json { Output::line(self.to_json(&backup, &sweeps)) } else { Output::records(self.text(&backup, &sweeps)) })
    }

    fn text(&self, backup: &Backup, sweeps: &[(SweepRecord, u64)]) -> String {
        let (count, size) = (several(sweeps.len() as u128, "sweep"), bytes(backup.bytes().into()));
        let mut text = format!("{}: {count}, {size}, all verified\n", self.data.display());
        for (sweep, done) in sweeps {
            text += &format!("  {}: {}, {done} of {} done\n", sweep.id, sweep.state, several(sweep.plan.shards().into(), "shard"));
        }
        text
    }

    fn to_json(&self, backup: &Backup, sweeps: &[(SweepRecord, u64)]) -> Value {
        let sweep = |(sweep, done): &(SweepRecord, u64)| {
            let shards = json!({ "total": sweep.plan.shards(), "done": done });
            json!({ "id": sweep.id, "state": sweep.state.word(), "shards": shards })
        };
        json!({
            "directory": self.data.to_string_lossy(),
            "bytes": backup.bytes(),
            "made_unix_seconds": backup.made_unix_seconds,
            "sweeps": sweeps.iter().map(sweep).collect::<Value>(),
        })
    }
}

/// How many shards of a sweep are done.
fn done(store: &Store, sweep: &SweepRecord) -> Result<u64, StoreError> {
    Ok(store.done_shards(&sweep.id)?.iter().map(|range| range.end - range.start).sum())
}
