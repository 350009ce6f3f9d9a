//! A hypergraph and how it is played, and their JSON.

use serde_json::{Value, json};

use crate::value::Play;

use super::names::Named;

/// A position.
#[derive(Clone)]
pub struct Placed {
    /// The hypergraph, with its vertices' names.
    pub named: Named,
    /// Who wins when no vertex is left.
    pub play: Play,
}

impl Placed {
    /// The position as reports show it: with the play, unless that is normal.
    pub fn to_json(&self) -> Value {
        let mut json = self.named.to_json();
        if self.play != Play::Normal {
            json["play"] = json!(self.play.word());
        }
        json
    }
}
