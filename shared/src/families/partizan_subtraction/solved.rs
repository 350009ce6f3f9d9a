//! Canonical forms and atomic weights of heaps, the fast way: each heap from 0 on, once.
//!
//! A heap's options are smaller heaps. Its canonical form comes from [`Ordered`], which has compared every two values so far, so
//! that heaps of equal value are one; its weight from [`Beside`], which needs the heaps within reach. That tells integer
//! weights, and where there can be none. Between the two, where a heap is an infinitesimal without an integer weight, the
//! general engine decides on the canonical form.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::families::Answers;
use crate::language::{Reading, Reason};
use crate::sweep::record_hash;
use crate::value::{Beside, BesideUps, Games, Order, Ordered, Outcome, ValueClass, ValueError};

use super::PartizanSubtraction;
use super::boxes::SubtractionBox;
use super::claims::{Position, Question};
use super::key::Heap;
use super::long_run::LongRun;
use super::others::limit;
use super::quantity::{Form, Quantities, Quantity, STEPS_PER_WEIGHT, Value, Weight, far_star};
use super::rules::{Ruleset, SubtractionSet, Support};
use super::solver::OutcomeSequence;
use super::tables::MOST_RULESETS;

/// What has been solved of a ruleset, and of others that claims compare it with.
pub struct Solved {
    ordered: Ordered,
    /// The first is the ruleset itself.
    rulesets: Vec<Heaps>,
    /// A hash of each class that depends on its value alone.
    digests: Vec<u128>,
    /// The weights that the general engine has found.
    weights: HashMap<ValueClass, Weight>,
    /// What the ruleset does in the long run, once it was asked for.
    long_run: Option<LongRun>,
}

/// What has been solved, asked at one heap of the ruleset itself.
pub struct AtHeap<'a> {
    /// What has been solved.
    pub solved: &'a mut Solved,
    /// The heap.
    pub heap: u64,
    /// Its outcome, where that is known already.
    pub outcome: Option<Outcome>,
    /// The box, where claims of a manifest may ask about other heaps.
    pub one: Option<&'a SubtractionBox>,
}

impl Answers<PartizanSubtraction> for AtHeap<'_> {
    type Error = ValueError;

    #[inline]
    fn own(&mut self, predicted: &Value) -> Result<Option<Value>, ValueError> {
        match (predicted.quantity(), self.outcome) {
            (Some(Quantity::Outcome), Some(outcome)) => Ok(Some(Value::Outcome(outcome))),
            _ if matches!(predicted, Value::Game(_)) => self.solved.game(self.heap).map(Some),
            (quantity, _) => quantity.map(|quantity| self.solved.value(self.heap, quantity)).transpose(),
        }
    }

    fn answer(&mut self, question: &Question) -> Result<Value, ValueError> {
        self.solved.answer(question)
    }

    fn other(&mut self, heap: &Heap, asked: &Value) -> Result<Result<Value, Reason>, ValueError> {
        match (self.one, asked) {
            (Some(one), _) if heap.size > self.solved.limit(one) => Ok(Err(Reason::LargePosition)),
            (None, _) => Ok(Err(Reason::Unknown)),
            (_, Value::Game(_)) => {
                let place = self.solved.place_of(heap);
                self.solved.game_of(place, heap.size).map(Ok)
            }
            _ => {
                let Some(quantity) = asked.quantity() else { return Ok(Err(Reason::Unknown)) };
                let place = self.solved.place_of(heap);
                self.solved.value_of(place, heap.size, quantity).map(Ok)
            }
        }
    }

    fn one(&self) -> Option<&SubtractionBox> {
        self.one
    }

    fn whole(&mut self, name: &str) -> Result<Reading, ValueError> {
        let ruleset = Arc::clone(&self.solved.rulesets[0].ruleset);
        let found = self.solved.long_run.get_or_insert_with(|| LongRun::of(&ruleset));
        Ok(match found {
            LongRun::Known(period, class) => period.reading(name, *class),
            LongRun::Unknown(_) => Reading::Undefined(Reason::LargePosition),
        })
    }
}

