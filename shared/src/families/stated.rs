//! Claims that a manifest states, held against positions.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::claim::{Check, Claim, Kind, Paper, Source};
use crate::language::block::Program;
use crate::language::bounds::PARTS_A_STEP;
use crate::language::walk::{evaluate, evaluate_counted, judge, subexpressions};
use crate::language::{self, Alone, Positions, Problem, Reading, Scope, Value, Variable, Verdict};
use crate::sweep::{ManifestError, Sentence, Stated, StatedClaim, Written};
use crate::value::Games;

use super::entry::is_claim_id;
use super::names::{Described, Named, Names, Read, keep_small};
use super::others::Others;
use super::texts::text;
use super::{Answers, Entry, Game, Predicate, Subexpression};

/// A claim of the language over the names of a game.
pub struct StatedPredicate<G: Game> {
    /// The claim, made ready for blocks of positions as well.
    program: Program,
    /// Those of its names that are of the position itself.
    position: Vec<(usize, Read<G>)>,
    /// Those that take a solver.
    solved: Vec<(usize, Read<G>)>,
    /// All of its names, by index ascending.
    names: Vec<Variable>,
    /// All names that there are, by index: other positions may be asked for any.
    all: Arc<Names<G>>,
    /// Whether it looks at other positions.
    relates: bool,
    /// Whether it is about a whole of positions, such as a ruleset.
    is_about_whole: bool,
    /// Whether it is a paper's claim: one that is not defined where its hypothesis applies is wrong there.
    is_printed: bool,
    /// Whether the hypothesis has any of them.
    asks_first: bool,
    scratch: Mutex<Scratch>,
}

/// What is used from position to position.
struct Scratch {
    games: Games,
    readings: Vec<Reading>,
}

/// What a stated claim comes to at a position.
pub struct StatedFinding<V> {
    /// What it comes to.
    pub check: Check,
    /// What it predicts, in words; empty unless it was refuted.
    pub predicted: String,
    /// What is the case, in words, where it was refuted; why it is not defined, where that is so; else empty.
    pub actual: String,
    /// The value of the position that was asked for first, if any was.
    pub own: Option<V>,
}

impl<G: Game> StatedPredicate<G> {
    /// A claim whose names are these.
    fn new(claim: language::Claim, all: &Arc<Names<G>>, is_about_whole: bool) -> Self {
        let used = || claim.uses().iter().map(|index| (*index, all.reads[*index].clone()));
        let takes_no_solver = |(_, read): &(usize, Read<G>)| matches!(read, Read::Position(_) | Read::Positions(_));
        let position: Vec<(usize, Read<G>)> = used().filter(takes_no_solver).collect();
        let solved: Vec<(usize, Read<G>)> = used().filter(|read| !takes_no_solver(read)).collect();
        let variables = claim.uses().iter().map(|index| all.vocabulary.variables()[*index].clone()).collect();
        let asks_first = claim.condition().is_some_and(|condition| !condition.solved(&all.vocabulary).is_empty());
        let scratch = Scratch { games: Games::new(u64::MAX), readings: vec![Reading::Absent; all.reads.len()] };
        Self {
            program: Program::new(&claim),
            position,
            solved,
            names: variables,
            all: Arc::clone(all),
            relates: claim.relates(),
            is_about_whole,
            is_printed: false,
            asks_first,
            scratch: Mutex::new(scratch),
        }
    }

    /// The least version of the language that reads it.
    #[must_use]
    pub fn language(&self) -> u32 {
        if self.is_about_whole { language::VERSION } else { self.program.claim().version() }
    }

    /// Whether it looks at other positions.
    #[must_use]
    pub fn relates(&self) -> bool {
        self.relates
    }

    /// Whether it is the text of a paper's claim, which is wrong where it is not defined.
    #[must_use]
    pub fn is_printed(&self) -> bool {
        self.is_printed
    }

    /// Whether it is about a whole of positions: see [`Game::WHOLE`].
    #[must_use]
    pub fn is_about_whole(&self) -> bool {
        self.is_about_whole
    }

    /// All names that there are, by index.
    pub fn all_names(&self) -> &Names<G> {
        &self.all
    }

    /// Whether it predicts the value of positions, and so can decide them.
    #[must_use]
    pub fn predicts(&self) -> bool {
        self.program.claim().prediction().is_some()
    }

