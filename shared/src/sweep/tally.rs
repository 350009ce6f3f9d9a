//! The result of a shard, and the counts in it by claim, by coverage and by group, which add up in any order.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a part of a sweep came to. Tallies of disjoint parts add up, in any order.
///
/// Invariant: for every claim `held + vacuous + undefined + refuted <= decided`; on the rest it was silent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Configurations decided.
    pub decided: u128,
    /// One count a claim, in the order of the sweep's claims.
    pub claims: Vec<ClaimTally>,
    /// Which claims predicted rightly, by box and actual outcome; empty for families that report no coverage.
    pub coverage: Coverage,
    /// What the family counts besides, by box; empty for families without groups.
    #[serde(default)]
    pub groups: Groups,
    /// The sum mod 2^128 of the hashes of the canonical records.
    pub records_hash: u128,
}

/// On how many configurations a claim held, and so on; on the others it was silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimTally {
    /// Configurations on which it spoke and was right.
    pub held: u128,
    /// Configurations on which it is true because it has nothing to compare.
    #[serde(default, skip_serializing_if = "is_none")]
    pub vacuous: u128,
    /// Configurations on which what it says is not defined.
    #[serde(default, skip_serializing_if = "is_none")]
    pub undefined: u128,
    /// Configurations on which it spoke and was wrong.
    pub refuted: u128,
}

// The signature is serde's.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_none(count: &u128) -> bool {
    *count == 0
}

impl ClaimTally {
    /// A claim that held on so many configurations and was refuted on so many, and was silent elsewhere.
    #[must_use]
    pub fn of(held: u128, refuted: u128) -> Self {
        Self { held, refuted, ..Self::default() }
    }

    /// Configurations on which it was not silent; none if there are 2^128 or more.
    #[must_use]
    pub fn not_silent(&self) -> Option<u128> {
        self.held.checked_add(self.vacuous)?.checked_add(self.undefined)?.checked_add(self.refuted)
    }
}

/// Configurations that agree in box, actual value and the set of claims that predicted this value: enough to say afterwards
/// how many some claim predicted, with the claims left out that turned out to be false.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CoverageKey {
    /// The box, by its index.
    pub box_index: u32,
    /// The actual value, such as `P`.
    pub value: String,
    /// Bit i is set where claim i of the sweep predicted this value.
    pub claims: u128,
}

/// Counts of configurations by [`CoverageKey`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<(CoverageKey, u128)>", from = "Vec<(CoverageKey, u128)>")]
pub struct Coverage(pub BTreeMap<CoverageKey, u128>);

impl From<Coverage> for Vec<(CoverageKey, u128)> {
    fn from(coverage: Coverage) -> Self {
        coverage.0.into_iter().collect()
    }
}

impl From<Vec<(CoverageKey, u128)>> for Coverage {
    fn from(pairs: Vec<(CoverageKey, u128)>) -> Self {
        Self(pairs.into_iter().collect())
    }
}

/// What a family counts besides its claims: a label, and how the numbers given to it come together. Either way their order does
/// not matter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group {
    /// What is counted.
    pub label: String,
    /// How the numbers come together.
    pub kind: GroupKind,
}

/// How the numbers given to a group come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupKind {
    /// They are added up.
    Sum,
    /// The least of them is kept.
    Least,
}

/// How the kind of a group is written before its label, on the wire and on disk. A sum has no mark, unless its label begins like
/// one.
const LEAST: &str = "least ";
const SUM: &str = "sum ";

impl Group {
    /// The group that adds up what is given to a label.
    #[must_use]
    pub fn sum(label: impl Into<String>) -> Self {
        Self { label: label.into(), kind: GroupKind::Sum }
    }

    /// The group that keeps the least of what is given to a label.
    #[must_use]
    pub fn least(label: impl Into<String>) -> Self {
        Self { label: label.into(), kind: GroupKind::Least }
    }

    /// The group as one text, on the wire and on disk.
    #[must_use]
    pub fn encode(&self) -> String {
        let Self { label, kind } = self;
        match kind {
            GroupKind::Least => format!("{LEAST}{label}"),
            GroupKind::Sum if label.starts_with(LEAST) || label.starts_with(SUM) => format!("{SUM}{label}"),
            GroupKind::Sum => label.clone(),
        }
    }

