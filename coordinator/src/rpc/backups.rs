//! Where the coordinator makes backups for its callers: in the directory that `serve --backups` names, and nowhere else.

use std::path::{Component, Path, PathBuf};

use refute_shared::text::quoted;

/// Why a backup is not made where a caller wants it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// No directory was named.
    #[error(
        "this coordinator makes no backups: it was started without --backups DIR, the directory in which they would be; start it with that"
    )]
    None,
    /// The place lies elsewhere.
    #[error("'{}' does not lie in '{}', where this coordinator's backups are; give a name without '/', such as monday", quoted(asked), backups.display())]
    Elsewhere {
        /// What was asked for.
        asked: String,
        /// Where backups are.
        backups: PathBuf,
    },
}

/// Where a backup is made of which a caller gives the name, or the whole path: in the directory of backups itself.
///
/// # Errors
/// [`PlaceError`].
pub fn place(asked: &str, backups: Option<&Path>) -> Result<PathBuf, PlaceError> {
    let backups = backups.ok_or(PlaceError::None)?;
    let elsewhere = || PlaceError::Elsewhere { asked: asked.to_owned(), backups: backups.to_owned() };
    let path = Path::new(asked);
    // What a path with `..` or a link in it comes to, only the system knows.
    let parent = path.parent().filter(|_| path.is_absolute()).map(|parent| parent.canonicalize().unwrap_or_else(|_| parent.to_owned()));
    let name = match (path.components().next_back(), path.components().count()) {
        (Some(Component::Normal(name)), 1) => name,
        (Some(Component::Normal(name)), _) if parent.is_some_and(|parent| parent == backups) => name,
        _ => return Err(elsewhere()),
    };
    // A line end in a name would stand in every list of the directory.
    if name.to_str().is_none_or(|name| name.contains(refute_shared::text::is_unprintable)) {
        return Err(elsewhere());
    }
    Ok(backups.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backups_lie_in_their_directory_and_nowhere_else() {
        let directory = tempfile::tempdir().unwrap();
        let backups = directory.path().canonicalize().unwrap();
        std::fs::create_dir(backups.join("inner")).unwrap();
        std::os::unix::fs::symlink(&backups, backups.join("link")).unwrap();
        let full = |name: &str| format!("{}/{name}", backups.display());
        for asked in ["monday", &full("monday"), &full("./monday"), &full("inner/../monday"), &full("link/monday"), &full("monday/")] {
            assert_eq!(place(asked, Some(&backups)), Ok(backups.join("monday")), "{asked}");
        }
        for asked in [
            "",
            ".",
            "..",
            "../monday",
            "inner/monday",
            "./inner/../../monday",
            "/etc/cron.d/monday",
            "/monday",
            "/",
            "mon\nday",
            "\u{1b}[2J",
            &full(""),
            &full("inner/monday"),
            &full("../monday"),
            &full(".."),
            &full("nowhere/../monday"),
        ] {
            assert!(matches!(place(asked, Some(&backups)), Err(PlaceError::Elsewhere { .. })), "{asked}");
        }
        assert_eq!(place("monday", None), Err(PlaceError::None));
        let long = place(&"\u{1b}/".repeat(1 << 20), Some(&backups)).unwrap_err().to_string();
        assert!(long.chars().count() < 1_000 && !long.contains('\u{1b}'), "{long}");
    }
}
