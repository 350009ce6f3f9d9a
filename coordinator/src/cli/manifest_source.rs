//! The manifest that a command names, with the changes of `--set`.

use std::fs;
use std::path::Path;

use clap::Args;
use refute_connect::path::expand;
use refute_shared::families;
use refute_shared::sweep::{Manifest, Override, Sweep};
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
}

impl ManifestSource {
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
        Ok(manifest)
    }

    /// The manifest with its family, claims and space looked up.
    ///
    /// # Errors
    /// [`Failure`] names the file and what is wrong.
    pub fn sweep(&self) -> Result<Sweep, Failure> {
        Sweep::resolve(self.manifest()?).map_err(|error| Failure::wrong(format!("{}: {error}", self.manifest)))
    }

    fn text(&self) -> Result<String, Failure> {
        if self.manifest.contains('/') || self.manifest.ends_with(".toml") {
            let path = expand(Path::new(&self.manifest)).map_err(|error| Failure::wrong(format!("{}: {error}", self.manifest)))?;
            return fs::read_to_string(path).map_err(|error| Failure::wrong(format!("{}: cannot be read: {error}", self.manifest)));
        }
        families::built_in(&self.manifest).map(|sweep| sweep.manifest.to_owned()).ok_or_else(|| {
            let hint = known(&self.manifest, families::built_ins().iter().map(|sweep| sweep.name));
            Failure::wrong(format!("unknown sweep '{}'; {hint}; a file has a '/' in its name or ends in .toml", self.manifest))
        })
    }
}
