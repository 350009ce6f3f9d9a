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
    /// What a move makes of it, played alike.
    pub fn option(&self, moved: impl FnOnce(&Named) -> Named) -> Self {
        Self { named: moved(&self.named), play: self.play }
    }

    /// The position as reports show it: with the play, unless that is normal.
    pub fn to_json(&self) -> Value {
        let mut json = self.named.to_json();
        if self.play != Play::Normal {
            json["play"] = json!(self.play.word());
        }
        json
    }
}