    /// The claim as a program: for solvers that hold it against many positions at a time.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The names that it uses, each with its index in the vocabulary of the sweep and where its value comes from.
    pub fn reads(&self) -> impl Iterator<Item = (usize, &Variable, &Read<G>)> {
        self.program.claim().uses().iter().zip(&self.names).map(|(index, variable)| (*index, variable, &self.all.reads[*index]))
    }

    /// The names that it uses.
    pub fn names(&self) -> &[Variable] {
        &self.names
    }

    /// The names that it uses, and those that it asks other positions for.
    pub fn asked_names(&self) -> impl Iterator<Item = &Variable> {
        let others = self.program.claim().others().iter().map(|index| &self.all.vocabulary.variables()[*index]);
        self.names.iter().chain(others)
    }

    /// The kinds of values that it asks a solver for, also of other positions.
    pub fn asks(&self) -> impl Iterator<Item = &G::Value> {
        let claim = self.program.claim();
        claim.uses().iter().chain(claim.others()).filter_map(|index| match &self.all.reads[*index] {
            Read::Solved { asked, .. } => Some(asked),
            Read::Positions(listed) => listed.asked.as_ref(),
            Read::Position(_) | Read::Whole(_) => None,
        })
    }

    /// Does something with the positions around one.
    fn among<A: Answers<G> + ?Sized, T>(
        &self,
        view: &G::View,
        answers: &mut A,
        act: impl FnOnce(&mut dyn Positions) -> T,
    ) -> Result<T, A::Error> {
        if !self.relates {
            return Ok(act(&mut Alone));
        }
        let mut others = Others::new(&self.all, view, answers);
        let found = act(&mut others);
        others.finish(found)
    }

    /// What it comes to at a position. The solver is asked for nothing where the hypothesis is known to be false without.
    ///
    /// # Errors
    /// The first value that cannot be worked out.
    pub fn find<A: Answers<G> + ?Sized>(&self, view: &G::View, answers: &mut A) -> Result<StatedFinding<G::Value>, A::Error> {
        let mut scratch = self.scratch();
        let own = match self.read(&mut scratch, view, answers)? {
            Ok(own) => own,
            Err(verdict) => {
                let (check, actual) = self.check(&verdict);
                return Ok(StatedFinding { check, predicted: String::new(), actual, own: None });
            }
        };
        let Scratch { games, readings } = &mut *scratch;
        let verdict = self.among(view, answers, |others| judge(self.program.claim(), readings, games, others))?;
        let (check, mut actual) = self.check(&verdict);
        let mut predicted = String::new();
        if verdict == Verdict::Refuted {
            (predicted, actual) = self.among(view, answers, |others| self.words(readings, games, others))?;
        }
        Ok(StatedFinding { check, predicted, actual, own })
    }

    /// What a verdict comes to, and why the claim is not defined, where that is so.
    fn check(&self, verdict: &Verdict) -> (Check, String) {
        match verdict {
            Verdict::Silent => (Check::Silent, String::new()),
            Verdict::Held => (Check::Held, String::new()),
            Verdict::Vacuous => (Check::Vacuous, String::new()),
            Verdict::Undefined(reason) if self.is_printed => (Check::Refuted, format!("not defined: {reason}")),
            Verdict::Undefined(reason) => (Check::Undefined, reason.to_string()),
            Verdict::Refuted => (Check::Refuted, String::new()),
        }
    }

    /// Whether the hypothesis is true at a position, and the steps that this took; none if it asks a solver, looks at
    /// other positions, or is about a whole.
    pub fn applies(&self, view: &G::View) -> (Option<bool>, u64) {
        let mut scratch = self.scratch();
        let Scratch { games, readings } = &mut *scratch;
        keep_small(games);
        if self.asks_first || self.is_about_whole || self.program.claim().condition().is_some_and(language::Expression::relates) {
            return (None, 0);
        }
        let is_absent = self.read_position(readings, view);
        match self.program.claim().condition() {
            Some(condition) if !is_absent => {
                let (value, steps) = evaluate_counted(condition, readings, games, &mut Alone);
                // At most MAX_PARTS parts.
                (Some(value == Ok(Value::Boolean(true))), steps + (condition.tree().parts as u64).div_ceil(PARTS_A_STEP))
            }
            _ => (Some(!is_absent), 1),
        }
    }

