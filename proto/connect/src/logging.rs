//! The log: to stderr, as text for people or as JSON lines, filtered by `RUST_LOG`.

use std::env::{self, VarError};
use std::io::{self, IsTerminal, Write};

use serde_json::Value;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::MakeExt as _;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::{Writer, debug_fn};
use tracing_subscriber::util::TryInitError;

use crate::streams::Lossy;

/// How the log looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
pub enum LoggingError {
    /// `RUST_LOG` makes no sense.
    #[error("RUST_LOG is '{value}', which is no filter ({problem}); write for instance RUST_LOG=info or RUST_LOG=refute_worker=debug")]
    Filter {
        /// What it is.
        value: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The program has a log already.
    #[error("the log is set up already")]
    Twice(#[from] TryInitError),
}

/// The longest line of JSON that is written without a look at what is in it, in bytes.
const SHORT_LINE: usize = 4_096;

/// Sets up the log of this program. Each text in it comes from `fit`, which makes one that is short and printable of any. Without `RUST_LOG` it shows what `default_filter` lets through, such as `info`.
///
/// # Errors
/// [`LoggingError`]; nothing is set up then.
pub fn init(format: LogFormat, default_filter: &str, fit: fn(&str) -> String) -> Result<(), LoggingError> {
    use tracing_subscriber::util::SubscriberInitExt;

    let value = match env::var("RUST_LOG") {
        Ok(value) if !value.trim().is_empty() => value,
        Err(VarError::NotUnicode(value)) => value.to_string_lossy().into_owned(),
        Ok(_) | Err(VarError::NotPresent) => default_filter.to_owned(),
    };
    let filter = EnvFilter::try_new(&value).map_err(|error| LoggingError::Filter { value, problem: error.to_string() })?;
    // A line that cannot be written is dropped: a log without a reader must not stop what it tells of. Left to itself the
    // subscriber would say on stderr that it cannot write to stderr, and panic.
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(move || Fitted { fit: (format == LogFormat::Json).then_some(fit) })
        .log_internal_errors(false)
        .with_ansi(io::stderr().is_terminal());
    match format {
        LogFormat::Text => log.with_target(false).fmt_fields(text_fields(fit)).finish().try_init()?,
        LogFormat::Json => log.json().finish().try_init()?,
    }
    Ok(())
}

/// How the fields of a line for people are written: `name=value`, and the message alone.
fn text_fields(fit: fn(&str) -> String) -> impl for<'writer> FormatFields<'writer> + Send + Sync + 'static {
    debug_fn(move |writer: &mut Writer<'_>, field, value| {
        let value = fit(&format!("{value:?}"));
        if field.name() == "message" { writer.write_str(&value) } else { write!(writer, "{}={value}", field.name()) }
    })
    .delimited(" ")
}

/// Takes whole lines for standard error; with `fit` they are JSON, and the texts in them are made fit.
struct Fitted {
    fit: Option<fn(&str) -> String>,
}

impl Write for Fitted {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let is_plain = line.len() <= SHORT_LINE && line.iter().all(|byte| byte.is_ascii() && *byte != 0x7f);
        let fitted = self.fit.filter(|_| !is_plain).and_then(|fit| {
            let mut object: Value = serde_json::from_slice(line).ok()?;
            fit_texts(&mut object, fit);
            Some(format!("{object}\n"))
        });
        let _ = Lossy.write_all(fitted.as_ref().map_or(line, String::as_bytes));
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Lossy.flush()
    }
}

fn fit_texts(value: &mut Value, fit: fn(&str) -> String) {
    match value {
        Value::String(text) => *text = fit(text),
        Value::Array(items) => items.iter_mut().for_each(|item| fit_texts(item, fit)),
        Value::Object(fields) => fields.values_mut().for_each(|field| fit_texts(field, fit)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
