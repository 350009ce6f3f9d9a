//! What `--version --verbose` says about a program: what it was built from, and which versions of everything it speaks and writes.

use std::ffi::OsString;
use std::io::Write as _;

use clap::Args;
use clap::error::ErrorKind;
use serde_json::{Map, Value, json};

/// The flags beside `--version`.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VersionFlags {
    /// With --version: also the commit, the protocol, and the versions of solvers and formats
    #[arg(long)]
    verbose: bool,
    /// With --version --verbose: one JSON object
    #[arg(long = "json", id = "version_json")]
    json: bool,
}

impl VersionFlags {
    /// They mean something beside `--version` alone, which ends the process before there are flags to look at.
    ///
    /// # Errors
    /// A sentence that says where they belong.
    pub fn check(self) -> Result<(), &'static str> {
        match self {
            Self { verbose: true, .. } => Err("--verbose belongs to --version, and RUST_LOG says what is logged"),
            Self { json: true, .. } => Err("--json without a command belongs to --version --verbose; otherwise it follows the command"),
            Self { verbose: false, json: false } => Ok(()),
        }
    }
}

/// What a program was built from.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// The program's name.
    pub program: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The commit, with `-dirty` behind it where the sources differed from it; `unknown` without git.
    pub commit: &'static str,
    /// The machine that it was built for, by Rust's name.
    pub target: &'static str,
    /// The version of the compiler.
    pub rustc: &'static str,
    /// The version of the wire contract.
    pub protocol: u32,
    /// The families that it solves, each with the version of its solver.
    pub solvers: fn() -> Vec<(&'static str, u32)>,
    /// The formats that it writes, each with its version.
    pub formats: &'static [(&'static str, u64)],
}

impl Build {
    /// A line for each thing.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{} {}\ncommit: {}\nprotocol: {}\n", self.program, self.version, self.commit, self.protocol);
        text.extend((self.solvers)().iter().map(|(family, version)| format!("solver {family}: {version}\n")));
        text.extend(self.formats.iter().map(|(name, version)| format!("{name} format: {version}\n")));
        text + &format!("target: {}\nrustc: {}\n", self.target, self.rustc)
    }

    /// The same as one JSON object.
    #[must_use]
    pub fn json(&self) -> Value {
        let solvers: Map<String, Value> =
            (self.solvers)().into_iter().map(|(family, version)| (family.to_owned(), version.into())).collect();
        let formats: Map<String, Value> = self.formats.iter().map(|(name, version)| ((*name).to_owned(), (*version).into())).collect();
        json!({
            "program": self.program,
            "version": self.version,
            "commit": self.commit,
            "protocol": self.protocol,
            "solvers": solvers,
            "formats": formats,
            "target": self.target,
            "rustc": self.rustc,
        })
    }

    /// What to print in the place of the version alone, if the words of the command line ask for more. The parser stops at
    /// `--version`, so that flags may stand before it and behind it.
    #[must_use]
    pub fn details(&self, error: &clap::Error, words: &[OsString]) -> Option<String> {
        let has = |flag: &str| words.iter().any(|word| word == flag);
        match error.kind() == ErrorKind::DisplayVersion && has("--verbose") {
            true if has("--json") => Some(format!("{}\n", self.json())),
            true => Some(self.text()),
            false => None,
        }
    }

    /// Prints the details and ends the process, if they are asked for.
    pub fn exit_with_details(&self, error: &clap::Error, words: &[OsString]) {
        if let Some(details) = self.details(error, words) {
            // A reader that has gone has seen enough.
            let _ = std::io::stdout().lock().write_all(details.as_bytes());
            std::process::exit(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    #[command(name = "refute-test", version)]
    struct Arguments {
        #[command(flatten)]
        _version: VersionFlags,
    }

    const BUILD: Build = Build {
        program: "refute-test",
        version: "0.1.0",
        commit: "0a1b2c-dirty",
        target: "x86_64-unknown-linux-gnu",
        rustc: "1.95.0",
        protocol: 7,
        solvers: || vec![("nim", 3), ("null", 1)],
        formats: &[("store", 2)],
    };

    fn details(flags: &str) -> Option<String> {
        let words: Vec<OsString> = std::iter::once("refute-test").chain(flags.split(' ')).map(OsString::from).collect();
        BUILD.details(&Arguments::try_parse_from(&words).unwrap_err(), &words)
    }

    #[test]
    fn every_version_is_on_a_line_of_its_own() {
        let lines = "refute-test 0.1.0\ncommit: 0a1b2c-dirty\nprotocol: 7\nsolver nim: 3\nsolver null: 1\nstore format: 2\n\
                     target: x86_64-unknown-linux-gnu\nrustc: 1.95.0\n";
        assert_eq!(BUILD.text(), lines);
    }

    #[test]
    fn json_says_the_same() {
        let json = BUILD.json();
        assert_eq!((&json["commit"], &json["protocol"]), (&json!("0a1b2c-dirty"), &json!(7)));
        assert_eq!((&json["solvers"], &json["formats"]), (&json!({"nim": 3, "null": 1}), &json!({"store": 2})));
    }

    #[test]
    fn details_are_for_a_version_that_is_asked_for_verbosely() {
        for flags in ["--version --verbose", "--verbose --version", "-V --verbose", "--verbose -V"] {
            assert_eq!(details(flags), Some(BUILD.text()), "{flags}");
        }
        for flags in ["--version --verbose --json", "--json --verbose --version", "--verbose -V --json"] {
            assert_eq!(details(flags), Some(BUILD.json().to_string() + "\n"), "{flags}");
        }
        for flags in ["--version", "--version --json", "--help --verbose", "--verbose --loud"] {
            assert_eq!(details(flags), None, "{flags}");
        }
    }

    #[test]
    fn flags_without_a_version_are_refused() {
        let check = |verbose, json| VersionFlags { verbose, json }.check();
        assert!(check(true, false).unwrap_err().contains("--version"));
        assert!(check(false, true).unwrap_err().contains("follows the command"));
        assert_eq!(check(false, false), Ok(()));
    }
}
