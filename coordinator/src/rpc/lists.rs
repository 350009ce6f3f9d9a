//! Where sweeps and workers stand, as it goes over the wire: one by one, or as lists in pages. A page is as much as one turn of the
//! driver's thread and one message are for.

use refute_proto::{MAX_MESSAGE_BYTES, v1};
use refute_shared::text::{plain, quoted};
use tonic::Status;

use crate::driver::{Coordinator, Driver, RunningShard, SweepStatus, WorkerStatus};
use crate::schedule::WorkerId;
use crate::status::BoxStatus;

use super::unanswered::unanswered;

/// After so many bytes a page ends. One entry alone is never larger than a message.
const PAGE_BYTES: usize = 1 << 18;

/// What a message may take, in bytes, and something for what stands around the list.
const MOST_BYTES: usize = MAX_MESSAGE_BYTES - 1024;

/// The most that is said of why a sweep is in its state, in characters.
const MAX_REASON_CHARACTERS: usize = 4_000;

/// Where the page of lost workers begins.
const LOST: &str = "lost";

/// The page of sweeps that is asked for.
///
/// # Errors
/// The status of the call.
pub async fn sweeps(driver: &Driver, request: v1::ListRequest) -> Result<v1::ListResponse, Status> {
    let mut after = number(&request.after)?;
    let mut list = v1::ListResponse::default();
    loop {
        let page = driver.call(move |core, _| page_of_sweeps(core, after)).await.map_err(unanswered)?;
        if request.paged {
            return Ok(page);
        }
        list.sweeps.extend(page.sweeps);
        check_length(&list)?;
        if page.next.is_empty() {
            return Ok(list);
        }
        after = number(&page.next)?;
    }
}

fn page_of_sweeps(core: &Coordinator, after: Option<u64>) -> v1::ListResponse {
    let (mut page, mut bytes, mut last) = (v1::ListResponse::default(), 0, after);
    for (sequence, status) in core.list_after(after) {
        let status = to_wire(status);
        bytes += entry_bytes(&status);
        if bytes > PAGE_BYTES && !page.sweeps.is_empty() {
            break;
        }
        page.sweeps.push(status);
        last = Some(sequence);
    }
    page.next = last.filter(|last| core.has_sweeps_after(*last)).map(|last| last.to_string()).unwrap_or_default();
    page
}

/// The page of workers that is asked for.
///
/// # Errors
/// The status of the call.
pub async fn workers(driver: &Driver, request: v1::ListWorkersRequest) -> Result<v1::ListWorkersResponse, Status> {
    let mut after = request.after;
    let mut list = v1::ListWorkersResponse::default();
    loop {
        let from = if after == LOST { None } else { Some(number(&after)?.map(WorkerId)) };
        let page = driver.call(move |core, now_ms| page_of_workers(core, from, now_ms)).await.map_err(unanswered)?;
        if request.paged {
            return Ok(page);
        }
        list.workers.extend(page.workers);
        list.lost.extend(page.lost);
        check_length(&list)?;
        if page.next.is_empty() {
            return Ok(list);
        }
        after = page.next;
    }
}

/// A page of the workers that are there, or with nothing to begin after those that were lost.
fn page_of_workers(core: &Coordinator, from: Option<Option<WorkerId>>, now_ms: u64) -> v1::ListWorkersResponse {
    let (mut page, mut bytes) = (v1::ListWorkersResponse::default(), 0);
    if let Some(after) = from {
        let mut last = after;
        for status in core.workers_after(after, now_ms) {
            let id = WorkerId(status.worker_id);
            let worker = worker_to_wire(status);
            bytes += entry_bytes(&worker);
            if bytes > PAGE_BYTES && !page.workers.is_empty() {
                break;
            }
            page.workers.push(worker);
            last = Some(id);
        }
        if let Some(last) = last.filter(|last| core.schedule().workers_after(Some(*last)).next().is_some()) {
            page.next = last.0.to_string();
            return page;
        }
    }
    // At most some hundreds are remembered, and these fit into a message.
    let lost: Vec<_> = core.lost_workers(now_ms).into_iter().map(worker_to_wire).collect();
    if from.is_some() && bytes + lost.iter().map(entry_bytes).sum::<usize>() > MOST_BYTES {
        page.next = LOST.to_owned();
    } else {
        page.lost = lost;
    }
    page
}

/// What an entry of a list takes in a message.
fn entry_bytes(entry: &impl prost::Message) -> usize {
    entry.encoded_len() + 8
}

/// The number after which a page begins.
fn number(after: &str) -> Result<Option<u64>, Status> {
    if after.is_empty() {
        return Ok(None);
    }
    let wrong = |_| Status::invalid_argument(format!("'{}' is no place in a list; ask for the first page again", quoted(after)));
    after.parse().map(Some).map_err(wrong)
}

fn check_length(list: &impl prost::Message) -> Result<(), Status> {
    if list.encoded_len() <= MOST_BYTES {
        return Ok(());
    }
    let sentence = "the list is longer than one message, in which this program wants it; a newer version of refute takes it in pages";
    Err(Status::resource_exhausted(sentence))
}

pub fn to_wire(status: SweepStatus) -> v1::StatusResponse {
    v1::StatusResponse {
        eta_seconds: status.eta_seconds(),
        id: status.id,
        state: status.state.word().to_owned(),
        shards_total: status.shards.total,
        shards_done: status.shards.done,
        shards_leased: status.shards.leased,
        shards_quarantined: status.shards.quarantined,
        configurations_total: Some(status.total.into()),
        configurations_decided: Some(status.decided.into()),
        configurations_in_progress: Some(status.in_progress.into()),
        rate: status.rate,
        name: status.name,
        family: status.family,
        claims_refuted: u32::try_from(status.claims_refuted).unwrap_or(u32::MAX),
        reason: status.reason.map(|reason| plain(&reason, MAX_REASON_CHARACTERS)).unwrap_or_default(),
        priority: status.priority,
        replicas: status.replicas,
        hosts: status.hosts,
        boxes: status.boxes.into_iter().map(box_to_wire).collect(),
    }
}

