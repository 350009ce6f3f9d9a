//! Cuts a space into numbered shards of about the length that was asked for.

use std::ops;

use serde::{Deserialize, Serialize};

use crate::families::Space;

use super::{Record, RunOptions, Shard};

/// The most shards that one sweep may be cut into.
pub const MAX_SHARDS: u64 = 10_000_000;

/// The most configurations that a shard may decide where solved positions are kept: each is a record on its way to disk.
const MAX_RECORDED_CONFIGURATIONS: u128 = 1 << 18;

/// A sweep has at least so many shards, if they are not too short, so that there is something to do for every core.
const WANTED_SHARDS: f64 = 64.0;
/// A shard is not made shorter than this for the sake of their number, in seconds.
const SHORTEST_SECONDS: f64 = 0.05;

/// How a space is cut: shards are numbered from 0, box by box, so that pending ones are ranges of numbers.
///
/// Invariant: the shards of a box are disjoint and cover its units; each has at least one unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// One entry a box, in the order of the space.
    pub boxes: Vec<BoxPlan>,
}

/// How one box is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoxPlan {
    /// Units in the box, at least 1.
    pub units: u64,
    /// Units in a shard, at least 1; the last shard may have fewer.
    pub units_per_shard: u64,
}

impl BoxPlan {
    fn shards(self) -> u64 {
        self.units.div_ceil(self.units_per_shard)
    }
}

/// Why a space cannot be cut as asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// Too many shards.
    #[error(
        "run.shard_seconds: {shard_seconds} cuts this space into {shards} shards and the limit is {limit}; \
         a larger shard_seconds makes fewer",
        limit = MAX_SHARDS
    )]
    TooManyShards {
        /// What was asked.
        shard_seconds: f64,
        /// Into how many shards that cuts the space.
        shards: u128,
    },
}

impl Plan {
    /// Cuts a space into shards of about `options.shard_seconds`, by the family's own estimate; into shorter ones where a
    /// sweep would have too few of them to keep many cores busy.
    ///
    /// # Errors
    /// [`PlanError::TooManyShards`] if there would be more than [`MAX_SHARDS`].
    pub fn new(space: &dyn Space, options: &RunOptions) -> Result<Self, PlanError> {
        let whole = |box_index| Shard { box_index, start: 0, end: space.units(box_index) };
        let total: f64 = (0..space.boxes()).map(|index| space.cost(&whole(index)).seconds).sum();
        let seconds = options.shard_seconds.min((total / WANTED_SHARDS).max(SHORTEST_SECONDS));
        let boxes: Vec<BoxPlan> = (0..space.boxes())
            .map(|index| {
                let (units, whole) = (space.units(index), whole(index));
                let seconds_per_unit = space.cost(&whole).seconds / units as f64;
                let mut units_per_shard = (seconds / seconds_per_unit).clamp(1.0, units as f64) as u64;
                if options.record != Record::None {
                    let per_unit = space.configurations(&whole).div_ceil(u128::from(units)).max(1);
                    let bound = u64::try_from((MAX_RECORDED_CONFIGURATIONS / per_unit).max(1)).unwrap_or(u64::MAX);
                    units_per_shard = units_per_shard.min(bound);
                }
                BoxPlan { units, units_per_shard: units_per_shard.max(1) }
            })
            .collect();
        let shards: u128 = boxes.iter().map(|plan| u128::from(plan.shards())).sum();
        if shards > u128::from(MAX_SHARDS) {
            return Err(PlanError::TooManyShards { shard_seconds: options.shard_seconds, shards });
        }
        Ok(Self { boxes })
    }

    /// How many shards there are.
    #[must_use]
    pub fn shards(&self) -> u64 {
        self.boxes.iter().map(|plan| plan.shards()).sum()
    }

    /// The numbers of the shards of each box, in the order of the boxes.
    pub fn shards_by_box(&self) -> impl Iterator<Item = ops::Range<u64>> {
        self.boxes.iter().scan(0, |next, plan| {
            let start = *next;
            *next += plan.shards();
            Some(start..*next)
        })
    }

    /// The shard of this number, or none if there are not so many.
    ///
    /// Cost: O(boxes).
    #[must_use]
    pub fn shard(&self, number: u64) -> Option<Shard> {
        let mut rest = number;
        for (box_index, plan) in self.boxes.iter().enumerate() {
            if rest < plan.shards() {
                let start = rest * plan.units_per_shard;
                let end = plan.units.min(start.saturating_add(plan.units_per_shard));
                return Some(Shard { box_index: u32::try_from(box_index).ok()?, start, end });
            }
            rest -= plan.shards();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn shards_are_disjoint_and_cover_every_unit(boxes in prop::collection::vec((1u64..60, 1u64..70), 1..5)) {
            let boxes: Vec<BoxPlan> = boxes.into_iter().map(|(units, units_per_shard)| BoxPlan { units, units_per_shard }).collect();
            let plan = Plan { boxes: boxes.clone() };
            let mut next = (0u32, 0u64);
            let by_box: Vec<ops::Range<u64>> = plan.shards_by_box().collect();
            for number in 0..plan.shards() {
                let shard = plan.shard(number).unwrap();
                prop_assert!(by_box[shard.box_index as usize].contains(&number));
                if shard.box_index != next.0 {
                    prop_assert_eq!(next.1, boxes[next.0 as usize].units);
                    next = (next.0 + 1, 0);
                }
                prop_assert_eq!((shard.box_index, shard.start), next);
                prop_assert!(shard.start < shard.end);
                next.1 = shard.end;
            }
            prop_assert_eq!(next, (boxes.len() as u32 - 1, boxes.last().unwrap().units));
            prop_assert_eq!(plan.shard(plan.shards()), None);
        }
    }
}
