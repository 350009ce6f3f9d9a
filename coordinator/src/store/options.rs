//! How RocksDB opens a data directory: to write it, to read it, or to look what it is.

use rocksdb::{BlockBasedOptions, Cache, ColumnFamilyDescriptor, DBCompressionType, DBRecoveryMode, InfoLogger, LogLevel, Options};

use super::keys::FAMILIES;

const WRITE_BUFFER_BYTES: usize = 8 << 20;
const ALL_WRITE_BUFFERS_BYTES: usize = 24 << 20;
const BLOCK_CACHE_BYTES: usize = 8 << 20;
const MAX_WAL_BYTES: u64 = 32 << 20;
const MAX_OPEN_FILES: i32 = 128;

/// Only a write that was never acknowledged may be torn. The default would silently end history at the first damage, wherever
/// it is.
pub(super) const RECOVERY: DBRecoveryMode = DBRecoveryMode::TolerateCorruptedTailRecords;

/// Options for the one process that writes.
pub(super) fn writing(create: bool, recovery: DBRecoveryMode) -> Options {
    let mut options = Options::default();
    options.create_if_missing(create);
    options.create_missing_column_families(create);
    options.set_max_open_files(MAX_OPEN_FILES);
    options.set_max_background_jobs(2);
    options.set_db_write_buffer_size(ALL_WRITE_BUFFERS_BYTES);
    options.set_max_total_wal_size(MAX_WAL_BYTES);
    options.set_log_level(LogLevel::Warn);
    options.set_keep_log_file_num(2);
    options.set_max_log_file_size(1 << 20);
    options.set_stats_dump_period_sec(0);
    options.set_stats_persist_period_sec(0);
    options.set_wal_recovery_mode(recovery);
    options.set_track_and_verify_wals_in_manifest(true);
    options
}

/// Options for looking into a database without changing anything in its directory.
pub(super) fn looking() -> Options {
    let mut options = Options::default();
    options.set_max_open_files(16);
    // As the store itself is opened: reading a database that keeps track of its logs without this option crashes RocksDB.
    options.set_track_and_verify_wals_in_manifest(true);
    // Without a logger of its own RocksDB would put a log file into a directory that may not be ours.
    options.set_info_logger(InfoLogger::new_callback_logger(LogLevel::Fatal, |_, _| {}));
    options
}

/// Options for reading all of a database without changing anything in its directory.
pub(super) fn reading() -> Options {
    let mut options = looking();
    // All table files are opened at once and stay open, so that they can be read also when the process that writes has
    // removed them.
    options.set_max_open_files(-1);
    options.set_wal_recovery_mode(RECOVERY);
    options
}

/// The column families and how each is kept.
pub(super) fn column_families() -> impl Iterator<Item = ColumnFamilyDescriptor> {
    let mut table = BlockBasedOptions::default();
    table.set_block_cache(&Cache::new_lru_cache(BLOCK_CACHE_BYTES));
    table.set_cache_index_and_filter_blocks(true);
    // Every commit asks whether its shards are there already, and mostly they are not.
    table.set_bloom_filter(10.0, false);
    FAMILIES.iter().map(move |name| {
        let mut options = Options::default();
        options.set_compression_type(DBCompressionType::Lz4);
        options.set_write_buffer_size(WRITE_BUFFER_BYTES);
        options.set_max_write_buffer_number(2);
        options.set_block_based_table_factory(&table);
        ColumnFamilyDescriptor::new(*name, options)
    })
}
