//! ARCHITECTURE.md says what is not there: here it is looked for.

#![allow(clippy::unwrap_used)]

#[path = "architecture/circles.rs"]
mod circles;

use std::fs;
use std::path::{Path, PathBuf};

use circles::circles;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every Rust file below a folder of the repository.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found
}

/// Whether a file is the code of the wire contract, which is generated and which nobody reads.
fn is_generated(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "generated")
}

/// The code of a file, without its comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

fn assert_absent(paths: &[PathBuf], words: &[&str]) {
    for path in paths {
        let code = code(path);
        for word in words {
            assert!(!code.contains(word), "{} has {word}", path.display());
        }
    }
}

const IMPURE: [&str; 11] =
    ["tokio", "tonic", "rocksdb::", "std::fs", "std::net", "std::thread", "std::time", "Instant", "SystemTime", "println!", " rand::"];

#[test]
fn shared_and_the_pure_rooms_touch_no_clock_thread_socket_or_file() {
    assert_absent(&sources("shared/src"), &IMPURE);
    assert_absent(&sources("coordinator/src/schedule"), &IMPURE);
    assert_absent(&sources("coordinator/src/report"), &IMPURE);
    assert_absent(&sources("worker/src/session"), &IMPURE);
    assert_absent(&[root().join("worker/src/session.rs"), root().join("coordinator/src/web/metrics.rs")], &IMPURE);
}

/// The folders of the families, by name.
fn families() -> Vec<String> {
    let entries = fs::read_dir(root().join("shared/src/families")).unwrap();
    let mut found: Vec<String> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    found.sort();
    assert!(found.len() >= 5, "{found:?}");
    found
}

/// What a file of a family names outside itself, as paths from the crate or from the family's folder: `crate::value::Nimber`,
/// `rules`. Its tests are left out.
fn imports(family: &Path, file: &Path) -> Vec<String> {
    let code = code(file);
    let code = code.split("#[cfg(test)]").next().unwrap();
    // How many modules lie between the family's folder and the file's own module.
    let inside: Vec<_> = file.strip_prefix(family).unwrap().components().collect();
    let depth = if file.file_name().unwrap() == "mod.rs" { inside.len() - 1 } else { inside.len() };
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            if code[..at].ends_with("::") {
                continue;
            }
            let mut rest = &code[at..];
            let mut up = 0;
            while let Some(after) = rest.strip_prefix("super::") {
                (rest, up) = (after, up + 1);
            }
            if up > 0 && up < depth {
                continue;
            }
            assert!(up <= depth, "{}: {}", file.display(), &code[at..at + 40]);
            found.extend(paths(rest));
        }
    }
    found
}

/// The paths at the head of a text: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(text: &str) -> Vec<String> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(text.len());
    let head = text[..end].trim_end_matches(':');
    let Some(group) = text[end..].strip_prefix('{') else { return vec![head.to_owned()] };
    let mut depth = 1;
    let close = group.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    });
    let group = &group[..close.unwrap()];
    assert!(!group.contains('{'), "{text}");
    let separator = if head.is_empty() { "" } else { "::" };
    group.split(',').map(str::trim).filter(|part| !part.is_empty()).map(|part| format!("{head}{separator}{part}")).collect()
}

fn assert_imports(family: &str, file: &Path, allowed: &[&str]) {
    let name: String = family.split('_').map(|part| part[..1].to_uppercase() + &part[1..]).collect();
    let family = root().join("shared/src/families").join(family);
    for import in imports(&family, file).into_iter().filter(|import| *import != name) {
        let is_allowed = allowed.iter().any(|known| import == *known || import.starts_with(&format!("{known}::")));
        assert!(is_allowed, "{} imports {import}, which is not on its list", file.display());
    }
}

/// What claims may know about a family: its positions, its values and its name.
const CLAIMS_MAY: [&str; 13] = [
    "crate::claim",
    "crate::value",
    "crate::families::Entry",
    // A claim that is a text in the language of manifests, by its id.
    "crate::families::InText",
    "crate::families::Printed",
    "graph",
    "hypergraph",
    "member",
    // How options are numbered, by the rules.
    "moves",
    "period",
    "quantity",
    "rules",
    "self",
];

