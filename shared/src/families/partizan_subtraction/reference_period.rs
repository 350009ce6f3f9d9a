//! The reference's way to the period of a ruleset's outcomes: every window of as many outcomes as a move reaches back is remembered,
//! and the first that comes again says it.

use std::collections::HashMap;

use crate::families::TooLarge;
use crate::value::Outcome;

use super::period::{Period, RulesetClass};
use super::reference::ReferenceSolver;
use super::rules::Ruleset;

/// The most outcomes that are remembered, in all windows together.
const MAX_OUTCOMES: u64 = 1 << 24;

/// The period and what the ruleset does in the long run.
///
/// # Errors
/// [`TooLarge`] if no window comes again within the outcomes that are remembered.
pub fn find(solver: &mut ReferenceSolver, ruleset: &Ruleset) -> Result<(Period, RulesetClass), TooLarge> {
    let window = u64::from(ruleset.reach());
    let mut seen: HashMap<Vec<char>, u64> = HashMap::new();
    let mut letters: Vec<char> = Vec::new();
    for heap in 0..MAX_OUTCOMES / window {
        letters.push(solver.outcome(heap).letter().chars().next().unwrap_or('P'));
        let Some(start) = (heap + 1).checked_sub(window) else { continue };
        // Heaps are far fewer than memory has bytes.
        let Some(first) = seen.insert(letters[start as usize..].to_vec(), start) else { continue };
        let period = (start - first) as usize;
        let is_periodic = |from: usize| letters[from] == letters[from + period];
        let preperiod = (0..=first as usize).rev().take_while(|heap| is_periodic(*heap)).last().unwrap_or(first as usize);
        let outcomes: Vec<Outcome> =
            letters[preperiod..preperiod + period].iter().filter_map(|letter| Outcome::from_letter(&letter.to_string())).collect();
        return Ok((Period { period, preperiod }, RulesetClass::of(&outcomes)));
    }
    Err(TooLarge(format!("no period within {} heaps, and the reference looks no further", MAX_OUTCOMES / window)))
}
