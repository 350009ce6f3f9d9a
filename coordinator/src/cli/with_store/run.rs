//! `refute run`: a coordinator and its workers in one process, for one sweep.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use refute_connect::host::host_name;
use refute_connect::path::path_parser;
use refute_connect::signals::told_to_stop;
use refute_connect::size::parse_size;
use refute_connect::streams::tell;
use refute_shared::sweep::{Plan, Sweep};
use refute_shared::text::bytes;
use refute_worker::WorkerOptions;
use refute_worker::cli::{default_slots, parse_slots};
use refute_worker::memory::{Budget, Memory, Others};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::client::Client;
use crate::driver::{Driver, DriverOptions, check_lease, largest_table};
use crate::report::{Report, text};
use crate::rpc::Server;
use crate::store::{Store, StoreError, keep_private, passing};

use super::super::connection::{client_failure, runtime};
use super::super::exit::{Failure, Output, of_report, style};
use super::super::manifest_source::ManifestSource;
use super::super::progress::ProgressDisplay;
use super::super::report::json;
use super::super::watch::watch_sweep;
use super::data_directory::{DEFAULT_DATA, store_failure};

/// What the coordinator takes beside its workers once it is at work: what the database keeps in memory, and results on their way.
const COORDINATOR_BYTES: u64 = 32 << 20;
/// Its threads, but for one a core: those of the database, of the disk, and of the reference.
const COORDINATOR_THREADS: u64 = 8;

/// How often the bar is drawn and the end looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Runs a sweep on this machine and prints its report; run again after Ctrl-C or a crash, it goes on
#[derive(Args, Debug)]
#[command(after_help = "Example: refute run h1 --set space.weights=0..=64\n\
    Exit code 1 means that a claim was refuted, which is a result.")]
pub struct Run {
    #[command(flatten)]
    source: ManifestSource,
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = DEFAULT_DATA, value_parser = path_parser())]
    data: PathBuf,
    /// Shards solved at a time [default: one per core, or as many as have memory for their tables]
    #[arg(long, value_name = "N", value_parser = parse_slots, allow_negative_numbers = true)]
    workers: Option<usize>,
    /// What the tables of each of them may take, such as 512MiB [default: its share of the memory that this process may take, at
    /// most 2GiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    memory: Option<u64>,
    /// No progress on stderr: neither a bar on a terminal nor lines elsewhere
    #[arg(long)]
    quiet: bool,
    /// The report as one JSON object
    #[arg(long)]
    json: bool,
    /// Start anew even if the same sweep is there
    #[arg(long)]
    fresh: bool,
}

impl Run {
    pub fn run(&self) -> Result<Output, Failure> {
        // All that can be wrong with the manifest is found before the data directory is made.
        let sweep = self.source.sweep()?;
        Plan::new(sweep.space.as_ref(), sweep.options()).map_err(Failure::wrong)?;
        check_lease(&sweep).map_err(Failure::wrong)?;
        let staff = self.staff(&sweep)?;
        keep_private();
        let report = runtime()?.block_on(self.sweep_here(sweep.manifest.to_toml(), staff))?;
        Ok(Output { text: if self.json { json(&report)? } else { text(&report, style()) }, code: of_report(&report) })
    }

    /// The workers for a sweep: as many slots as were asked for, or else as many as there are cores and memory for.
    fn staff(&self, sweep: &Sweep) -> Result<Staff, Failure> {
        let (box_text, needs) = largest_table(sweep);
        let memory = Memory::read();
        let most = self.workers.unwrap_or_else(default_slots);
        let least = if self.workers.is_some() || self.memory.is_some() { most } else { 1 };
        let others = Others { bytes: COORDINATOR_BYTES, threads: COORDINATOR_THREADS + default_slots() as u64 };
        let staff = |slots: usize| {
            let slots = slots_of_workers(slots, sweep.options().replicas);
            let budget = memory.budget(self.memory, slots.iter().sum(), others);
            (slots, budget)
        };
        let fits = |budget: &Budget| needs <= u128::from(budget.slot_bytes);
        let Some((slots, budget)) = (least..=most).rev().map(staff).find(|(_, budget)| fits(budget)) else {
            let limit = self.memory.map(|asked| format!("the limit is {}", bytes(asked.into())));
            let limit = limit.unwrap_or_else(|| format!("there is room for {}", staff(least).1));
            return Err(Failure::wrong(format!("--memory: {box_text} needs {} of tables a worker, and {limit}", bytes(needs))));
        };
        budget.warning().into_iter().chain(memory.kills()).for_each(|warning| tell(format_args!("refute: {warning}")));
        Ok(Staff { slots, slot_bytes: budget.slot_bytes })
    }

