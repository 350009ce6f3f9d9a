//! How a person or a system tells a program to stop.

use std::fs;
use std::future::Future;
use std::io;

use tokio::signal::unix::{SignalKind, signal};

/// Resolves at the first SIGTERM, Ctrl-C or loss of the terminal (SIGHUP) after this call. From this call on none of them kills
/// the program. Where SIGHUP is ignored, as `nohup` has it, it stays so.
///
/// # Errors
/// If the system will not hand over the signals.
pub fn told_to_stop() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hang_up = if is_hang_up_ignored() { None } else { Some(signal(SignalKind::hangup())?) };
    Ok(async move {
        let hung_up = async {
            match &mut hang_up {
                Some(hang_up) => hang_up.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hung_up => {}
        }
    })
}

/// Whether the program was started with SIGHUP ignored, by the mask of ignored signals that the system shows. A system that does
/// not show it is taken to ignore none.
fn is_hang_up_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    is_ignored(&status, SignalKind::hangup())
}

fn is_ignored(status: &str, kind: SignalKind) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // Signals are numbered from 1 on.
    mask.is_some_and(|mask| mask >> (kind.as_raw_value() - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_tells_which_signals_are_ignored() {
        let status = "Name:\trefute\nSigBlk:\tffffffffffffffff\nSigIgn:\t0000000000001001\nSigCgt:\tffffffffffffffff\n";
        assert!(is_ignored(status, SignalKind::hangup()));
        assert!(!is_ignored(status, SignalKind::interrupt()));
        assert!(!is_ignored("", SignalKind::hangup()));
    }
}
