use clap::Args;
use refute_shared::families;
use refute_shared::sweep::{Manifest, Sweep};
use refute_shared::text::grouped;
use serde_json::{Value, json};

use super::exit::{DONE, Failure};

/// The built-in sweeps
#[derive(Args, Debug)]
#[command(after_help = "Example: refute sweeps\nOne of them with a change: refute run h1 --set space.weights=0..=64")]
pub struct Sweeps {
    /// One JSON list
    #[arg(long)]
    json: bool,
}

impl Sweeps {
    pub fn run(&self) -> Result<u8, Failure> {
        let mut list = Vec::new();
        for built_in in families::built_ins() {
            let sweep = Manifest::parse(built_in.manifest).and_then(Sweep::resolve).map_err(Failure::not_done)?;
            let configurations = sweep.configurations();
            if self.json {
                let (name, about) = (built_in.name, built_in.about());
                let family = sweep.family.id();
                list.push(json!({ "name": name, "family": family, "configurations": configurations.to_string(), "about": about }));
            } else {
                println!("{:<18} {}, {} configurations", built_in.name, sweep.family.id(), grouped(configurations));
                println!("{:<18} {}", "", built_in.about());
            }
        }
        if self.json {
            println!("{}", Value::from(list));
        }
        Ok(DONE)
    }
}
