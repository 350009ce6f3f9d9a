//! The one place where a claim is judged: predict, fetch the values that it needs, compare, count, write the canonical record.

use std::convert::Infallible;

use crate::claim::{Check, Prediction};
use crate::language::{Reading, Reason};
use crate::sweep::ShardResult;

use super::{Collector, Configuration, Entry, Game, Predicate, Pulse, Says, SolveError, StatedPredicate, Task};

/// A source of values: a solver, or the reference.
pub trait Answers<G: Game> {
    /// Why a value may be missing; [`Infallible`] where none is.
    type Error;

    /// What the position itself is worth where a claim predicts `predicted`; none where no play decides.
    ///
    /// # Errors
    /// The value cannot be worked out.
    fn own(&mut self, predicted: &G::Value) -> Result<Option<G::Value>, Self::Error>;

    /// The answer to what a relation asks.
    ///
    /// # Errors
    /// The value cannot be worked out.
    fn answer(&mut self, question: &G::Question) -> Result<G::Value, Self::Error>;

    /// What another position is worth, in the quantity that `asked` is of, where a claim of a manifest asks; or why it is not known.
    ///
    /// # Errors
    /// The value cannot be worked out.
    fn other(&mut self, _position: &G::Position, _asked: &G::Value) -> Result<Result<G::Value, Reason>, Self::Error> {
        Ok(Err(Reason::Unknown))
    }

    /// The position itself, where that is known: else it is made of its view, and says nothing of how it is played.
    fn position(&self) -> Option<G::Position> {
        None
    }

    /// The box, where a claim is about a whole of its positions: see [`Game::WHOLE`].
    fn one(&self) -> Option<&G::Box> {
        None
    }

    /// What is known under a name of the whole that the position is of.
    ///
    /// # Errors
    /// The value cannot be worked out.
    fn whole(&mut self, _name: &str) -> Result<Reading, Self::Error> {
        Ok(Reading::Absent)
    }
}

/// The value of a position whose claims ask about no other.
pub struct Known<V>(pub V);

impl<G: Game<Question = Infallible>> Answers<G> for Known<G::Value> {
    type Error = Infallible;

    fn own(&mut self, _predicted: &G::Value) -> Result<Option<G::Value>, Infallible> {
        Ok(Some(self.0.clone()))
    }

    fn answer(&mut self, question: &Infallible) -> Result<G::Value, Infallible> {
        match *question {}
    }
}

/// No value: for configurations that no play decides.
pub struct Unplayed;

impl<G: Game<Question = Infallible>> Answers<G> for Unplayed {
    type Error = Infallible;

    fn own(&mut self, _predicted: &G::Value) -> Result<Option<G::Value>, Infallible> {
        Ok(None)
    }

    fn answer(&mut self, question: &Infallible) -> Result<G::Value, Infallible> {
        match *question {}
    }
}

/// A prediction held against the values that it is about.
pub struct Weighed<V> {
    /// What it comes to.
    pub check: Check,
    /// The value of the position itself, where one is predicted and play decides it.
    pub own: Option<V>,
    /// The values that a relation needs, in its order.
    pub needed: Vec<V>,
}

/// Holds a prediction against the values that it is about, and asks for no others.
///
/// # Errors
/// The first value that cannot be worked out.
#[inline]
pub fn weigh<G: Game, A: Answers<G> + ?Sized>(says: &Says<G>, answers: &mut A) -> Result<Weighed<G::Value>, A::Error> {
    let (own, needed) = match says {
        Prediction::Silent | Prediction::Vacuous => return Ok(Weighed { check: says.check(None, &[]), own: None, needed: Vec::new() }),
        Prediction::Value(predicted) => (answers.own(predicted)?, Vec::new()),
        Prediction::Relation(relation) => {
            // Collecting results would not know how many there are, and this is what judging costs.
            let mut needed = Vec::with_capacity(relation.needs.len());
            for question in &relation.needs {
                needed.push(answers.answer(question)?);
            }
            (None, needed)
        }
    };
    Ok(Weighed { check: says.check(own.as_ref(), &needed), own, needed })
}

/// Holds the claims of a sweep against the configurations of one box, and counts.
pub struct Judge<'a, G: Game> {
    box_index: u32,
    /// Every claim of the sweep.
    sweep: &'a [Entry<G>],
    /// Those that can speak about this box, each by its place in the sweep.
    claims: Vec<(usize, &'a Entry<G>)>,
    task: Task,
    collector: Collector,
    buffer: Vec<u8>,
}