    /// The group that [`Group::encode`] wrote.
    #[must_use]
    pub fn decode(text: &str) -> Self {
        match (text.strip_prefix(LEAST), text.strip_prefix(SUM)) {
            (Some(label), _) => Self::least(label),
            (None, Some(label)) => Self::sum(label),
            (None, None) => Self::sum(text),
        }
    }
}

/// Numbers by box and group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<(u32, String, u128)>", from = "Vec<(u32, String, u128)>")]
pub struct Groups(pub BTreeMap<(u32, Group), u128>);

impl From<Groups> for Vec<(u32, String, u128)> {
    fn from(groups: Groups) -> Self {
        groups.0.into_iter().map(|((box_index, group), number)| (box_index, group.encode(), number)).collect()
    }
}

impl From<Vec<(u32, String, u128)>> for Groups {
    fn from(entries: Vec<(u32, String, u128)>) -> Self {
        Self(entries.into_iter().map(|(box_index, text, number)| ((box_index, Group::decode(&text)), number)).collect())
    }
}

impl Groups {
    /// Takes in a number for a group of a box.
    pub fn give(&mut self, box_index: u32, group: Group, number: u128) {
        let kind = group.kind;
        let known = self.0.entry((box_index, group));
        known
            .and_modify(|known| match kind {
                GroupKind::Sum => *known += number,
                GroupKind::Least => *known = number.min(*known),
            })
            .or_insert(number);
    }
}

/// Why two tallies cannot be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// They do not count the same claims.
    #[error("a tally of {theirs} claims cannot be added to one of {ours}")]
    Claims {
        /// Claims of the tally added to.
        ours: usize,
        /// Claims of the other.
        theirs: usize,
    },
    /// A sum has no room.
    #[error("{what} would come to 2^128 or more")]
    Overflow {
        /// What is counted.
        what: String,
    },
}

impl Tally {
    /// The empty tally of a sweep with this many claims.
    #[must_use]
    pub fn new(claims: usize) -> Self {
        Self { claims: vec![ClaimTally::default(); claims], ..Self::default() }
    }

    /// Adds the tally of a disjoint part.
    ///
    /// # Errors
    /// [`MergeError`] if the two count different numbers of claims, or a sum is too large; nothing is added then.
    pub fn merge(&mut self, part: &Self) -> Result<(), MergeError> {
        self.check_sums(part)?;
        self.decided += part.decided;
        for (total, counts) in self.claims.iter_mut().zip(&part.claims) {
            total.held += counts.held;
            total.vacuous += counts.vacuous;
            total.undefined += counts.undefined;
            total.refuted += counts.refuted;
        }
        for (key, count) in &part.coverage.0 {
            *self.coverage.0.entry(key.clone()).or_default() += count;
        }
        for ((box_index, group), number) in &part.groups.0 {
            self.groups.give(*box_index, group.clone(), *number);
        }
        self.records_hash = self.records_hash.wrapping_add(part.records_hash);
        Ok(())
    }

    /// Whether every sum of [`Tally::merge`] fits.
    fn check_sums(&self, part: &Self) -> Result<(), MergeError> {
        let (ours, theirs) = (self.claims.len(), part.claims.len());
        if ours != theirs {
            return Err(MergeError::Claims { ours, theirs });
        }
        let fits = |what: &dyn Fn() -> String, known: u128, number: u128| {
            known.checked_add(number).map(drop).ok_or_else(|| MergeError::Overflow { what: what() })
        };
        fits(&|| "the number of configurations".into(), self.decided, part.decided)?;
        for (place, (total, counts)) in self.claims.iter().zip(&part.claims).enumerate() {
            let ClaimTally { held, vacuous, undefined, refuted } = *total;
            let sums = [(held, counts.held), (vacuous, counts.vacuous), (undefined, counts.undefined), (refuted, counts.refuted)];
            sums.into_iter().try_for_each(|(known, number)| fits(&|| format!("a count of claim {place}"), known, number))?;
        }
        for (key, count) in &part.coverage.0 {
            let known = self.coverage.0.get(key).copied().unwrap_or(0);
            fits(&|| format!("the coverage of box {} with value {}", key.box_index, key.value), known, *count)?;
        }
        for (key, number) in part.groups.0.iter().filter(|((_, group), _)| group.kind == GroupKind::Sum) {
            let known = self.groups.0.get(key).copied().unwrap_or(0);
            fits(&|| format!("the count '{}' of box {}", key.1.label, key.0), known, *number)?;
        }
        Ok(())
    }