/// The heaps of one ruleset, from 0 on.
struct Heaps {
    support: Option<Support>,
    ruleset: Arc<Ruleset>,
    outcomes: (OutcomeSequence, Vec<Outcome>),
    classes: Vec<ValueClass>,
    /// The least heap of each value.
    least: HashMap<ValueClass, u64>,
    forms: HashMap<ValueClass, Arc<Form>>,
    ups: Vec<BesideUps>,
    /// The last heaps, as many as a move reaches back.
    window: VecDeque<Beside>,
}

impl Solved {
    /// Nothing solved yet.
    pub fn new(ruleset: Arc<Ruleset>, support: Option<Support>) -> Self {
        Self {
            ordered: Ordered::new(),
            rulesets: vec![Heaps::new(ruleset, support)],
            digests: Vec::new(),
            weights: HashMap::new(),
            long_run: None,
        }
    }

    /// The largest heap of which claims of a manifest may ask for values in a box.
    fn limit(&self, one: &SubtractionBox) -> u64 {
        let Heaps { ruleset, support, .. } = &self.rulesets[0];
        let heap = Heap { ruleset: Arc::clone(ruleset), support: *support, is_by_parameters: false, size: 0 };
        one.heaps_of(&heap).map_or(0, |heaps| limit(ruleset.reach().into(), *heaps.end()))
    }

    /// The place of the ruleset of a heap, which is taken in if it is not there. Where there are too many, all but the ruleset itself
    /// are forgotten: what comes of a heap is the same, and takes longer.
    fn place_of(&mut self, heap: &Heap) -> usize {
        if *heap.ruleset == *self.rulesets[0].ruleset {
            return 0;
        }
        let is_known = self.rulesets.iter().any(|heaps| heaps.support == heap.support);
        if !is_known && self.rulesets.len() as u64 >= MOST_RULESETS {
            let Heaps { ruleset, support, .. } = &self.rulesets[0];
            let long_run = self.long_run.take();
            *self = Self { long_run, ..Self::new(Arc::clone(ruleset), *support) };
        }
        heap.support.map_or(0, |support| self.place(support))
    }

