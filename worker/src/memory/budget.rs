//! What the tables of each slot may take: what somebody asked for, or what the limits leave.

use std::fmt;

use refute_connect::size::DEFAULT_MEMORY_BYTES;
use refute_shared::text::{bytes, several};

use super::limits::{Limit, Source, Usage};

/// What a worker takes beside the tables once it is at work: connections, messages, results on their way.
const WORK_BYTES: u64 = 16 << 20;
/// Of what is left for a slot so many tenths are for its tables; the rest is for what it finds.
const TENTHS_FOR_TABLES: u64 = 9;
/// However little is left, such a part of it is for tables: most sweeps need next to none, and all that is reckoned beside them is
/// seldom taken at a time.
const LEAST_PART: u64 = 16;
/// The addresses that the allocator sets aside for each thread, whether it uses them or not.
const ARENA_BYTES: u64 = 64 << 20;
/// The stack of a thread that is no slot's.
const USUAL_STACK_BYTES: u64 = 8 << 20;

/// How the memory of a process is shared among its slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes of tables for each slot.
    pub slot_bytes: u64,
    slots: u64,
    /// The limit that leaves least, and what it leaves for a slot if the process takes not a byte more.
    tightest: Option<(Limit, u64)>,
    is_asked_for: bool,
}

/// What takes memory beside the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// The stack of each slot.
    pub stack_bytes: u64,
    /// What else is at work in this process.
    pub others: Others,
}

/// What is at work in a process that is no worker, once it is at work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Others {
    /// Bytes of memory.
    pub bytes: u64,
    /// Threads.
    pub threads: u64,
}

impl Budget {
    /// Gives each of so many slots, at least one, what is asked for; or else the same share of what the tightest limit leaves, and at
    /// most [`DEFAULT_MEMORY_BYTES`].
    #[must_use]
    pub fn new(asked: Option<u64>, slots: usize, limits: &[Limit], usage: Usage, beside: Beside) -> Self {
        let slots = slots.max(1) as u64;
        let shares = |limit: &Limit| {
            let (taken, own) = taken(&limit.source, usage, beside, slots);
            let left = limit.bytes.saturating_sub(taken);
            let share = left.saturating_sub(own + beside.others.bytes + WORK_BYTES) / slots / 10 * TENTHS_FOR_TABLES;
            (share.max(left / slots / LEAST_PART), left / slots, limit.clone())
        };
        let tightest = limits.iter().map(shares).min_by_key(|(share, ..)| *share);
        let share = tightest.as_ref().map_or(DEFAULT_MEMORY_BYTES, |(share, ..)| DEFAULT_MEMORY_BYTES.min(*share));
        Self {
            slot_bytes: asked.unwrap_or(share),
            slots,
            tightest: tightest.map(|(_, most, limit)| (limit, most)),
            is_asked_for: asked.is_some(),
        }
    }

    /// A sentence if more was asked for than there is. It is granted all the same: not every slot has large tables at a time.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let (limit, most) = self.tightest.as_ref().filter(|(_, most)| self.is_asked_for && self.slot_bytes > *most)?;
        let slots = several(self.slots.into(), "slot");
        Some(format!(
            "--memory {} is more than a limit of {limit} leaves for each of {slots}, which is {}; tables that large end this process, \
             so write less or nothing",
            bytes(self.slot_bytes.into()),
            bytes((*most).into())
        ))
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} of tables for each of {}", bytes(self.slot_bytes.into()), several(self.slots.into(), "slot"))?;
        match &self.tightest {
            Some((limit, _)) => write!(formatter, ", within a limit of {limit}"),
            None => formatter.write_str(", and no limit is known"),
        }
    }
}

