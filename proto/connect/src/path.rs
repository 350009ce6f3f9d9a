//! Paths as they are typed: a `~` that no shell has expanded.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

/// Why a path that begins with `~` names no place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TildeError {
    /// It is nobody's home that is known here.
    #[error("the shell did not expand '{tilde}' and refute only knows '~' itself; write the path in full, or ./{tilde} for a name")]
    Other {
        /// How the path begins.
        tilde: String,
    },
    /// There is no home.
    #[error("'~' is the home directory, and HOME is not set; write the path in full")]
    NoHome,
}

/// Reads the path of an argument. Shells leave `--data=~/runs` as it is, and so does whatever starts a program without one.
#[must_use]
pub fn path_parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| expand(&path))
}

/// The path with a leading `~` replaced by the home directory.
///
/// # Errors
/// [`TildeError`] if that is another user's, or unknown.
pub fn expand(path: &Path) -> Result<PathBuf, TildeError> {
    expand_with(path, std::env::var_os("HOME").as_deref().filter(|home| !home.is_empty()))
}

fn expand_with(path: &Path, home: Option<&OsStr>) -> Result<PathBuf, TildeError> {
    let mut parts = path.components();
    let first = parts.next().map(|part| part.as_os_str().to_string_lossy().into_owned()).unwrap_or_default();
    match first.as_str() {
        "~" => Ok(Path::new(home.ok_or(TildeError::NoHome)?).join(parts.as_path())),
        tilde if tilde.starts_with('~') => Err(TildeError::Other { tilde: tilde.to_owned() }),
        _ => Ok(path.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_tilde_of_its_own_at_the_start_is_the_home_directory() {
        for (typed, meant) in [
            ("~/r", "/home/ada/r"),
            ("~", "/home/ada/"),
            ("~/", "/home/ada/"),
            ("~/a/~/b", "/home/ada/a/~/b"),
            ("./~/r", "./~/r"),
            ("/srv/~/r", "/srv/~/r"),
            ("r~", "r~"),
            ("", ""),
        ] {
            assert_eq!(expand_with(Path::new(typed), Some(OsStr::new("/home/ada"))), Ok(PathBuf::from(meant)), "{typed}");
        }
        for typed in ["~bob", "~bob/r", "~+/r"] {
            let error = expand_with(Path::new(typed), Some(OsStr::new("/home/ada"))).unwrap_err();
            assert!(error.to_string().contains("write the path in full"), "{error}");
        }
        assert_eq!(expand_with(Path::new("~/r"), None), Err(TildeError::NoHome));
        assert_eq!(expand_with(Path::new("r"), None), Ok(PathBuf::from("r")));
    }
}
