//! What survives a restart: sweeps, results and counterexamples, in one RocksDB a data directory.
//!
//! # Layout, format version 2
//!
//! A data directory holds the files of RocksDB and [`LOCK_FILE`], which the one process that writes the directory keeps
//! locked; it holds the JSON object `{"pid", "address"}` for the sentence that a second process is refused with. A [`Reader`]
//! needs no lock and changes nothing.
//!
//! A backup is a directory with the files of such a database and [`BACKUP_FILE`], a JSON object that says what they are; it
//! has no lock file, since it is only ever copied. While one is restored the data directory has a directory `.restoring`.
//!
//! Keys are bytes in the order in which they are read. `ID` is the id of a sweep followed by one zero byte: ids hold no
//! zero byte, so the keys of a sweep lie together and those of `h1-2f` never among those of `h1-2f-2`. Whole numbers are
//! big-endian and of fixed width, so that the order of keys is the order of numbers.
//!
//! | column family | key | value |
//! | --- | --- | --- |
//! | `meta` | `format` | the version of the format: `2` |
//! | `meta` | `epoch` | how often the store has been opened |
//! | `meta` | `banned`, byte 0, a worker's instance | why it gets no more work |
//! | `meta` | `drained`, byte 0, a host | it gets no more leases |
//! | `sweeps` | `ID` | [`SweepRecord`] |
//! | `shards` | `ID`, byte 0, shard number (8 bytes) | [`ShardRecord`]: the shard is done |
//! | `shards` | `ID`, byte 1, shard number (8 bytes) | [`QuarantineRecord`]: the shard was quarantined |
//! | `shards` | `ID`, byte 2, shard number (8 bytes), a worker's instance | [`VoteRecord`]: its result waits for another worker to agree; if the shard is done, others contradict it |
//! | `tallies` | `ID` | [`TotalsRecord`]: the sum over the done shards |
//! | `counterexamples` | `ID`, claim (4 bytes), the family's key | [`refute_shared::families::Counterexample`] |
//! | `records` | `ID`, the family's key | the value, as plain UTF-8 |
//!
//! A claim is given by its place in the list of the sweep's claims. The family's key is last, so it needs no fixed width;
//! its byte order is the order of size, so counterexamples are read smallest first. A shard that is pending has no key.
//!
//! Values are JSON, because it says itself what is in it: a record gains a field by a default, an older one can still be
//! read when the program that wrote it is gone, and a person can read a damaged store. The bulk are `records`, which have
//! no field to gain and are plain text. 128-bit numbers are JSON numbers, written in full.
//!
//! # What holds
//!
//! - Everything that a result changes is written in one batch and synced before [`Store::commit`] returns, so after a crash
//!   a tally is the sum over the shard records: [`Store::commit`] refuses a batch that would break this, and
//!   [`Reader::verify`] checks it.
//! - The totals say how many counterexamples and solved positions there must be, so it is noticed if only
//!   those are lost ([`Reader::verify`], [`Reader::verify_records`]).
//! - A result that waits for another worker to agree is on disk as a whole before its worker is answered.
//! - A [`Reader`] sees one moment: all that was committed before it opened the directory, and nothing half.
//! - A shard record is never replaced by another result: the first one counts.
//! - The write-ahead log may end in a torn write, which was never acknowledged; damage anywhere else is an error and never
//!   a shorter history.
//! - A directory of a newer format, or one that some other program filled, is refused and left as it is.

mod backup;
mod error;
mod file_system;
mod format;
mod hosts;
mod keys;
mod lock;
mod moment;
mod open;
mod options;
mod private;
mod read;
mod reader;
mod records;
mod repair;
mod restore;
mod sizes;
mod verify;
mod votes;
mod write;

pub use backup::{Backup, BackupError, BackupSource};
pub use error::{Refusal, StoreError};
pub use file_system::passing;
pub use format::{BACKUP_FILE, FORMAT};
pub use lock::LOCK_FILE;
pub use moment::{Moment, MomentSource};
pub use open::Store;
pub use private::keep_private;
pub use reader::Reader;
pub use records::{
    Disagreement, MAX_DISAGREEMENTS, MAX_HOSTS, QuarantineRecord, ShardCommit, ShardRecord, SweepRecord, TotalsRecord, VoteRecord,
};
pub use repair::{Lost, Repaired};
pub use restore::{RestoreError, restore};
