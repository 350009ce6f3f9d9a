//! Tells a program what it is built from, for `--version --verbose`: the commit, the target and the compiler. It is the build
//! script of both packages that have a program, so that each knows about its own sources.

// What a build script prints is read by cargo.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What stands in the place of a commit where there is no git, or the sources are in no repository of their own.
const UNKNOWN: &str = "unknown";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=REFUTE_COMMIT");
    let package = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let root = package.parent().ok_or("the package is in no workspace")?;
    let given = std::env::var("REFUTE_COMMIT").ok().filter(|given| !given.is_empty());
    let commit = match given {
        Some(given) if given.contains(|letter: char| letter.is_whitespace() || letter.is_control()) => {
            return Err(format!("REFUTE_COMMIT is '{given}'; give one word, such as the output of: git rev-parse HEAD").into());
        }
        Some(given) => {
            println!("cargo::rerun-if-changed=build.rs");
            given
        }
        None => {
            let sources = sources(root, &package)?;
            for path in sources.iter().chain(&moved_by_commits(root)) {
                println!("cargo::rerun-if-changed={}", path.display());
            }
            commit(root, &sources).unwrap_or_else(|| UNKNOWN.to_owned())
        }
    };
    let compiler = run(root, &std::env::var("RUSTC")?, &["--version"]).unwrap_or_else(|| UNKNOWN.to_owned());
    println!("cargo::rustc-env=REFUTE_BUILT_FROM={commit}");
    println!("cargo::rustc-env=REFUTE_BUILT_FOR={}", std::env::var("TARGET")?);
    println!("cargo::rustc-env=REFUTE_BUILT_BY={}", compiler.trim_start_matches("rustc "));
    Ok(())
}

/// What the program of a package is made of: its crate and those that the workspace's manifest lists by their path, each
/// without its tests, and the workspace's manifest and lock file.
///
/// Cargo builds the package again when any of these changes, with or without this script, so that watching them costs nothing.
pub fn sources(root: &Path, package: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let manifest = root.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let listed = text.lines().filter_map(|line| line.split_once("path = \"")?.1.split('"').next());
    let mut crates: Vec<PathBuf> = listed.map(|path| root.join(path)).collect();
    if !crates.iter().any(|listed| listed == package) {
        crates.push(package.to_owned());
    }
    let mut found = vec![manifest, root.join("Cargo.lock")];
    for folder in crates {
        for entry in fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
            let entry = entry?;
            if !["tests", "benches", "examples", "target"].iter().any(|name| entry.file_name() == *name) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The commit that is checked out, with `-dirty` behind it where the sources differ from it. None where there is no git, or
/// where the sources lie in a repository of something else.
pub fn commit(root: &Path, sources: &[PathBuf]) -> Option<String> {
    if !run(root, "git", &["rev-parse", "--show-prefix"])?.is_empty() {
        return None;
    }
    let commit = run(root, "git", &["rev-parse", "HEAD"])?;
    let mut status = vec!["--no-optional-locks", "status", "--porcelain", "--"];
    status.extend(sources.iter().filter_map(|path| path.to_str()));
    let changed = !run(root, "git", &status)?.is_empty();
    Some(if changed { commit + "-dirty" } else { commit })
}

/// The files that git writes when another commit is checked out or made: HEAD, the branch that it names, which may be packed
/// away, and the log of HEAD. Cargo takes one that does not exist for changed, so these are left out.
pub fn moved_by_commits(root: &Path) -> Vec<PathBuf> {
    let branch = run(root, "git", &["symbolic-ref", "--quiet", "HEAD"]);
    let names = ["HEAD", "logs/HEAD", "packed-refs"].into_iter().chain(branch.as_deref());
    let paths = names.filter_map(|name| run(root, "git", &["rev-parse", "--git-path", name]));
    paths.map(|path| root.join(path)).filter(|path| path.exists()).collect()
}

/// What a command prints in a folder, without the end of its last line; none if it cannot be run or fails.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir(folder).output().ok()?;
    let text = output.status.success().then(|| String::from_utf8(output.stdout).ok())??;
    Some(text.trim_end().to_owned())
}
