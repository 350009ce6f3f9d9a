//! A table on the wire: a line with its header as JSON, then a line per row, a JSON list of its cells. A line without anything ends
//! it, so that a table that breaks off is not taken for a whole one.

use std::io::Write;

use serde_json::Value;

use super::error::ExportError;
use super::table::{Header, Sink};

/// Writes a table as lines.
pub struct LineWriter<W: Write>(W);

impl<W: Write> LineWriter<W> {
    /// Writes there.
    pub fn new(to: W) -> Self {
        Self(to)
    }

    fn line(&mut self, of: &impl serde::Serialize) -> Result<(), ExportError> {
        serde_json::to_writer(&mut self.0, of).map_err(std::io::Error::from)?;
        Ok(self.0.write_all(b"\n")?)
    }
}

impl<W: Write> Sink for LineWriter<W> {
    fn begin(&mut self, header: &Header) -> Result<(), ExportError> {
        self.line(header)
    }

    fn row(&mut self, cells: Vec<Value>) -> Result<(), ExportError> {
        self.line(&cells)
    }

    fn end(&mut self) -> Result<(), ExportError> {
        self.0.write_all(b"\n")?;
        Ok(self.0.flush()?)
    }
}

/// The longest line that is taken in, in bytes: a row has a few texts of at most some thousand characters.
const MAX_LINE_BYTES: usize = 1 << 24;

/// Reads lines as they come in, and hands the table to a sink.
pub struct LineReader<'a> {
    to: &'a mut dyn Sink,
    /// How many cells a row has, once the header is there.
    columns: Option<usize>,
    line: Vec<u8>,
    ended: bool,
}

impl<'a> LineReader<'a> {
    /// Hands the table to this sink.
    pub fn new(to: &'a mut dyn Sink) -> Self {
        Self { to, columns: None, line: Vec::new(), ended: false }
    }

    /// Takes in the next bytes.
    ///
    /// # Errors
    /// [`ExportError`].
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), ExportError> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if self.line.len() > MAX_LINE_BYTES {
                return Err(ExportError::Line("a row is too long".into()));
            }
            if self.line.last() == Some(&b'\n') {
                let line = std::mem::take(&mut self.line);
                self.read(line.trim_ascii_end())?;
            }
        }
        Ok(())
    }

    /// Whether the table is whole: there are no more bytes.
    ///
    /// # Errors
    /// [`ExportError::Line`] if it breaks off.
    pub fn finish(self) -> Result<(), ExportError> {
        if self.ended && self.line.is_empty() { Ok(()) } else { Err(ExportError::Line("the table breaks off".into())) }
    }

    fn read(&mut self, line: &[u8]) -> Result<(), ExportError> {
        let wrong = |error: serde_json::Error| ExportError::Line(error.to_string());
        if self.ended {
            return Err(ExportError::Line("there is something behind the end of the table".into()));
        }
        match self.columns {
            None => {
                let header: Header = serde_json::from_slice(line).map_err(wrong)?;
                self.columns = Some(header.columns.len());
                self.to.begin(&header)
            }
            Some(_) if line.is_empty() => {
                self.ended = true;
                self.to.end()
            }
            Some(columns) => {
                let cells: Vec<Value> = serde_json::from_slice(line).map_err(wrong)?;
                if cells.len() != columns {
                    return Err(ExportError::Line(format!("a row has {} cells, and there are {columns} columns", cells.len())));
                }
                self.to.row(cells)
            }
        }
    }
}
