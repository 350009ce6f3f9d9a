//! Reports that are made while they are read: the same as those that are made at once, of one moment, and not in the way of the store.

use std::io::{self, Write};

use super::hostile::MANIFEST;
use super::{Running, confirmed};
use crate::driver::{ReportError, ReportSource, read_report};
use crate::store::{Store, StoreError};

/// Takes what is written, and does something once.
struct Watched<F: FnMut()>(Vec<u8>, Option<F>);

impl<F: FnMut()> Write for Watched<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(mut once) = self.1.take() {
            once();
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Running {
    /// A sweep of several shards, and the shards of it that have counterexamples.
    fn refuted() -> (Self, String, Vec<u64>) {
        let mut running = Self::start();
        let id = running.core.submit(&format!("{MANIFEST}shard_seconds = 1e-9\n"), false, None, 0).unwrap();
        let shards = running.core.schedule().counts(&id).unwrap().total;
        let has_some = |shard: &u64| !running.shard_solved_with_all(&id, *shard).result.counterexamples[0].is_empty();
        let refuted = (0..shards).filter(has_some).collect();
        (running, id, refuted)
    }

    /// Has a shard done, with its counterexamples confirmed.
    fn finish(&mut self, id: &str, shard: u64) {
        let delivery = self.shard_solved_with_all(id, shard);
        self.core.deliver(delivery, 1);
        for job in self.turn().1 {
            self.core.confirmed(&job.result, confirmed(&job));
        }
        self.turn();
        assert!(self.core.gate.disk().shard(id, shard).unwrap().is_some());
    }

    fn whole_report(&self, id: &str) -> String {
        serde_json::to_string(&read_report(self.core.gate.disk(), id).unwrap()).unwrap()
    }
}

#[test]
fn a_report_that_is_made_while_it_is_read_is_the_same_and_of_one_moment() {
    let (mut running, id, refuted) = Running::refuted();
    let [first, .., last] = refuted[..] else { panic!("{refuted:?}") };
    running.finish(&id, last);
    let whole = running.whole_report(&id);
    assert!(whole.contains("\"confirmed\":true"), "{whole}");
    let source = running.core.report_source(id.clone()).unwrap();
    // From the first byte on there are smaller counterexamples on disk.
    let mut watched = Watched(Vec::new(), Some(|| running.finish(&id, first)));
    source.write(&mut watched).unwrap();
    assert_eq!(String::from_utf8(watched.0).unwrap(), whole);
    let changed = running.whole_report(&id);
    assert_ne!(changed, whole, "what is read afterwards is another moment");
    // One that is not in memory is read from disk.
    let elsewhere = ReportSource { store: running.core.gate.disk().moment_source().unwrap(), id, known: None };
    let mut written = Vec::new();
    elsewhere.write(&mut written).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), changed);
}

#[test]
fn a_report_that_nobody_takes_and_one_of_no_sweep_end_with_a_sentence() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (running, id, _) = Running::refuted();
    let refused = running.core.report_source(id).unwrap().write(Closed);
    assert!(matches!(refused, Err(ReportError::NotWritten(_))), "{refused:?}");
    for id in ["h9", "", "a\0b"] {
        let refused = running.core.report_source(id.into()).unwrap().write(Vec::new());
        assert!(matches!(refused, Err(ReportError::NoSuchSweep { .. })), "{refused:?}");
    }
}

#[test]
fn a_store_that_is_opened_again_waits_for_its_readers_and_has_them_end() {
    let directory = tempfile::tempdir().unwrap();
    let mut store = Store::open_or_create(directory.path()).unwrap();
    let source = store.moment_source().unwrap();
    let moment = source.moment().unwrap();
    let before = moment.records("h1").unwrap();
    assert!(matches!(store.reopen(), Err(StoreError::Reopening { .. })));
    assert!(matches!(store.moment_source(), Err(StoreError::Reopening { .. })), "no more of them");
    assert_eq!(store.sweeps(), Ok(Vec::new()), "what is there can be read");
    drop((before, moment));
    drop(source);
    store.reopen().unwrap();
    store.moment_source().unwrap();
}
