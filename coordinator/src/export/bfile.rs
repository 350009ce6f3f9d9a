//! A sequence as the OEIS takes it (a b-file): a line per term, its index and its value. The table must be one: one whole number goes
//! up by 1 from row to row, every other part of the positions stays, and the values are whole numbers or nimbers.

use std::io::Write;

use serde_json::Value;

use super::error::ExportError;
use super::table::{ColumnType, Exported, Header, Sink};

/// Writes a table of positions as a b-file.
pub struct Bfile<W: Write> {
    to: W,
    header: Option<Header>,
    /// The first row, and the column that goes up, once two rows are there.
    first: Option<Vec<Value>>,
    index: Option<usize>,
    rows: u64,
}

impl<W: Write> Bfile<W> {
    /// Writes there.
    pub fn new(to: W) -> Self {
        Self { to, header: None, first: None, index: None, rows: 0 }
    }

    fn wrong(&self, why: &str) -> ExportError {
        ExportError::Sequence(format!("these positions are no sequence of whole numbers: {why}; a b-file has one box with one ruleset"))
    }

    fn write(&mut self, index: i64, value: &Value) -> Result<(), ExportError> {
        let Some(term) = term(value) else {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            return Err(self.wrong(&format!("the value at {index} is '{text}'")));
        };
        Ok(writeln!(self.to, "{index} {term}")?)
    }
}

/// A value as a whole number: itself, or that of a nimber.
fn term(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) if text == "*" => Some(1),
        Value::String(text) => text.strip_prefix('*').unwrap_or(text).parse().ok(),
        _ => None,
    }
}

impl<W: Write> Sink for Bfile<W> {
    fn begin(&mut self, header: &Header) -> Result<(), ExportError> {
        if header.what != Exported::Positions {
            return Err(ExportError::Sequence(format!("{} are no sequence; a b-file is made of positions", header.what.word())));
        }
        self.header = Some(header.clone());
        Ok(())
    }

    fn row(&mut self, cells: Vec<Value>) -> Result<(), ExportError> {
        let Some(header) = &self.header else { return Err(self.wrong("there is no header")) };
        let value = header.columns.len() - 1;
        self.rows += 1;
        let Some(first) = &self.first else {
            self.first = Some(cells);
            return Ok(());
        };
        let changed: Vec<usize> = (0..value).filter(|column| first[*column] != cells[*column]).collect();
        let is_next = |column: usize| {
            let (from, to) = (first[column].as_i64(), cells[column].as_i64());
            from.zip(to).is_some_and(|(from, to)| Some(to) == from.checked_add_unsigned(self.rows - 1))
        };
        let index = match changed[..] {
            [column] if header.columns[column].of == ColumnType::Integer && is_next(column) => column,
            _ => return Err(self.wrong("more than one number changes, or it does not go up by 1")),
        };
        if self.index.is_none() {
            self.index = Some(index);
            let (at, first) = (first[index].as_i64().unwrap_or_default(), first[value].clone());
            self.write(at, &first)?;
        }
        self.write(cells[index].as_i64().unwrap_or_default(), &cells[value])
    }

    fn end(&mut self) -> Result<(), ExportError> {
        if self.index.is_none() {
            return Err(self.wrong("there are fewer than two of them"));
        }
        Ok(self.to.flush()?)
    }
}
