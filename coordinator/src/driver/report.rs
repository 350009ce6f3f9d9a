//! What is read of a store: a report, or where its sweeps stand. Nothing of the schedule is needed.

use std::cell::RefCell;
use std::io::Write;
use std::sync::Arc;

use refute_shared::families::{Counterexample, Figure};
use refute_shared::sweep::{KeptRecord, Manifest, Record, Sweep, Tally};
use refute_shared::text::quoted;
use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Serialize, Serializer};

use crate::export::ExportError;
use crate::report::{Findings, Kept, Report, build, fit_counterexample};
use crate::schedule::ShardCounts;
use crate::store::{Moment, MomentSource, QuarantineRecord, Reader, StoreError, SweepRecord};

use crate::status::SweepStatus;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// No sweep of this id.
    #[error("there is no sweep '{}'; 'refute list' lists them", quoted(id))]
    NoSuchSweep {
        /// The id.
        id: String,
    },
    /// The program no longer understands the stored manifest.
    #[error("the stored manifest of '{id}' is not understood by this version: {reason}")]
    Manifest {
        /// The id.
        id: String,
        /// Why.
        reason: String,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nobody takes it.
    #[error("the report could not be written: {0}")]
    NotWritten(String),
    /// A table that is made of it.
    #[error(transparent)]
    Export(#[from] ExportError),
}

/// The report of a sweep from what is on disk.
///
/// # Errors
/// [`ReportError`].
pub fn read_report(store: &Reader, id: &str) -> Result<Report, ReportError> {
    let moment = store.now();
    let record = record(&moment, id)?;
    let sweep = sweep(&record)?;
    let in_memory = |list: u32| -> Result<Vec<Counterexample>, StoreError> { kept(&moment, &sweep, id, list)?.collect() };
    report_of(&moment, &sweep, &record, in_memory)
}

/// Where every sweep on disk stands, in the order of submission; nothing runs.
///
/// # Errors
/// [`ReportError`].
pub fn read_status(store: &Reader) -> Result<Vec<SweepStatus>, ReportError> {
    store.sweeps()?.iter().map(|record| status_of(store, record)).collect()
}

/// What a report is made of while the coordinator goes on: elsewhere, since that reads the disk, may read a manifest, and takes as
/// long as its reader does.
pub struct ReportSource {
    pub(super) store: MomentSource,
    pub(super) id: String,
    /// The sweep as it is in memory, if it is.
    pub(super) known: Option<(Arc<Sweep>, SweepRecord)>,
}

impl ReportSource {
    /// Writes the report as JSON. The counterexamples are read while it is written, one by one; all of it is of one moment.
    ///
    /// Cost: memory for the tally and the pictures, and none that grows with the counterexamples.
    ///
    /// # Errors
    /// [`ReportError`]; [`ReportError::NotWritten`] if nobody takes what is written.
    pub fn write(self, to: impl Write) -> Result<(), ReportError> {
        let moment = self.store.moment()?;
        let (sweep, record) = known(self.known, &moment, &self.id)?;
        let failure = RefCell::new(None);
        let while_written = |list: u32| Unread::of(&moment, &sweep, &self.id, list, &failure);
        let report = report_of(&moment, &sweep, &record, while_written)?;
        serde_json::to_writer(to, &report).map_err(|error| match failure.take() {
            Some(failure) => ReportError::Store(failure),
            None => ReportError::NotWritten(error.to_string()),
        })
    }
}

/// A sweep as it is in memory, or else as it is on disk.
pub(super) fn known(
    known: Option<(Arc<Sweep>, SweepRecord)>,
    moment: &Moment<'_>,
    id: &str,
) -> Result<(Arc<Sweep>, SweepRecord), ReportError> {
    if let Some(known) = known {
        return Ok(known);
    }
    let record = record(moment, id)?;
    Ok((Arc::new(sweep(&record)?), record))
}

/// A list of counterexamples that is read when it is written.
#[derive(Default)]
pub(super) struct Unread<'a>(Option<UnreadList<'a>>);

