//! `refute sweeps`: the built-in sweeps.

use clap::Args;
use refute_shared::families;
use refute_shared::sweep::{Manifest, Sweep};
use refute_shared::text::grouped;
use serde_json::{Value, json};

use super::exit::{Failure, Output};

/// The built-in sweeps
#[derive(Args, Debug)]
#[command(after_help = "Example: refute sweeps\nOne of them with a change: refute run h1 --set space.weights=0..=64")]
pub struct Sweeps {
    /// One JSON list
    #[arg(long)]
    json: bool,
}

impl Sweeps {
    pub fn run(&self) -> Result<Output, Failure> {
        let (mut list, mut text) = (Vec::new(), String::new());
        for built_in in families::built_ins() {
            let sweep = Manifest::parse(built_in.manifest).and_then(Sweep::resolve).map_err(Failure::not_done)?;
            let configurations = sweep.configurations();
            let (name, about, family) = (built_in.name, built_in.about(), sweep.family.id());
            text += &format!("{name}: {family}, {} configurations\n  {about}\n", grouped(configurations));
            list.push(json!({ "name": name, "family": family, "configurations": configurations.to_string(), "about": about }));
        }
        Ok(if self.json { Output::line(Value::from(list)) } else { Output::records(text) })
    }
}