#[test]
fn predictions_see_no_solver() {
    for family in families().iter().filter(|family| *family != "null") {
        let claims = sources(&format!("shared/src/families/{family}/claims"));
        assert!(!claims.is_empty(), "{family}");
        claims.iter().for_each(|file| assert_imports(family, file, &CLAIMS_MAY));
    }
}

/// What the reference may know about a family: its rules, how positions and values are written, and of values what is a definition.
const REFERENCE_MAY: [&str; 31] = [
    "crate::claim",
    "crate::families",
    "crate::language::Reading",
    "crate::sweep::ManifestError",
    "crate::value::Dyadic",
    "crate::value::GameId",
    "crate::value::Games",
    "crate::value::Impartial",
    "crate::value::Name",
    "crate::value::Nimber",
    "crate::value::Order",
    "crate::value::Outcome",
    "crate::value::Play",
    "crate::value::ValueError",
    "boxes",
    "claims",
    "explain_value",
    "facts",
    "graph",
    "hypergraph",
    "key",
    // The fact "all heaps" of an explanation comes from it, and no value.
    "long_run",
    "names",
    "notation",
    // What a period is, and how it is read: the reference finds its own.
    "period::Period",
    "period::RulesetClass",
    "placed",
    "position",
    "quantity",
    "rules",
    "wanted",
];

#[test]
fn the_reference_shares_the_rules_with_the_solver_and_nothing_else() {
    for family in families().iter().filter(|family| *family != "null") {
        let folder = root().join("shared/src/families").join(family);
        let is_reference = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            path.parent() == Some(&folder) && (name.starts_with("reference") || name == "definition.rs")
        };
        let files: Vec<PathBuf> = sources(&format!("shared/src/families/{family}")).into_iter().filter(is_reference).collect();
        assert!(files.len() >= 2, "{family}: {files:?}");
        // Its own parts know each other.
        let own: Vec<String> = files.iter().map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        let allowed: Vec<&str> = REFERENCE_MAY.into_iter().chain(own.iter().map(String::as_str)).collect();
        files.iter().for_each(|file| assert_imports(family, file, &allowed));
    }
}

/// The claims and the reference of partizan subtraction keep to less than families may: every value there is computed twice, the
/// weights too.
#[test]
fn partizan_subtraction_keeps_to_shorter_lists() {
    const FAMILY: &str = "partizan_subtraction";
    const CLAIMS: [&str; 14] = [
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
        "quantity",
        "rules",
        "self",
    ];
    const REFERENCE: [&str; 12] = [
        "crate::value::Dyadic",
        "crate::value::GameId",
        "crate::value::Games",
        "crate::value::Order",
        "crate::value::Outcome",
        "crate::value::ValueError",
        "claims::Position",
        "claims::Question",
        "quantity",
        "reference::ReferenceSolver",
        "reference_weights::atomic_weight",
        "rules",
    ];
    let folder = root().join("shared/src/families").join(FAMILY);
    sources(&format!("shared/src/families/{FAMILY}/claims")).iter().for_each(|file| assert_imports(FAMILY, file, &CLAIMS));
    for name in ["reference", "reference_values", "reference_weights"] {
        let file = folder.join(name).with_extension("rs");
        assert_imports(FAMILY, &file, &REFERENCE);
        // The general engine's own weights are the solver's.
        for word in [".atomic_weight(", "has_atomic_weight", ".times_up("] {
            assert!(!code(&file).contains(word), "{name} asks the engine: {word}");
        }
    }
}

#[test]
fn nobody_outside_names_a_family() {
    let mut outside = sources("coordinator/src");
    outside.extend(sources("worker/src"));
    outside.extend(sources("shared/src/sweep"));
    outside.retain(|path| !path.components().any(|part| part.as_os_str().to_string_lossy().contains("test")));
    let families = families();
    for path in outside {
        // Tests at the foot of a file, and the examples in help texts, may name one.
        let code = code(&path);
        let code = code.split("#[cfg(test)]").next().unwrap_or("");
        // `null` is also a word of JSON.
        for word in families.iter().filter(|family| *family != "null") {
            let camel: String = word.split('_').map(|part| part[..1].to_uppercase() + &part[1..]).collect();
            assert!(!code.contains(&camel), "{} has {camel}", path.display());
            assert!(!code.contains(word.as_str()), "{} has {word}", path.display());
        }
    }
}

