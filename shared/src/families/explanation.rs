//! Explains one position: its value by the reference, and what each claim says about it.

use serde::Serialize;
use serde_json::{Value, json};

use crate::claim::{Check, Claim};
use crate::language::{self, Reading, Type, Variable};
use crate::sweep::ManifestError;
use crate::value::Games;

use super::confirmer::AtPosition;
use super::fields::Given;
use super::judge::weigh;
use super::{
    Around, Described, Entry, Figure, Game, GameBox, GameReference, Listed, Named, Parameters, Predicate, Read, StatedPredicate,
    Subexpression, TooLarge,
};

/// Steps that games of one position may take.
const STEPS: u64 = 1 << 22;

/// One position, explained.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The position.
    pub parameters: Value,
    /// Its outcome class, where the family has one.
    pub outcome: Option<String>,
    /// Its value, where the family has one beyond the outcome.
    pub value: Option<String>,
    /// How many moves there are.
    pub moves: u128,
    /// The moves that win, smallest resulting position first.
    pub winning_moves: Vec<Move>,
    /// Every option with its value, where the family shows them.
    pub options: Vec<ValuedOption>,
    /// What the claims' hypotheses speak of, worked out: a name and its value each.
    pub facts: Vec<(String, String)>,
    /// What claims of a manifest may speak of.
    pub variables: Vec<VariableView>,
    /// A picture around the position, where the family has one.
    pub figure: Option<Figure>,
    /// What each claim that can speak about such a position says about it.
    pub claims: Vec<ClaimView>,
}

/// What a family says about a position; see [`Explanation`] for the meaning of each part.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Explained {
    pub outcome: Option<String>,
    pub value: Option<String>,
    pub moves: u128,
    pub winning_moves: Vec<Move>,
    pub options: Vec<ValuedOption>,
    pub facts: Vec<(String, String)>,
    pub figure: Option<Figure>,
}

/// A move, where it leads, and what that is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValuedOption {
    /// The move and the position that it leads to.
    #[serde(flatten)]
    pub option: Move,
    /// The value of that position.
    pub value: String,
}

/// A move and where it leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Move {
    /// The move in words.
    #[serde(rename = "move")]
    pub text: String,
    /// The position it leads to.
    pub to: Value,
}

/// A name that claims of a manifest may use, and what it has at one position.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableView {
    /// The name.
    pub name: String,
    /// The type of its values.
    pub of: Type,
    /// Its value: games and outcomes as texts, lists and sets as arrays, positions by their parameters; null where it is not defined, and
    /// for a list of very many positions.
    pub value: Value,
}

/// What a claim says about one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimView {
    /// The claim.
    pub claim: Claim,
    /// What it predicts; none where it is silent.
    pub predicted: Option<String>,
    /// How that compares with the actual value.
    pub verdict: Check,
    /// The parts of a claim that a manifest states, each with its value here.
    pub subexpressions: Vec<Subexpression>,
}

/// Explains the position of some parameters, under some claims. See `Family::explain`.
pub(super) fn explain<G: Game>(
    parameters: &Parameters,
    boxes: &[G::Box],
    claims: impl FnOnce(&G::Position) -> Result<Vec<Entry<G>>, ManifestError>,
) -> Result<Explanation, ManifestError> {
    let position = G::read(&Given::new(parameters, G::PARAMETERS)?)?;
    let mut reference = G::Reference::default();
    let Explained { outcome, value, moves, winning_moves, options, mut facts, figure } = reference.explain(&position)?;
    // A claim about a whole is about the first box that has it.
    let one = boxes.iter().find(|one| one.has_whole_of(&position));
    let (claims, too_large) = views::<G>(&mut reference, (&position, one), claims(&position)?);
    if !too_large.is_empty() {
        facts.push(("claims not held against it".to_owned(), format!("{}: too large for the reference", too_large.join(", "))));
    }
    let variables = variables::<G>(&mut reference, &position);
    let parameters = G::to_json(&position);
    Ok(Explanation { parameters, outcome, value, moves, winning_moves, options, facts, variables, figure, claims })
}

