//! What `explain` says about the value of a heap, all by the reference: canonical form, atomic weight, stops and birthday, and
//! which options are dominated or reversible.

use crate::value::{GameId, Games, ValueError};

use super::quantity::{Quantity, Value, Weight};
use super::reference_values::ReferenceValues;
use super::rules::{Ruleset, SubtractionSet};

/// Options that are shown, on each side.
const SHOWN: usize = 60;
/// The longest text of an option, in characters.
const WIDTH: usize = 60;

/// What there is to say about the value of a heap.
pub struct ValueFacts {
    /// The canonical form, if the reference gets that far.
    pub text: Option<String>,
    /// A name and what it is, each.
    pub facts: Vec<(String, String)>,
}

/// The value of a heap and what follows from it, by the reference.
pub fn facts(values: &mut ReferenceValues, ruleset: &Ruleset, heap: u64) -> ValueFacts {
    match try_facts(values, ruleset, heap) {
        Ok(facts) => facts,
        Err(error) => {
            let problem = format!("heap {heap} is too large for the reference: {error}");
            ValueFacts { text: None, facts: vec![("canonical form".to_owned(), problem)] }
        }
    }
}

fn try_facts(values: &mut ReferenceValues, ruleset: &Ruleset, heap: u64) -> Result<ValueFacts, ValueError> {
    let game = values.game(ruleset, heap)?;
    let text = values.value(ruleset, heap, Quantity::CanonicalForm)?.to_string();
    let mut facts = properties(values.games_mut(), game);
    let weight = match values.value(ruleset, heap, Quantity::AtomicWeight) {
        Ok(weight) => why(&weight, values.games_mut(), game),
        Err(error) => format!("too large for the reference: {error}"),
    };
    facts.insert(0, ("atomic weight".to_owned(), weight));
    facts.extend(options(values, ruleset, heap, game)?);
    Ok(ValueFacts { text: Some(text), facts })
}

/// An atomic weight, or that there is none and why.
fn why(weight: &Value, games: &Games, game: GameId) -> String {
    match weight {
        Value::Weight(Weight::None) if games.is_infinitesimal(game) => {
            "none: an infinitesimal that is not w·up beside a far star for any game w".to_owned()
        }
        Value::Weight(Weight::None) => {
            let (left, right) = games.stops(game);
            format!("none: the stops {left} and {right} are not both 0, so it is no infinitesimal")
        }
        weight => weight.to_string(),
    }
}

fn properties(games: &Games, game: GameId) -> Vec<(String, String)> {
    let yes = |is_so: bool| (if is_so { "yes" } else { "no" }).to_owned();
    let (left, right) = games.stops(game);
    let kind = match (games.as_number(game), games.as_nimber(game)) {
        (Some(number), _) => format!("yes, {number}"),
        (None, Some(_)) => "no, a nimber".to_owned(),
        (None, None) => "no".to_owned(),
    };
    [
        ("number", kind),
        ("infinitesimal", yes(games.is_infinitesimal(game))),
        ("all-small", yes(games.is_all_small(game))),
        ("stops", format!("Left {left}, Right {right}")),
        ("birthday", games.birthday(game).to_string()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

/// Each option as it comes: its value, and whether it is dominated or reversible.
fn options(values: &mut ReferenceValues, ruleset: &Ruleset, heap: u64, game: GameId) -> Result<Vec<(String, String)>, ValueError> {
    let mut facts = Vec::new();
    for (player, set) in [("Left", &ruleset.left), ("Right", &ruleset.right)] {
        let mut options = Vec::new();
        for rest in rests(set, heap) {
            options.push((rest, values.game(ruleset, rest)?));
        }
        for (rest, option) in options.iter().take(SHOWN) {
            let mark = mark(values.games_mut(), player == "Left", game, (*rest, *option), &options)?;
            let text = short(values.games_mut(), *option);
            facts.push((format!("{player} to heap {rest}"), format!("{text}{mark}")));
        }
        if options.len() > SHOWN {
            facts.push((format!("{player} to other heaps"), format!("{} more", options.len() - SHOWN)));
        }
    }
    Ok(facts)
}

/// A game in words, unless that takes more than a line has room for.
fn short(games: &mut Games, game: GameId) -> String {
    games.text(game).filter(|text| text.chars().count() <= WIDTH).unwrap_or_else(|| "a form too long to show".to_owned())
}

/// The heaps that a player moves to, the largest first.
fn rests(set: &SubtractionSet, heap: u64) -> impl Iterator<Item = u64> {
    set.elements().iter().map_while(move |number| heap.checked_sub(u64::from(*number)))
}

/// Whether an option is reversible, dominated by another, or equal to one before it.
fn mark(
    games: &mut Games,
    is_left: bool,
    game: GameId,
    (rest, option): (u64, GameId),
    all: &[(u64, GameId)],
) -> Result<String, ValueError> {
    if let Some((other, _)) = all.iter().take_while(|(heap, _)| *heap != rest).find(|(_, same)| *same == option) {
        return Ok(format!(", the same as heap {other}"));
    }
    let at_most = |games: &mut Games, one: GameId, other: GameId| {
        if is_left { games.at_most(one, other) } else { games.at_most(other, one) }
    };
    let answers = if is_left { games.right(option) } else { games.left(option) }.to_vec();
    for answer in answers {
        if at_most(games, answer, game)? {
            return Ok(format!(", reversible through {}", short(games, answer)));
        }
    }
    for (other, better) in all.iter().filter(|(_, other)| *other != option) {
        if at_most(games, option, *better)? {
            return Ok(format!(", dominated by heap {other}"));
        }
    }
    Ok(String::new())
}
