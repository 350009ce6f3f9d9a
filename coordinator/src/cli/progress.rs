//! The live bar of a sweep that runs, and durations for people.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use refute_shared::text::grouped;

use crate::status::SweepStatus;

/// Steps of the bar: configurations can be more than it counts to.
const STEPS: u128 = 10_000;

/// A live bar on stderr when it is a terminal, and nothing otherwise.
pub struct LiveBar {
    bar: ProgressBar,
}

impl LiveBar {
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(Some(STEPS as u64), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("[{bar:32}] {percent:>3} %  {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        Self { bar }
    }

    /// Shows where a sweep stands.
    pub fn show(&self, status: &SweepStatus) {
        let decided = status.decided.saturating_add(status.in_progress).min(status.total);
        let (whole, unit) = if status.total > u128::MAX / STEPS { (status.total / STEPS, 1) } else { (status.total, STEPS) };
        self.bar.set_position(u64::try_from(decided * unit / whole.max(1)).unwrap_or(0).min(STEPS as u64));
        let rate = if status.rate > 0.0 { format!("{}/s", grouped(status.rate as u128)) } else { "starting".to_owned() };
        let eta = status.eta_seconds().map(|seconds| format!(", {} left", duration(seconds))).unwrap_or_default();
        self.bar.set_message(format!("{} of {} configurations, {rate}{eta}", grouped(decided), grouped(status.total)));
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A number of seconds for people: `8 s`, `3 min 20 s`, `5 h 2 min`, `12 d 3 h`.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.clamp(0.0, 1e15).ceil() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        3600..86_400 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} d {} h", whole / 86_400, whole % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units_at_most() {
        for (seconds, text) in [(0.2, "1 s"), (59.0, "59 s"), (200.0, "3 min 20 s"), (18_120.0, "5 h 2 min"), (1_047_600.0, "12 d 3 h")] {
            assert_eq!(duration(seconds), text);
        }
    }
}