struct UnreadList<'a> {
    moment: &'a Moment<'a>,
    sweep: &'a Sweep,
    id: &'a str,
    list: u32,
    is_empty: bool,
    is_confirmed: bool,
    /// Why the list could not be read to its end.
    failure: &'a RefCell<Option<StoreError>>,
}

impl<'a> Unread<'a> {
    pub(super) fn of(
        moment: &'a Moment<'a>,
        sweep: &'a Sweep,
        id: &'a str,
        list: u32,
        failure: &'a RefCell<Option<StoreError>>,
    ) -> Result<Self, StoreError> {
        let (mut is_empty, mut is_confirmed) = (true, false);
        for found in kept(moment, sweep, id, list)? {
            is_empty = false;
            is_confirmed = found?.confirmed;
            if is_confirmed {
                break;
            }
        }
        Ok(Self(Some(UnreadList { moment, sweep, id, list, is_empty, is_confirmed, failure })))
    }
}

impl Kept for Unread<'_> {
    fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|list| list.is_empty)
    }

    fn is_confirmed(&self) -> bool {
        self.0.as_ref().is_some_and(|list| list.is_confirmed)
    }
}

impl Serialize for Unread<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(None)?;
        if let Some(list) = &self.0 {
            let failed = |failure: StoreError| {
                let error = S::Error::custom(&failure);
                list.failure.replace(Some(failure));
                error
            };
            for found in kept(list.moment, list.sweep, list.id, list.list).map_err(failed)? {
                sequence.serialize_element(&found.map_err(failed)?)?;
            }
        }
        sequence.end()
    }
}

pub(super) fn record(moment: &Moment<'_>, id: &str) -> Result<SweepRecord, ReportError> {
    let no_such_sweep = || ReportError::NoSuchSweep { id: id.to_owned() };
    match moment.sweep(id) {
        // What cannot be an id is the id of no sweep.
        Err(StoreError::Id { .. }) => Err(no_such_sweep()),
        found => found?.ok_or_else(no_such_sweep),
    }
}

pub(super) fn sweep(record: &SweepRecord) -> Result<Sweep, ReportError> {
    let parsed = Manifest::parse(&record.manifest_toml).and_then(Sweep::resolve);
    parsed.map_err(|error| ReportError::Manifest { id: record.id.clone(), reason: error.to_string() })
}

/// The counterexamples of a list, each with its key and fit for people, read as they are asked for.
pub(super) fn kept_with_keys<'a>(
    moment: &Moment<'a>,
    sweep: &Sweep,
    id: &str,
    list: u32,
) -> Result<impl Iterator<Item = Result<(Vec<u8>, Counterexample), StoreError>> + use<'a>, StoreError> {
    let found = moment.counterexamples(id, list)?.take(sweep.options().counterexamples);
    Ok(found.map(|found| {
        let (key, mut found) = found?;
        fit_counterexample(&mut found);
        Ok((key, found))
    }))
}

/// The same without their keys.
fn kept<'a>(
    moment: &Moment<'a>,
    sweep: &Sweep,
    id: &str,
    list: u32,
) -> Result<impl Iterator<Item = Result<Counterexample, StoreError>> + use<'a>, StoreError> {
    Ok(kept_with_keys(moment, sweep, id, list)?.map(|found| found.map(|(_, found)| found)))
}

/// The report of a sweep with its lists of counterexamples, of which `list` gives each by its number.
pub(super) fn report_of<L: Kept + Default>(
    moment: &Moment<'_>,
    sweep: &Sweep,
    record: &SweepRecord,
    list: impl FnMut(u32) -> Result<L, StoreError>,
) -> Result<Report<L>, ReportError> {
    let tally = moment.tally(&record.id)?.unwrap_or_else(|| Tally::new(sweep.claims.len()));
    let counterexamples: Result<Vec<L>, StoreError> = (0u32..).take(sweep.lists()).map(list).collect();
    let reason = record.reason.clone().map_or_else(|| quarantine_reason(moment, &record.id), |reason| Ok(Some(reason)))?;
    let findings = Findings {
        id: &record.id,
        solver_version: record.solver_version,
        hosts: record.hosts.len() as u64,
        state: record.state.word(),
        reason,
        tally: &tally,
        counterexamples: counterexamples?,
        figures: figures(moment, sweep, &record.id)?,
        seconds: record.active_ms as f64 / 1000.0,
    };
    Ok(build(sweep, findings))
}

