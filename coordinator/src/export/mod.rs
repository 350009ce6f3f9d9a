//! What a sweep has found, as tables that other programs open: rows in, bytes out. Pure, but for the writer that is handed in.
//!
//! `table` says what a table is; `lines` is its form on the wire; `csv`, `jsonl`, `bfile` and `parquet` are its forms in files.

mod bfile;
mod csv;
mod error;
mod jsonl;
mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod table;

pub use bfile::Bfile;
pub use csv::Csv;
pub use error::ExportError;
pub use jsonl::JsonLines;
pub use lines::{LineReader, LineWriter};
#[cfg(feature = "parquet")]
pub use parquet::ParquetFile;
pub use table::{Column, ColumnType, Columns, Exported, Header, Row, Sink, cells};

#[cfg(test)]
mod tests;
