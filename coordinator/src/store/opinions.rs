//! Keeps on disk the results that wait until another worker agrees, and which workers are banned.

use rocksdb::WriteBatch;

use super::keys::{self, BANNED_PREFIX, META, Place, SHARDS};
use super::open::encode;
use super::read::within;
use super::{OpinionRecord, Store, StoreError};

impl Store {
    /// Keeps a result that others must come to as well, and returns once it is on disk. A shard that was quarantined
    /// leaves quarantine. One that is done is left as it is.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn put_opinion(&self, sweep_id: &str, shard_number: u64, opinion: &OpinionRecord) -> Result<(), StoreError> {
        let _writer = self.writer();
        if self.is_done(sweep_id, shard_number)? {
            return Ok(());
        }
        let shards = self.family(SHARDS)?;
        let mut batch = WriteBatch::default();
        batch.put_cf(shards, keys::opinion(sweep_id, shard_number, &opinion.instance)?, encode("an opinion", opinion)?);
        self.end_quarantine(&mut batch, sweep_id, shard_number)?;
        self.write(batch)
    }

    /// The opinions on all shards of a sweep, in ascending order of shards: those that wait, and those that were contradicted.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn opinions(&self, sweep_id: &str) -> Result<Vec<(u64, OpinionRecord)>, StoreError> {
        self.opinions_below(sweep_id, &keys::shards(sweep_id, Place::Opinion)?)
    }

    /// The opinions on one shard.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn opinions_on(&self, sweep_id: &str, shard_number: u64) -> Result<Vec<OpinionRecord>, StoreError> {
        let opinions = self.opinions_below(sweep_id, &keys::opinions(sweep_id, shard_number)?)?;
        Ok(opinions.into_iter().map(|(_, opinion)| opinion).collect())
    }

    fn opinions_below(&self, sweep_id: &str, prefix: &[u8]) -> Result<Vec<(u64, OpinionRecord)>, StoreError> {
        let place = keys::shards(sweep_id, Place::Opinion)?;
        let mut opinions = Vec::new();
        for item in self.items(SHARDS, prefix)? {
            let (key, value) = item.map_err(|error| self.database_error(error))?;
            let end = (place.len() + 8).min(key.len());
            opinions.push((self.shard_number(&key[..end], &place)?, self.decode("an opinion", &key, &value)?));
        }
        Ok(opinions)
    }

    /// Notes that a worker gets no more work, and why.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn put_banned(&self, instance: &str, reason: &str) -> Result<(), StoreError> {
        self.put(META, &keys::banned(instance), "a banned worker", reason)
    }

    /// The workers that get no more work, by instance, and why.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn banned(&self) -> Result<Vec<(String, String)>, StoreError> {
        let mut banned = Vec::new();
        for item in self.database()?.iterator_cf_opt(self.family(META)?, within(BANNED_PREFIX), rocksdb::IteratorMode::Start) {
            let (key, value) = item.map_err(|error| self.database_error(error))?;
            let instance = String::from_utf8_lossy(&key[BANNED_PREFIX.len()..]).into_owned();
            banned.push((instance, self.decode("a banned worker", &key, &value)?));
        }
        Ok(banned)
    }
}
