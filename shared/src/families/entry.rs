//! Claims with their predicates, and how a sweep comes by its own.

use std::sync::Arc;

use crate::claim::{Claim, Kind, MAX_CLAIMS, Paper, Source};
use crate::sweep::ManifestError;
use crate::text::{known, quoted};

use super::{Game, GameBox, Says, StatedPredicate};

/// A claim of a sweep: its text, about what it speaks, and its predicate.
pub struct Entry<G: Game> {
    /// The claim as text.
    pub claim: Claim,
    /// What the family says of it besides; nothing of a claim that a manifest states, which may speak anywhere.
    pub scope: Option<G::Scope>,
    /// What it predicts.
    pub predicate: Predicate<G>,
}

/// A predicate that no function of the program is.
pub type MadePredicate<G> = dyn Fn(&<G as Game>::View) -> Says<G> + Send + Sync;

/// What a claim predicts of a position. It never sees a solver.
pub enum Predicate<G: Game> {
    /// A function of the family's `claims` module.
    Written(fn(&G::View) -> Says<G>),
    /// A function made at run time.
    Made(Arc<MadePredicate<G>>),
    /// What a manifest states, or the text of a paper's claim under the names of some boxes.
    Stated(Arc<StatedPredicate<G>>),
    /// The claim's text in the language, which `with_texts` puts in place where some position has its names. No
    /// judge comes across it.
    Text {
        /// Whether a sweep judges it only where its manifest names it: it looks at so many positions that others wait for it.
        only_named: bool,
    },
}

impl<G: Game> Clone for Predicate<G> {
    fn clone(&self) -> Self {
        match self {
            Self::Written(predict) => Self::Written(*predict),
            Self::Made(predict) => Self::Made(Arc::clone(predict)),
            Self::Stated(stated) => Self::Stated(Arc::clone(stated)),
            Self::Text { only_named } => Self::Text { only_named: *only_named },
        }
    }
}

impl<G: Game> Clone for Entry<G> {
    fn clone(&self) -> Self {
        Self { claim: self.claim.clone(), scope: self.scope.clone(), predicate: self.predicate.clone() }
    }
}

impl<G: Game> Entry<G> {
    /// What the claim says about a position; nothing where it is a text, since that takes the position's values.
    #[inline]
    pub fn predict(&self, view: &G::View) -> Option<Says<G>> {
        match &self.predicate {
            Predicate::Written(predict) => Some(predict(view)),
            Predicate::Made(predict) => Some(predict(view)),
            Predicate::Stated(_) | Predicate::Text { .. } => None,
        }
    }

    /// What a manifest or the text of a paper's claim states, if it is that.
    pub fn stated(&self) -> Option<&Arc<StatedPredicate<G>>> {
        if let Predicate::Stated(stated) = &self.predicate { Some(stated) } else { None }
    }

    /// Whether a manifest states it.
    pub fn is_of_manifest(&self) -> bool {
        self.claim.stated.is_some()
    }

    /// Whether a sweep judges it only where its manifest names it.
    pub fn is_only_named(&self) -> bool {
        matches!(self.predicate, Predicate::Text { only_named: true })
    }

    /// Whether it looks at other positions, as one about a whole does: a claim that is a text may.
    pub fn relates(&self) -> bool {
        self.stated().is_some_and(|stated| stated.relates() || stated.is_about_whole())
    }

    /// Whether it may speak about some configuration of a box.
    pub fn can_speak(&self, one: &G::Box) -> bool {
        self.scope.as_ref().is_none_or(|scope| one.can_speak(scope))
    }

    /// Whether it is to be shown where a position is explained.
    pub fn concerns(&self, position: &G::Position) -> bool {
        self.scope.as_ref().is_none_or(|scope| G::concerns(scope, position))
    }
}

/// A claim of a paper as it stands in a family's list.
pub struct Printed<G: Game> {
    /// The paper's key, `/`, and the item.
    pub id: &'static str,
    /// What the paper itself calls it.
    pub kind: Kind,
    /// The item by its name and number.
    pub item: &'static str,
    /// The section.
    pub section: &'static str,
    /// When it speaks.
    pub hypothesis: &'static str,
    /// What it says where it speaks, in our own words.
    pub statement: &'static str,
    /// What else the family says about it.
    pub scope: G::Scope,
    /// What it predicts.
    pub predict: fn(&G::View) -> Says<G>,
}