impl<'a, G: Game> Judge<'a, G> {
    /// A judge of some claims, that has seen no configuration yet.
    pub(super) fn new(box_index: u32, sweep: &'a [Entry<G>], can_speak: impl Fn(&Entry<G>) -> bool, task: &Task) -> Self {
        let claims = sweep.iter().enumerate().filter(|(_, entry)| can_speak(entry)).collect();
        let stated = sweep.iter().filter(|entry| entry.is_of_manifest()).count();
        let collector = Collector::new(box_index, (sweep.len(), stated), task);
        Self { box_index, sweep, claims, task: task.clone(), collector, buffer: Vec::new() }
    }

    /// The box, by its index.
    pub fn box_index(&self) -> u32 {
        self.box_index
    }

    /// Every claim of the sweep, also those that cannot speak about this box.
    pub fn sweep(&self) -> &'a [Entry<G>] {
        self.sweep
    }

    /// The claims that can speak about this box, each by its place in the sweep.
    pub fn claims(&self) -> &[(usize, &'a Entry<G>)] {
        &self.claims
    }

    /// What the shard is solved for.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// How many configurations have been decided.
    pub fn decided(&self) -> u128 {
        self.collector.decided()
    }

    /// The result so far, for what is counted otherwise.
    pub fn collector(&mut self) -> &mut Collector {
        &mut self.collector
    }

    /// Decides a configuration: holds every claim against it. Gives the claims, a bit each by their place in the sweep, that
    /// predicted its value rightly.
    ///
    /// # Errors
    /// A value that a claim asks for cannot be worked out.
    #[inline]
    pub fn decide<A: Answers<G>>(&mut self, configuration: &impl Configuration, view: &G::View, answers: &mut A) -> Result<u128, A::Error> {
        self.collector.decide();
        self.hold(0..self.claims.len(), configuration, view, answers)
    }

    /// Holds some claims, given by their index in [`Judge::claims`], against a configuration that is decided otherwise. Gives
    /// the claims, a bit each by their place in the sweep, that predicted its value rightly.
    ///
    /// # Errors
    /// A value that a claim asks for cannot be worked out.
    #[inline]
    pub fn hold<A: Answers<G>>(
        &mut self,
        claims: impl IntoIterator<Item = usize>,
        configuration: &impl Configuration,
        view: &G::View,
        answers: &mut A,
    ) -> Result<u128, A::Error> {
        let mut rightly = 0u128;
        for index in claims {
            let (place, entry) = self.claims[index];
            // What a predicate says stays where it was written: to copy it costs more than most predicates do.
            let says = match &entry.predicate {
                Predicate::Written(predict) => predict(view),
                Predicate::Made(predict) => predict(view),
                Predicate::Stated(stated) if stated.is_about_whole() => continue,
                // A text is put in place where it can speak.
                Predicate::Text { .. } => continue,
                Predicate::Stated(stated) => {
                    rightly |= self.hold_stated(place, entry, stated, configuration, view, answers)?;
                    continue;
                }
            };
            if matches!(says, Prediction::Silent) {
                continue;
            }
            let found = weigh::<G, A>(&says, answers)?;
            match found.check {
                // What is written in the program is defined everywhere.
                Check::Silent | Check::Undefined => {}
                Check::Vacuous => self.collector.vacuous_many(place, 1),
                Check::Held => {
                    self.collector.held(place);
                    if matches!(says, Prediction::Value(_)) {
                        // A sweep has at most 128 claims.
                        rightly |= 1 << place;
                    }
                }
                Check::Refuted => {
                    let actual = says.actual(found.own.as_ref(), &found.needed);
                    self.refuted(place, entry, configuration, actual);
                }
            }
        }
        Ok(rightly)
    }

    /// Holds the claims that are about a whole against it, where the last of its positions is decided, which is given.
    ///
    /// # Errors
    /// A value that a claim asks for cannot be worked out.
    pub fn hold_whole<A: Answers<G>>(
        &mut self,
        configuration: &impl Configuration,
        view: &G::View,
        answers: &mut A,
    ) -> Result<(), A::Error> {
        for index in 0..self.claims.len() {
            let (place, entry) = self.claims[index];
            if let Some(stated) = entry.stated().filter(|stated| stated.is_about_whole()) {
                self.hold_stated(place, entry, stated, configuration, view, answers)?;
            }
        }
        Ok(())
    }

    /// Holds a claim that is a text against a configuration. Gives its bit if it predicted the value rightly.
    fn hold_stated<A: Answers<G>>(
        &mut self,
        place: usize,
        entry: &Entry<G>,
        stated: &StatedPredicate<G>,
        configuration: &impl Configuration,
        view: &G::View,
        answers: &mut A,
    ) -> Result<u128, A::Error> {
        let found = stated.find(view, answers)?;
        match found.check {
            Check::Silent => {}
            Check::Vacuous => self.collector.vacuous_many(place, 1),
            Check::Held => {
                self.collector.held(place);
                return Ok(if stated.predicts() { 1 << place } else { 0 });
            }
            Check::Undefined => {
                let key = keyed(self.box_index, configuration);
                self.collector.undefined(place, key, found.actual);
            }
            Check::Refuted => self.refuted(place, entry, configuration, found.actual),
        }
        Ok(0)
    }

    /// Takes in that a claim spoke and was wrong.
    #[cold]
    fn refuted(&mut self, place: usize, entry: &Entry<G>, configuration: &impl Configuration, actual: String) {
        self.write(b'R', entry.claim.id.as_bytes(), configuration);
        let key = keyed(self.box_index, configuration);
        self.collector.refuted(place, key, actual, &self.buffer);
    }

    /// Takes in a canonical record of a configuration: what it says, by a letter, and a word of it.
    pub fn record(&mut self, what: u8, word: &[u8], configuration: &impl Configuration) {
        self.write(what, word, configuration);
        self.collector.canonical(&self.buffer);
    }

    /// Keeps a solved configuration if the task asks for it.
    pub fn keep(&mut self, losing: bool, value: &str, configuration: &impl Configuration) {
        let box_index = self.box_index;
        self.collector.keep(losing, value, || keyed(box_index, configuration));
    }

    /// Beats the pulse.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if it says so.
    pub fn beat(&self, pulse: &mut dyn Pulse) -> Result<(), SolveError> {
        if pulse.beat(self.decided()) { Ok(()) } else { Err(SolveError::Stopped) }
    }

    fn write(&mut self, what: u8, word: &[u8], configuration: &impl Configuration) {
        self.buffer.clear();
        self.buffer.push(what);
        self.buffer.extend_from_slice(word);
        self.buffer.push(0);
        configuration.canonical(&mut self.buffer);
    }

    /// The shard's result.
    pub(super) fn finish(self) -> ShardResult {
        self.collector.finish()
    }
}

