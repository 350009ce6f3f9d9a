//! The control groups that limit the memory of a process, from the texts in which the kernel tells of them: where their files
//! are, and what is in them. Versions 1 and 2, and both side by side.

/// A version of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// One hierarchy a controller.
    V1,
    /// One hierarchy for all.
    V2,
}

/// A control group that a process is in, or one around that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Which files it has.
    pub version: Version,
    /// Where they are.
    pub directory: String,
    /// Whether the process itself is in it.
    pub is_own: bool,
}

/// From so many bytes on a limit is none: version 1 writes the largest number of whole pages where there is no limit.
const UNLIMITED: u64 = 1 << 62;

impl Group {
    /// The files that limit its memory, each of which may be missing. Above `memory.high` a process is not killed and hardly moves.
    #[must_use]
    pub fn limit_files(&self) -> &'static [&'static str] {
        match self.version {
            Version::V1 => &["memory.limit_in_bytes"],
            Version::V2 => &["memory.max", "memory.high"],
        }
    }

    /// The file that counts the processes of the group that the kernel killed for lack of memory.
    #[must_use]
    pub fn kills_file(&self) -> &'static str {
        match self.version {
            Version::V1 => "memory.oom_control",
            Version::V2 => "memory.events",
        }
    }
}

/// The groups with files about the memory of a process: of each hierarchy its own first, and then those around it as far as they
/// are mounted here. From the texts of `/proc/self/cgroup` and `/proc/self/mountinfo`.
#[must_use]
pub fn groups(memberships: &str, mounts: &str) -> Vec<Group> {
    let memberships: Vec<(Version, &str)> = memberships.lines().filter_map(membership).collect();
    let mut groups = Vec::new();
    for (version, root, mount_point) in mounts.lines().filter_map(mount) {
        for (_, path) in memberships.iter().filter(|(of, _)| *of == version) {
            let inside = inside(path, root);
            let mut directory = format!("{}{inside}", mount_point.trim_end_matches('/'));
            for depth in 0..=inside.matches('/').count() {
                groups.push(Group { version, directory: directory.clone(), is_own: depth == 0 });
                directory.truncate(directory.rfind('/').unwrap_or(0));
            }
        }
    }
    groups
}

/// A line of `/proc/self/cgroup`, if it is about memory: `4:memory:/path` in version 1, `0::/path` in version 2.
fn membership(line: &str) -> Option<(Version, &str)> {
    let mut fields = line.splitn(3, ':');
    let (id, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
    match (id, controllers) {
        ("0", "") => Some((Version::V2, path)),
        _ => controllers.split(',').any(|controller| controller == "memory").then_some((Version::V1, path)),
    }
}

/// A line of `/proc/self/mountinfo`, if it is a hierarchy with memory: which version, which of its groups is mounted, and where.
fn mount(line: &str) -> Option<(Version, &str, &str)> {
    let (place, kind) = line.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let (root, mount_point) = (place.next()?, place.next()?);
    let mut kind = kind.split(' ');
    let (file_system, options) = (kind.next()?, kind.nth(1)?);
    match file_system {
        "cgroup2" => Some((Version::V2, root, mount_point)),
        "cgroup" => options.split(',').any(|option| option == "memory").then_some((Version::V1, root, mount_point)),
        _ => None,
    }
}

/// The path of a group below one that is mounted, empty for that one itself. A group that is not below it is not to be seen here,
/// as in a container that names its groups as the machine outside does: then the one that is mounted is the nearest.
fn inside<'a>(path: &'a str, root: &str) -> &'a str {
    let below = path.strip_prefix(root.trim_end_matches('/')).unwrap_or("");
    let is_below = below.starts_with('/') && !below.split('/').any(|part| part == "..");
    if is_below { below.trim_end_matches('/') } else { "" }
}

/// The number in a file with a limit; nothing where there is no limit.
#[must_use]
pub fn limit(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|bytes| *bytes < UNLIMITED)
}

/// The least limit of a group and all around it, from the text of `memory.stat` of version 1. Unlike [`groups`] that knows of
/// those that are not mounted here.
#[must_use]
pub fn hierarchical_limit(stat: &str) -> Option<u64> {
    field(stat, "hierarchical_memory_limit").and_then(limit)
}