    /// A coordinator and workers over loopback, until the sweep has come to an end.
    async fn sweep_here(&self, manifest: String, staff: Staff) -> Result<Report, Failure> {
        let stop = told_to_stop().map_err(|error| Failure::not_done(format!("no signals: {error}")))?;
        let store = Store::open_or_create(&self.data).map_err(refused)?;
        if let Some(sentence) = passing(&self.data) {
            tell(format_args!("refute: {sentence}"));
        }
        let server = Server::bind("127.0.0.1:0").await.map_err(Failure::not_done)?;
        let url = format!("http://{}", server.address());
        store.set_address(&server.address().to_string()).map_err(store_failure)?;
        let options = DriverOptions { heartbeat_every_ms: 200, resume_all: false, ..DriverOptions::default() };
        let (driver, thread) = Driver::start(store, options).map_err(Failure::not_done)?;
        let (end, ended) = watch::channel(false);
        let serving = tokio::spawn(server.serve(driver.clone(), until(ended.clone())));
        let found = self.work(&url, manifest, staff, ended, stop).await;
        // The workers have gone; the server goes, then the thread, which writes what is left.
        let _ = end.send(true);
        let _ = serving.await;
        driver.stop();
        let _ = tokio::task::spawn_blocking(move || thread.join()).await;
        found
    }

    async fn work(
        &self,
        url: &str,
        manifest: String,
        staff: Staff,
        ended: watch::Receiver<bool>,
        stop: impl Future<Output = ()>,
    ) -> Result<Report, Failure> {
        let mut client = Client::new(url, |endpoint| endpoint.connect_lazy()).map_err(client_failure)?;
        let id = client.submit(manifest, self.fresh, None).await.map_err(client_failure)?;
        let (done, drained) = watch::channel(false);
        let mut workers = JoinSet::new();
        for slots in staff.slots {
            let (coordinator, slot_bytes) = (url.to_owned(), staff.slot_bytes);
            let options = WorkerOptions { coordinator, tls: None, slots, slot_bytes, memory_kills: 0, host: host_name() };
            workers.spawn(refute_worker::run(options, until(drained.clone())));
        }
        let mut progress = ProgressDisplay::new(self.quiet, format!("refute resume {id} --coordinator {url}"));
        let watched = tokio::select! {
            watched = watch_sweep(&mut client, &id, &mut progress, LOOK_EVERY) => watched,
            () = stop => Err(Failure::not_done(format!("stopped; run the same command again and it goes on ({id})"))),
            Some(ended) = workers.join_next() => Err(Failure::not_done(format!("a worker ended: {ended:?}"))),
        };
        progress.clear();
        drop(ended);
        let _ = done.send(true);
        workers.join_all().await;
        watched?;
        client.report(&id).await.map_err(client_failure)
    }
}

/// The workers of a run.
struct Staff {
    /// How many slots each of them has.
    slots: Vec<usize>,
    /// What the tables of each slot may take.
    slot_bytes: u64,
}

/// How many slots each worker has: one worker with all of them, or where several have to come to the same as many workers
/// as there are slots, and one more than that, so that there is one to decide between those that differ.
fn slots_of_workers(slots: usize, replicas: u32) -> Vec<usize> {
    if replicas > 1 { vec![1; slots.max(replicas as usize + 1)] } else { vec![slots] }
}

/// Resolves once the channel says so or its sender is gone.
async fn until(mut channel: watch::Receiver<bool>) {
    // An error means that the sender is gone, which ends it as well.
    let _ = channel.wait_for(|ended| *ended).await;
}

/// Array jobs start many runs, which is where a data directory is found in use.
fn refused(error: StoreError) -> Failure {
    match error {
        StoreError::InUse { .. } => Failure::not_done(format!(
            "{error}; give each run a directory of its own with --data, or start 'refute serve' once and 'refute submit' all sweeps to it"
        )),
        other => store_failure(other),
    }
}
