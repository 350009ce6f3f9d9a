//! Comma-separated values (RFC 4180): a line with the names of the columns, then a line per row. Nothing stands for an empty cell.

use std::io::Write;

use serde_json::Value;

use super::error::ExportError;
use super::table::{Header, Sink};

/// Writes a table as CSV.
pub struct Csv<W: Write>(csv::Writer<W>);

impl<W: Write> Csv<W> {
    /// Writes there.
    pub fn new(to: W) -> Self {
        Self(csv::Writer::from_writer(to))
    }
}

fn written(error: csv::Error) -> ExportError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => ExportError::Write(error),
        other => ExportError::Write(std::io::Error::other(format!("{other:?}"))),
    }
}

impl<W: Write> Sink for Csv<W> {
    fn begin(&mut self, header: &Header) -> Result<(), ExportError> {
        self.0.write_record(header.columns.iter().map(|column| &column.name)).map_err(written)
    }

    fn row(&mut self, cells: Vec<Value>) -> Result<(), ExportError> {
        for cell in cells {
            match cell {
                Value::Null => self.0.write_field(""),
                Value::String(text) => self.0.write_field(text),
                other => self.0.write_field(other.to_string()),
            }
            .map_err(written)?;
        }
        self.0.write_record(None::<&[u8]>).map_err(written)
    }

    fn end(&mut self) -> Result<(), ExportError> {
        Ok(self.0.flush()?)
    }
}
