//! How a sweep that runs is followed on stderr: as a live bar on a terminal, and as lines elsewhere.

use std::io::{self, IsTerminal as _};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use refute_connect::streams::tell;
use refute_shared::text::{duration, grouped};

use crate::report::fitted;
use crate::schedule::SweepState;
use crate::status::SweepStatus;

use super::exit::columns_of;
use super::progress_lines::{ProgressLines, percent};

/// How often it is said how far a sweep is where there is no bar, in seconds.
const LINE_EVERY: f64 = 60.0;
/// Columns that the bar takes beside its message, when it is as short as it may be: 10 and the percentage.
const BAR_COLUMNS: usize = 21;

/// Shows how a sweep goes on.
pub struct ProgressDisplay {
    shown: Shown,
    /// The command that makes the sweep go on if it is paused.
    resume: String,
    is_paused: bool,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    Lines { lines: ProgressLines, started: Instant },
}

impl ProgressDisplay {
    /// On stderr, unless nothing is wanted there. `resume` is the command that makes the sweep go on if it is paused.
    pub fn new(is_quiet: bool, resume: String) -> Self {
        let shown = if is_quiet {
            Shown::Nothing
        } else if io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(100), ProgressDrawTarget::stderr());
            // It takes what the message leaves of a line.
            if let Ok(style) = ProgressStyle::with_template("[{wide_bar}] {percent:>3} %  {msg}") {
                bar.set_style(style.progress_chars("=> "));
            }
            Shown::Bar(bar)
        } else {
            Shown::Lines { lines: ProgressLines::new(LINE_EVERY), started: Instant::now() }
        };
        Self { shown, resume, is_paused: false }
    }

    /// Shows where the sweep stands.
    pub fn show(&mut self, status: &SweepStatus) {
        let was_paused = self.is_paused;
        self.is_paused = status.state == SweepState::Paused;
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                let columns = columns_of(&io::stderr());
                if self.is_paused && !was_paused {
                    bar.println(fitted(&format!("{}: paused; '{}' resumes it", status.id, self.resume), columns));
                }
                bar.set_position(u64::try_from(percent(decided(status), status.total)).unwrap_or(100).min(100));
                bar.set_message(message(status, columns));
            }
            Shown::Lines { lines, started } => {
                lines.look(started.elapsed().as_secs_f64(), status, &self.resume).iter().for_each(tell);
            }
        }
    }

    /// Whether the sweep was paused when it was last shown.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Takes the bar away, if there is one.
    pub fn clear(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

fn decided(status: &SweepStatus) -> u128 {
    status.decided.saturating_add(status.in_progress).min(status.total)
}

/// What stands beside a bar: as much of it as leaves room for the bar on a line of so many columns.
fn message(status: &SweepStatus, columns: usize) -> String {
    let (decided, total) = (grouped(decided(status)), grouped(status.total));
    let (speed, left) = match (status.state, status.eta_seconds()) {
        (SweepState::Paused, _) => ("paused".to_owned(), None),
        (SweepState::Queued, _) => ("waiting for a worker".to_owned(), None),
        (_, Some(seconds)) => (format!("{}/s", grouped(status.rate as u128)), Some(format!("{} left", duration(seconds)))),
        (_, None) => ("starting".to_owned(), None),
    };
    let pace = left.as_ref().map_or_else(|| speed.clone(), |left| format!("{speed}, {left}"));
    let variants =
        [format!("{decided} of {total} configurations, {pace}"), format!("{decided} of {total}, {pace}"), pace, left.unwrap_or(speed)];
    let room = columns.saturating_sub(BAR_COLUMNS);
    variants.into_iter().find(|text| text.chars().count() <= room).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::ShardCounts;

    fn status(rate: f64) -> SweepStatus {
        SweepStatus {
            id: "h1-0".into(),
            name: "h1".into(),
            family: "graph-nim".into(),
            priority: 0,
            state: SweepState::Running,
            reason: None,
            shards: ShardCounts::default(),
            total: 1_103_812_890_625,
            decided: 551_906_445_312,
            in_progress: 0,
            rate,
            claims_refuted: 0,
            replicas: 1,
            hosts: 1,
            boxes: Vec::new(),
        }
    }

    #[test]
    fn a_message_leaves_room_for_its_bar() {
        let all = |columns: usize| {
            let paused = SweepStatus { state: SweepState::Paused, ..status(0.0) };
            let queued = SweepStatus { state: SweepState::Queued, ..status(0.0) };
            [status(2.7e10), status(1_234.5), status(0.0), paused, queued].map(|status| message(&status, columns)).join("\n")
        };
        let texts: Vec<String> = [120, 80, 40, 20].iter().map(|columns| format!("{columns} columns\n{}", all(*columns))).collect();
        insta::assert_snapshot!(texts.join("\n\n"));
        for columns in 0..200 {
            let room = columns.max(BAR_COLUMNS) - BAR_COLUMNS;
            assert!(all(columns).lines().all(|line| line.len() <= room), "{columns}");
        }
    }
}