/// What the names of the position have, without those that are absent and those that take the reference too long.
fn variables<G: Game>(reference: &mut G::Reference, position: &G::Position) -> Vec<VariableView> {
    let Some(view) = G::view(position) else { return Vec::new() };
    let mut games = Games::new(STEPS);
    let mut found = Vec::new();
    for Named { variable: Variable { name, of, .. }, read } in G::names(Described::Position(position)) {
        let reading = match read {
            Read::Position(read) => read(&view),
            Read::Solved { asked, read } => match reference.own(position, &asked) {
                Ok(Some(value)) => read(&view, &value, &mut games),
                Ok(None) | Err(TooLarge(_)) => continue,
            },
            Read::Positions(listed) => {
                if let Some(value) = positions::<G>(reference, position, &listed) {
                    found.push(VariableView { name, of, value });
                }
                continue;
            }
            // A whole is of no single position.
            Read::Whole(_) => continue,
        };
        let value = match reading {
            Reading::Absent => continue,
            Reading::Undefined(_) => Value::Null,
            Reading::Value(value) => typed(&value, &of, &mut games),
        };
        found.push(VariableView { name, of, value });
    }
    found
}

/// The most positions of a list that are shown.
const MOST_LISTED: u64 = 1 << 16;

/// The positions of a list as reports show them; null where there are more than [`MOST_LISTED`]. Nothing where the position has no such
/// list, or it takes the reference too long.
fn positions<G: Game>(reference: &mut G::Reference, position: &G::Position, listed: &Listed<G>) -> Option<Value> {
    let answer = match &listed.asked {
        Some(asked) => Some(reference.own(position, asked).ok()??),
        None => None,
    };
    let around = Around { position, one: None, answer };
    let count = (listed.count)(&around)?;
    if count > MOST_LISTED {
        return Some(Value::Null);
    }
    Some((0..count).filter_map(|index| (listed.element)(&around, index)).map(|other| G::to_json(&other)).collect())
}

/// A value of a type as JSON.
fn typed(value: &language::Value, of: &Type, games: &mut Games) -> Value {
    match (value, of.element()) {
        (language::Value::List(elements) | language::Value::Set(elements), Some(element)) => {
            elements.iter().map(|value| typed(value, element, games)).collect()
        }
        (language::Value::Integer(integer), _) if *of == Type::Integer => json!(integer),
        (language::Value::Boolean(boolean), _) => json!(boolean),
        (other, _) => json!(other.text(games)),
    }
}

/// What each claim says of the position, and the ids of those that ask for values too large for the reference.
fn views<G: Game>(
    reference: &mut G::Reference,
    (position, one): (&G::Position, Option<&G::Box>),
    claims: Vec<Entry<G>>,
) -> (Vec<ClaimView>, Vec<String>) {
    let (mut views, mut too_large) = (Vec::new(), Vec::new());
    let Some(view) = G::view(position) else { return (views, too_large) };
    for entry in claims.into_iter().filter(|entry| entry.concerns(position)) {
        let mut answers = AtPosition::<G> { reference, position, one };
        if let Predicate::Stated(stated) = &entry.predicate {
            match stated_view(stated, entry.claim.clone(), &view, &mut answers) {
                Ok(view) => views.push(view),
                Err(_) => too_large.push(entry.claim.id.into_owned()),
            }
            continue;
        }
        let Some(says) = entry.predict(&view) else { continue };
        match weigh(&says, &mut answers) {
            Ok(weighed) => {
                let speaks = !matches!(weighed.check, Check::Silent | Check::Vacuous);
                let predicted = speaks.then(|| says.predicted());
                views.push(ClaimView { claim: entry.claim, predicted, verdict: weighed.check, subexpressions: Vec::new() });
            }
            Err(_) => too_large.push(entry.claim.id.into_owned()),
        }
    }
    (views, too_large)
}

/// What a claim that a manifest states says of a position, with all its parts.
fn stated_view<G: Game>(
    stated: &StatedPredicate<G>,
    claim: Claim,
    view: &G::View,
    answers: &mut AtPosition<'_, G>,
) -> Result<ClaimView, TooLarge> {
    let found = stated.find(view, answers)?;
    let speaks = matches!(found.check, Check::Held | Check::Refuted);
    let predicted = (speaks && stated.predicts()).then(|| found.predicted.clone());
    Ok(ClaimView { claim, predicted, verdict: found.check, subexpressions: stated.parts(view, answers)? })
}