#[test]
fn arrows_run_one_way() {
    assert_absent(&sources("shared/src"), &["refute_proto", "refute_connect", "refute_worker", "refute_coordinator"]);
    assert_absent(&sources("proto/src"), &["refute_connect", "refute_shared", "refute_worker", "refute_coordinator"]);
    // A sentence on RUST_LOG may name a program.
    assert_absent(&sources("proto/connect/src"), &["refute_proto::", "refute_shared::", "refute_worker::", "refute_coordinator::"]);
    assert_absent(&sources("worker/src"), &["refute_coordinator"]);
    let outside: Vec<PathBuf> =
        sources("coordinator/src").into_iter().filter(|path| !path.components().any(|part| part.as_os_str() == "with_store")).collect();
    assert!(outside.len() < sources("coordinator/src").len());
    assert_absent(&outside, &["refute_worker::"]);
}

/// Files that use each other in a circle today, by crate and by one file of the circle.
const CIRCLES: [(&str, &str, &str); 1] =
    [("shared", "families/game", "a game is judged by its own claims, and the judge, the claims and the space are generic over the game")];

#[test]
fn no_files_use_each_other_in_a_circle() {
    let mut known = CIRCLES.to_vec();
    for name in ["proto", "shared", "worker", "coordinator"] {
        let folder = format!("{name}/src");
        for circle in circles(&sources(&folder), &root().join(folder)) {
            let is_known = |known: &(&str, &str, &str)| known.0 == name && circle.iter().any(|module| module == known.1);
            let before = known.len();
            known.retain(|entry| !is_known(entry));
            assert!(known.len() < before, "these files of {name} use each other in a circle: {circle:?}");
        }
    }
    assert!(known.is_empty(), "these circles are gone, and their entries are to go as well: {known:?}");
}

#[test]
fn rooms_are_small() {
    for folder in ["shared", "proto", "worker", "coordinator"] {
        for path in sources(folder).into_iter().filter(|path| !is_generated(path)) {
            let lines = fs::read_to_string(&path).unwrap().lines().count();
            let limit = if path.file_name().unwrap() == "main.rs" && path.ends_with("src/main.rs") { 50 } else { 500 };
            assert!(lines <= limit, "{} has {lines} lines", path.display());
        }
    }
}

#[test]
fn each_file_says_at_its_head_what_it_is_for() {
    for folder in ["shared", "proto", "worker", "coordinator"] {
        for path in sources(folder).into_iter().filter(|path| !is_generated(path)) {
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.starts_with("//! "), "{} does not begin with a sentence in //!", path.display());
        }
    }
}

#[test]
fn each_fault_is_shown_by_a_test_that_is_there() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let faults = map.split("## What can go wrong, and what then").nth(1).unwrap();
    let named: Vec<(&str, &str)> = faults.split('`').skip(1).step_by(2).filter_map(|word| word.split_once("::")).collect();
    assert!(named.len() > 15, "{named:?}");
    for (file, test) in named {
        let source = fs::read_to_string(root().join(format!("coordinator/tests/end_to_end/{file}.rs"))).unwrap();
        assert!(source.contains(&format!("#[test]\nfn {test}()")), "there is no test {file}::{test}");
    }
}

#[test]
fn the_map_names_every_room_and_nothing_else() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for folder in ["shared/src", "shared/src/families", "coordinator/src"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                let name = format!("{}/", path.file_name().unwrap().to_string_lossy());
                assert!(map.contains(&name), "ARCHITECTURE.md does not name {name} of {folder}");
            }
        }
    }
    let paths = map.split('`').skip(1).step_by(2).filter(|word| word.contains('/') && !word.contains(['*', ' ', ':']));
    let exists = |word: &str| {
        ["", "shared/src", "coordinator/src", "coordinator/src/schedule", "worker/src"]
            .iter()
            .any(|folder| root().join(folder).join(word).exists())
    };
    for word in paths.filter(|word| word.ends_with(".rs") || word.ends_with('/')) {
        let known_inside_families = word == "claims/" || word == "claims/list.rs";
        assert!(known_inside_families || exists(word), "ARCHITECTURE.md names {word}, which is not there");
    }
}
