use clap::Args;
use serde_json::json;

use super::connection::Coordinator;
use super::exit::{Failure, Output};

/// Calls a sweep off; what it has found is kept, and submitting it again goes on
#[derive(Args, Debug)]
#[command(after_help = "Example: refute cancel h1-0a1b2c3d4e5f --coordinator http://10.0.0.1:7433")]
pub struct Cancel {
    /// The sweep's id
    id: String,
    #[command(flatten)]
    coordinator: Coordinator,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Cancel {
    pub fn run(&self) -> Result<Output, Failure> {
        let state = self.coordinator.call(async |client| client.cancel(&self.id).await)?;
        Ok(if self.json { Output::line(json!({ "id": self.id, "state": state })) } else { Output::line(format!("{}: {state}", self.id)) })
    }
}