impl<G: Game<Question = Infallible>> Judge<'_, G> {
    /// Takes in a configuration that is its value and nothing else: holds every claim against it, writes the value into its
    /// canonical record, and keeps it if the task asks for it.
    pub fn solved(&mut self, configuration: &impl Configuration, view: &G::View, value: G::Value, losing: bool) {
        let written = value.to_string();
        let Ok(()) = self.solved_among(configuration, view, (&written, losing), &mut Known(value));
    }
}

impl<G: Game> Judge<'_, G> {
    /// The same of a value as it is written, where claims may ask for others.
    ///
    /// # Errors
    /// A value that a claim asks for cannot be worked out.
    pub fn solved_among<A: Answers<G>>(
        &mut self,
        configuration: &impl Configuration,
        view: &G::View,
        (written, losing): (&str, bool),
        answers: &mut A,
    ) -> Result<(), A::Error> {
        self.decide(configuration, view, answers)?;
        self.record(b'V', written.as_bytes(), configuration);
        self.keep(losing, written, configuration);
        Ok(())
    }
}

/// The key of a configuration: as its family has it, then the box in 4 bytes, big-endian.
pub fn keyed(box_index: u32, configuration: &impl Configuration) -> Vec<u8> {
    let mut key = Vec::with_capacity(64);
    configuration.key(&mut key);
    key.extend_from_slice(&box_index.to_be_bytes());
    key
}

/// The box of a key, and the key within its box.
#[must_use]
pub fn split_key(key: &[u8]) -> Option<(u32, &[u8])> {
    let (within, box_index) = key.split_last_chunk::<4>()?;
    Some((u32::from_be_bytes(*box_index), within))
}