    /// Solves the heaps of the ruleset up to this one.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn extend_to(&mut self, heap: u64, quantities: Quantities) -> Result<(), ValueError> {
        if quantities.canonical_form {
            self.class(0, heap)?;
        }
        if quantities.atomic_weight {
            self.rulesets[0].ups(heap);
        }
        Ok(())
    }

    /// A quantity of a heap of the ruleset itself.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn value(&mut self, heap: u64, quantity: Quantity) -> Result<Value, ValueError> {
        self.value_of(0, heap, quantity)
    }

    /// The canonical form of a heap of the ruleset itself as a game.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn game(&mut self, heap: u64) -> Result<Value, ValueError> {
        self.game_of(0, heap)
    }

    fn game_of(&mut self, place: usize, heap: u64) -> Result<Value, ValueError> {
        let class = self.class(place, heap)?;
        Ok(Value::of_game(self.ordered.games(), self.ordered.game(class)))
    }

    /// A hash of the canonical form of a heap of the ruleset itself: the same for equal values, whatever the ruleset.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn digest(&mut self, heap: u64) -> Result<u128, ValueError> {
        let class = self.class(0, heap)?;
        for number in self.digests.len()..=class.number() {
            let Some(class) = self.ordered.class(number) else { break };
            let mut text = Vec::new();
            for (mark, options) in [(b'{', self.ordered.left(class)), (b'|', self.ordered.right(class))] {
                text.push(mark);
                // Options are older than the game itself.
                let mut digests: Vec<u128> = options.iter().map(|option| self.digests[option.number()]).collect();
                digests.sort_unstable();
                text.extend(digests.into_iter().flat_map(u128::to_be_bytes));
            }
            self.digests.push(record_hash(&text));
        }
        Ok(self.digests[class.number()])
    }

    /// The place of a ruleset, which is taken in if it is not there. None of full or truncated support is outside the family.
    fn place(&mut self, support: Support) -> usize {
        if let Some(place) = self.rulesets.iter().position(|heaps| heaps.support == Some(support)) {
            return place;
        }
        let Some(ruleset) = support.ruleset() else { return 0 };
        self.rulesets.push(Heaps::new(Arc::new(ruleset), Some(support)));
        self.rulesets.len() - 1
    }

    fn class(&mut self, place: usize, heap: u64) -> Result<ValueClass, ValueError> {
        let heaps = &mut self.rulesets[place];
        while heaps.classes.len() as u64 <= heap {
            let number = heaps.classes.len() as u64;
            let options = |set: &SubtractionSet| rests(set, number).map(|rest| heaps.classes[rest as usize]).collect();
            let (left, right) = (options(&heaps.ruleset.left), options(&heaps.ruleset.right));
            let class = self.ordered.add(left, right)?;
            heaps.classes.push(class);
            heaps.least.entry(class).or_insert(number);
        }
        Ok(heaps.classes[heap as usize])
    }

    fn form(&mut self, place: usize, heap: u64) -> Result<Arc<Form>, ValueError> {
        let class = self.class(place, heap)?;
        let heaps = &mut self.rulesets[place];
        if let Some(form) = heaps.forms.get(&class) {
            return Ok(Arc::clone(form));
        }
        let least = |options: &[ValueClass]| {
            let mut least: Vec<u64> = options.iter().filter_map(|option| heaps.least.get(option).copied()).collect();
            least.sort_unstable();
            least
        };
        let (left, right) = (least(self.ordered.left(class)), least(self.ordered.right(class)));
        let game = self.ordered.game(class);
        let games = self.ordered.games_mut();
        let form = Arc::new(Form {
            least: heaps.least.get(&class).copied().unwrap_or(heap),
            text: games.text(game).unwrap_or_else(|| Form::by_heaps(&left, &right)),
            left,
            right,
            name: games.name(game),
            is_all_small: games.is_all_small(game),
        });
        heaps.forms.insert(class, Arc::clone(&form));
        Ok(form)
    }

    /// The atomic weight of a heap minus another one.
    fn weight_of_difference(&mut self, one: &Position, other: &Position) -> Result<Weight, ValueError> {
        let places = (self.place(one.support), self.place(other.support));
        let (one, other) = (self.class(places.0, one.heap)?, self.class(places.1, other.heap)?);
        let (one, other) = (self.ordered.game(one), self.ordered.game(other));
        let games = self.ordered.games_mut();
        games.allow(STEPS_PER_WEIGHT);
        let weight = games.difference(one, other).and_then(|game| games.atomic_weight(game));
        games.allow(u64::MAX);
        Weight::of_game(games, weight?)
    }

    /// How ups and a far star compare with the game that leads to fewer of them, by the forms that the engine knows of ups.
    fn ups_lead_to(&mut self, ups: i64, rest: i64, star: u64) -> Result<Order, ValueError> {
        let games = self.ordered.games_mut();
        let (sum, rest) = (games.ups(ups, far_star(ups))?, games.ups(rest, star)?);
        let (left, right) = if ups > 0 { ([Games::ZERO], [rest]) } else { ([rest], [Games::ZERO]) };
        let other = games.canonical(&left, &right)?;
        games.compare(sum, other)
    }

    fn weight(&mut self, place: usize, heap: u64) -> Result<Weight, ValueError> {
        let ups = self.rulesets[place].ups(heap);
        if !ups.is_infinitesimal() {
            return Ok(Weight::None);
        }
        if let Some(integer) = ups.integer_weight() {
            return Ok(Weight::Integer(integer));
        }
        let class = self.class(place, heap)?;
        if let Some(weight) = self.weights.get(&class) {
            return Ok(weight.clone());
        }
        let game = self.ordered.game(class);
        let games = self.ordered.games_mut();
        games.allow(STEPS_PER_WEIGHT);
        let weight = games.atomic_weight(game);
        games.allow(u64::MAX);
        let weight = Weight::of_game(games, weight?)?;
        self.weights.insert(class, weight.clone());
        Ok(weight)
    }

    fn value_of(&mut self, place: usize, heap: u64, quantity: Quantity) -> Result<Value, ValueError> {
        Ok(match quantity {
            Quantity::Outcome => Value::Outcome(self.rulesets[place].outcome(heap)),
            Quantity::CanonicalForm => Value::Form(self.form(place, heap)?),
            Quantity::AtomicWeight => Value::Weight(self.weight(place, heap)?),
        })
    }

    /// How a heap compares with the game that has these options. If it is another game, it is taken in as one of no heap.
    fn order_with_options(&mut self, position: &Position, left: &[u64], right: &[u64]) -> Result<Order, ValueError> {
        let place = self.place(position.support);
        let class = self.class(place, position.heap)?;
        let mut options = |heaps: &[u64]| heaps.iter().map(|heap| self.class(place, *heap)).collect::<Result<Vec<_>, _>>();
        let (left, right) = (options(left)?, options(right)?);
        let other = self.ordered.add(left, right)?;
        Ok(self.ordered.compare(class, other))
    }

    /// The answer to a question.
    ///
    /// # Errors
    /// [`ValueError`] if it cannot be worked out within bounds.
    pub fn answer(&mut self, question: &Question) -> Result<Value, ValueError> {
        let mut value = |position: &Position, quantity| {
            let place = self.place(position.support);
            self.value_of(place, position.heap, quantity)
        };
        match question {
            Question::Outcome(position) => value(position, Quantity::Outcome),
            Question::Form(position) => value(position, Quantity::CanonicalForm),
            Question::Weight(position) => value(position, Quantity::AtomicWeight),
            Question::Order(one, other) => {
                let places = (self.place(one.support), self.place(other.support));
                let (one, other) = (self.class(places.0, one.heap)?, self.class(places.1, other.heap)?);
                Ok(Value::Order(self.ordered.compare(one, other)))
            }
            Question::OrderWithOptions(position, left, right) => Ok(Value::Order(self.order_with_options(position, left, right)?)),
            Question::BesideFarStar(position, ups) => {
                let place = self.place(position.support);
                let (left_wins, right_wins) = self.rulesets[place].ups(position.heap).far_star(*ups);
                Ok(Value::Outcome(Outcome::of(left_wins, right_wins)))
            }
            Question::WeightOfDifference(one, other) => self.weight_of_difference(one, other).map(Value::Weight),
            Question::UpsLeadTo(ups, rest, star) => self.ups_lead_to(*ups, *rest, *star).map(Value::Order),
        }
    }
}

