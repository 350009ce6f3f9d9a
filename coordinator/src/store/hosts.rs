//! Notes on disk which hosts are drained.

use super::keys::{self, DRAINED_PREFIX, META};
use super::read::within;
use super::{Store, StoreError};

impl Store {
    /// Notes that a host gets no more leases, or gets them again.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn put_drained(&self, host: &str, drained: bool) -> Result<(), StoreError> {
        if drained {
            return self.put(META, &keys::drained(host), "a drained host", &true);
        }
        self.delete(META, &keys::drained(host))
    }

    /// The hosts that get no more leases.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn drained(&self) -> Result<Vec<String>, StoreError> {
        let mut drained = Vec::new();
        for item in self.database()?.iterator_cf_opt(self.family(META)?, within(DRAINED_PREFIX), rocksdb::IteratorMode::Start) {
            let (key, _) = item.map_err(|error| self.database_error(error))?;
            drained.push(String::from_utf8_lossy(&key[DRAINED_PREFIX.len()..]).into_owned());
        }
        Ok(drained)
    }
}
