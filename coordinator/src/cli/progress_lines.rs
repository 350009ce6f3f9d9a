//! How a sweep goes on, as lines for a log: where it begins and ends, where each of its boxes does, and once in a while how far it is.
//! Pure: the time is handed over.

use std::collections::BTreeSet;

use refute_shared::text::{duration, grouped, several};

use crate::schedule::{ShardCounts, SweepState};
use crate::status::SweepStatus;

/// The lines of one sweep.
#[derive(Debug)]
pub struct ProgressLines {
    /// Seconds between two lines that say how far it is.
    every: f64,
    /// When the next one is due; none before the first look.
    due: Option<f64>,
    paused: bool,
    /// The boxes of which it was said that they begin, and those of which it was said that they end.
    begun: BTreeSet<usize>,
    ended: BTreeSet<usize>,
}

impl ProgressLines {
    /// For a sweep that was not looked at yet, with a line every so many seconds.
    pub fn new(every: f64) -> Self {
        Self { every, due: None, paused: false, begun: BTreeSet::new(), ended: BTreeSet::new() }
    }

    /// What is to be said now, which is so many seconds after any fixed moment. `resume` is the command that makes a paused sweep
    /// go on.
    pub fn look(&mut self, now: f64, status: &SweepStatus, resume: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let is_first = self.due.is_none();
        if is_first {
            lines.extend(self.first(status));
        }
        let is_paused = status.state == SweepState::Paused;
        if is_paused != self.paused {
            self.paused = is_paused;
            lines.push(if is_paused { format!("paused; '{resume}' resumes it") } else { "resumed".to_owned() });
        }
        for index in 0..status.boxes.len() {
            lines.extend(self.of_box(status, index));
        }
        let due = *self.due.get_or_insert(now + self.every);
        if status.state.is_terminal() {
            lines.push(format!("{}: {}", status.state, so_far(status)));
        } else if now >= due {
            self.due = Some(now + self.every);
            lines.push(rate(status));
        }
        lines.into_iter().map(|line| format!("{}: {line}", status.id)).collect()
    }

    /// What was done before the first look is said at once and not box by box. Where there are too many boxes to list, it is said
    /// that the sweep begins.
    fn first(&mut self, status: &SweepStatus) -> Option<String> {
        self.ended.extend((0..status.boxes.len()).filter(|index| has_ended(status, *index)));
        self.begun.extend((0..status.boxes.len()).filter(|index| status.boxes[*index].shards.done > 0));
        match status.shards {
            _ if status.state.is_terminal() => None,
            ShardCounts { done: 1.., .. } => Some(format!("goes on with {}", so_far(status))),
            ShardCounts { total, .. } if status.boxes.is_empty() => {
                let size = several(status.total, "configuration");
                Some(format!("begins: {size} in {}", several(total.into(), "shard")))
            }
            _ => None,
        }
    }

    fn of_box(&mut self, status: &SweepStatus, index: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let (text, shards) = (&status.boxes[index].text, status.boxes[index].shards);
        let name = format!("box {} of {}", index + 1, status.boxes.len());
        if self.ended.contains(&index) {
            return lines;
        }
        if shards.pending < shards.total && self.begun.insert(index) {
            lines.push(format!("{name} begins: {text}"));
        }
        if has_ended(status, index) {
            self.ended.insert(index);
            let quarantined = match shards.quarantined {
                0 => String::new(),
                count => format!(" but for {} in quarantine", several(count.into(), "shard")),
            };
            lines.push(format!("{name} is done{quarantined}; {}", so_far(status)));
        }
        lines
    }
}

/// Whether nothing of a box is left to do.
fn has_ended(status: &SweepStatus, index: usize) -> bool {
    let shards = status.boxes[index].shards;
    shards.done + shards.quarantined == shards.total
}

/// How much is done and what came out.
fn so_far(status: &SweepStatus) -> String {
    let decided = status.decided.saturating_add(status.in_progress).min(status.total);
    let percent = percent(decided, status.total);
    let refuted = several(status.claims_refuted as u128, "claim");
    format!("{} of {} ({percent} %), {refuted} refuted", grouped(decided), several(status.total, "configuration"))
}

/// The same with how fast it is and what that means, or why it stands still.
fn rate(status: &SweepStatus) -> String {
    let speed = match (status.state, status.eta_seconds()) {
        (SweepState::Paused, _) => "paused".to_owned(),
        (SweepState::Queued, _) => "waits for a worker".to_owned(),
        (_, Some(left)) => format!("{} a second, {} left", grouped(status.rate as u128), duration(left)),
        (_, None) => "no rate known yet".to_owned(),
    };
    let reason = status.reason.as_ref().map(|reason| format!("; {reason}")).unwrap_or_default();
    format!("{}, {speed}{reason}", so_far(status))
}