fn box_to_wire(BoxStatus { text, shards }: BoxStatus) -> v1::BoxStatus {
    v1::BoxStatus {
        text,
        shards_total: shards.total,
        shards_done: shards.done,
        shards_leased: shards.leased,
        shards_quarantined: shards.quarantined,
    }
}

fn worker_to_wire(worker: WorkerStatus) -> v1::Worker {
    let shard = |shard: RunningShard| v1::RunningShard {
        sweep_id: shard.sweep_id,
        shard_number: shard.shard_number,
        decided: Some(shard.decided.into()),
        running_ms: shard.running_ms,
    };
    let lost_shard = |(sweep_id, shard_number)| v1::LostShard { sweep_id, shard_number };
    v1::Worker {
        worker_id: worker.worker_id,
        host: worker.host,
        build: worker.build,
        slots: worker.slots,
        slot_bytes: worker.slot_bytes,
        silent_ms: worker.silent_ms,
        shards: worker.shards.into_iter().map(shard).collect(),
        banned: worker.banned.unwrap_or_default(),
        other_version: worker.other_version.unwrap_or_default(),
        rate: worker.rate,
        registered_for_ms: worker.registered_for_ms,
        shards_done: worker.shards_done,
        configurations_decided: Some(worker.decided.into()),
        leases_lost: worker.leases_lost,
        errors: worker.errors,
        returned: worker.returned,
        contradicted: worker.contradicted,
        lost_shards: worker.lost_shards.into_iter().map(lost_shard).collect(),
        peer: worker.peer,
        drained: worker.drained,
        probation: worker.probation.unwrap_or_default(),
        too_small: worker.too_small.unwrap_or_default(),
        memory_kills: worker.memory_kills,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use prost::Message as _;
    use refute_shared::sweep::{BoxPlan, Plan};

    use super::*;
    use crate::driver::{Core, DriverOptions};
    use crate::schedule::SweepState;
    use crate::store::{Store, SweepRecord};

    /// A coordinator with sweeps that have much to say about why they failed.
    fn coordinator(directory: &std::path::Path, sweeps: u64) -> Coordinator {
        let store = Store::open_or_create(directory).unwrap().without_sync();
        for sequence in 0..sweeps {
            // In another order than their sequence numbers, and one that this program cannot go on with.
            let record = SweepRecord {
                id: format!("n-{:04}", 7_919 * (sequence + 1) % 10_000),
                manifest_toml: "name = \"n\"\nfamily = \"null\"\n[space]\nheap = 1\n".into(),
                family: "null".into(),
                solver_version: if sequence == 3 { 99 } else { 1 },
                language: None,
                plan: Plan { boxes: vec![BoxPlan { units: 1, units_per_shard: 1 }] },
                state: SweepState::Failed,
                reason: Some("why ".repeat(10_000)),
                created_unix_ms: 0,
                active_ms: 0,
                hosts: BTreeSet::new(),
                verifies: false,
                priority: 0,
                sequence,
            };
            store.put_sweep(&record).unwrap();
        }
        Core::new(store, DriverOptions::default()).unwrap()
    }

    #[test]
    fn sweeps_come_in_pages_that_fit_each_once_and_in_their_order() {
        let directory = tempfile::tempdir().unwrap();
        let core = coordinator(directory.path(), 300);
        let (mut found, mut pages, mut after) = (Vec::new(), 0, None);
        loop {
            let page = page_of_sweeps(&core, after);
            assert!(page.encoded_len() < MOST_BYTES, "{}", page.encoded_len());
            found.extend(page.sweeps);
            pages += 1;
            if page.next.is_empty() {
                break;
            }
            after = number(&page.next).unwrap();
        }
        let ids: Vec<&str> = found.iter().map(|sweep| sweep.id.as_str()).collect();
        let expected: Vec<String> = (1..=300).map(|number| format!("n-{:04}", 7_919 * number % 10_000)).collect();
        assert_eq!(ids, expected);
        assert!((4..10).contains(&pages), "{pages}");
        assert!(found.iter().all(|sweep| sweep.reason.chars().count() <= MAX_REASON_CHARACTERS + 1));
        assert!(found[3].reason.contains("solver version 99"), "{}", found[3].reason);
        let list = v1::ListResponse { sweeps: found, next: String::new() };
        assert!(check_length(&list).unwrap_err().message().contains("takes it in pages"));
    }

    #[test]
    fn a_list_that_fits_is_one_page() {
        let directory = tempfile::tempdir().unwrap();
        let core = coordinator(directory.path(), 3);
        let page = page_of_sweeps(&core, None);
        assert_eq!((page.sweeps.len(), page.next.as_str()), (3, ""));
        assert!(check_length(&page).is_ok());
        assert_eq!(page_of_sweeps(&core, Some(2)), v1::ListResponse::default());
        assert_eq!(page_of_sweeps(&core, Some(u64::MAX)), v1::ListResponse::default());
        assert_eq!(page_of_workers(&core, Some(None), 0), v1::ListWorkersResponse::default());
    }

    #[test]
    fn a_page_begins_at_a_number_or_nowhere() {
        assert_eq!(number("").unwrap(), None);
        assert_eq!(number("17").unwrap(), Some(17));
        for wrong in ["x", "-1", "18446744073709551616", "lost"] {
            assert!(number(wrong).unwrap_err().message().contains("is no place in a list"), "{wrong}");
        }
    }
}