    /// Reads the names that are of the position itself, and says whether it lacks one.
    fn read_position(&self, readings: &mut [Reading], view: &G::View) -> bool {
        let mut is_absent = false;
        for (index, read) in &self.position {
            readings[*index] = match read {
                Read::Position(read) => read(view),
                // A list of positions is made where it is asked for.
                _ => Value::Boolean(true).into(),
            };
            is_absent |= readings[*index] == Reading::Absent;
        }
        is_absent
    }

    /// Whether the positions lack a name that others are asked for.
    fn lacks_for_others(&self, view: &G::View) -> bool {
        let is_absent = |index: &usize| matches!(&self.all.reads[*index], Read::Position(read) if read(view) == Reading::Absent);
        self.program.claim().others().iter().any(is_absent)
    }

    /// Every part of the hypothesis, and where that is true of what is said, each with its value at the position.
    ///
    /// # Errors
    /// The first value that cannot be worked out.
    pub fn parts<A: Answers<G> + ?Sized>(&self, view: &G::View, answers: &mut A) -> Result<Vec<Subexpression>, A::Error> {
        let mut scratch = self.scratch();
        // Where the hypothesis is false without, nothing was asked for what is said.
        let statement = self.read(&mut scratch, view, answers)?.is_ok().then(|| self.program.claim().statement());
        let Scratch { games, readings } = &mut *scratch;
        let expressions = self.program.claim().condition().into_iter().chain(statement);
        self.among(view, answers, |others| {
            let mut parts: Vec<Subexpression> = Vec::new();
            for part in expressions.flat_map(|expression| subexpressions(expression, readings, games, others)) {
                let value = part.value.unwrap_or_else(|reason| format!("not defined: {reason}"));
                let part = Subexpression { expression: part.expression, value };
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
            parts
        })
    }

    /// Reads the names of the claim: the value of the position that was asked for first, or what it comes to without.
    #[allow(clippy::type_complexity)]
    fn read<A: Answers<G> + ?Sized>(
        &self,
        scratch: &mut Scratch,
        view: &G::View,
        answers: &mut A,
    ) -> Result<Result<Option<G::Value>, Verdict>, A::Error> {
        let Scratch { games, readings } = scratch;
        keep_small(games);
        let is_absent = self.read_position(readings, view);
        // Where the positions lack a name that others are asked for, the claim is silent as well.
        if self.lacks_for_others(view) {
            return Ok(Err(Verdict::Silent));
        }
        if let Some(condition) = self.program.claim().condition().filter(|_| !self.asks_first) {
            if is_absent {
                return Ok(Err(Verdict::Silent));
            }
            match self.among(view, answers, |others| evaluate(condition, readings, games, others))? {
                Ok(Value::Boolean(true)) => {}
                Ok(_) => return Ok(Err(Verdict::Silent)),
                Err(reason) => return Ok(Err(Verdict::Undefined(reason))),
            }
        }
        let mut own = None;
        for (index, read) in &self.solved {
            let (asked, read) = match read {
                Read::Solved { asked, read } => (asked, read),
                Read::Whole(name) => {
                    readings[*index] = answers.whole(name)?;
                    continue;
                }
                Read::Position(_) | Read::Positions(_) => continue,
            };
            let value = answers.own(asked)?;
            readings[*index] = value.as_ref().map_or(Reading::Absent, |value| read(view, value, games));
            own = own.or(value);
        }
        Ok(Ok(own))
    }

    /// What it predicts and what is the case, where it was refuted.
    fn words(&self, readings: &[Reading], games: &mut Games, others: &mut dyn Positions) -> (String, String) {
        if let Some(prediction) = self.program.claim().prediction() {
            let text = |value: Result<Value, language::Reason>, games: &mut Games| {
                value.map_or_else(|reason| reason.to_string(), |value| value.text(games))
            };
            let predicted = evaluate(&prediction.expression, readings, games, others);
            let predicted = text(predicted, games);
            let actual = match &readings[prediction.about.0] {
                Reading::Value(value) => value.text(games),
                Reading::Undefined(reason) => reason.to_string(),
                Reading::Absent => String::new(),
            };
            return (predicted, actual);
        }
        let named = self.program.claim().uses().iter().zip(&self.names).filter(|(_, variable)| variable.role.is_solved());
        let shown = named.filter_map(|(index, Variable { name, .. })| match &readings[*index] {
            Reading::Value(value) => Some(format!("{name} = {}", value.text(games))),
            _ => None,
        });
        let shown: Vec<String> = shown.collect();
        let actual = if shown.is_empty() { "false".to_owned() } else { format!("false: {}", shown.join(", ")) };
        ("true".to_owned(), actual)
    }

    fn scratch(&self) -> MutexGuard<'_, Scratch> {
        // What a panic has left behind is overwritten before it is read.
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Puts the texts of papers' claims in place, under the names of what is described: of those that can speak about any of it. The others
/// stay as they are, and no judge comes across them.
///
/// # Errors
/// None, as the tests show: [`ManifestError`] where a text is none under these names.
pub fn with_texts<'a, G: Game + 'a>(
    mut entries: Vec<Entry<G>>,
    described: impl IntoIterator<Item = Described<'a, G>>,
    can_speak: impl Fn(&Entry<G>) -> bool,
) -> Result<Vec<Entry<G>>, ManifestError> {
    let is_wanted = |entry: &Entry<G>| matches!(entry.predicate, Predicate::Text { .. }) && can_speak(entry);
    if !entries.iter().any(is_wanted) {
        return Ok(entries);
    }
    let names = Names::of(described).map(Arc::new).map_err(|error| ManifestError::field("family", error.to_string()))?;
    for found in entries.iter_mut().filter(|entry| is_wanted(entry)) {
        let unknown = || ManifestError::field("claims", format!("'{}' has no text", found.claim.id));
        let Stated { definitions, claims } = text(&found.claim.id).ok_or_else(unknown)?;
        let mut scope = Scope::new(&names.vocabulary);
        for (name, written) in &definitions {
            scope.define(name, &written.text).map_err(|error| wrong_definition(name, written, &error))?;
        }
        let (claim, whole) = compiled::<G>(claims.first().ok_or_else(unknown)?, &scope)?;
        let predicate = StatedPredicate::new(claim, &names, whole.is_some());
        found.predicate = Predicate::Stated(Arc::new(StatedPredicate { is_printed: true, ..predicate }));
    }
    Ok(entries)
}

/// The claims that a manifest states about positions that are described, as claims of a sweep.
///
/// # Errors
/// [`ManifestError`] names the claim and the place in it.
pub fn compile<'a, G: Game + 'a>(
    stated: &Stated,
    described: impl IntoIterator<Item = Described<'a, G>>,
) -> Result<Vec<Entry<G>>, ManifestError> {
    if stated.claims.is_empty() {
        return Ok(Vec::new());
    }
    let names: Arc<Names<G>> = Names::of(described).map(Arc::new).map_err(|error| ManifestError::field("family", error.to_string()))?;
    let mut scope = Scope::new(&names.vocabulary);
    for (name, written) in &stated.definitions {
        scope.define(name, &written.text).map_err(|error| wrong_definition(name, written, &error))?;
    }
    let built_in = G::claims();
    let mut entries: Vec<Entry<G>> = Vec::with_capacity(stated.claims.len());
    for claim in &stated.claims {
        check_id(&claim.id, built_in.iter().chain(&entries))?;
        entries.push(entry(claim, &scope, &names)?);
    }
    Ok(entries)
}

fn check_id<'a, G: Game>(id: &str, mut known: impl Iterator<Item = &'a Entry<G>>) -> Result<(), ManifestError> {
    if !is_claim_id(id) {
        let problem = format!(
            "'{id}' is no id of a claim; it has two parts of letters, digits, '.', '-' and '_' with a '/' between, such as 'mine/r5', and at most 64 of them"
        );
        return Err(ManifestError::field("claim.id", problem));
    }
    match known.any(|entry| entry.claim.id == id) {
        true => Err(ManifestError::field("claim.id", format!("there is a claim '{id}' already; give this one an id of its own"))),
        false => Ok(()),
    }
}

/// What a claim says, and what it is about if not about positions.
fn compiled<G: Game>(stated: &StatedClaim, scope: &Scope<'_>) -> Result<(language::Claim, Option<&'static str>), ManifestError> {
    let at = |key: &str| format!("claim '{}', {key}", stated.id);
    let whole = whole::<G>(stated)?;
    let condition = match &stated.condition {
        None => None,
        Some(written) => Some(scope.statement_about(&written.text, whole).map_err(|error| wrong(at("where"), written, &error))?),
    };
    let key = stated.sentence.key();
    let claim = match &stated.sentence {
        Sentence::Says(written) => {
            let statement = scope.statement_about(&written.text, whole).map_err(|error| wrong(at(key), written, &error))?;
            language::Claim::says(condition, statement)
        }
        Sentence::Predict(written) => {
            let prediction = scope.prediction(&written.text).map_err(|error| wrong(at(key), written, &error))?;
            language::Claim::predicts(condition, prediction)
        }
    };
    Ok((claim, whole))
}

fn entry<G: Game>(stated: &StatedClaim, scope: &Scope<'_>, names: &Arc<Names<G>>) -> Result<Entry<G>, ManifestError> {
    let (claim, whole) = compiled::<G>(stated, scope)?;
    let hypothesis = claim.condition().map(ToString::to_string);
    let sentence = match claim.prediction() {
        Some(prediction) => Sentence::Predict(Written::new(prediction.expression.to_string())),
        None => Sentence::Says(Written::new(claim.statement().to_string())),
    };
    let statement = match (claim.prediction(), &sentence) {
        (Some(prediction), Sentence::Predict(written)) => format!("{} is {}", prediction.about.1, written.text),
        (_, sentence) => sentence.written().text.clone(),
    };
    let source = Source {
        paper: Paper { key: "".into(), title: stated.title.clone().unwrap_or_default().into(), cite: "".into() },
        item: stated.source.clone().unwrap_or_else(|| "stated in the manifest".to_owned()).into(),
        section: "".into(),
    };
    let text = StatedClaim { condition: hypothesis.clone().map(Written::new), sentence, ..stated.clone() };
    let claim_text = Claim {
        id: stated.id.clone().into(),
        source,
        kind: Kind::Stated,
        hypothesis: hypothesis.unwrap_or_else(|| "true".to_owned()).into(),
        statement: statement.into(),
        stated: Some(Box::new(text)),
    };
    let predicate = Predicate::Stated(Arc::new(StatedPredicate::new(claim, names, whole.is_some())));
    Ok(Entry { claim: claim_text, scope: None, predicate })
}

/// What a claim is about, if not about positions.
fn whole<G: Game>(stated: &StatedClaim) -> Result<Option<&'static str>, ManifestError> {
    let field = |key: &str| format!("claim '{}', {key}", crate::text::quoted(&stated.id));
    let Some(per) = &stated.per else { return Ok(None) };
    match (G::WHOLE, &stated.sentence) {
        (Some(whole), Sentence::Says(_)) if per == whole => Ok(Some(whole)),
        (Some(whole), Sentence::Predict(_)) if per == whole => {
            Err(ManifestError::field(field("predict"), format!("is about a position, and this claim is about a {whole}; write says")))
        }
        (known, _) => {
            let known = known.map_or(String::new(), |whole| format!(", or \"{whole}\""));
            let problem = format!("'{}' is not known; it is \"position\", which may be left out{known}", crate::text::quoted(per));
            Err(ManifestError::field(field("per"), problem))
        }
    }
}

/// What is wrong with a definition: with its name, which is no part of the expression, or with that.
fn wrong_definition(name: &str, written: &Written, error: &language::Error) -> ManifestError {
    let field = format!("[let] {name}");
    let is_of_name = match &error.problem {
        Problem::Name { .. } | Problem::TooManyDefinitions => true,
        Problem::Reserved { name: found, .. } | Problem::Shadow { name: found, .. } => found == name,
        _ => false,
    };
    if is_of_name { ManifestError::field(field, error.problem.to_string()) } else { wrong(field, written, error) }
}

fn wrong(field: String, written: &Written, error: &language::Error) -> ManifestError {
    let (line, column) = match written.place {
        Some((line, column)) if error.line == 1 => (Some(line), column + error.column - 1),
        Some((line, _)) => (Some(line + error.line - 1), error.column),
        None => (None, error.column),
    };
    ManifestError::Expression { field, line, column, problem: error.problem.to_string(), excerpt: error.excerpt.clone() }
}

/// The names of a family for people, in the order to show them.
pub fn documented<G: Game>() -> Vec<Variable> {
    G::names(Described::Family).into_iter().map(|Named { variable, .. }| variable).collect()
}
