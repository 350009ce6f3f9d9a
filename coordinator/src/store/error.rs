//! Why the store fails, as one enum, and which of these errors are faults of the program and not of the directory.

use std::path::{Path, PathBuf};

/// Why the store could not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There is nothing to open.
    #[error("there is no data in '{}': {reason}; --data names a directory where 'refute run' or 'refute serve' was started", directory.display())]
    NoStore {
        /// The data directory.
        directory: PathBuf,
        /// What is there instead.
        reason: String,
    },
    /// There is something that is no directory.
    #[error("'{}' is a file; --data names a directory", path.display())]
    NotADirectory {
        /// What was to be the data directory, or to hold it.
        path: PathBuf,
    },
    /// The system gives no lock, so it could not be told whether another process has the directory.
    #[error(
        "'{}' cannot be locked: {message}; without locks two coordinators in one directory could not be told apart; choose one on another \
         file system than this{}, or mount it with locks (Lustre: -o flock)",
        path.display(), of_type(file_system.as_deref())
    )]
    NoLock {
        /// The file to be locked.
        path: PathBuf,
        /// What kind of file system it lies on, such as `lustre`, if that is known.
        file_system: Option<String>,
        /// What the system says.
        message: String,
    },
    /// It was written so fast that no moment of it could be read.
    #[error("the data directory '{}' changes faster than it can be read; ask its coordinator with --coordinator", directory.display())]
    Restless {
        /// The data directory.
        directory: PathBuf,
    },
    /// Another process has the directory.
    #[error("the data directory '{}' is in use by {}{}", directory.display(), process(*pid), at(address.as_deref()))]
    InUse {
        /// The data directory.
        directory: PathBuf,
        /// The process, if it has said so yet.
        pid: Option<u32>,
        /// Where it takes connections, if it does.
        address: Option<String>,
    },
    /// One backup at a time, and none while the database is opened again.
    #[error("a backup of '{}' is being made; wait until it is there", directory.display())]
    BackingUp {
        /// The data directory.
        directory: PathBuf,
    },
    /// The database is opened again after a write had failed, and nobody may read it meanwhile.
    #[error("the database of '{}' is being opened again after a write had failed; ask again in a minute", directory.display())]
    Reopening {
        /// The data directory.
        directory: PathBuf,
    },
    /// The directory is a backup, and to be kept as it is.
    #[error("'{}' is a backup; 'refute restore {} --data DIR' makes a data directory of it", directory.display(), directory.display())]
    IsBackup {
        /// The directory.
        directory: PathBuf,
    },
    /// The directory belongs to something else.
    #[error("'{}' holds {what}; choose a directory that is empty or does not exist", directory.display())]
    NotOurs {
        /// The directory.
        directory: PathBuf,
        /// What is in it.
        what: String,
    },
    /// A newer program wrote it.
    #[error(
        "the data in '{}' has format {found} and this program knows formats up to {known}; use a newer version of it",
        directory.display()
    )]
    Newer {
        /// The data directory.
        directory: PathBuf,
        /// The format of the data.
        found: u64,
        /// The newest format that this program knows.
        known: u64,
    },
    /// RocksDB failed: the disk is full, a file is damaged, a right is missing.
    #[error("the database in '{}' failed: {message}{}", directory.display(), remedy(message))]
    Database {
        /// The data directory.
        directory: PathBuf,
        /// What RocksDB says.
        message: String,
    },
    /// A file beside the database could not be read or written.
    #[error("cannot {action} '{}': {message}{}", path.display(), remedy(message))]
    File {
        /// The file or directory.
        path: PathBuf,
        /// What was being done, such as `create`.
        action: &'static str,
        /// What the system says.
        message: String,
    },
    /// A value is not what was written.
    #[error("the data in '{}' is damaged: {what} under the key {key} cannot be read: {message}", directory.display())]
    Damaged {
        /// The data directory.
        directory: PathBuf,
        /// What should be there, such as `a tally`.
        what: &'static str,
        /// The key, for people.
        key: String,
        /// What is wrong with it.
        message: String,
    },
    /// A value cannot be put into words that can be read back.
    #[error("{what} cannot be written as JSON: {message}")]
    Unwritable {
        /// What it is.
        what: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// The id of a sweep is empty or holds a zero byte.
    #[error("{sweep_id:?} cannot be the id of a sweep: an id has at least one character, and none is a zero byte")]
    Id {
        /// The id.
        sweep_id: String,
    },
    /// There is no such sweep.
    #[error("there is no sweep '{sweep_id}'")]
    NoSuchSweep {
        /// The id.
        sweep_id: String,
    },
    /// The sweep has fewer shards, or the shard has no result yet.
    #[error("sweep '{sweep_id}' has no result of a shard {shard_number}")]
    NoSuchShard {
        /// The sweep.
        sweep_id: String,
        /// The number.
        shard_number: u64,
    },
    /// A second result for a shard; the first one counts.
    #[error("shard {shard_number} of sweep '{sweep_id}' is done; a second result must not replace the first")]
    AlreadyDone {
        /// The sweep.
        sweep_id: String,
        /// The shard.
        shard_number: u64,
    },
    /// A tally is not the sum over the shards.
    #[error("the tally of sweep '{sweep_id}' says {tally} configurations decided and its shards say {shards}")]
    Mismatch {
        /// The sweep.
        sweep_id: String,
        /// Decided, as the tally says.
        tally: u128,
        /// Decided, summed over the shard records.
        shards: u128,
    },
    /// Records that contradict each other.
    #[error("the data of sweep '{sweep_id}' contradicts itself: {what}")]
    Inconsistent {
        /// The sweep.
        sweep_id: String,
        /// What is wrong, in a sentence.
        what: String,
    },
}

