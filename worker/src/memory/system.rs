//! Reads what the system says of memory.

use std::fs;

use refute_shared::text::several;

use crate::execute::STACK_BYTES;

use super::budget::{Beside, Budget, Others};
use super::cgroup::{self, Group, Version};
use super::limits::{self, Limit, Source, Usage};

/// What the system said of the memory of this process when it was asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    limits: Vec<Limit>,
    usage: Usage,
    /// The files that say that processes of its control group were killed for lack of memory, and how many.
    kills: Vec<(String, u64)>,
}

impl Memory {
    /// Asks the system. What it does not say limits nothing.
    #[must_use]
    pub fn read() -> Self {
        let groups = cgroup::groups(&read("/proc/self/cgroup"), &read("/proc/self/mountinfo"));
        let mut limits: Vec<Limit> = groups.iter().flat_map(limits_of).collect();
        // Without a limit of a group the whole machine had no memory left, which says nothing of this program.
        let kills = if limits.is_empty() { Vec::new() } else { groups.iter().filter_map(kills_in).collect() };
        limits.extend(limits::inherited(&read("/proc/self/limits")));
        limits.extend(limits::of_machine(&read("/proc/meminfo")));
        Self { limits, usage: limits::usage(&read("/proc/self/status")), kills }
    }

    /// What the tables of each of so many slots may take, unless that is asked for.
    #[must_use]
    pub fn budget(&self, asked: Option<u64>, slots: usize, others: Others) -> Budget {
        let beside = Beside { stack_bytes: STACK_BYTES as u64, others };
        Budget::new(asked, slots, &self.limits, self.usage, beside)
    }

    /// How often the kernel ended processes of this control group for lack of memory.
    #[must_use]
    pub fn killed(&self) -> u64 {
        self.kills.iter().map(|(_, kills)| kills).sum()
    }

    /// A sentence for each file that says that the kernel killed processes of this control group for lack of memory: one of them may
    /// have been an earlier one of this program.
    pub fn kills(&self) -> impl Iterator<Item = String> {
        self.kills.iter().map(|(file, kills)| {
            let times = several((*kills).into(), "time");
            format!(
                "lack of memory has ended processes of this control group {times} ({file}), perhaps an earlier run of this program: \
                 it needs more memory, or fewer slots"
            )
        })
    }
}

/// The text of a file, empty where it cannot be read: not every system has it.
fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn limits_of(group: &Group) -> Vec<Limit> {
    let directory = &group.directory;
    let written = group.limit_files().iter().filter_map(|name| {
        let file = format!("{directory}/{name}");
        Some(Limit { bytes: cgroup::limit(&read(&file))?, source: Source::Group(file) })
    });
    let stat = format!("{directory}/memory.stat");
    let around = (group.is_own && group.version == Version::V1).then(|| cgroup::hierarchical_limit(&read(&stat))).flatten();
    written.chain(around.map(|bytes| Limit { source: Source::Group(stat), bytes })).collect()
}

fn kills_in(group: &Group) -> Option<(String, u64)> {
    let file = format!("{}/{}", group.directory, group.kills_file());
    let kills = if group.is_own { cgroup::kills(&read(&file)) } else { 0 };
    (kills > 0).then_some((file, kills))
}
