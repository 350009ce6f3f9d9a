//! Partizan subtraction as a [`Game`]: its id and solver version, the types it is made of, and how its positions are read,
//! shown and drawn.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::families::{Described, Entry, Figure, Game, Given, Named};
use crate::language::Reason;
use crate::sweep::{KeptRecord, ManifestError};
use crate::text::quoted;

use super::PartizanSubtraction;
use super::boxes::SubtractionBox;
use super::claims::{self, Question, Scope, View};
use super::key::Heap;
use super::quantity::Value;
use super::reference_values::ReferenceValues;
use super::rules::{Ruleset, SubtractionSet, Support};
use super::sweeper::SubtractionSolver;
use super::{figure, others, variables};

impl Game for PartizanSubtraction {
    const ID: &'static str = "partizan-subtraction";
    const ABOUT: &'static str =
        "Partizan subtraction on one heap: Left removes a number in one finite set, Right one in another; who cannot move loses";
    /// 2: claims about canonical forms and atomic weights, whose values are canonical records as well.
    const SOLVER_VERSION: u32 = 4;
    const PARAMETERS: &'static [&'static str] = &["left", "right", "a", "b", "tau", "heap"];
    const EXPLAIN_EXAMPLES: &'static [&'static str] = &["--left 1..3 --right 5..7 --heap 26", "--a 3 --b 7 --tau 2 --heap 10"];

    type Box = SubtractionBox;
    type Position = Heap;
    type View = View;
    type Question = Question;
    type Value = Value;
    type Scope = Scope;
    type Solver = SubtractionSolver;
    type Reference = ReferenceValues;

    fn claims() -> Vec<Entry<Self>> {
        claims::claims()
    }

    fn view(heap: &Heap) -> Option<View> {
        Some(View { ruleset: Arc::clone(&heap.ruleset), support: heap.support, heap: heap.size })
    }

    /// Every claim of the paper is about full or truncated support.
    fn concerns(_scope: &Scope, heap: &Heap) -> bool {
        heap.support.is_some()
    }

    const WHOLE: Option<&'static str> = Some("ruleset");

    fn position(view: &View) -> Option<Heap> {
        let View { ruleset, support, heap } = view;
        Some(Heap { ruleset: Arc::clone(ruleset), support: *support, is_by_parameters: support.is_some(), size: *heap })
    }

    fn at(of: &Heap, changes: &[(&str, i64)]) -> Result<Heap, Reason> {
        others::at(of, changes)
    }

    fn whole_to_json(one: &SubtractionBox, heap: &Heap) -> Json {
        let mut json = heap.to_json();
        let heaps = one.heaps_of(heap).map(|heaps| format!("{}..={}", heaps.start(), heaps.end()));
        if let (Some(parameters), Some(heaps)) = (json.as_object_mut(), heaps) {
            parameters.remove("heap");
            parameters.insert("heaps".to_owned(), heaps.into());
        }
        json
    }

    fn names(of: Described<'_, Self>) -> Vec<Named<Self>> {
        variables::names(of)
    }

    fn to_json(heap: &Heap) -> Json {
        heap.to_json()
    }

    fn read(given: &Given<'_>) -> Result<Heap, ManifestError> {
        let has = |keys: &[&str]| keys.iter().any(|key| given.get(key).is_some());
        let by_parameters = has(&["a", "b", "tau"]);
        if by_parameters && has(&["left", "right"]) {
            return Err(ManifestError::field("--left", "a ruleset is given either by --left and --right, or by --a, --b and --tau"));
        }
        let ruleset = if by_parameters { by_support(given)? } else { by_sets(given)? };
        let support = ruleset.support();
        Ok(Heap { ruleset: Arc::new(ruleset), support, is_by_parameters: false, size: number(given, "heap", "26")? })
    }

    fn figures(boxes: &[SubtractionBox], records: &mut dyn Iterator<Item = KeptRecord>) -> Vec<Figure> {
        figure::of_records(boxes, records)
    }
}

fn by_support(given: &Given<'_>) -> Result<Ruleset, ManifestError> {
    let tau = if given.get("tau").is_some() { number(given, "tau", "4")? } else { 0 };
    let support = Support { a: number(given, "a", "3")?, b: number(given, "b", "7")?, tau };
    let outside = || ManifestError::field("--a, --b, --tau", "full and truncated support have 1 <= a <= b <= 65535 and 0 <= tau < b");
    Some(support).filter(|support| support.a >= 1).and_then(Support::ruleset).ok_or_else(outside)
}

fn by_sets(given: &Given<'_>) -> Result<Ruleset, ManifestError> {
    let set = |key: &str, example: &str| {
        let text = given.require(key, &format!("--{key} {example}"))?;
        SubtractionSet::parse(text).map_err(|error| ManifestError::field(format!("--{key}"), error.to_string()))
    };
    Ok(Ruleset { left: set("left", "1..3")?, right: set("right", "5..7")? })
}

fn number(given: &Given<'_>, key: &str, example: &str) -> Result<u64, ManifestError> {
    let text = given.require(key, &format!("--{key} {example}"))?;
    let problem =
        || ManifestError::field(format!("--{key}"), format!("'{}' is no number; write for instance --{key} {example}", quoted(text)));
    text.trim().parse().map_err(|_| problem())
}
