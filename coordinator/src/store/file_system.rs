//! What kind of file system a directory lies on, for sentences about what it can and cannot do.

use std::fs;
use std::path::{Path, PathBuf};

/// Where Linux says what is mounted. Elsewhere it is not there, and nothing is known.
const MOUNTS: &str = "/proc/self/mountinfo";

/// The type of the file system that a directory lies on, such as `ext4`, if that can be found out.
pub(super) fn file_system(directory: &Path) -> Option<String> {
    let directory = directory.canonicalize().ok()?;
    innermost(&fs::read_to_string(MOUNTS).ok()?, &directory)
}

/// A sentence about a data directory on a file system on which nothing lasts, and none about any other.
#[must_use]
pub fn passing(directory: &Path) -> Option<String> {
    let name = file_system(directory)?;
    let why = match name.as_str() {
        "tmpfs" | "ramfs" => "which is memory: its data is lost when the machine stops",
        "overlay" => "as containers do: its data is lost with the container, and may be lost when the machine stops",
        _ => return None,
    };
    Some(format!("the data directory '{}' lies on {name}, {why}; choose a directory on a disk if it is to last", directory.display()))
}

/// The type of the file system in which a path lies, by the contents of [`MOUNTS`]. Of several mounts over each other the last
/// is the one that is seen.
fn innermost(mounts: &str, path: &Path) -> Option<String> {
    let mounts = mounts.lines().filter_map(|line| {
        // Fields vary in number up to a lone hyphen; the fifth is the place, and the type comes after the hyphen.
        let (before, after) = line.split_once(" - ")?;
        let place = unescaped(before.split(' ').nth(4)?);
        Some((place.components().count(), path.starts_with(&place), after.split(' ').next()?))
    });
    let (.., name) = mounts.filter(|(_, is_around, _)| *is_around).max_by_key(|(depth, ..)| *depth)?;
    Some(name.to_owned())
}

/// A path in which spaces, tabs, line ends and backslashes are written as three octal digits behind a backslash.
fn unescaped(text: &str) -> PathBuf {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .iter()
        .fold(text.to_owned(), |text, (code, character)| text.replace(code, character))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "\
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
30 27 0:40 / /scratch rw,relatime shared:7 master:2 - lustre 10.0.0.1@tcp:/scratch rw,localflock
31 30 0:41 / /scratch/my\\040runs rw - tmpfs tmpfs rw,size=1k
32 27 0:42 / /over rw - xfs /dev/vdb rw
33 32 0:43 / /over rw - overlay overlay rw,lowerdir=/a:/b
garbage
";

    #[test]
    fn the_innermost_and_last_mount_around_a_path_is_its_file_system() {
        for (path, name) in [
            ("/home/ada", "ext4"),
            ("/", "ext4"),
            ("/scratch", "lustre"),
            ("/scratch/ada/refute-data", "lustre"),
            ("/scratchy", "ext4"),
            ("/scratch/my runs/one", "tmpfs"),
            ("/scratch/my", "lustre"),
            ("/over/data", "overlay"),
        ] {
            assert_eq!(innermost(SAMPLE, Path::new(path)).as_deref(), Some(name), "{path}");
        }
        assert_eq!(innermost("", Path::new("/home")), None);
    }
}
