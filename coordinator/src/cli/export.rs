//! `refute export`: what a sweep has found, as a table that other programs open.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use refute_connect::path::path_parser;
use refute_connect::streams::tell;
use refute_shared::text::several;
use serde_json::Value;

#[cfg(feature = "parquet")]
use crate::export::ParquetFile;
use crate::export::{Bfile, Csv, ExportError, Exported, Header, JsonLines, Sink};

use super::connection::{Origin, Place};
use super::exit::{Failure, Output};

/// The state of a sweep that is done.
const COMPLETE: &str = "complete";

/// What a sweep has found, as a table: a row per counterexample, kept position, claim or count, with each parameter in a column
#[derive(Args, Debug)]
#[command(after_help = "Examples: refute export h1-0a1b2c3d4e5f --what counterexamples --format csv --out h1.csv
          refute export kayles-0a1b2c3d4e5f --what positions --format bfile")]
pub struct Export {
    /// The sweep's id
    id: String,
    /// What the rows are
    #[arg(long, value_enum)]
    what: Exported,
    /// The form of the table
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,
    /// The file to write; without it the table goes to stdout
    #[arg(long, value_name = "FILE", value_parser = path_parser())]
    out: Option<PathBuf>,
    #[command(flatten)]
    origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Comma-separated values, with the names of the columns in the first line
    Csv,
    /// A JSON object per line
    Jsonl,
    /// Apache Parquet, with the manifest in the file's metadata
    Parquet,
    /// The values of positions as a sequence, as the OEIS takes it
    Bfile,
}

impl ValueEnum for Exported {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Counterexamples => "The kept counterexamples, and the kept configurations on which a claim is not defined",
            Self::Positions => "The solved positions that the sweep keeps (record = \"losing\" or \"all\" in its manifest)",
            Self::Tallies => "Per claim how often it was right, vacuous, not defined, wrong and silent, with its verdict",
            Self::Counts => "What the family counts besides its claims, per box",
        };
        Some(PossibleValue::new(self.word()).help(help))
    }
}

impl Export {
    pub fn run(&self) -> Result<Output, Failure> {
        match &self.out {
            Some(file) => self.to_file(file)?,
            None if self.format == Format::Parquet && io::stdout().is_terminal() => {
                return Err(Failure::wrong("a Parquet file is not for a terminal; name one with --out FILE"));
            }
            None => match self.write(BufWriter::new(io::stdout()))? {
                // A reader that has seen enough closes the pipe, as `head` does.
                Err(error) if error.is_broken_pipe() => {}
                written => written.map_err(|error| export_failure("", error))?,
            },
        }
        Ok(Output::done(""))
    }

    /// Writes beside the file and renames it, so that the file is whole if it is there.
    fn to_file(&self, file: &Path) -> Result<(), Failure> {
        let place = format!("{}: ", file.display());
        let failed = |error: io::Error| Failure::not_done(format!("{place}{error}"));
        let mut name = file.file_name().map_or_else(OsString::new, OsString::from);
        name.push(".partial");
        let partial = file.with_file_name(name);
        let opened = File::create(&partial).map_err(failed)?;
        let written = self.write(BufWriter::new(opened)).and_then(|written| written.map_err(|error| export_failure(&place, error)));
        let moved = written.and_then(|()| fs::rename(&partial, file).map_err(failed));
        if moved.is_err() {
            // What is wrong is said already.
            let _ = fs::remove_file(&partial);
        }
        moved
    }

    fn write(&self, to: impl Write + Send) -> Result<Result<(), ExportError>, Failure> {
        match self.format {
            Format::Csv => self.read(Csv::new(to)),
            Format::Jsonl => self.read(JsonLines::new(to)),
            Format::Bfile => self.read(Bfile::new(to)),
            #[cfg(feature = "parquet")]
            Format::Parquet => self.read(ParquetFile::new(to)),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(Failure::wrong(
                "this build of refute writes no Parquet; 'cargo build --release -p refute-coordinator --features parquet' makes one that does",
            )),
        }
    }

    fn read(&self, to: impl Sink) -> Result<Result<(), ExportError>, Failure> {
        let mut to = Noting { to, rows: 0, state: String::new() };
        let (id, what) = (&self.id, self.what);
        let exported = match self.origin.place()? {
            Place::Coordinator(address) => self.origin.call(&address, async |client| client.export(id, what, &mut to).await)?,
            Place::Directory(data) => data.export(id, what, &mut to)?,
        };
        let Noting { rows, state, .. } = to;
        if exported.is_ok() && state != COMPLETE {
            tell(format_args!("refute: {id} is {state}: these are {} so far", several(rows.into(), "row")));
        }
        Ok(exported)
    }
}

/// A sink that notes what goes through it.
struct Noting<S> {
    to: S,
    rows: u64,
    state: String,
}

impl<S: Sink> Sink for Noting<S> {
    fn begin(&mut self, header: &Header) -> Result<(), ExportError> {
        self.state.clone_from(&header.state);
        self.to.begin(header)
    }

    fn row(&mut self, cells: Vec<Value>) -> Result<(), ExportError> {
        self.rows += 1;
        self.to.row(cells)
    }

    fn end(&mut self) -> Result<(), ExportError> {
        self.to.end()
    }
}

fn export_failure(place: &str, error: ExportError) -> Failure {
    match error {
        ExportError::Sequence(_) => Failure::wrong(format!("--format bfile: {error}")),
        ExportError::Write(_) | ExportError::Cell { .. } | ExportError::Line(_) => Failure::not_done(format!("{place}{error}")),
    }
}
