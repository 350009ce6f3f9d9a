//! Many workers whose coordinator comes back.

use std::time::Duration;

use refute_worker::WorkerOptions;

use crate::network::Coordinator;
use crate::process::until;
use crate::room::Room;

const WORKERS: usize = 50;

/// When workers registered, in seconds of the day, as a coordinator's log has it.
fn registrations(log: &str) -> Vec<f64> {
    let seconds = |line: &str| {
        let time = line.split_whitespace().next()?.split_once('T')?.1.strip_suffix('Z')?.to_owned();
        let parts: Vec<f64> = time.split(':').map(|part| part.parse().unwrap()).collect();
        Some(parts[0] * 3600.0 + parts[1] * 60.0 + parts[2])
    };
    let mut times: Vec<f64> = log.lines().filter(|line| line.contains("worker registered")).map(|line| seconds(line).unwrap()).collect();
    // Midnight may come between.
    if times.iter().any(|time| time - times[0] < -43_200.0) {
        times.iter_mut().filter(|time| **time < 43_200.0).for_each(|time| *time += 86_400.0);
    }
    times.sort_by(f64::total_cmp);
    times
}

#[test]
fn workers_that_lost_their_coordinator_come_back_one_after_the_other() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let address = coordinator.address.clone();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (tell, told) = tokio::sync::watch::channel(());
    let workers: Vec<_> = (0..WORKERS)
        .map(|number| {
            let options = WorkerOptions {
                coordinator: format!("http://{address}"),
                tls: None,
                slots: 1,
                slot_bytes: 1 << 20,
                memory_kills: 0,
                host: format!("worker-{number}"),
            };
            let mut told = told.clone();
            // An error says that the other end is gone, which is the sign to stop.
            runtime.spawn(refute_worker::run(options, async move { drop(told.changed().await) }))
        })
        .collect();
    until("all to register", || (registrations(&coordinator.process.stderr()).len() == WORKERS).then_some(()));
    coordinator.process.kill();
    // Long enough that their waits have grown to a second or two.
    std::thread::sleep(Duration::from_secs(4));
    let coordinator = Coordinator::start_at(&room, &address, 15_000);
    let times = until("all to come back", || {
        let times = registrations(&coordinator.process.stderr());
        (times.len() >= WORKERS).then_some(times)
    });
    assert_eq!(times.len(), WORKERS, "each came once");
    // The busiest quarter of a second; if all came together it would have all of them.
    let together = |first: &f64| times.iter().filter(|time| (*first..*first + 0.25).contains(*time)).count();
    let busiest = times.iter().map(together).max().unwrap();
    let span = times[WORKERS - 1] - times[0];
    eprintln!("{WORKERS} workers came back within {span:.2} s, at most {busiest} of them within a quarter of a second");
    assert!(busiest <= WORKERS * 3 / 5, "{busiest} of {WORKERS} came together: {times:?}");
    drop(tell);
    for worker in workers {
        runtime.block_on(worker).unwrap().unwrap();
    }
}
