//! Which file of a crate uses which, and whether that goes in circles.
//!
//! What is followed are paths that begin with `crate`, `super`, `self` or a module of the same file, in `use` and elsewhere. A
//! name that a module only hands on is followed to where it comes from. Tests at the foot of a file are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module by its path in the crate; the root is empty.
type Module = Vec<String>;

/// The modules of a crate, and what each uses of the others.
struct Crate {
    code: BTreeMap<Module, String>,
    /// Each path that a module names, and whether it hands the last name on.
    paths: BTreeMap<Module, Vec<(Vec<String>, bool)>>,
}

/// The circles of files that use each other in a crate whose sources are in this folder, each as the names of its modules in
/// order. A file and one below it in the same folder may use each other: that is parent and child.
pub fn circles(sources: &[std::path::PathBuf], folder: &Path) -> Vec<Vec<String>> {
    let edges = Crate::read(sources, folder).edges();
    let reach: BTreeMap<&Module, BTreeSet<&Module>> = edges.keys().map(|from| (from, reachable(&edges, from))).collect();
    let mut circles = BTreeSet::new();
    for (from, reached) in &reach {
        let circle: Vec<String> =
            reached.iter().filter(|to| reach.get(**to).is_some_and(|back| back.contains(from))).map(|module| module.join("/")).collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

fn reachable<'a>(edges: &'a BTreeMap<Module, BTreeSet<Module>>, from: &'a Module) -> BTreeSet<&'a Module> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for to in edges.get(module).into_iter().flatten() {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}

impl Crate {
    fn read(sources: &[std::path::PathBuf], folder: &Path) -> Self {
        let mut code = BTreeMap::new();
        for path in sources {
            let inside = path.strip_prefix(folder).unwrap().with_extension("");
            let mut module: Module = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if module.last().is_some_and(|name| name == "mod" || (module.len() == 1 && name == "lib")) {
                module.pop();
            }
            let text = fs::read_to_string(path).unwrap();
            let text: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
            let text = text.join("\n");
            code.insert(module, text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("").to_owned());
        }
        let paths = code.iter().map(|(module, text)| (module.clone(), paths(text))).collect();
        Self { code, paths }
    }

    fn edges(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let mut handed_on: BTreeMap<(Module, String), Module> = BTreeMap::new();
        for (module, paths) in &self.paths {
            for (path, _) in paths.iter().filter(|(_, hands_on)| *hands_on) {
                if let Some((origin, Some(name))) = self.resolve(module, path) {
                    handed_on.insert((module.clone(), name), origin);
                }
            }
        }
        let mut edges: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        for (module, paths) in &self.paths {
            for (path, _) in paths {
                let Some((mut target, name)) = self.resolve(module, path) else { continue };
                while let Some(origin) = name.clone().and_then(|name| handed_on.get(&(target.clone(), name))) {
                    target.clone_from(origin);
                }
                if !target.starts_with(module) && !module.starts_with(&target) {
                    edges.entry(module.clone()).or_default().insert(target);
                }
            }
        }
        edges
    }

    /// The module that a path leads to, and the first name in it.
    fn resolve(&self, module: &Module, path: &[String]) -> Option<(Module, Option<String>)> {
        let mut rest = path.iter().peekable();
        let mut target = module.clone();
        match path.first()?.as_str() {
            "crate" => {
                rest.next();
                target.clear();
            }
            "self" => drop(rest.next()),
            "super" => {
                while rest.next_if(|part| *part == "super").is_some() {
                    target.pop()?;
                }
            }
            first => {
                target.push(first.to_owned());
                self.code.contains_key(&target).then(|| target.pop())?;
            }
        }
        while let Some(part) = rest.peek() {
            target.push((*part).clone());
            if !self.code.contains_key(&target) {
                target.pop();
                break;
            }
            rest.next();
        }
        Some((target, rest.next().filter(|name| *name != "self").cloned()))
    }
}

/// All paths that a text names.
fn paths(text: &str) -> Vec<(Vec<String>, bool)> {
    let mut found = Vec::new();
    let mut elsewhere = String::new();
    // What stands behind a semicolon in a sentence is no line of its own.
    for statement in format!("\n{text}").split_inclusive(';') {
        // The last line that begins with `use`, or with `pub use` and the like.
        let lines = statement.match_indices('\n').map(|(at, _)| at + 1);
        let begins = |at: usize| {
            let line = statement[at..].trim_start();
            let visibility = line.split("use ").next().unwrap_or("").trim();
            (line.contains("use ") && (visibility.is_empty() || (visibility.starts_with("pub") && !visibility.contains(' ')))).then_some(at)
        };
        let Some(start) = lines.filter_map(begins).max().filter(|_| statement.ends_with(';')) else {
            elsewhere.push_str(statement);
            continue;
        };
        elsewhere.push_str(&statement[..start]);
        let (visibility, tree) = statement[start..statement.len() - 1].split_once("use ").unwrap();
        let tree: String = tree.split_whitespace().collect::<Vec<_>>().join(" ");
        found.extend(expanded(&tree).into_iter().map(|path| (path, visibility.contains("pub"))));
    }
    let is_part = |character: char| character.is_alphanumeric() || character == '_' || character == ':';
    for word in elsewhere.split(|character: char| !is_part(character)) {
        let path: Vec<String> = word.split("::").map(str::to_owned).collect();
        if path.len() > 1 && ["crate", "self", "super"].contains(&path[0].as_str()) {
            found.push((path, false));
        }
    }
    found
}

/// The paths of a tree such as `a::{b, c::{d, e as f}}`.
fn expanded(tree: &str) -> Vec<Vec<String>> {
    let Some((head, inner)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or("").trim();
        return vec![path.split("::").map(|part| part.trim().to_owned()).collect()];
    };
    let inner = &inner[..inner.rfind('}').unwrap()];
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for character in inner.chars() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        match character {
            ',' if depth == 0 => parts.push(String::new()),
            other => parts.last_mut().unwrap().push(other),
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expanded(&format!("{head}{}", part.trim()))).collect()
}