    /// How many counts by coverage and by group there would be with those of a part: each is kept, and written with every result.
    ///
    /// Cost: O(counts of the part · log counts).
    #[must_use]
    pub fn counts_with(&self, part: &Self) -> usize {
        let coverage = part.coverage.0.keys().filter(|key| !self.coverage.0.contains_key(key)).count();
        let groups = part.groups.0.keys().filter(|key| !self.groups.0.contains_key(key)).count();
        self.coverage.0.len() + self.groups.0.len() + coverage + groups
    }

    /// On how many configurations claim `index` was silent.
    #[must_use]
    pub fn silent(&self, index: usize) -> u128 {
        // The invariant of a tally.
        self.decided - self.claims[index].not_silent().unwrap_or(self.decided)
    }

    /// Whether the counts can be those of a part with `decided` configurations and `claims` claims.
    #[must_use]
    pub fn is_consistent(&self, decided: u128, claims: usize) -> bool {
        let within = |counts: &ClaimTally| counts.not_silent().is_some_and(|count| count <= decided);
        self.decided == decided && self.claims.len() == claims && self.claims.iter().all(within)
    }
}

/// A configuration that contradicts a claim, as the solver found it and before anyone confirmed it.
///
/// Ordered by `key`, so that the smallest configuration comes first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Candidate {
    /// The family's encoding of the configuration, whose byte order is the order of size: by the sum of the numeric
    /// parameters, then lexicographically, then by box.
    pub key: Vec<u8>,
    /// The value that the solver found.
    pub actual: String,
}

/// A solved position that the manifest asked to keep.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KeptRecord {
    /// The family's encoding of the position, as in [`Candidate::key`].
    pub key: Vec<u8>,
    /// Its value.
    pub value: String,
}

