//! Makes and reads the keys of the layout that `mod.rs` documents, byte by byte.

use super::StoreError;

/// The column families, in the order of the layout.
pub(super) const FAMILIES: [&str; 6] = [META, SWEEPS, SHARDS, TALLIES, COUNTEREXAMPLES, RECORDS];
pub(super) const META: &str = "meta";
pub(super) const SWEEPS: &str = "sweeps";
pub(super) const SHARDS: &str = "shards";
pub(super) const TALLIES: &str = "tallies";
pub(super) const COUNTEREXAMPLES: &str = "counterexamples";
pub(super) const RECORDS: &str = "records";

pub(super) const FORMAT_KEY: &[u8] = b"format";
pub(super) const EPOCH_KEY: &[u8] = b"epoch";
/// What the keys of banned workers begin with; the worker's instance follows.
pub(super) const BANNED_PREFIX: &[u8] = b"banned\0";
/// What the keys of drained hosts begin with; the host's name follows.
pub(super) const DRAINED_PREFIX: &[u8] = b"drained\0";

/// What a key in `shards` says about its shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum ShardState {
    Done = 0,
    Quarantined = 1,
    /// A result waits for another worker to agree, or was contradicted.
    Vote = 2,
}

/// The sweep's id and a zero byte: the key itself where a sweep has one value, else what its keys begin with.
pub(super) fn sweep(sweep_id: &str) -> Result<Vec<u8>, StoreError> {
    if sweep_id.is_empty() || sweep_id.contains('\0') {
        return Err(StoreError::Id { sweep_id: sweep_id.to_owned() });
    }
    let mut key = Vec::with_capacity(sweep_id.len() + 16);
    key.extend_from_slice(sweep_id.as_bytes());
    key.push(0);
    Ok(key)
}

/// What the keys of a sweep's done or quarantined shards begin with.
pub(super) fn shards(sweep_id: &str, place: ShardState) -> Result<Vec<u8>, StoreError> {
    let mut key = sweep(sweep_id)?;
    key.push(place as u8);
    Ok(key)
}

pub(super) fn shard(sweep_id: &str, place: ShardState, shard_number: u64) -> Result<Vec<u8>, StoreError> {
    let mut key = shards(sweep_id, place)?;
    key.extend_from_slice(&shard_number.to_be_bytes());
    Ok(key)
}

/// What the keys of the votes on a shard begin with; the worker's instance follows.
pub(super) fn votes(sweep_id: &str, shard_number: u64) -> Result<Vec<u8>, StoreError> {
    shard(sweep_id, ShardState::Vote, shard_number)
}

pub(super) fn vote(sweep_id: &str, shard_number: u64, instance: &str) -> Result<Vec<u8>, StoreError> {
    let mut key = votes(sweep_id, shard_number)?;
    key.extend_from_slice(instance.as_bytes());
    Ok(key)
}

pub(super) fn banned(instance: &str) -> Vec<u8> {
    [BANNED_PREFIX, instance.as_bytes()].concat()
}

pub(super) fn drained(host: &str) -> Vec<u8> {
    [DRAINED_PREFIX, host.as_bytes()].concat()
}

/// The number at the end of a shard's key, whose beginning is cut off. None if the rest has another length.
pub(super) fn shard_number(rest: &[u8]) -> Option<u64> {
    rest.try_into().ok().map(u64::from_be_bytes)
}

/// What the keys of a claim's counterexamples begin with.
pub(super) fn claim(sweep_id: &str, claim: u32) -> Result<Vec<u8>, StoreError> {
    let mut key = sweep(sweep_id)?;
    key.extend_from_slice(&claim.to_be_bytes());
    Ok(key)
}

pub(super) fn counterexample(sweep_id: &str, claim_index: u32, of_family: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut key = claim(sweep_id, claim_index)?;
    key.extend_from_slice(of_family);
    Ok(key)
}

pub(super) fn record(sweep_id: &str, of_family: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut key = sweep(sweep_id)?;
    key.extend_from_slice(of_family);
    Ok(key)
}

/// The least key above all that begin with `prefix`; none if there is no key above them.
pub(super) fn after(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|byte| *byte != u8::MAX)?;
    let mut end = prefix[..=last].to_vec();
    end[last] += 1;
    Some(end)
}

/// A key as people can read it: printable ASCII as it is, the rest in hex.
pub(super) fn shown(key: &[u8]) -> String {
    format!("\"{}\"", key.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_byte_by_byte_what_the_documentation_says() {
        assert_eq!(sweep("h1-2f").unwrap(), b"h1-2f\0");
        assert_eq!(shard("h1-2f", ShardState::Done, 258).unwrap(), b"h1-2f\0\0\0\0\0\0\0\0\x01\x02");
        assert_eq!(shard("h1-2f", ShardState::Quarantined, 1).unwrap(), b"h1-2f\0\x01\0\0\0\0\0\0\0\x01");
        assert_eq!(vote("h1-2f", 1, "ada").unwrap(), b"h1-2f\0\x02\0\0\0\0\0\0\0\x01ada");
        assert_eq!(banned("ada"), b"banned\0ada");
        assert_eq!(drained("eve"), b"drained\0eve");
        assert_eq!(counterexample("h1-2f", 3, b"key").unwrap(), b"h1-2f\0\0\0\0\x03key");
        assert_eq!(record("h1-2f", b"key").unwrap(), b"h1-2f\0key");
    }

    #[test]
    fn the_keys_of_an_id_that_begins_another_lie_apart() {
        let (short, long) = (sweep("h1-2f").unwrap(), sweep("h1-2f-2").unwrap());
        assert!(!long.starts_with(&short));
        let keys = |id: &str| [shard(id, ShardState::Done, 0).unwrap(), shard(id, ShardState::Quarantined, u64::MAX).unwrap()];
        assert!(keys("h1-2f").iter().all(|key| *key < keys("h1-2f-2")[0]));
        assert!(keys("h1-2f").iter().all(|key| *key < after(&short).unwrap()));
        assert!(keys("h1-2f-2").iter().all(|key| *key > after(&short).unwrap()));
    }

    #[test]
    fn the_order_of_keys_is_the_order_of_numbers() {
        let numbers = [0, 1, 255, 256, 65_535, 1 << 32, u64::MAX];
        let keys: Vec<_> = numbers.iter().map(|number| shard("a", ShardState::Done, *number).unwrap()).collect();
        assert!(keys.is_sorted());
        let read: Vec<_> = keys.iter().map(|key| shard_number(&key[3..]).unwrap()).collect();
        assert_eq!(read, numbers);
        assert_eq!(shard_number(b"short"), None);
    }

    #[test]
    fn what_comes_after_a_prefix() {
        assert_eq!(after(b"a\0"), Some(b"a\x01".to_vec()));
        assert_eq!(after(b"a\xff\xff"), Some(b"b".to_vec()));
        assert_eq!(after(b"\xff\xff"), None);
    }

    #[test]
    fn an_id_must_be_there_and_hold_no_zero_byte() {
        for id in ["", "a\0b"] {
            assert_eq!(sweep(id), Err(StoreError::Id { sweep_id: id.into() }));
        }
    }
}