impl<G: Game> Printed<G> {
    /// A list of claims of one paper.
    pub fn of(paper: &Paper, list: &[Self]) -> Vec<Entry<G>> {
        let entry = |printed: &Self| Entry {
            claim: claim_of(paper, (printed.id, printed.kind), [printed.item, printed.section, printed.hypothesis, printed.statement]),
            scope: Some(printed.scope.clone()),
            predicate: Predicate::Written(printed.predict),
        };
        list.iter().map(entry).collect()
    }
}

/// A claim of a paper whose predicate is its text in `shared/sweeps/claims`, as it stands in a family's list.
pub struct InText<G: Game> {
    /// The paper's key, `/`, and the item.
    pub id: &'static str,
    /// What the paper itself calls it.
    pub kind: Kind,
    /// The item by its name and number.
    pub item: &'static str,
    /// The section.
    pub section: &'static str,
    /// When it speaks.
    pub hypothesis: &'static str,
    /// What it says where it speaks, in our own words.
    pub statement: &'static str,
    /// What else the family says about it.
    pub scope: G::Scope,
    /// Whether a sweep judges it only where its manifest names it.
    pub only_named: bool,
}

impl<G: Game> InText<G> {
    /// A list of claims of one paper.
    pub fn of(paper: &Paper, list: &[Self]) -> Vec<Entry<G>> {
        let entry = |printed: &Self| Entry {
            claim: claim_of(paper, (printed.id, printed.kind), [printed.item, printed.section, printed.hypothesis, printed.statement]),
            scope: Some(printed.scope.clone()),
            predicate: Predicate::Text { only_named: printed.only_named },
        };
        list.iter().map(entry).collect()
    }
}

/// A claim of a paper: its id and kind, and its item, section, hypothesis and statement.
fn claim_of(paper: &Paper, (id, kind): (&'static str, Kind), [item, section, hypothesis, statement]: [&'static str; 4]) -> Claim {
    let source = Source { paper: paper.clone(), item: item.into(), section: section.into() };
    Claim { id: id.into(), source, kind, hypothesis: hypothesis.into(), statement: statement.into(), stated: None }
}

/// The claims of a sweep: those that its manifest states, and among those that there are those whose ids match some pattern, or without patterns those that can speak and need not be named. A
/// pattern that stands for claims of which some need not be named does not stand for those that must.
///
/// # Errors
/// [`ManifestError`] names the pattern that matches none, or says that there are more than [`MAX_CLAIMS`].
pub fn choose<G: Game>(
    stated: Vec<Entry<G>>,
    mut entries: Vec<Entry<G>>,
    patterns: Option<&[String]>,
    can_speak: impl Fn(&Entry<G>) -> bool,
) -> Result<Vec<Entry<G>>, ManifestError> {
    match patterns {
        None => entries.retain(|entry| can_speak(entry) && !entry.is_only_named()),
        Some(patterns) => {
            let ids = || entries.iter().map(|entry| &*entry.claim.id);
            if let Some(pattern) = patterns.iter().find(|pattern| !ids().any(|id| matches(pattern, id))) {
                let hint = known(pattern, ids());
                let problem = format!("unknown claim '{}'; {hint} ('refute claims --family {}' lists them)", quoted(pattern), G::ID);
                return Err(ManifestError::field("claims", problem));
            }
            // What is judged only where it is named is not named by a pattern that stands for others as well.
            let is_wide = |pattern: &String| entries.iter().any(|entry| !entry.is_only_named() && matches(pattern, &entry.claim.id));
            let wide: Vec<bool> = patterns.iter().map(is_wide).collect();
            entries.retain(|entry| {
                let names =
                    |(pattern, is_wide): (&String, &bool)| matches(pattern, &entry.claim.id) && !(*is_wide && entry.is_only_named());
                patterns.iter().zip(&wide).any(names)
            });
        }
    }
    let entries: Vec<Entry<G>> = stated.into_iter().chain(entries).collect();
    if entries.len() > MAX_CLAIMS {
        let problem = format!(
            "there are {} claims and a sweep has at most {MAX_CLAIMS}; name some of them, and the others in another sweep",
            entries.len()
        );
        return Err(ManifestError::field("claims", problem));
    }
    Ok(entries)
}