/// Hundredths, of which there are 100 only if nothing is left.
pub fn percent(decided: u128, total: u128) -> u128 {
    match decided.checked_mul(100) {
        Some(product) => product / total.max(1),
        None if decided < total => (decided / (total / 100)).min(99),
        None => 100,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::BoxStatus;

    const RESUME: &str = "refute resume h1-0";

    fn counts(total: u64, done: u64, leased: u64) -> ShardCounts {
        ShardCounts { total, done, leased, quarantined: 0, pending: total - done - leased }
    }

    /// A sweep with two boxes of three shards, of which so many are done and leased.
    fn status(done: [u64; 2], leased: [u64; 2]) -> SweepStatus {
        let texts = ["H1, weights 0..=3", "H2, weights 0..=3"];
        let boxes = (0..2).map(|index| BoxStatus { text: texts[index].to_owned(), shards: counts(3, done[index], leased[index]) });
        let done = done[0] + done[1];
        SweepStatus {
            id: "h1-0".into(),
            name: "h1".into(),
            family: "graph-nim".into(),
            priority: 0,
            state: if done == 6 { SweepState::Complete } else { SweepState::Running },
            reason: None,
            shards: counts(6, done, leased[0] + leased[1]),
            total: 6_000,
            decided: u128::from(done) * 1_000,
            in_progress: 0,
            rate: 10.0,
            claims_refuted: 0,
            replicas: 1,
            hosts: 1,
            boxes: boxes.collect(),
        }
    }

    /// What is said at each of these looks.
    fn said(looks: &[(f64, SweepStatus)]) -> String {
        let mut lines = ProgressLines::new(60.0);
        let said = looks.iter().map(|(now, status)| (now, lines.look(*now, status, RESUME)));
        said.flat_map(|(now, lines)| lines.into_iter().map(move |line| format!("{now:>4} {line}\n"))).collect()
    }

    #[test]
    fn boxes_begin_and_end_and_once_a_minute_it_is_said_how_far_it_is() {
        let refuted = SweepStatus { claims_refuted: 1, in_progress: 500, ..status([2, 0], [1, 1]) };
        insta::assert_snapshot!(said(&[
            (7.0, status([0, 0], [0, 0])),
            (7.5, status([0, 0], [2, 0])),
            (30.0, status([1, 0], [2, 0])),
            (66.9, status([1, 0], [2, 0])),
            (67.0, refuted.clone()),
            (67.5, refuted),
            (90.0, status([3, 2], [0, 1])),
            (127.0, SweepStatus { rate: 0.0, ..status([3, 2], [0, 1]) }),
            (130.0, status([3, 3], [0, 0])),
        ]));
    }

    #[test]
    fn what_was_done_before_is_said_at_once() {
        insta::assert_snapshot!(said(&[(0.0, status([3, 1], [0, 1])), (1.0, status([3, 3], [0, 0]))]));
        let without_boxes = SweepStatus { boxes: Vec::new(), ..status([0, 0], [0, 0]) };
        assert_eq!(said(&[(0.0, without_boxes)]), "   0 h1-0: begins: 6,000 configurations in 6 shards\n");
        let complete = said(&[(0.0, status([3, 3], [0, 0]))]);
        assert_eq!(complete, "   0 h1-0: complete: 6,000 of 6,000 configurations (100 %), 0 claims refuted\n");
    }

    #[test]
    fn why_it_stands_still_is_said() {
        let paused = SweepStatus { state: SweepState::Paused, rate: 0.0, ..status([1, 0], [0, 0]) };
        let reason = Some("the disk is full".to_owned());
        let queued = SweepStatus { state: SweepState::Queued, rate: 0.0, reason, ..status([1, 0], [0, 0]) };
        insta::assert_snapshot!(said(&[
            (0.0, paused.clone()),
            (1.0, paused.clone()),
            (60.0, paused),
            (61.0, queued.clone()),
            (120.0, queued)
        ]));
    }

    #[test]
    fn a_percentage_is_100_only_if_nothing_is_left() {
        for (decided, total, expected) in [
            (0, 0, 0),
            (0, 7, 0),
            (999, 1_000, 99),
            (7, 7, 100),
            (u128::MAX, u128::MAX, 100),
            (u128::MAX / 2, u128::MAX, 50),
            (u128::MAX - 1, u128::MAX, 99),
        ] {
            assert_eq!(percent(decided, total), expected, "{decided} of {total}");
        }
    }
}
