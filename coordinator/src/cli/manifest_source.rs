//! The manifest that a command names, with the changes of `--set`.

use std::fs;
use std::path::Path;
use std::str::FromStr;

use clap::{Args, Parser};
use refute_connect::path::expand;
use refute_shared::families;
use refute_shared::sweep::{Manifest, Override, Sweep, Written};
use refute_shared::text::known;

use super::exit::Failure;

/// A manifest by name or by file, and what to change in it.
#[derive(Args, Debug)]
pub struct ManifestSource {
    /// A built-in sweep (`refute sweeps` lists them), or a file: anything with a `/` or ending in `.toml`
    #[arg(value_name = "MANIFEST-or-NAME")]
    manifest: String,
    /// Changes KEY in every box that has it, such as --set space.weights=0..=64
    #[arg(long = "set", value_name = "space.KEY=VALUE")]
    overrides: Vec<Override>,
    /// Another hypothesis for a claim that the manifest states, such as --where 'mine/r5=EF >= 16'
    #[arg(long = "where", value_name = "ID=EXPR")]
    conditions: Vec<Restated>,
    /// Another statement for a claim that the manifest states
    #[arg(long, value_name = "ID=EXPR")]
    says: Vec<Restated>,
}

/// `ID=EXPR`: another expression for a claim that the manifest states.
#[derive(Clone, Debug)]
pub struct Restated {
    id: String,
    text: String,
}

/// A text names no claim.
#[derive(Clone, Debug, thiserror::Error)]
#[error("'{0}' is not of the form ID=EXPR, such as 'mine/r5=EF >= 16'")]
pub struct NoClaimNamed(String);

impl FromStr for Restated {
    type Err = NoClaimNamed;

    fn from_str(text: &str) -> Result<Self, NoClaimNamed> {
        let (id, expression) = text.split_once('=').ok_or_else(|| NoClaimNamed(text.to_owned()))?;
        Ok(Self { id: id.trim().to_owned(), text: expression.trim().to_owned() })
    }
}

/// Whether a word names a file and no built-in sweep or family.
pub fn is_file(word: &str) -> bool {
    word.contains('/') || word.ends_with(".toml")
}

/// A [`ManifestSource`] by itself, for words that another command has set apart.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Alone {
    #[command(flatten)]
    source: ManifestSource,
}

impl ManifestSource {
    /// The source that some words describe: the manifest first, then its changes.
    ///
    /// # Errors
    /// [`Failure`], if a word does not belong there.
    pub fn of_words(words: &[String]) -> Result<Self, Failure> {
        Alone::try_parse_from(words).map(|alone| alone.source).map_err(|error| Failure::wrong(sentence(&error)))
    }

    /// The manifest with all changes made.
    ///
    /// # Errors
    /// [`Failure`] names the file and what is wrong.
    pub fn manifest(&self) -> Result<Manifest, Failure> {
        let named = |error: &dyn std::fmt::Display| Failure::wrong(format!("{}: {error}", self.manifest));
        let text = self.text()?;
        let mut manifest = Manifest::parse(&text).map_err(|error| named(&error))?;
        for (index, change) in self.overrides.iter().enumerate() {
            if self.overrides[..index].iter().any(|earlier| earlier.key() == change.key()) {
                return Err(Failure::wrong(format!("--set space.{} stands twice; keep one of them", change.key())));
            }
            manifest.set(change).map_err(Failure::wrong)?;
        }
        self.restate(&mut manifest)?;
        Ok(manifest)
    }

    /// Puts the expressions of `--where` and `--says` in place of those of the manifest.
    fn restate(&self, manifest: &mut Manifest) -> Result<(), Failure> {
        for (flag, changes) in [("--where", &self.conditions), ("--says", &self.says)] {
            for (index, Restated { id, text }) in changes.iter().enumerate() {
                if changes[..index].iter().any(|earlier| earlier.id == *id) {
                    return Err(Failure::wrong(format!("{flag} {id} stands twice; keep one of them")));
                }
                let written = Written::new(text);
                if !manifest.stated.restate(id, flag == "--where", written) {
                    let hint = match manifest.stated.claims.is_empty() {
                        true => "it states none".to_owned(),
                        false => known(id, manifest.stated.claims.iter().map(|claim| claim.id.as_str())),
                    };
                    return Err(Failure::wrong(format!("{flag}: {} states no claim '{id}'; {hint}", self.manifest)));
                }
            }
        }
        Ok(())
    }

    /// The manifest with its family, claims and space looked up.
    ///
    /// # Errors
    /// [`Failure`] names the file and what is wrong.
    pub fn sweep(&self) -> Result<Sweep, Failure> {
        Sweep::resolve(self.manifest()?).map_err(|error| Failure::wrong(format!("{}: {error}", self.manifest)))
    }

    fn text(&self) -> Result<String, Failure> {
        if is_file(&self.manifest) {
            let path = expand(Path::new(&self.manifest)).map_err(|error| Failure::wrong(format!("{}: {error}", self.manifest)))?;
            return fs::read_to_string(path).map_err(|error| Failure::wrong(format!("{}: cannot be read: {error}", self.manifest)));
        }
        families::built_in(&self.manifest).map(|sweep| sweep.manifest.to_owned()).ok_or_else(|| {
            let hint = known(&self.manifest, families::built_ins().iter().map(|sweep| sweep.name));
            Failure::wrong(format!(
                "unknown sweep '{}'; {hint} ('refute sweeps' lists them); a file has a '/' in its name or ends in .toml",
                self.manifest
            ))
        })
    }
}

/// What the parser says, on one line.
fn sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}
