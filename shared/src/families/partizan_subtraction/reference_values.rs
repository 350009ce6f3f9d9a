//! Canonical forms and atomic weights by the definition: the reference.

use std::collections::HashMap;
use std::sync::Arc;

use crate::value::{GameId, Games, Order, Outcome, ValueError};

use super::claims::{Position, Question};
use super::quantity::{Form, Quantity, Value, Weight, far_star};
use super::reference::ReferenceSolver;
use super::reference_weights::atomic_weight;
use super::rules::{Ruleset, SubtractionSet};

/// Steps that the reference takes for one answer.
const STEPS: u64 = 1 << 22;
/// Steps that it takes for one atomic weight, which is compared with several numbers of ups.
const STEPS_PER_WEIGHT: u64 = 4 * STEPS;
/// Games that are kept from answer to answer.
const MAX_GAMES: usize = 1 << 20;

/// Answers questions with the general engine: each heap from its options, brought to canonical form.
pub struct ReferenceValues {
    games: Games,
    rulesets: HashMap<Ruleset, Heaps>,
    weights: HashMap<GameId, Weight>,
}

struct Heaps {
    outcomes: ReferenceSolver,
    games: Vec<GameId>,
    least: HashMap<GameId, u64>,
    /// Why the heap after those here was not worked out: it would not be the next time either.
    refused: Option<ValueError>,
}

impl Default for ReferenceValues {
    fn default() -> Self {
        Self { games: Games::new(STEPS), rulesets: HashMap::new(), weights: HashMap::new() }
    }
}

impl ReferenceValues {
    /// A quantity of a heap.
    ///
    /// # Errors
    /// [`ValueError`] if the heap is too large for the reference.
    pub fn value(&mut self, ruleset: &Ruleset, heap: u64, quantity: Quantity) -> Result<Value, ValueError> {
        self.begin();
        match quantity {
            Quantity::Outcome => self.outcome(ruleset, heap).map(Value::Outcome),
            Quantity::CanonicalForm => self.form(ruleset, heap).map(|form| Value::Form(Arc::new(form))),
            Quantity::AtomicWeight => {
                let game = self.game(ruleset, heap)?;
                self.weight(game).map(Value::Weight)
            }
        }
    }

    /// The canonical form of a heap as a game.
    ///
    /// # Errors
    /// [`ValueError`] if the heap is too large for the reference.
    pub fn value_as_game(&mut self, ruleset: &Ruleset, heap: u64) -> Result<Value, ValueError> {
        self.begin();
        let game = self.game(ruleset, heap)?;
        Ok(Value::of_game(&self.games, game))
    }

    /// Allows the steps of one answer, and forgets all games where they have become too many.
    fn begin(&mut self) {
        if self.games.count() > MAX_GAMES {
            *self = Self::default();
        }
        self.games.allow(STEPS);
    }

    /// The store of games, to ask about a heap's game.
    pub fn games_mut(&mut self) -> &mut Games {
        &mut self.games
    }

    /// Who wins each heap of a ruleset.
    pub fn outcomes(&mut self, ruleset: &Ruleset) -> &mut ReferenceSolver {
        &mut self.heaps(ruleset).outcomes
    }

    fn heaps(&mut self, ruleset: &Ruleset) -> &mut Heaps {
        let new = || Heaps { outcomes: ReferenceSolver::new(ruleset.clone()), games: Vec::new(), least: HashMap::new(), refused: None };
        self.rulesets.entry(ruleset.clone()).or_insert_with(new)
    }

    fn outcome(&mut self, ruleset: &Ruleset, heap: u64) -> Result<Outcome, ValueError> {
        if ReferenceSolver::refuses(ruleset, heap).is_some() {
            return Err(ValueError::Steps { limit: STEPS });
        }
        Ok(self.heaps(ruleset).outcomes.outcome(heap))
    }

