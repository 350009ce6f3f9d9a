//! The fingerprint of a sweep, which is the same however the work was cut, ordered and retried.

use std::fmt;

use twox_hash::XxHash3_128;

use super::Tally;

/// The fingerprint of a sweep: the same whatever the size of its shards, the number of workers, the retries and the
/// machine. It shows accidents; it is no protection against forgery.
///
/// It is the sum mod 2^128 of the hashes of the family's canonical records, which does not depend on their order, plus a
/// hash of the totals claim by claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub u128);

impl Fingerprint {
    /// The fingerprint of a tally that covers its whole sweep.
    ///
    /// `claims` are the ids of the sweep's claims, in the order of the tally.
    #[must_use]
    pub fn of(tally: &Tally, claims: &[&str]) -> Self {
        let mut totals = Vec::new();
        totals.extend_from_slice(&tally.decided.to_be_bytes());
        for (id, counts) in claims.iter().zip(&tally.claims) {
            totals.extend_from_slice(&(id.len() as u64).to_be_bytes());
            totals.extend_from_slice(id.as_bytes());
            totals.extend_from_slice(&counts.held.to_be_bytes());
            totals.extend_from_slice(&counts.refuted.to_be_bytes());
            // Where a claim is neither, its totals are what they were before these were counted. The next claim begins with the
            // length of its id, which this word is not.
            if counts.vacuous > 0 || counts.undefined > 0 {
                totals.extend_from_slice(b"and apart");
                totals.extend_from_slice(&counts.vacuous.to_be_bytes());
                totals.extend_from_slice(&counts.undefined.to_be_bytes());
            }
        }
        Self(tally.records_hash.wrapping_add(XxHash3_128::oneshot(&totals)))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

/// The hash of one canonical record, to be added to [`Tally::records_hash`] mod 2^128.
#[must_use]
#[inline]
pub fn record_hash(record: &[u8]) -> u128 {
    XxHash3_128::oneshot(record)
}
