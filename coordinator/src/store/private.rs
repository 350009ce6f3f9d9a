//! Files that are the owner's alone, and opened without being led astray: whoever can write to a directory around them may have put a
//! link, a pipe or a device in their place.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// From now on what this process makes is for its owner alone: RocksDB makes files of the database without asking.
pub fn keep_private() {
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
}

/// Opens a regular file, and makes one for its owner alone where the options say so. No link is followed, and no pipe is waited for.
pub(super) fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = options.mode(0o600).custom_flags(flags.bits().cast_signed()).open(path).map_err(|error| {
        let is_link = error.raw_os_error() == Some(Errno::LOOP.raw_os_error());
        if is_link { io::Error::other("it is a symbolic link, and no link is followed here") } else { error }
    })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no regular file")) }
}

/// A file that was not there, to be written.
pub(super) fn create(path: &Path) -> io::Result<File> {
    open(OpenOptions::new().write(true).create_new(true), path)
}

/// Makes a directory, and those around it if `recursive` is said, for their owner alone.
pub(super) fn make_directory(path: &Path, recursive: bool) -> io::Result<()> {
    DirBuilder::new().recursive(recursive).mode(0o700).create(path)
}

/// Leaves a directory to its owner alone.
pub(super) fn close_to_others(directory: &Path) -> io::Result<()> {
    fs::set_permissions(directory, fs::Permissions::from_mode(0o700))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, symlink};
    use std::process::Command;

    use super::*;

    #[test]
    fn what_is_opened_is_a_regular_file_itself() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let read = |name: &str| open(OpenOptions::new().read(true), &path(name)).map(|_| ()).map_err(|error| error.to_string());
        fs::write(path("file"), "text").unwrap();
        symlink(path("file"), path("link")).unwrap();
        symlink(path("nothing"), path("dangling")).unwrap();
        assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
        assert_eq!(read("file"), Ok(()));
        for name in ["link", "dangling"] {
            assert_eq!(read(name), Err("it is a symbolic link, and no link is followed here".to_owned()));
            assert!(create(&path(name)).is_err());
        }
        assert!(!path("nothing").exists());
        for name in ["pipe", "."] {
            assert_eq!(read(name), Err("it is no regular file".to_owned()), "{name}");
        }
        let made = create(&path("made")).unwrap();
        assert_eq!(made.metadata().unwrap().mode() & 0o777, 0o600);
        make_directory(&path("a/b"), true).unwrap();
        assert_eq!(fs::metadata(path("a/b")).unwrap().mode() & 0o777, 0o700);
    }
}
