//! Keeps on disk the results that wait until another worker agrees, and which workers are banned.

use rocksdb::WriteBatch;

use super::keys::{self, BANNED_PREFIX, META, SHARDS, ShardState};
use super::open::encode;
use super::read::within;
use super::{Store, StoreError, VoteRecord};

impl Store {
    /// Keeps a result that others must come to as well, and returns once it is on disk. A shard that was quarantined
    /// leaves quarantine. One that is done is left as it is.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn put_vote(&self, sweep_id: &str, shard_number: u64, vote: &VoteRecord) -> Result<(), StoreError> {
        let _writer = self.writer();
        if self.is_done(sweep_id, shard_number)? {
            return Ok(());
        }
        let shards = self.family(SHARDS)?;
        let mut batch = WriteBatch::default();
        batch.put_cf(shards, keys::vote(sweep_id, shard_number, &vote.instance)?, encode("a vote", vote)?);
        self.end_quarantine(&mut batch, sweep_id, shard_number)?;
        self.write(batch)
    }

    /// The votes on all shards of a sweep, in ascending order of shards: those that wait, and those that were contradicted.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn votes(&self, sweep_id: &str) -> Result<Vec<(u64, VoteRecord)>, StoreError> {
        self.votes_below(sweep_id, &keys::shards(sweep_id, ShardState::Vote)?)
    }

    /// The votes on one shard.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn votes_on(&self, sweep_id: &str, shard_number: u64) -> Result<Vec<VoteRecord>, StoreError> {
        let votes = self.votes_below(sweep_id, &keys::votes(sweep_id, shard_number)?)?;
        Ok(votes.into_iter().map(|(_, vote)| vote).collect())
    }

    fn votes_below(&self, sweep_id: &str, prefix: &[u8]) -> Result<Vec<(u64, VoteRecord)>, StoreError> {
        let place = keys::shards(sweep_id, ShardState::Vote)?;
        let mut votes = Vec::new();
        for item in self.items(SHARDS, prefix)? {
            let (key, value) = item.map_err(|error| self.database_error(error))?;
            let end = (place.len() + 8).min(key.len());
            votes.push((self.shard_number(&key[..end], &place)?, self.decode("a vote", &key, &value)?));
        }
        Ok(votes)
    }

    /// Notes that a worker gets no more work, and why.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn put_banned(&self, instance: &str, reason: &str) -> Result<(), StoreError> {
        self.put(META, &keys::banned(instance), "a banned worker", reason)
    }

    /// Notes that a worker may be given work again.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn forget_banned(&self, instance: &str) -> Result<(), StoreError> {
        self.delete(META, &keys::banned(instance))
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