/// What the system refused to a data directory, where a person can do something about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The disk or the quota is full.
    NoRoom,
    /// The user may not do that there.
    NoRight,
    /// Nobody may write there.
    ReadOnly,
}

impl Refusal {
    /// What a message of the system is about. RocksDB passes on nothing but the words.
    fn of(message: &str) -> Option<Self> {
        let says = |words: &str| message.contains(words);
        if says("No space left on device") || says("uota exceeded") {
            Some(Self::NoRoom)
        } else if says("Permission denied") || says("Operation not permitted") {
            Some(Self::NoRight)
        } else {
            says("Read-only file system").then_some(Self::ReadOnly)
        }
    }

    fn remedy(self) -> &'static str {
        match self {
            Self::NoRoom => "make room there",
            Self::NoRight => "ask its owner for the right to it, or choose another directory",
            Self::ReadOnly => "choose a directory that can be written",
        }
    }
}

impl StoreError {
    pub(super) fn database(directory: &Path, error: rocksdb::Error) -> Self {
        let message = error.into_string();
        // What the system refuses RocksDB tells behind all that it was about to do.
        let start = Refusal::of(&message).and_then(|_| message.rfind("While ")).unwrap_or_default();
        Self::Database { directory: directory.to_owned(), message: message[start..].to_owned() }
    }

    /// What the system refused, if it is about that.
    #[must_use]
    pub fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::Database { message, .. } | Self::File { message, .. } => Refusal::of(message),
            _ => None,
        }
    }

    /// Whether what was to be written contradicts what is there: a fault of the program, which trying again would not fix.
    /// Anything else is about the directory: its disk is full or broken, its files are damaged, somebody else has it.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        match self {
            Self::Unwritable { .. }
            | Self::Id { .. }
            | Self::NoSuchSweep { .. }
            | Self::NoSuchShard { .. }
            | Self::AlreadyDone { .. }
            | Self::Mismatch { .. }
            | Self::Inconsistent { .. } => true,
            Self::NoStore { .. }
            | Self::NotADirectory { .. }
            | Self::NoLock { .. }
            | Self::Restless { .. }
            | Self::InUse { .. }
            | Self::BackingUp { .. }
            | Self::Reopening { .. }
            | Self::IsBackup { .. }
            | Self::NotOurs { .. }
            | Self::Newer { .. }
            | Self::Database { .. }
            | Self::File { .. }
            | Self::Damaged { .. } => false,
        }
    }

    /// The sweep that it is about, if it is about one.
    #[must_use]
    pub fn sweep_id(&self) -> Option<&str> {
        match self {
            Self::Id { sweep_id }
            | Self::NoSuchSweep { sweep_id }
            | Self::NoSuchShard { sweep_id, .. }
            | Self::AlreadyDone { sweep_id, .. }
            | Self::Mismatch { sweep_id, .. }
            | Self::Inconsistent { sweep_id, .. } => Some(sweep_id),
            _ => None,
        }
    }
}

fn remedy(message: &str) -> String {
    Refusal::of(message).map_or_else(String::new, |refusal| format!("; {}", refusal.remedy()))
}

fn of_type(file_system: Option<&str>) -> String {
    file_system.map_or_else(String::new, |name| format!(" ({name})"))
}

fn process(pid: Option<u32>) -> String {
    pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"))
}

fn at(address: Option<&str>) -> String {
    address.map_or_else(String::new, |address| format!(", which listens on {address}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_refuses_is_told_with_a_remedy() {
        // ENOSPC, EDQUOT, EPERM, EACCES, EROFS, and EIO, for which there is none.
        for (code, refusal) in [
            (28, Some(Refusal::NoRoom)),
            (122, Some(Refusal::NoRoom)),
            (1, Some(Refusal::NoRight)),
            (13, Some(Refusal::NoRight)),
            (30, Some(Refusal::ReadOnly)),
            (5, None),
        ] {
            let message = std::io::Error::from_raw_os_error(code).to_string();
            let error = StoreError::File { path: PathBuf::from("data"), action: "write", message: message.clone() };
            let expected = refusal.map_or_else(String::new, |refusal| format!("; {}", refusal.remedy()));
            assert_eq!((error.refusal(), error.to_string()), (refusal, format!("cannot write 'data': {message}{expected}")));
        }
    }
}