impl Heaps {
    fn new(ruleset: Arc<Ruleset>, support: Option<Support>) -> Self {
        let outcomes = (OutcomeSequence::new(&ruleset), Vec::new());
        Self {
            support,
            ruleset,
            outcomes,
            classes: Vec::new(),
            least: HashMap::new(),
            forms: HashMap::new(),
            ups: Vec::new(),
            window: VecDeque::new(),
        }
    }

    fn outcome(&mut self, heap: u64) -> Outcome {
        let (sequence, known) = &mut self.outcomes;
        // It fits: the caller has checked the bytes for so many heaps.
        let (from, heap) = (known.len(), heap as usize);
        if from <= heap {
            known.resize(heap + 1, Outcome::P);
            sequence.fill(&mut known[from..]);
        }
        known[heap]
    }

    fn ups(&mut self, heap: u64) -> BesideUps {
        let reach = self.ruleset.reach() as usize;
        while self.ups.len() as u64 <= heap {
            let number = self.ups.len() as u64;
            let start = number - self.window.len() as u64;
            let found = {
                let options = |set| rests(set, number).filter_map(|rest| self.window.get((rest - start) as usize));
                Beside::of(options(&self.ruleset.left), options(&self.ruleset.right))
            };
            self.ups.push(found.ups());
            if self.window.len() == reach {
                self.window.pop_front();
            }
            self.window.push_back(found);
        }
        self.ups[heap as usize]
    }
}

/// The heaps that a player moves to from a heap.
fn rests(set: &SubtractionSet, heap: u64) -> impl Iterator<Item = u64> {
    set.elements().iter().map_while(move |number| heap.checked_sub(u64::from(*number)))
}
