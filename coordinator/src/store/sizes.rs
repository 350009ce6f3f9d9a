//! How many bytes the database takes on disk and in memory, for the metrics.

use rocksdb::properties;

use super::Store;
use super::keys::FAMILIES;

impl Store {
    /// Bytes that the database takes, by what takes them: table files that are needed and all of them, the write-ahead log,
    /// the tables in memory, the block cache, and what is read ahead of table files. What cannot be read is left out.
    ///
    /// Cost: some tens of questions to the database, and a look at the list of its files.
    #[must_use]
    pub fn sizes(&self) -> Vec<(&'static str, u64)> {
        let Ok(database) = self.database() else { return Vec::new() };
        let families: Vec<_> = FAMILIES.iter().filter_map(|name| database.cf_handle(name)).collect();
        let of_each = |property: &rocksdb::properties::PropName| -> Option<Vec<u64>> {
            families.iter().map(|family| database.property_int_value_cf(family, property).ok().flatten()).collect()
        };
        let sum = |property| of_each(property).map(|bytes| bytes.iter().sum());
        // They share it.
        let shared = |property| of_each(property).and_then(|bytes| bytes.first().copied());
        let sizes = [
            ("live_sst", sum(properties::LIVE_SST_FILES_SIZE)),
            ("total_sst", sum(properties::TOTAL_SST_FILES_SIZE)),
            ("wal", self.log_bytes()),
            ("memtables", sum(properties::CUR_SIZE_ALL_MEM_TABLES)),
            ("table_readers", sum(properties::ESTIMATE_TABLE_READERS_MEM)),
            ("block_cache", shared(properties::BLOCK_CACHE_USAGE)),
        ];
        sizes.into_iter().filter_map(|(what, bytes)| bytes.map(|bytes| (what, bytes))).collect()
    }

    /// How long the files of the write-ahead log are.
    fn log_bytes(&self) -> Option<u64> {
        let entries = self.directory().read_dir().ok()?.filter_map(Result::ok);
        let logs = entries.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "log"));
        // One that has just been removed no longer has a length.
        Some(logs.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum())
    }
}