/// What a process takes of a limit now, and what its threads will take of it.
fn taken(source: &Source, usage: Usage, beside: Beside, slots: u64) -> (u64, u64) {
    let Others { threads, .. } = beside.others;
    let stacks = slots * beside.stack_bytes + threads * USUAL_STACK_BYTES;
    match source {
        Source::Group(_) | Source::Machine => (usage.resident, 0),
        Source::Data => (usage.data, stacks),
        Source::AddressSpace => (usage.address_space, stacks + (slots + threads) * ARENA_BYTES),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;
    const USAGE: Usage = Usage { address_space: 300 * MIB, data: 30 * MIB, resident: 10 * MIB };
    const BESIDE: Beside = Beside { stack_bytes: 16 * MIB, others: Others { bytes: 0, threads: 0 } };

    fn limit(source: Source, mebibytes: u64) -> Limit {
        Limit { source, bytes: mebibytes * MIB }
    }

    fn budget(asked: Option<u64>, slots: usize, limits: &[Limit]) -> Budget {
        Budget::new(asked, slots, limits, USAGE, BESIDE)
    }

    #[test]
    fn what_the_tightest_limit_leaves_is_shared_among_the_slots() {
        let group = limit(Source::Group("/g/memory.max".into()), 426);
        let two = budget(None, 2, &[limit(Source::Machine, 4_000), group.clone()]);
        assert_eq!(two.slot_bytes, 180 * MIB, "of 400 MiB left a half for each slot, and nine tenths of that");
        assert_eq!(two.to_string(), "180.0 MiB of tables for each of 2 slots, within a limit of 426.0 MiB (/g/memory.max)");
        let one = budget(None, 1, std::slice::from_ref(&group));
        assert_eq!((one.slot_bytes, one.warning()), (360 * MIB, None));
    }

    #[test]
    fn what_else_is_at_work_in_the_process_has_its_share() {
        let beside = Beside { others: Others { bytes: 100 * MIB, threads: 2 }, ..BESIDE };
        let slot_bytes = |source, mebibytes| Budget::new(None, 1, &[limit(source, mebibytes)], USAGE, beside).slot_bytes;
        assert_eq!(slot_bytes(Source::Machine, 426), 270 * MIB);
        assert_eq!(slot_bytes(Source::Data, 30 + 16 + 100 + 16 + 2 * 8 + 100), 90 * MIB);
        assert_eq!(slot_bytes(Source::AddressSpace, 300 + 80 + 100 + 16 + 2 * 72 + 100), 90 * MIB);
    }

    #[test]
    fn a_limit_on_addresses_counts_stacks_and_arenas_and_one_on_data_stacks() {
        let (addresses, data) = (limit(Source::AddressSpace, 676), limit(Source::Data, 276));
        assert_eq!(budget(None, 2, &[addresses]).slot_bytes, 90 * MIB, "360 less 160 for two slots");
        assert_eq!(budget(None, 2, &[data]).slot_bytes, 198 * MIB / 2 / 10 * 9);
    }

    #[test]
    fn no_slot_has_more_than_usual_unless_that_is_asked_for() {
        let large = limit(Source::Machine, 64 << 10);
        assert_eq!(budget(None, 2, std::slice::from_ref(&large)).slot_bytes, DEFAULT_MEMORY_BYTES);
        let none = budget(None, 3, &[]);
        assert_eq!(none.slot_bytes, DEFAULT_MEMORY_BYTES);
        assert_eq!(none.to_string(), "2.0 GiB of tables for each of 3 slots, and no limit is known");
        let asked = budget(Some(8 << 30), 2, &[large]);
        assert_eq!((asked.slot_bytes, asked.warning()), (8 << 30, None));
    }

    #[test]
    fn asking_for_more_than_there_is_is_granted_with_a_warning() {
        let group = limit(Source::Group("/g/memory.max".into()), 90);
        let asked = budget(Some(64 * MIB), 2, std::slice::from_ref(&group));
        assert_eq!(asked.slot_bytes, 64 * MIB);
        let warning = asked.warning().unwrap();
        assert!(
            warning.contains("--memory 64.0 MiB is more than a limit of 90.0 MiB (/g/memory.max) leaves for each of 2 slots"),
            "{warning}"
        );
        assert!(warning.contains("which is 40.0 MiB"), "{warning}");
        // What just fits is not warned of, though nothing is kept for anything else.
        assert_eq!(budget(Some(40 * MIB), 2, &[group]).warning(), None);
    }

    #[test]
    fn a_limit_that_leaves_little_leaves_some_of_it_for_tables() {
        assert_eq!(budget(None, 2, &[limit(Source::Machine, 26)]).slot_bytes, MIB / 2);
        assert_eq!(budget(None, 2, &[limit(Source::AddressSpace, 332)]).slot_bytes, MIB);
    }

    #[test]
    fn a_limit_that_is_reached_already_leaves_nothing() {
        for slots in [1, 7, 4_096] {
            assert_eq!(budget(None, slots, &[limit(Source::AddressSpace, 300)]).slot_bytes, 0);
            assert_eq!(budget(None, slots, &[limit(Source::Machine, 0)]).slot_bytes, 0);
        }
    }
}
