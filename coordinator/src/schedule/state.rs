//! The states of a sweep, and the word for each, which is the same for people, on the wire and on disk.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Where a sweep stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SweepState {
    /// No shard has been handed out since it was submitted, reopened or resumed.
    Queued,
    /// Shards are handed out.
    Running,
    /// No shard is handed out; those that are leased are finished.
    Paused,
    /// Every shard is done.
    Complete,
    /// Every shard is done or quarantined, and at least one is quarantined.
    Incomplete,
    /// Somebody cancelled it.
    Cancelled,
    /// The solver and the reference disagree: a fault of the program.
    Failed,
}

impl SweepState {
    /// All of them.
    pub const ALL: [Self; 7] = [Self::Queued, Self::Running, Self::Paused, Self::Complete, Self::Incomplete, Self::Cancelled, Self::Failed];

    /// The word for people, the wire and the disk.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Complete => "complete",
            Self::Incomplete => "incomplete",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }

    /// Whether shards may be handed out.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }

    /// Whether nothing more happens of its own accord.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Complete | Self::Incomplete | Self::Cancelled | Self::Failed)
    }
}

impl fmt::Display for SweepState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

/// A word that names no state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{word}' is no state of a sweep; known: queued, running, paused, complete, incomplete, cancelled, failed")]
pub struct UnknownState {
    /// What was given.
    pub word: String,
}

impl FromStr for SweepState {
    type Err = UnknownState;

    fn from_str(word: &str) -> Result<Self, UnknownState> {
        Self::ALL.into_iter().find(|state| state.word() == word).ok_or_else(|| UnknownState { word: word.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_is_the_same_for_people_and_on_disk() {
        for state in SweepState::ALL {
            assert_eq!(serde_json::to_string(&state).unwrap(), format!("\"{}\"", state.word()));
            assert_eq!(state.word().parse(), Ok(state));
        }
        let error = "done".parse::<SweepState>().unwrap_err().to_string();
        assert!(SweepState::ALL.iter().all(|state| error.contains(state.word())), "{error}");
    }
}