/// The pictures of the kept positions, if the sweep keeps those that its family draws and there are not too many to look at.
fn figures(moment: &Moment<'_>, sweep: &Sweep, id: &str) -> Result<Vec<Figure>, StoreError> {
    const MOST: usize = 100_000;
    let draws = match sweep.options().record {
        Record::All => sweep.configurations() <= MOST as u128,
        Record::Losing => sweep.space.draws_losing(),
        Record::None => false,
    };
    if !draws {
        return Ok(Vec::new());
    }
    // How many positions are losing is not known beforehand.
    let records: Vec<KeptRecord> = moment.records(id)?.take(MOST + 1).collect::<Result<_, _>>()?;
    if records.len() > MOST {
        return Ok(Vec::new());
    }
    Ok(sweep.space.figures(&mut records.into_iter()))
}

pub(super) fn status_of(store: &Reader, record: &SweepRecord) -> Result<SweepStatus, ReportError> {
    let sweep = sweep(record)?;
    let tally = store.tally(&record.id)?.unwrap_or_else(|| Tally::new(sweep.claims.len()));
    let done = store.done_shards(&record.id)?.iter().map(|range| range.end - range.start).sum();
    let quarantined = store.quarantined(&record.id)?.len() as u64;
    let total = record.plan.shards();
    let mut claims_refuted = 0;
    for claim in (0u32..).take(sweep.claims.len()) {
        for found in store.now().counterexamples(&record.id, claim)? {
            if found?.1.confirmed {
                claims_refuted += 1;
                break;
            }
        }
    }
    Ok(SweepStatus {
        id: record.id.clone(),
        name: sweep.manifest.name.clone(),
        family: record.family.clone(),
        priority: record.priority,
        state: record.state,
        reason: record.reason.clone().map_or_else(|| quarantine_reason(&store.now(), &record.id), |reason| Ok(Some(reason)))?,
        shards: ShardCounts { total, done, leased: 0, quarantined, pending: total.saturating_sub(done + quarantined) },
        total: sweep.configurations(),
        decided: tally.decided,
        in_progress: 0,
        rate: 0.0,
        claims_refuted,
        replicas: sweep.options().replicas,
        hosts: record.hosts.len() as u64,
        boxes: Vec::new(),
    })
}

/// Where a sweep stands if only its record can be read: as if nothing of it were done.
pub(super) fn status_of_unread(record: &SweepRecord) -> SweepStatus {
    let total = record.plan.shards();
    SweepStatus {
        id: record.id.clone(),
        name: record.id.clone(),
        family: record.family.clone(),
        priority: record.priority,
        state: record.state,
        reason: record.reason.clone(),
        shards: ShardCounts { total, pending: total, ..ShardCounts::default() },
        total: 0,
        decided: 0,
        in_progress: 0,
        rate: 0.0,
        claims_refuted: 0,
        replicas: 1,
        hosts: record.hosts.len() as u64,
        boxes: Vec::new(),
    }
}

/// Which shards were quarantined and why, in a sentence.
///
/// Cost: reads a key for each of them.
pub(super) fn quarantine_reason(moment: &Moment<'_>, id: &str) -> Result<Option<String>, StoreError> {
    let mut quarantined = moment.quarantined(id)?;
    let Some(first) = quarantined.next().transpose()? else { return Ok(None) };
    Ok(Some(quarantine_sentence(1 + quarantined.count() as u64, &first)))
}

/// That so many shards were quarantined, of which this is the first.
pub(super) fn quarantine_sentence(count: u64, (shard, first): &(u64, QuarantineRecord)) -> String {
    let count = match count {
        1 => "1 shard was quarantined".to_owned(),
        count => format!("{count} shards were quarantined"),
    };
    format!("{count}; shard {shard} after {} attempts: {}", first.attempts, first.error)
}
