//! Apache Parquet: typed columns, with the sweep and its manifest in the file's metadata.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use serde_json::Value;

use super::error::ExportError;
use super::table::{Column, ColumnType, Header, Sink};

/// Rows that are gathered before they are written together.
const ROWS: usize = 1 << 16;

/// Writes a table as a Parquet file.
pub struct ParquetFile<W: Write + Send> {
    to: Option<W>,
    writer: Option<SerializedFileWriter<W>>,
    columns: Vec<Column>,
    rows: Vec<Vec<Value>>,
}

impl<W: Write + Send> ParquetFile<W> {
    /// Writes there.
    pub fn new(to: W) -> Self {
        Self { to: Some(to), writer: None, columns: Vec::new(), rows: Vec::new() }
    }

    fn write_group(&mut self) -> Result<(), ExportError> {
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return Ok(());
        }
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let mut group = writer.next_row_group().map_err(written)?;
        for (place, column) in self.columns.iter().enumerate() {
            let cells = rows.iter().map(|row| &row[place]);
            match column.of {
                ColumnType::Integer => write_column::<Int64Type, _>(&mut group, column, cells, |cell| cell.as_i64())?,
                ColumnType::Boolean => write_column::<BoolType, _>(&mut group, column, cells, |cell| cell.as_bool())?,
                ColumnType::Text => write_column::<ByteArrayType, _>(&mut group, column, cells, |cell| cell.as_str().map(ByteArray::from))?,
            }
        }
        group.close().map_err(written)?;
        Ok(())
    }
}

fn write_column<'a, T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    column: &Column,
    cells: impl Iterator<Item = &'a Value>,
    read: impl Fn(&Value) -> Option<T::T>,
) -> Result<(), ExportError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    for cell in cells {
        if cell.is_null() {
            levels.push(0);
            continue;
        }
        let wrong = || ExportError::Cell { column: column.name.clone(), cell: cell.to_string() };
        values.push(read(cell).ok_or_else(wrong)?);
        levels.push(1);
    }
    let Some(mut writer) = group.next_column().map_err(written)? else { return Ok(()) };
    writer.typed::<T>().write_batch(&values, Some(&levels), None).map_err(written)?;
    writer.close().map_err(written)
}

fn written(error: ParquetError) -> ExportError {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => ExportError::Write(*error),
            Err(other) => ExportError::Write(std::io::Error::other(other)),
        },
        other => ExportError::Write(std::io::Error::other(other)),
    }
}

/// A column of the file's schema.
fn field(column: &Column) -> Result<Type, ParquetError> {
    let of = match column.of {
        ColumnType::Integer => Physical::INT64,
        ColumnType::Boolean => Physical::BOOLEAN,
        ColumnType::Text => Physical::BYTE_ARRAY,
    };
    let field = Type::primitive_type_builder(&column.name, of).with_repetition(Repetition::OPTIONAL);
    match column.of {
        ColumnType::Text => field.with_logical_type(Some(LogicalType::String)).with_converted_type(ConvertedType::UTF8).build(),
        ColumnType::Integer | ColumnType::Boolean => field.build(),
    }
}

impl<W: Write + Send> Sink for ParquetFile<W> {
    fn begin(&mut self, header: &Header) -> Result<(), ExportError> {
        let Some(to) = self.to.take() else { return Ok(()) };
        let fields = header.columns.iter().map(|column| field(column).map(Arc::new)).collect::<Result<Vec<_>, _>>().map_err(written)?;
        let schema = Type::group_type_builder(header.what.word()).with_fields(fields).build().map_err(written)?;
        let entry = |key: &str, value: &str| KeyValue::new(format!("refute.{key}"), value.to_owned());
        let mut about = vec![
            entry("sweep", &header.sweep),
            entry("state", &header.state),
            entry("manifest", &header.manifest),
            entry("what", header.what.word()),
        ];
        about.extend(header.fingerprint.as_ref().map(|fingerprint| entry("fingerprint", fingerprint)));
        let properties = WriterProperties::builder().set_compression(Compression::LZ4_RAW).set_key_value_metadata(Some(about)).build();
        self.columns.clone_from(&header.columns);
        self.writer = Some(SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties)).map_err(written)?);
        Ok(())
    }

    fn row(&mut self, cells: Vec<Value>) -> Result<(), ExportError> {
        self.rows.push(cells);
        if self.rows.len() == ROWS { self.write_group() } else { Ok(()) }
    }

    fn end(&mut self) -> Result<(), ExportError> {
        self.write_group()?;
        if let Some(writer) = self.writer.take() {
            writer.close().map_err(written)?;
        }
        Ok(())
    }
}