/// Whether a text is shaped like the id of a claim: two parts with a `/` between, and not too long.
pub(super) fn is_claim_id(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
    text.len() <= 64 && text.split_once('/').is_some_and(|(paper, item)| is_part(paper) && is_part(item))
}

/// Whether an id matches a pattern in which `*` stands for any run of characters, also for none.
///
/// What stands before the first star and behind the last one is where it is. What stands between two stars may be taken where it
/// comes first: any later place leaves less for the rest. Cost: O(pattern + stars · id), without recursion.
#[must_use]
pub fn matches(pattern: &str, id: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == id };
    let (middle, tail) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(mut left) = id.strip_prefix(head).and_then(|left| left.strip_suffix(tail)) else { return false };
    for part in middle.split('*').filter(|part| !part.is_empty()) {
        match left.split_once(part) {
            Some((_, after)) => left = after,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same by its definition: a star stands for nothing, or for one character and then a star.
    fn matches_by_definition(pattern: &[char], id: &[char]) -> bool {
        match (pattern, id) {
            ([], []) => true,
            (['*', pattern @ ..], _) if matches_by_definition(pattern, id) => true,
            (['*', ..], [_, id @ ..]) => matches_by_definition(pattern, id),
            ([wanted, pattern @ ..], [found, id @ ..]) => wanted == found && matches_by_definition(pattern, id),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn patterns_match_as_the_definition_says(pattern in "[ab*é/]{0,9}", id in "[abé/]{0,9}") {
            let characters = |text: &str| text.chars().collect::<Vec<char>>();
            prop_assert_eq!(matches(&pattern, &id), matches_by_definition(&characters(&pattern), &characters(&id)));
        }

        /// Most random patterns match nothing; these mostly match.
        #[test]
        fn an_id_with_parts_left_out_for_stars_matches(id in "[abé]{0,12}", cuts in prop::collection::vec((0usize..13, 0usize..4), 0..4)) {
            let mut pattern: Vec<char> = id.chars().collect();
            for (from, length) in cuts {
                let from = from.min(pattern.len());
                pattern.splice(from..(from + length).min(pattern.len()), ['*']);
            }
            prop_assert!(matches(&pattern.into_iter().collect::<String>(), &id));
        }
    }

    /// Every pattern of up to 5 characters against every id of up to 4: where parts overlap, few random ones do.
    #[test]
    fn short_patterns_match_as_the_definition_says() {
        let words = |letters: &[char], most: usize| {
            let longer = |words: &Vec<String>| {
                Some(words.iter().flat_map(|word| letters.iter().map(move |letter| format!("{word}{letter}"))).collect())
            };
            std::iter::successors(Some(vec![String::new()]), longer).take(most + 1).flatten().collect::<Vec<String>>()
        };
        let characters = |text: &str| text.chars().collect::<Vec<char>>();
        for pattern in words(&['a', 'b', '*'], 5) {
            for id in words(&['a', 'b'], 4) {
                assert_eq!(matches(&pattern, &id), matches_by_definition(&characters(&pattern), &characters(&id)), "{pattern} {id}");
            }
        }
    }

    #[test]
    fn a_pattern_of_a_million_stars_is_matched_at_once() {
        let id = "four-edges/lemma-4.9.iii-printed";
        assert!(matches(&"*".repeat(1_000_000), id));
        assert!(!matches(&("*".repeat(1_000_000) + "!"), id));
        assert!(!matches(&("*e".repeat(500_000) + "*!"), id));
    }

    #[test]
    fn a_star_stands_for_any_run_of_characters() {
        for (pattern, id, expected) in [
            ("four-edges/thm-4.6", "four-edges/thm-4.6", true),
            ("four-edges/thm-4.*", "four-edges/thm-4.10.2", true),
            ("*", "four-edges/thm-2.3", true),
            ("*lemma*", "four-edges/lemma-4.7", true),
            ("four-edges/thm-4.*", "four-edges/lemma-4.7", false),
            ("four-edges", "four-edges/thm-2.3", false),
            ("*-proof", "four-edges/lemma-4.9.iii-printed", false),
        ] {
            assert_eq!(matches(pattern, id), expected, "{pattern} {id}");
        }
    }
}
