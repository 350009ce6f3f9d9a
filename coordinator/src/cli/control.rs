//! `refute cancel`, `pause` and `resume`: one call each to a running coordinator.

use clap::Args;
use serde_json::json;

use crate::client::Control;

use super::connection::Coordinator;
use super::exit::{Failure, Output};

/// Calls a sweep off; what it has found is kept, and submitting it again goes on
#[derive(Args, Debug)]
#[command(after_help = "Example: refute cancel h1-0a1b2c3d4e5f --coordinator https://refute.example:7433")]
pub struct Cancel {
    #[command(flatten)]
    sweep: NamedSweep,
}

/// Hands out no more shards of a sweep; those that are being solved are finished and count
#[derive(Args, Debug)]
#[command(after_help = "Example: refute pause h1-0a1b2c3d4e5f --coordinator https://refute.example:7433")]
pub struct Pause {
    #[command(flatten)]
    sweep: NamedSweep,
}

/// Goes on with a paused sweep
#[derive(Args, Debug)]
#[command(after_help = "Example: refute resume h1-0a1b2c3d4e5f --coordinator https://refute.example:7433")]
pub struct Resume {
    #[command(flatten)]
    sweep: NamedSweep,
}

/// A sweep of a running coordinator.
#[derive(Args, Debug)]
struct NamedSweep {
    /// The sweep's id
    id: String,
    #[command(flatten)]
    coordinator: Coordinator,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl NamedSweep {
    fn control(&self, control: Control) -> Result<Output, Failure> {
        let state = self.coordinator.call(async |client| client.control(&self.id, control).await)?;
        Ok(if self.json { Output::line(json!({ "id": self.id, "state": state })) } else { Output::line(format!("{}: {state}", self.id)) })
    }
}

impl Cancel {
    pub fn run(&self) -> Result<Output, Failure> {
        self.sweep.control(Control::Cancel)
    }
}

impl Pause {
    pub fn run(&self) -> Result<Output, Failure> {
        self.sweep.control(Control::Pause)
    }
}

impl Resume {
    pub fn run(&self) -> Result<Output, Failure> {
        self.sweep.control(Control::Resume)
    }
}
