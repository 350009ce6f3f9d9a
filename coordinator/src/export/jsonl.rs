//! JSON lines: an object per row, with the names of the columns as its keys.

use std::io::Write;

use serde_json::Value;

use super::error::ExportError;
use super::table::{Header, Sink};

/// Writes a table as JSON lines.
pub struct JsonLines<W: Write> {
    to: W,
    names: Vec<String>,
}

impl<W: Write> JsonLines<W> {
    /// Writes there.
    pub fn new(to: W) -> Self {
        Self { to, names: Vec::new() }
    }
}

impl<W: Write> Sink for JsonLines<W> {
    fn begin(&mut self, header: &Header) -> Result<(), ExportError> {
        self.names = header.columns.iter().map(|column| column.name.clone()).collect();
        Ok(())
    }

    fn row(&mut self, cells: Vec<Value>) -> Result<(), ExportError> {
        let row: serde_json::Map<String, Value> = self.names.iter().cloned().zip(cells).collect();
        serde_json::to_writer(&mut self.to, &row).map_err(std::io::Error::from)?;
        Ok(self.to.write_all(b"\n")?)
    }

    fn end(&mut self) -> Result<(), ExportError> {
        Ok(self.to.flush()?)
    }
}
