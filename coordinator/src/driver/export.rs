//! Tables of what a sweep has found, read from a store row by row.

use std::cell::RefCell;

use refute_shared::families::Counterexample;
use refute_shared::sweep::Sweep;
use serde_json::{Value, json};

use crate::export::{Column, ColumnType, Columns, Exported, Header, Row, Sink, cells};
use crate::report::{ClaimReport, GroupReport, Report};
use crate::store::{Moment, Reader, SweepRecord};

use super::report::{ReportError, ReportSource, Unread, kept_with_keys, known, record, report_of, sweep};

impl ReportSource {
    /// Writes a table of what the sweep has found, as [`read_export`] does; all of it is of one moment.
    ///
    /// # Errors
    /// [`ReportError`].
    pub fn export(self, what: Exported, to: &mut dyn Sink) -> Result<(), ReportError> {
        let moment = self.store.moment()?;
        let (sweep, record) = known(self.known, &moment, &self.id)?;
        export(&moment, &sweep, &record, what, to)
    }
}

/// Writes a table of what a sweep of a store has found.
///
/// Cost: reads the rows twice, first for the columns that they have, and keeps none.
///
/// # Errors
/// [`ReportError`].
pub fn read_export(store: &Reader, id: &str, what: Exported, to: &mut dyn Sink) -> Result<(), ReportError> {
    let moment = store.now();
    let record = record(&moment, id)?;
    export(&moment, &sweep(&record)?, &record, what, to)
}

fn export(moment: &Moment<'_>, sweep: &Sweep, record: &SweepRecord, what: Exported, to: &mut dyn Sink) -> Result<(), ReportError> {
    let failure = RefCell::new(None);
    let report: Report<Unread<'_>> = report_of(moment, sweep, record, |list| Unread::of(moment, sweep, &record.id, list, &failure))?;
    let found = Found { moment, sweep, record, report: &report };
    let mut columns = Columns::default();
    found.each(what, &mut |row| {
        columns.note(&row);
        Ok(())
    })?;
    let mut columns = columns.finish();
    if columns.is_empty() {
        // A table without rows has the columns that do not depend on them.
        columns = what.columns();
    }
    let header = Header {
        sweep: record.id.clone(),
        state: report.state.clone(),
        manifest: record.manifest_toml.clone(),
        fingerprint: report.fingerprint.clone(),
        what,
        columns,
    };
    to.begin(&header)?;
    found.each(what, &mut |row| Ok(to.row(cells(&header.columns, row))?))?;
    Ok(to.end()?)
}

/// What a sweep has found.
struct Found<'a> {
    moment: &'a Moment<'a>,
    sweep: &'a Sweep,
    record: &'a SweepRecord,
    report: &'a Report<Unread<'a>>,
}

type Take<'t> = &'t mut dyn FnMut(Row) -> Result<(), ReportError>;

impl Found<'_> {
    /// Hands the rows over one by one.
    fn each(&self, what: Exported, take: Take<'_>) -> Result<(), ReportError> {
        match what {
            Exported::Counterexamples => self.counterexamples(take),
            Exported::Positions => self.positions(take),
            Exported::Tallies => self.report.claims.iter().try_for_each(|claim| take(tally(claim))),
            Exported::Counts => self.report.groups.iter().try_for_each(|group| take(count(group))),
        }
    }

    /// The kept counterexamples of each claim, and behind them the configurations on which it is not defined.
    fn counterexamples(&self, take: Take<'_>) -> Result<(), ReportError> {
        let claims = self.sweep.claims.len();
        for (place, claim) in self.sweep.claims.iter().enumerate() {
            for (list, finding) in [(place, "refuted"), (claims + place, "undefined")] {
                if list >= self.sweep.lists() {
                    continue;
                }
                // A sweep has at most 128 claims, and two lists of each.
                for found in kept_with_keys(self.moment, self.sweep, &self.record.id, list as u32)? {
                    let (key, found) = found?;
                    take(self.counterexample(&claim.id, finding, &key, found))?;
                }
            }
        }
        Ok(())
    }

    fn counterexample(&self, claim: &str, finding: &str, key: &[u8], found: Counterexample) -> Row {
        let Counterexample { parameters, predicted, actual, confirmed, witness, reason, subexpressions } = found;
        let parts = match subexpressions.is_empty() {
            true => Value::Null,
            false => Value::String(json!(subexpressions).to_string()),
        };
        let box_text = self.sweep.space.show(key).map(|(box_index, _)| self.sweep.space.describe(box_index));
        let mut row: Row = vec![cell("claim", claim), cell("finding", finding), cell("box", box_text)];
        row.extend(self.sweep.family.columns(&parameters));
        row.extend([cell("predicted", predicted), cell("actual", actual), cell("confirmed", confirmed)]);
        row.extend([cell("witness", witness), cell("reason", reason), cell("subexpressions", parts)]);
        row
    }

    fn positions(&self, take: Take<'_>) -> Result<(), ReportError> {
        for kept in self.moment.records(&self.record.id)? {
            let kept = kept?;
            // What is no key of this space was never taken in.
            let Some((box_index, parameters)) = self.sweep.space.show(&kept.key) else { continue };
            let mut row: Row = vec![cell("box", self.sweep.space.describe(box_index))];
            row.extend(self.sweep.family.columns(&parameters));
            row.push(cell("value", kept.value));
            take(row)?;
        }
        Ok(())
    }
}

impl Exported {
    /// The columns of a table without rows.
    fn columns(self) -> Vec<Column> {
        let names: &[&str] = match self {
            Self::Counterexamples => {
                &["claim", "finding", "box", "predicted", "actual", "confirmed", "witness", "reason", "subexpressions"]
            }
            Self::Positions => &["box", "value"],
            Self::Tallies => &["claim", "source", "kind", "where", "says", "verdict", "held", "vacuous", "undefined", "refuted", "silent"],
            Self::Counts => &["box", "what", "count"],
        };
        names.iter().map(|name| Column { name: (*name).to_owned(), of: ColumnType::Text }).collect()
    }
}

fn tally<L>(claim: &ClaimReport<L>) -> Row {
    let mut row = vec![cell("claim", &*claim.id), cell("source", &*claim.source), cell("kind", &*claim.kind)];
    row.extend([cell("where", &*claim.hypothesis), cell("says", &*claim.statement), cell("verdict", claim.verdict.word())]);
    let counts = [
        ("held", claim.held),
        ("vacuous", claim.vacuous),
        ("undefined", claim.undefined),
        ("refuted", claim.refuted),
        ("silent", claim.silent),
    ];
    row.extend(counts.map(|(name, count)| cell(name, number(count))));
    row
}

fn count(group: &GroupReport) -> Row {
    vec![cell("box", &*group.box_text), cell("what", &*group.label), cell("count", number(group.count))]
}

/// A count as a number, or as text where it does not fit one.
fn number(count: u128) -> Value {
    i64::try_from(count).map_or_else(|_| Value::String(count.to_string()), Value::from)
}

fn cell(name: &str, value: impl Into<Value>) -> (String, Value) {
    (name.to_owned(), value.into())
}