/// All that a worker hands back for one shard.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardResult {
    /// The counts.
    pub tally: Tally,
    /// A list a claim: its smallest refuted configurations, smallest first, as many as the manifest keeps. After them a list for
    /// each claim that the manifest states, which come first among the claims: its smallest undefined configurations, each with the
    /// reason as its value.
    pub counterexamples: Vec<Vec<Candidate>>,
    /// The solved positions that the manifest asked to keep.
    pub records: Vec<KeptRecord>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn part() -> impl Strategy<Value = Tally> {
        let counts = prop::collection::vec((0u128..100, 0u128..100), 2);
        let coverage = prop::collection::btree_map((0u32..2, 0u128..4), 1u128..50, 0..4);
        (200u128..400, counts, coverage, any::<u128>()).prop_map(|(decided, counts, coverage, records_hash)| Tally {
            decided,
            claims: counts.into_iter().map(|(held, refuted)| ClaimTally::of(held, refuted)).collect(),
            coverage: Coverage(
                coverage
                    .into_iter()
                    .map(|((box_index, claims), count)| (CoverageKey { box_index, value: "P".into(), claims }, count))
                    .collect(),
            ),
            groups: Groups([((0, Group::sum("all")), decided), ((0, Group::least("all")), decided)].into()),
            records_hash,
        })
    }

    proptest! {
        #[test]
        fn tallies_add_up_in_any_order(parts in prop::collection::vec(part(), 0..6), seed in any::<u64>()) {
            let sum = |parts: &[Tally]| {
                let mut total = Tally::new(2);
                for part in parts {
                    total.merge(part).unwrap();
                }
                total
            };
            let mut shuffled = parts.clone();
            let length = shuffled.len().max(1);
            shuffled.rotate_left(seed as usize % length);
            shuffled.reverse();
            prop_assert_eq!(sum(&parts), sum(&shuffled));
        }
    }

    proptest! {
        #[test]
        fn nothing_of_a_part_is_lost(part in part()) {
            let mut once = Tally::new(2);
            once.merge(&part).unwrap();
            prop_assert_eq!(&once, &part);
            let mut twice = once.clone();
            twice.merge(&part).unwrap();
            prop_assert_eq!(twice.decided, 2 * part.decided);
            prop_assert!(twice.coverage.0.iter().all(|(key, count)| *count == 2 * part.coverage.0[key]));
            prop_assert_eq!(twice.groups.0[&(0, Group::sum("all"))], 2 * part.decided);
            prop_assert_eq!(twice.groups.0[&(0, Group::least("all"))], part.decided);
        }
    }

    #[test]
    fn groups_are_read_back_as_they_were_and_written_as_ever() {
        for (group, text) in [
            (Group::sum("value 0"), "value 0"),
            (Group::least("02 02 all 01"), "least 02 02 all 01"),
            (Group::sum("least squares"), "sum least squares"),
            (Group::sum("sum of all"), "sum sum of all"),
            (Group::least("sum of all"), "least sum of all"),
        ] {
            assert_eq!(group.encode(), text);
            assert_eq!(Group::decode(text), group);
        }
    }

    #[test]
    fn a_tally_of_other_claims_is_not_added() {
        let mut total = Tally::new(2);
        assert_eq!(total.merge(&Tally::new(3)), Err(MergeError::Claims { ours: 2, theirs: 3 }));
        assert_eq!(total, Tally::new(2));
    }

    #[test]
    fn a_sum_without_room_adds_nothing() {
        let most = u128::MAX;
        let claim = |counts: ClaimTally| Tally { claims: vec![counts], ..Tally::new(1) };
        let coverage = || CoverageKey { box_index: 4, value: "P".into(), claims: 1 };
        let group = |group: Group, number| Tally { groups: Groups([((7, group), number)].into()), ..Tally::new(1) };
        let mut total = Tally { decided: most, ..claim(ClaimTally { held: most, vacuous: most, undefined: most, refuted: most }) };
        total.coverage.0.insert(coverage(), most);
        total.groups.0.insert((7, Group::sum("all")), most);
        total.groups.0.insert((7, Group::least("all")), most);
        let before = total.clone();
        for (part, what) in [
            (Tally { decided: 1, ..Tally::new(1) }, "the number of configurations"),
            (claim(ClaimTally::of(1, 0)), "a count of claim 0"),
            (claim(ClaimTally { vacuous: 1, ..ClaimTally::default() }), "a count of claim 0"),
            (claim(ClaimTally { undefined: 1, ..ClaimTally::default() }), "a count of claim 0"),
            (claim(ClaimTally::of(0, 1)), "a count of claim 0"),
            (Tally { coverage: Coverage([(coverage(), 1)].into()), ..Tally::new(1) }, "the coverage of box 4 with value P"),
            (group(Group::sum("all"), 1), "the count 'all' of box 7"),
        ] {
            assert_eq!(total.merge(&part), Err(MergeError::Overflow { what: what.into() }));
            assert_eq!(total, before);
        }
        // A least number is no sum, and the hashes of records wrap by definition.
        total.merge(&Tally { records_hash: most, ..group(Group::least("all"), 3) }).unwrap();
        assert_eq!(total.groups.0[&(7, Group::least("all"))], 3);
        assert_eq!(total.counts_with(&group(Group::sum("other"), 3)), 4);
        assert_eq!(total.counts_with(&group(Group::sum("all"), 3)), 3);
    }

    #[test]
    fn counts_beyond_what_was_decided_are_not_consistent() {
        let mut tally = Tally { decided: 10, ..Tally::new(1) };
        tally.claims[0] = ClaimTally::of(9, 1);
        assert!(tally.is_consistent(10, 1));
        tally.claims[0].refuted = 2;
        assert!(!tally.is_consistent(10, 1));
        tally.claims[0] = ClaimTally::of(u128::MAX, 1);
        assert!(!tally.is_consistent(10, 1));
    }
}
