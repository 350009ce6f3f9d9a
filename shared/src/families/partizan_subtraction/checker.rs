use crate::claim::Prediction;
use crate::families::legacy::{Check, Collector, Task};
use crate::sweep::Record;
use crate::value::{Outcome, ValueError};

use super::boxes::{Member, SubtractionBox};
use super::claims::{Entry, Position, Question, Says, entries};
use super::key;
use super::quantity::{Quantities, Quantity, Value};
use super::rules::Support;
use super::solved::Answers;
use super::sweeper::Walk;

/// Holds the claims of a task against heaps.
pub struct Checker {
    box_index: u32,
    is_by_parameters: bool,
    /// Their place in the task, their number, and what they say.
    claims: Vec<(usize, usize, &'static Entry)>,
    /// What is solved, and what is kept of it.
    quantities: Quantities,
    kept: Quantities,
    record: Record,
    pub collector: Collector,
    buffer: Vec<u8>,
}

/// What a claim comes to at a heap.
pub struct HeldAgainst {
    pub check: Check,
    /// What it predicts, where that is a value and not a relation.
    pub predicted: Option<Value>,
    /// The quantity it is about, where it speaks and predicts a value.
    pub actual: Option<Value>,
    /// The prediction itself, and the values that it needed.
    pub says: Says,
    pub needed: Vec<Value>,
}

/// Holds a claim against a heap. `outcome` is the heap's, if it is known already.
///
/// # Errors
/// [`ValueError`].
pub fn held_against(
    entry: &Entry,
    position: &Position,
    outcome: Option<Outcome>,
    answers: &mut impl Answers,
) -> Result<HeldAgainst, ValueError> {
    held_to((entry.predict)(position), entry, position, outcome, answers)
}

/// Holds what a claim says of a heap against it.
fn held_to(
    says: Says,
    entry: &Entry,
    position: &Position,
    outcome: Option<Outcome>,
    answers: &mut impl Answers,
) -> Result<HeldAgainst, ValueError> {
    let predicted = if let Prediction::Value(value) = &says { Some(value.clone()) } else { None };
    let actual = match (&predicted, entry.about, outcome) {
        (None, ..) => None,
        (Some(_), Quantity::Outcome, Some(outcome)) => Some(Value::Outcome(outcome)),
        (Some(_), about, _) => Some(answers.answer(&Question::of(about, *position))?),
    };
    let needed = answers.answer_all(says.needs())?;
    let check = says.check(actual.as_ref(), &needed);
    Ok(HeldAgainst { check, predicted, actual, says, needed })
}

impl Checker {
    /// A checker that has seen no heap yet.
    pub fn new(box_index: u32, one: &SubtractionBox, quantities: Quantities, task: &Task) -> Self {
        let all = task.claims.iter().enumerate().filter_map(|(place, claim)| Some((place, *claim, entries().get(*claim)?)));
        Self {
            box_index,
            is_by_parameters: one.is_by_parameters(),
            claims: all.collect(),
            quantities,
            kept: one.quantities(),
            record: task.record,
            collector: crate::families::legacy::collector(box_index, task),
            buffer: Vec::new(),
        }
    }

    /// Takes in a heap of a ruleset and its outcome.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn heap(&mut self, walk: &mut Walk, heap: u64, outcome: Outcome) -> Result<(), ValueError> {
        self.collector.decide();
        if let Some(support) = walk.member.support {
            let position = Position { support, heap };
            for index in 0..self.claims.len() {
                let (place, claim, entry) = self.claims[index];
                self.count(place, entry, &position, walk, outcome)?;
                if entry.census.is_some() {
                    for label in walk.census.note(claim, &position, &mut walk.solved)? {
                        self.collector.group(label);
                    }
                }
            }
        }
        self.canonical(b"V", outcome.letter().as_bytes(), &walk.member, heap);
        self.collector.canonical(&self.buffer);
        if self.quantities != Quantities::OUTCOME {
            self.canonical_values(walk, heap)?;
        }
        self.keep(walk, heap, outcome)
    }

    fn count(&mut self, place: usize, entry: &Entry, position: &Position, walk: &mut Walk, outcome: Outcome) -> Result<(), ValueError> {
        // Most claims are silent at most heaps, or say an outcome: for these nothing is asked and nothing is copied.
        let says = (entry.predict)(position);
        match &says {
            Prediction::Silent => return Ok(()),
            Prediction::Value(Value::Outcome(predicted)) if entry.about == Quantity::Outcome && *predicted == outcome => {
                self.collector.held(place);
                return Ok(());
            }
            Prediction::Value(_) | Prediction::Relation(_) => {}
        }
        let held = held_to(says, entry, position, Some(outcome), &mut walk.solved)?;
        match held.check {
            Check::Silent => {}
            Check::Held => self.collector.held(place),
            Check::Refuted => {
                self.canonical(b"R", entry.claim.id.as_bytes(), &walk.member, position.heap);
                let actual = held.says.actual(held.actual.as_ref(), &held.needed);
                self.collector.refuted(place, self.key(&walk.member, position.heap), actual, &self.buffer);
            }
        }
        Ok(())
    }

    /// The canonical records of what is solved beside outcomes.
    fn canonical_values(&mut self, walk: &mut Walk, heap: u64) -> Result<(), ValueError> {
        if self.quantities.canonical_form {
            let digest = walk.solved.digest(heap)?;
            self.canonical(b"F", &digest.to_be_bytes(), &walk.member, heap);
            self.collector.canonical(&self.buffer);
        }
        if self.quantities.atomic_weight {
            let weight = walk.solved.value(heap, Quantity::AtomicWeight)?.to_string();
            self.canonical(b"W", weight.as_bytes(), &walk.member, heap);
            self.collector.canonical(&self.buffer);
        }
        Ok(())
    }

    /// Keeps the quantities that the box names, if the task asks for it.
    fn keep(&mut self, walk: &mut Walk, heap: u64, outcome: Outcome) -> Result<(), ValueError> {
        if self.record == Record::None {
            return Ok(());
        }
        let key = self.key(&walk.member, heap);
        let values = self.kept.iter().map(|quantity| walk.solved.value(heap, quantity)).collect::<Result<Vec<_>, _>>()?;
        self.collector.keep(outcome == Outcome::P, &Value::joined(&values), || key);
        Ok(())
    }

    /// The key of a heap: by its parameters where its box is given by them.
    fn key(&self, member: &Member, heap: u64) -> Vec<u8> {
        match member.support {
            Some(support) if self.is_by_parameters => key::of_support(self.box_index, support, heap),
            _ => key::of_sets(self.box_index, &member.ruleset, heap),
        }
    }

    /// Puts a canonical record into the buffer: what it is, the value or the claim, the ruleset and the heap. A ruleset of full
    /// or truncated support is written by its parameters, whichever way its box is given.
    fn canonical(&mut self, what: &[u8], word: &[u8], member: &Member, heap: u64) {
        self.buffer.clear();
        self.buffer.extend_from_slice(what);
        self.buffer.extend_from_slice(word);
        self.buffer.push(0);
        match member.support {
            Some(Support { a, b, tau }) => self.buffer.extend([a, b, tau].into_iter().flat_map(u64::to_be_bytes)),
            None => {
                for set in [&member.ruleset.left, &member.ruleset.right] {
                    self.buffer.extend(set.elements().iter().flat_map(|number| number.to_be_bytes()));
                    self.buffer.push(0);
                }
            }
        }
        self.buffer.extend_from_slice(&heap.to_be_bytes());
    }
}
