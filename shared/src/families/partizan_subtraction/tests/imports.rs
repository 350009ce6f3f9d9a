//! What the claims and the reference may see. An import that is not listed here is one to think about: a claim must not see what
//! it predicts, and the reference must not share with the solver more than the rules and what values are.

const RULES_AND_VALUES: [&str; 2] = ["quantity", "rules"];
const CLAIMS: [(&str, &str); 18] = [
    ("appendix", include_str!("../claims/appendix.rs")),
    ("blocks", include_str!("../claims/blocks.rs")),
    ("forms", include_str!("../claims/forms.rs")),
    ("list", include_str!("../claims/list.rs")),
    ("list::forms", include_str!("../claims/list/forms.rs")),
    ("list::outcomes", include_str!("../claims/list/outcomes.rs")),
    ("list::tables", include_str!("../claims/list/tables.rs")),
    ("list::weights", include_str!("../claims/list/weights.rs")),
    ("list::relations", include_str!("../claims/list/relations.rs")),
    ("list::sections", include_str!("../claims/list/sections.rs")),
    ("mod", include_str!("../claims/mod.rs")),
    ("moves", include_str!("../claims/moves.rs")),
    ("outcomes", include_str!("../claims/outcomes.rs")),
    ("position", include_str!("../claims/position.rs")),
    ("printed", include_str!("../claims/printed.rs")),
    ("short_games", include_str!("../claims/short_games.rs")),
    ("tables", include_str!("../claims/tables.rs")),
    ("weights", include_str!("../claims/weights.rs")),
];
const REFERENCE: [(&str, &str); 3] = [
    ("reference", include_str!("../reference.rs")),
    ("reference_values", include_str!("../reference_values.rs")),
    ("reference_weights", include_str!("../reference_weights.rs")),
];

/// Every path of a file that leads out of it, one name each: `crate::value::{Name, Order}` is two.
fn paths(text: &str) -> Vec<String> {
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let mut found = Vec::new();
    for start in ["crate::", "super::"].iter().flat_map(|head| code.match_indices(head).map(|(start, _)| start)) {
        let is_inside = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
        if code[..start].ends_with(is_inside) {
            continue;
        }
        let path: String = code[start..].chars().take_while(|letter| is_inside(*letter)).collect();
        match code[start + path.len()..].strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            Some((names, _)) => {
                assert!(!names.contains('{'), "{path}{{{names}}}: one level of braces is read");
                found.extend(names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(|name| format!("{path}{name}")));
            }
            None => found.push(path),
        }
    }
    found
}

/// Where a path leads, without the way up, if that is out of the module that so many steps up lead out of.
fn outside(path: &str, depth: usize) -> Option<String> {
    let ups = path.matches("super::").count();
    (ups >= depth || path.starts_with("crate::")).then(|| path.replace("super::", ""))
}

fn is_allowed(path: &str, modules: &[&str], paths: &[&str]) -> bool {
    let module = path.split("::").next().unwrap_or_default();
    modules.contains(&module) || paths.contains(&path)
}

#[test]
fn claims_import_positions_and_values_alone() {
    const PATHS: [&str; 12] = [
        "crate::claim::Kind",
        "crate::claim::Paper",
        "crate::claim::Prediction",
        "crate::claim::Relation",
        "crate::families::Entry",
        "crate::families::InText",
        "crate::families::Printed",
        "crate::value::Dyadic",
        "crate::value::Name",
        "crate::value::Order",
        "crate::value::Outcome",
        "PartizanSubtraction",
    ];
    for (name, text) in CLAIMS {
        // How many steps up lead out of `claims`.
        let depth = if name == "mod" { 1 } else { 2 + name.matches("::").count() };
        for path in paths(text).iter().filter_map(|path| outside(path, depth)) {
            assert!(is_allowed(&path, &RULES_AND_VALUES, &PATHS), "claims::{name} imports {path}");
        }
    }
}

#[test]
fn the_reference_shares_rules_and_values_alone_with_the_solver() {
    const PATHS: [&str; 10] = [
        "crate::value::Dyadic",
        "crate::value::GameId",
        "crate::value::Games",
        "crate::value::Order",
        "crate::value::Outcome",
        "crate::value::ValueError",
        "claims::Position",
        "claims::Question",
        "reference::ReferenceSolver",
        "reference_weights::atomic_weight",
    ];
    for (name, text) in REFERENCE {
        for path in paths(text).iter().filter_map(|path| outside(path, 1)) {
            assert!(is_allowed(&path, &RULES_AND_VALUES, &PATHS), "{name} imports {path}");
        }
        // The general engine's own weights are the solver's.
        for word in [".atomic_weight(", "has_atomic_weight", ".times_up("] {
            assert!(!text.contains(word), "{name} asks the engine: {word}");
        }
    }
}

#[test]
fn an_import_of_a_solver_is_seen() {
    let text = "use crate::value::{Name, Order};\nuse super::super::solved::Solved; // super::x\nlet x = super::super::solver::find();\n";
    let found: Vec<String> = paths(text).iter().filter_map(|path| outside(path, 2)).collect();
    assert_eq!(found, ["crate::value::Name", "crate::value::Order", "solved::Solved", "solver::find"]);
    assert!(!is_allowed("solved::Solved", &RULES_AND_VALUES, &["crate::value::Name"]));
}