/// How many processes the kernel killed for lack of memory, from the text of [`Group::kills_file`].
#[must_use]
pub fn kills(text: &str) -> u64 {
    field(text, "oom_kill").and_then(|count| count.parse().ok()).unwrap_or(0)
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().filter_map(|line| line.split_once(' ')).find(|(key, _)| *key == name).map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const V1_MOUNTS: &str = "\
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
34 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime shared:9 - cgroup cgroup rw,cpuset
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:10 - cgroup cgroup rw,memory
";
    const V2_MOUNTS: &str = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot\n";

    fn directories(memberships: &str, mounts: &str) -> Vec<String> {
        groups(memberships, mounts).into_iter().map(|group| group.directory).collect()
    }

    #[test]
    fn version_1_has_a_hierarchy_for_memory() {
        let found = groups("9:name=systemd:/x\n5:cpuset:/other\n4:memory:/user/ada\n", V1_MOUNTS);
        let group = |directory: &str, is_own| Group { version: Version::V1, directory: directory.into(), is_own };
        let expected = [("/sys/fs/cgroup/memory/user/ada", true), ("/sys/fs/cgroup/memory/user", false), ("/sys/fs/cgroup/memory", false)];
        assert_eq!(found, expected.map(|(directory, is_own)| group(directory, is_own)));
    }

    #[test]
    fn version_2_has_one_hierarchy_up_to_its_root() {
        let nested = directories("0::/system.slice/refute.service/worker\n", V2_MOUNTS);
        let (service, slice) = ("/sys/fs/cgroup/system.slice/refute.service", "/sys/fs/cgroup/system.slice");
        assert_eq!(nested, [format!("{service}/worker"), service.into(), slice.into(), "/sys/fs/cgroup".into()]);
        assert_eq!(directories("0::/\n", V2_MOUNTS), ["/sys/fs/cgroup"]);
    }

    #[test]
    fn both_side_by_side_are_both_looked_at() {
        let mounts = format!("{V1_MOUNTS}41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
        let found = groups("4:cpu,memory:/a\n0::/b\n", &mounts);
        let versions: Vec<(Version, &str, bool)> =
            found.iter().map(|group| (group.version, group.directory.as_str(), group.is_own)).collect();
        let (old, new) = ("/sys/fs/cgroup/memory", "/sys/fs/cgroup/unified");
        let (own_old, own_new) = (format!("{old}/a"), format!("{new}/b"));
        let expected =
            [(Version::V1, &*own_old, true), (Version::V1, old, false), (Version::V2, &*own_new, true), (Version::V2, new, false)];
        assert_eq!(versions, expected);
    }

    #[test]
    fn in_a_container_the_group_that_is_mounted_stands_for_the_whole() {
        // As Docker does it without a namespace for groups: the container's own group is mounted, and named as outside.
        let mounts = "35 31 0:32 /docker/4f2 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n";
        assert_eq!(directories("4:memory:/docker/4f2\n", mounts), ["/sys/fs/cgroup/memory"]);
        assert_eq!(directories("4:memory:/docker/4f2/job\n", mounts), ["/sys/fs/cgroup/memory/job", "/sys/fs/cgroup/memory"]);
        // Nearly the same name, a group elsewhere, and one outside of the namespace.
        for other in ["/docker/4f2b", "/elsewhere", "/docker/4f2/../../x", ""] {
            assert_eq!(directories(&format!("4:memory:{other}\n"), mounts), ["/sys/fs/cgroup/memory"], "{other}");
        }
    }

    #[test]
    fn without_groups_for_memory_there_is_nothing_to_look_at() {
        assert_eq!(directories("", V2_MOUNTS), Vec::<String>::new());
        assert_eq!(directories("4:memory:/a\n", V2_MOUNTS), Vec::<String>::new());
        assert_eq!(directories("5:cpuset:/a\n0::/a\n", V1_MOUNTS), Vec::<String>::new());
        assert_eq!(directories("nonsense\n4:memory\n", "nonsense\n35 31 0:32 / - cgroup\n"), Vec::<String>::new());
    }

    #[test]
    fn a_limit_is_a_number_that_is_not_out_of_reach() {
        assert_eq!(limit("94371840\n"), Some(94_371_840));
        assert_eq!(limit("0\n"), Some(0));
        for none in ["max\n", "9223372036854771712\n", "18446744073709551615", "", "-1", "lots"] {
            assert_eq!(limit(none), None, "{none}");
        }
        let stat = "cache 0\nhierarchical_memory_limit 1048576\nhierarchical_memsw_limit 9\ntotal_rss 5\n";
        assert_eq!(hierarchical_limit(stat), Some(1 << 20));
        assert_eq!(hierarchical_limit("hierarchical_memory_limit 9223372036854771712\n"), None);
        assert_eq!(hierarchical_limit("cache 0\n"), None);
    }

    #[test]
    fn kills_are_counted_in_both_versions() {
        assert_eq!(kills("oom_kill_disable 0\nunder_oom 0\noom_kill 12\n"), 12);
        assert_eq!(kills("low 0\nhigh 0\nmax 66\noom 7\noom_kill 3\noom_group_kill 1\n"), 3);
        assert_eq!(kills("oom_kill_disable 0\nunder_oom 0\n"), 0, "kernels before 4.13 do not count");
        assert_eq!(kills(""), 0);
    }
}
