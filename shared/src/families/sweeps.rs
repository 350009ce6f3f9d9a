//! The sweeps that come with the program, each a manifest in `shared/sweeps`.

/// A sweep that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name, which is also the name in its manifest.
    pub name: &'static str,
    /// Its manifest.
    pub manifest: &'static str,
}

impl BuiltIn {
    /// What it is for: the comment lines at the head of the manifest, joined.
    #[must_use]
    pub fn about(&self) -> String {
        let lines = self.manifest.lines().map_while(|line| line.strip_prefix('#'));
        lines.map(str::trim).collect::<Vec<_>>().join(" ")
    }
}

macro_rules! built_in {
    ($name:literal) => {
        BuiltIn { name: $name, manifest: include_str!(concat!("../../sweeps/", $name, ".toml")) }
    };
}

/// Every built-in sweep, those that are examples of claims of one's own and the null game last.
static BUILT_INS: &[BuiltIn] = &[
    built_in!("four-edges"),
    built_in!("four-edges-zero"),
    built_in!("four-edges-replies"),
    built_in!("h1"),
    built_in!("g4"),
    built_in!("grundy-path"),
    built_in!("misere-four-edges"),
    built_in!("misere-hypergraphs"),
    built_in!("truncated-support-outcomes"),
    built_in!("truncated-support"),
    built_in!("truncated-support-relations"),
    built_in!("truncated-support-appendix"),
    built_in!("conj-7-1"),
    built_in!("problem-7-1"),
    built_in!("figures"),
    built_in!("hypergraphs"),
    built_in!("hypergraphs-options"),
    built_in!("hypergraphs-all"),
    built_in!("olives-paths"),
    built_in!("olives-dags"),
    built_in!("olives-grids"),
    built_in!("winning-replies"),
    built_in!("knife-edge"),
    built_in!("long-run"),
    built_in!("null"),
];

/// Every built-in sweep, in the order to show them.
#[must_use]
pub fn built_ins() -> &'static [BuiltIn] {
    BUILT_INS
}

/// The built-in sweep of this name.
#[must_use]
pub fn built_in(name: &str) -> Option<&'static BuiltIn> {
    BUILT_INS.iter().find(|sweep| sweep.name == name)
}
