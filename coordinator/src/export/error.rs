//! What keeps a table from being written.

use std::io;

/// Why a table was not written to its end.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// What is written goes nowhere.
    #[error("{0}")]
    Write(#[from] io::Error),
    /// A cell does not fit its column.
    #[error("'{cell}' is not what column {column} holds")]
    Cell {
        /// The column.
        column: String,
        /// The cell.
        cell: String,
    },
    /// The table is no sequence of whole numbers.
    #[error("{0}")]
    Sequence(String),
    /// A line on the wire is not understood.
    #[error("what the coordinator sends is not understood: {0}")]
    Line(String),
}

impl ExportError {
    /// Whether nobody takes what is written, as when `head` has seen enough.
    #[must_use]
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
