//! Tables: a header with typed columns, then rows.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::ExportError;

/// What is exported of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Exported {
    /// The kept counterexamples, and the kept configurations on which a claim is not defined.
    Counterexamples,
    /// The solved positions that the sweep keeps.
    Positions,
    /// Claim by claim how often it was right, wrong, vacuous, not defined and silent.
    Tallies,
    /// What the family counts besides its claims, box by box.
    Counts,
}

impl Exported {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Counterexamples, Self::Positions, Self::Tallies, Self::Counts];

    /// The word for it, on the command line and on the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Counterexamples => "counterexamples",
            Self::Positions => "positions",
            Self::Tallies => "tallies",
            Self::Counts => "counts",
        }
    }
}

/// The cells of a row by the names of their columns, in their order. A cell is a number, a text, a truth value, or null.
pub type Row = Vec<(String, Value)>;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnType {
    /// Whole numbers of 64 bits with a sign.
    Integer,
    /// True or false.
    Boolean,
    /// Text.
    Text,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds; a cell may also hold nothing.
    #[serde(rename = "type")]
    pub of: ColumnType,
}

/// What stands before the rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The sweep's id.
    pub sweep: String,
    /// Its state in a word.
    pub state: String,
    /// The manifest of the sweep.
    pub manifest: String,
    /// The fingerprint; none until every configuration is decided.
    pub fingerprint: Option<String>,
    /// What the rows are.
    pub what: Exported,
    /// The columns of the rows.
    pub columns: Vec<Column>,
}

/// Takes the rows of a table one by one.
pub trait Sink {
    /// Called once, before the rows.
    ///
    /// # Errors
    /// [`ExportError`].
    fn begin(&mut self, header: &Header) -> Result<(), ExportError>;

    /// Takes a row: one cell per column, in the order of the columns.
    ///
    /// # Errors
    /// [`ExportError`].
    fn row(&mut self, cells: Vec<Value>) -> Result<(), ExportError>;

    /// Called once, after the rows.
    ///
    /// # Errors
    /// [`ExportError`].
    fn end(&mut self) -> Result<(), ExportError>;
}

/// Finds out which columns some rows have, in the order in which they first occur.
#[derive(Debug, Default)]
pub struct Columns(Vec<(String, Option<ColumnType>)>);

impl Columns {
    /// Takes note of the cells of a row.
    pub fn note(&mut self, row: &Row) {
        let mut next = 0;
        for (name, cell) in row {
            let place = match self.0.get(next) {
                Some((known, _)) if known == name => next,
                _ => match self.0.iter().position(|(known, _)| known == name) {
                    Some(place) => place,
                    None => {
                        // Beside the columns between which it stands in its row.
                        self.0.insert(next, (name.clone(), None));
                        next
                    }
                },
            };
            next = place + 1;
            let Some(of) = type_of(cell) else { continue };
            let known = &mut self.0[place].1;
            // Where cells differ in type, all of them are text.
            *known = Some(known.map_or(of, |known| if known == of { of } else { ColumnType::Text }));
        }
    }

    /// The columns. One whose cells are all empty holds text.
    #[must_use]
    pub fn finish(self) -> Vec<Column> {
        self.0.into_iter().map(|(name, of)| Column { name, of: of.unwrap_or(ColumnType::Text) }).collect()
    }
}

/// The cells of a row in the order of the columns, each as its column holds it; null where the row has none.
#[must_use]
pub fn cells(columns: &[Column], row: Row) -> Vec<Value> {
    let mut cells = vec![Value::Null; columns.len()];
    let mut next = 0;
    for (name, cell) in row {
        let place = match columns.get(next) {
            Some(column) if column.name == name => Some(next),
            _ => columns.iter().position(|column| column.name == name),
        };
        let Some(place) = place else { continue };
        next = place + 1;
        cells[place] = match (columns[place].of, cell) {
            (_, Value::Null) => Value::Null,
            (ColumnType::Text, Value::String(text)) => Value::String(text),
            (ColumnType::Text, other) => Value::String(other.to_string()),
            (_, other) => other,
        };
    }
    cells
}

fn type_of(cell: &Value) -> Option<ColumnType> {
    match cell {
        Value::Null => None,
        Value::Bool(_) => Some(ColumnType::Boolean),
        Value::Number(number) if number.as_i64().is_some() => Some(ColumnType::Integer),
        _ => Some(ColumnType::Text),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(cells: &[(&str, Value)]) -> Row {
        cells.iter().map(|(name, cell)| ((*name).to_owned(), cell.clone())).collect()
    }

    #[test]
    fn columns_are_those_of_all_rows_in_their_order_and_have_one_type_each() {
        let rows = [
            row(&[("claim", json!("a")), ("AB", json!(1)), ("actual", json!(0)), ("is", json!(true)), ("why", Value::Null)]),
            row(&[("claim", json!("a")), ("BC", json!(2)), ("actual", json!("*2")), ("is", Value::Null)]),
            row(&[("claim", json!("a")), ("AB", json!(u64::MAX)), ("actual", json!(0))]),
        ];
        let mut columns = Columns::default();
        rows.iter().for_each(|row| columns.note(row));
        let columns = columns.finish();
        let found: Vec<(&str, ColumnType)> = columns.iter().map(|column| (column.name.as_str(), column.of)).collect();
        let (text, integer) = (ColumnType::Text, ColumnType::Integer);
        let expected = [("claim", text), ("BC", integer), ("AB", text), ("actual", text), ("is", ColumnType::Boolean), ("why", text)];
        assert_eq!(found, expected);
        let laid = rows.map(|row| cells(&columns, row));
        assert_eq!(laid[0], [json!("a"), Value::Null, json!("1"), json!("0"), json!(true), Value::Null]);
        assert_eq!(laid[1], [json!("a"), json!(2), Value::Null, json!("*2"), Value::Null, Value::Null]);
        assert_eq!(laid[2][2], json!("18446744073709551615"), "a number that does not fit is text and not rounded");
    }
}
