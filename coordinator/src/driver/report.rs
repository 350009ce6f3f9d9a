//! What is read of a store: a report, or where its sweeps stand. Nothing of the schedule is needed.

use refute_shared::families::{Counterexample, Figure};
use refute_shared::sweep::{KeptRecord, Manifest, Record, Sweep, Tally};
use refute_shared::text::quoted;

use crate::report::{Findings, Report, build};
use crate::schedule::ShardCounts;
use crate::store::{Reader, StoreError, SweepRecord};

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
}

/// The report of a sweep from what is on disk.
///
/// # Errors
/// [`ReportError`].
pub fn read_report(store: &Reader, id: &str) -> Result<Report, ReportError> {
    let record = record(store, id)?;
    let sweep = sweep(&record)?;
    report_of(store, &sweep, &record)
}

/// Where every sweep on disk stands, in the order of submission; nothing runs.
///
/// # Errors
/// [`ReportError`].
pub fn read_status(store: &Reader) -> Result<Vec<SweepStatus>, ReportError> {
    store.sweeps()?.iter().map(|record| status_of(store, record)).collect()
}

fn record(store: &Reader, id: &str) -> Result<SweepRecord, ReportError> {
    let no_such_sweep = || ReportError::NoSuchSweep { id: id.to_owned() };
    match store.sweep(id) {
        // What cannot be an id is the id of no sweep.
        Err(StoreError::Id { .. }) => Err(no_such_sweep()),
        found => found?.ok_or_else(no_such_sweep),
    }
}

fn sweep(record: &SweepRecord) -> Result<Sweep, ReportError> {
    let parsed = Manifest::parse(&record.manifest_toml).and_then(Sweep::resolve);
    parsed.map_err(|error| ReportError::Manifest { id: record.id.clone(), reason: error.to_string() })
}

pub(super) fn report_of(store: &Reader, sweep: &Sweep, record: &SweepRecord) -> Result<Report, ReportError> {
    let tally = store.tally(&record.id)?.unwrap_or_else(|| Tally::new(sweep.claims.len()));
    let limit = sweep.options().counterexamples;
    let kept = |claim: u32| -> Result<Vec<Counterexample>, StoreError> {
        Ok(store.counterexamples(&record.id, claim, limit)?.into_iter().map(|(_, found)| found).collect())
    };
    let counterexamples: Result<Vec<_>, StoreError> = (0u32..).take(sweep.lists()).map(kept).collect();
    let reason = record.reason.clone().map_or_else(|| quarantine_reason(store, &record.id), |reason| Ok(Some(reason)))?;
    let findings = Findings {
        id: &record.id,
        solver_version: record.solver_version,
        hosts: record.hosts.len() as u64,
        state: record.state.word(),
        reason,
        tally: &tally,
        counterexamples: counterexamples?,
        figures: figures(store, sweep, &record.id)?,
        seconds: record.active_ms as f64 / 1000.0,
    };
    Ok(build(sweep, findings))
}

/// The pictures of the kept positions, if the sweep keeps those that its family draws and there are not too many to look at.
fn figures(store: &Reader, sweep: &Sweep, id: &str) -> Result<Vec<Figure>, StoreError> {
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
    let records: Vec<KeptRecord> = store.records(id)?.take(MOST + 1).collect::<Result<_, _>>()?;
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
        let found = store.counterexamples(&record.id, claim, usize::MAX)?;
        claims_refuted += usize::from(found.iter().any(|(_, found)| found.confirmed));
    }
    Ok(SweepStatus {
        id: record.id.clone(),
        name: sweep.manifest.name.clone(),
        family: record.family.clone(),
        priority: record.priority,
        state: record.state,
        reason: record.reason.clone().map_or_else(|| quarantine_reason(store, &record.id), |reason| Ok(Some(reason)))?,
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
pub(super) fn quarantine_reason(store: &Reader, id: &str) -> Result<Option<String>, StoreError> {
    let quarantined = store.quarantined(id)?;
    Ok(quarantined.first().map(|(shard, first)| {
        let count = match quarantined.len() {
            1 => "1 shard was quarantined".to_owned(),
            count => format!("{count} shards were quarantined"),
        };
        format!("{count}; shard {shard} after {} attempts: {}", first.attempts, first.error)
    }))
}