    /// The game of a heap, after those of all smaller heaps.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn game(&mut self, ruleset: &Ruleset, heap: u64) -> Result<GameId, ValueError> {
        loop {
            let heaps = self.heaps(ruleset);
            let number = heaps.games.len();
            if let Some(game) = usize::try_from(heap).ok().and_then(|heap| heaps.games.get(heap)) {
                return Ok(*game);
            }
            if let Some(error) = heaps.refused {
                return Err(error);
            }
            let options = |set: &SubtractionSet| {
                let rests = set.elements().iter().filter_map(|element| number.checked_sub(*element as usize));
                rests.map(|rest| heaps.games[rest]).collect::<Vec<_>>()
            };
            let (left, right) = (options(&ruleset.left), options(&ruleset.right));
            let found = self.games.canonical(&left, &right);
            let heaps = self.heaps(ruleset);
            match found {
                Ok(game) => {
                    heaps.games.push(game);
                    heaps.least.entry(game).or_insert(number as u64);
                }
                Err(error) => heaps.refused = Some(error),
            }
        }
    }

    fn form(&mut self, ruleset: &Ruleset, heap: u64) -> Result<Form, ValueError> {
        let game = self.game(ruleset, heap)?;
        let (left, right) = (self.games.left(game).to_vec(), self.games.right(game).to_vec());
        let heaps = self.heaps(ruleset);
        let least = |options: Vec<GameId>| {
            let mut least: Vec<u64> = options.iter().filter_map(|option| heaps.least.get(option).copied()).collect();
            least.sort_unstable();
            least
        };
        let (left, right) = (least(left), least(right));
        let least = heaps.least.get(&game).copied().unwrap_or(heap);
        let text = self.games.text(game).unwrap_or_else(|| Form::by_heaps(&left, &right));
        Ok(Form { least, left, right, name: self.games.name(game), is_all_small: self.games.is_all_small(game), text })
    }

    fn weight(&mut self, game: GameId) -> Result<Weight, ValueError> {
        if let Some(weight) = self.weights.get(&game) {
            return Ok(weight.clone());
        }
        self.games.allow(STEPS_PER_WEIGHT);
        let weight = atomic_weight(&mut self.games, game)?;
        let weight = Weight::of_game(&mut self.games, weight)?;
        self.weights.insert(game, weight.clone());
        Ok(weight)
    }

    fn value_of(&mut self, position: &Position, quantity: Quantity) -> Result<Value, ValueError> {
        // Claims ask for nothing outside the family.
        let ruleset = position.support.ruleset().ok_or(ValueError::Number)?;
        self.value(&ruleset, position.heap, quantity)
    }

    fn game_of(&mut self, position: &Position) -> Result<GameId, ValueError> {
        // Claims ask for nothing outside the family.
        let ruleset = position.support.ruleset().ok_or(ValueError::Number)?;
        self.game(&ruleset, position.heap)
    }

    /// A heap beside ups and a nimber larger than the birthday of all of it.
    fn beside_far_star(&mut self, position: &Position, ups: i64) -> Result<Outcome, ValueError> {
        let game = self.game_of(position)?;
        let far = u64::from(self.games.birthday(game)) + ups.unsigned_abs() + 2;
        let beside = self.games.ups(-ups, far)?;
        Ok(self.games.compare(game, beside)?.outcome_of_difference())
    }

    /// The atomic weight of a heap minus another one: the sum of the one and the negative of the other, and its weight by definition.
    fn weight_of_difference(&mut self, one: &Position, other: &Position) -> Result<Weight, ValueError> {
        let (one, other) = (self.game_of(one)?, self.game_of(other)?);
        self.games.allow(STEPS_PER_WEIGHT);
        let negative = self.games.negative(other)?;
        let sum = self.games.sum(one, negative)?;
        self.weight(sum)
    }

    /// How ups and a far star compare with the game that leads to fewer of them, each up added by itself.
    fn ups_lead_to(&mut self, ups: i64, rest: i64, star: u64) -> Result<Order, ValueError> {
        let (far, near) = (self.games.nimber(far_star(ups))?, self.games.nimber(star)?);
        let star = self.games.nimber(1)?;
        let (zero, is_up) = (Games::ZERO, ups > 0);
        let one = if is_up { self.games.canonical(&[zero], &[star])? } else { self.games.canonical(&[star], &[zero])? };
        let mut sum_of = |count: i64, beside: GameId| (0..count.unsigned_abs()).try_fold(beside, |sum, _| self.games.sum(sum, one));
        let (sum, rest) = (sum_of(ups, far)?, sum_of(rest, near)?);
        let other = if is_up { self.games.canonical(&[zero], &[rest])? } else { self.games.canonical(&[rest], &[zero])? };
        self.games.compare(sum, other)
    }

    /// The answer to a question.
    ///
    /// # Errors
    /// [`ValueError`] if it is too large for the reference.
    pub fn answer(&mut self, question: &Question) -> Result<Value, ValueError> {
        self.games.allow(STEPS);
        match question {
            Question::Outcome(position) => self.value_of(position, Quantity::Outcome),
            Question::Form(position) => self.value_of(position, Quantity::CanonicalForm),
            Question::Weight(position) => self.value_of(position, Quantity::AtomicWeight),
            Question::Order(one, other) => {
                let (one, other) = (self.game_of(one)?, self.game_of(other)?);
                self.games.compare(one, other).map(Value::Order)
            }
            Question::OrderWithOptions(position, left, right) => {
                let game = self.game_of(position)?;
                let mut options = |heaps: &[u64]| heaps.iter().map(|heap| self.game_of(&position.at(*heap))).collect::<Result<Vec<_>, _>>();
                let (left, right) = (options(left)?, options(right)?);
                let other = self.games.canonical(&left, &right)?;
                self.games.compare(game, other).map(Value::Order)
            }
            Question::BesideFarStar(position, ups) => self.beside_far_star(position, *ups).map(Value::Outcome),
            Question::WeightOfDifference(one, other) => self.weight_of_difference(one, other).map(Value::Weight),
            Question::UpsLeadTo(ups, rest, star) => self.ups_lead_to(*ups, *rest, *star).map(Value::Order),
        }
    }
}
