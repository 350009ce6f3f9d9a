//! What else limits the memory of a process, and what it takes already, from the texts in which the kernel tells of it.

use std::fmt;

use refute_shared::text::bytes;

/// What limits the memory of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A control group, by its file.
    Group(String),
    /// The size of the address space, `ulimit -v`.
    AddressSpace,
    /// The size of all that can be written, `ulimit -d`.
    Data,
    /// There is no more memory in the machine.
    Machine,
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Group(file) => file,
            Self::AddressSpace => "ulimit -v",
            Self::Data => "ulimit -d",
            Self::Machine => "the memory of this machine",
        })
    }
}

/// A limit on the memory of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Where it comes from.
    pub source: Source,
    /// How much it may take.
    pub bytes: u64,
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", bytes(self.bytes.into()), self.source)
    }
}

/// What a process takes, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Addresses.
    pub address_space: u64,
    /// Addresses that can be written and are its own.
    pub data: u64,
    /// Memory.
    pub resident: u64,
}

/// The limits that a process inherits, from the text of `/proc/self/limits`. Those in force, not the ones up to which it may raise
/// them.
#[must_use]
pub fn inherited(limits: &str) -> Vec<Limit> {
    let limit = |name: &str, source: Source| {
        let rest = limits.lines().find_map(|line| line.strip_prefix(name))?;
        Some(Limit { source, bytes: rest.split_whitespace().next()?.parse().ok()? })
    };
    limit("Max address space ", Source::AddressSpace).into_iter().chain(limit("Max data size ", Source::Data)).collect()
}

/// The memory of the machine, from the text of `/proc/meminfo`.
#[must_use]
pub fn of_machine(meminfo: &str) -> Option<Limit> {
    Some(Limit { source: Source::Machine, bytes: kibibytes(meminfo, "MemTotal:")? })
}

/// What a process takes, from the text of `/proc/self/status`; nothing where that does not say.
#[must_use]
pub fn usage(status: &str) -> Usage {
    let field = |name| kibibytes(status, name).unwrap_or(0);
    Usage { address_space: field("VmSize:"), data: field("VmData:"), resident: field("VmRSS:") }
}

/// A line such as `MemTotal:  24683652 kB`, in bytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_in_force_are_read_and_those_that_are_none_are_not() {
        let text = "\
Limit                     Soft Limit           Hard Limit           Units     
Max cpu time              unlimited            unlimited            seconds   
Max data size             1048576              unlimited            bytes     
Max resident set          7                    7                    bytes     
Max address space         536870912            1073741824           bytes     
";
        let limit = |source, bytes| Limit { source, bytes };
        assert_eq!(inherited(text), [limit(Source::AddressSpace, 1 << 29), limit(Source::Data, 1 << 20)]);
        assert_eq!(inherited("Max address space         unlimited            unlimited            bytes     \n"), []);
        assert_eq!(inherited(""), []);
    }

    #[test]
    fn the_machine_and_the_process_are_read() {
        let machine = of_machine("MemTotal:       24683652 kB\nMemFree:        1 kB\n").unwrap();
        assert_eq!(machine, Limit { source: Source::Machine, bytes: 24_683_652 << 10 });
        assert_eq!(machine.to_string(), "23.5 GiB (the memory of this machine)");
        assert_eq!(of_machine("MemTotal: much kB\n"), None);
        let status = "Name:\trefute\nVmPeak:\t  99 kB\nVmSize:\t    5120 kB\nVmRSS:\t    1024 kB\nVmData:\t    2048 kB\n";
        assert_eq!(usage(status), Usage { address_space: 5 << 20, data: 2 << 20, resident: 1 << 20 });
        assert_eq!(usage(""), Usage::default());
    }
}
