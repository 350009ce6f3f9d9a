//! Inputs that nobody writes on purpose: no manifest makes the program panic, take long or much memory, and what it accepts is the
//! same when it is read again; no pattern takes long or matches what it should not. `deploy/fuzz.sh` runs these for long.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod runner;

use refute_shared::families::{built_ins, matches};
use refute_shared::sweep::{Manifest, Plan, Sweep};
use refute_shared::text::is_unprintable;

use runner::run;

/// What manifests are made of, whatever the family.
const PIECES: [&str; 48] = [
    "\n[[space]]\n",
    "\n[space]\n",
    "\n[run]\n",
    "\n[let]\n",
    "\n[[claim]]\n",
    "name = \"a\"\n",
    "claims = [\"*\"]\n",
    "claims = []\n",
    "shard_seconds = ",
    "counterexamples = ",
    "record = \"all\"\n",
    "record = \"losing\"\n",
    "replicas = 2\n",
    "id = \"a/b\"\n",
    "where = \"true\"\n",
    "says = \"true\"\n",
    "predict = \"P\"\n",
    "weights = ",
    "other = ",
    "graph = ",
    "graphs = { edges = ",
    "edges = ",
    "edge_sets = { vertices = ",
    "vertices = ",
    "heap = ",
    "left = ",
    "right = ",
    "quantities = ",
    "\"canonical-form\"",
    "tau = \"b-a\"\n",
    "a = ",
    "b = ",
    "all = { vertices = ",
    "uniform = ",
    "paths = ",
    "grid = { rows = ",
    "columns = ",
    "dags = { vertices = ",
    "\"0..=1\"",
    "\"1..=65535\"",
    "..=",
    " = ",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\u001b\u{202e}",
];

/// What each family's spaces look like, one of each kind of box.
const SPACES: [(&str, &[&str]); 5] = [
    (
        "graph-nim",
        &[
            "graph = \"H1\"\nweights = \"0..=3\"",
            "graph = [\"K3\", \"G1\"]\nweights = 1",
            "graph = \"G1 G2 I2\"\nweights = { AB = \"1..=2\", other = 1 }",
            "edges = \"AB BC CD EF\"\nweights = \"1..=2\"",
            "graphs = { edges = 3 }\nweights = \"0..=1\"",
            "edge_sets = { vertices = 6, edges = 3 }",
        ],
    ),
    (
        "partizan-subtraction",
        &[
            "a = \"1..=3\"\nb = \"1..=6\"\ntau = \"0..=2\"\nheap = \"0..=40\"",
            "b = \"1..=5\"",
            "a = 1\nb = \"1..=9\"\ntau = \"b-a\"\nheap = 1",
            "left = [1, 4, 6]\nright = \"2..=9\"\nheap = \"0..=40\"",
            "left = \"1..3,7\"\nright = [2]\nheap = 9\nquantities = [\"canonical-form\", \"atomic-weight\"]",
        ],
    ),
    (
        "hypergraph-takeaway",
        &[
            "vertices = \"2..=10\"",
            "all = { vertices = \"1..=4\" }",
            "all = { vertices = 5 }\nuniform = 3",
            "edges = [\"abcd,Sab,Sbc,Sac\", \"ab\", \"av27\"]",
            "edges = \"ab,bc,cd\"",
        ],
    ),
    (
        "directed-grabbing",
        &[
            "paths = { vertices = \"1..=5\", weights = \"0..=2\" }",
            "grid = { rows = \"1..=3\", columns = \"1..=3\", weights = \"0..=1\" }",
            "dags = { vertices = \"1..=4\", weights = \"0..=1\" }",
        ],
    ),
    ("null", &["heap = \"0..=99\"", "heap = 7"]),
];

/// Claims that manifests state, as people write them.
const CLAIMS: [(&str, &str); 4] = [
    ("graph-nim", include_str!("../../sweeps/claims/four-edges.toml")),
    ("partizan-subtraction", include_str!("../../sweeps/claims/truncated-support.toml")),
    ("hypergraph-takeaway", include_str!("../../sweeps/claims/hypergraphs.toml")),
    ("directed-grabbing", include_str!("../../sweeps/claims/olives.toml")),
];

/// Claims that any family can hold.
const STATED: &str = "\n[let]\nM = \"1 + 2\"\n[[claim]]\nid = \"mine/one\"\nwhere = \"M > 2\"\nsays = \"M == 3 || true\"\n";

fn manifest(family: &str, boxes: &[&str], rest: &str) -> Vec<u8> {
    let boxes: String = boxes.iter().map(|one| format!("[[space]]\n{one}\n")).collect();
    format!("name = \"fuzz\"\nfamily = \"{family}\"\n{boxes}{rest}").into_bytes()
}

/// What a sentence says, without its numbers and without what it quotes: inputs that come to the same are alike.
fn kind_of(sentence: &str) -> String {
    let mut kind = String::new();
    let mut quoting = false;
    for character in sentence.chars().take(200) {
        match character {
            '\'' => quoting = !quoting,
            _ if quoting => {}
            '0'..='9' => {}
            other => kind.push(other),
        }
    }
    kind
}

/// Reads a manifest as a coordinator does, and holds what comes of it against itself.
fn read(input: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(input) else { return "no text".into() };
    let refused = |sentence: String| {
        // Where a text is no TOML the sentence shows the line, on lines of its own.
        assert!(sentence.chars().count() < 4_000, "{} characters: {sentence}", sentence.chars().count());
        assert!(!sentence.contains(|character| is_unprintable(character) && character != '\n'), "{sentence:?}");
        kind_of(&sentence)
    };
    let manifest = match Manifest::parse(text) {
        Ok(manifest) => manifest,
        Err(error) => return refused(error.to_string()),
    };
    let sweep = match Sweep::resolve(manifest) {
        Ok(sweep) => sweep,
        Err(error) => return refused(error.to_string()),
    };
    assert!(sweep.space.room().bytes() <= 32 << 20 && sweep.space.boxes() <= 1_000);
    let again = Sweep::resolve(Manifest::parse(&sweep.manifest.to_toml()).unwrap()).unwrap();
    assert_eq!(again.id(), sweep.id(), "what is written is what was read");
    let encoded = sweep.space.encode();
    let stated: Vec<_> = sweep.stated().into_iter().cloned().collect();
    let built_in: Vec<String> = sweep.claims.iter().filter(|claim| claim.stated.is_none()).map(|claim| claim.id.to_string()).collect();
    let decoded = sweep.family.decode(&encoded, &stated, &built_in).unwrap();
    assert_eq!((decoded.encode(), decoded.total()), (encoded, sweep.space.total()));
    match Plan::new(sweep.space.as_ref(), sweep.options()) {
        Err(error) => refused(error.to_string()),
        Ok(plan) => {
            let cut = plan.boxes.len();
            assert_eq!(cut, sweep.space.boxes() as usize);
            let sizes = sweep.space.total().checked_ilog2().unwrap_or(0);
            format!("{} boxes, {} claims, 2^{sizes}, {}", cut.min(20), sweep.claims.len(), plan.shards().checked_ilog2().unwrap_or(0))
        }
    }
}

fn fuzz_family(family: &str) {
    let (_, spaces) = SPACES.iter().find(|(known, _)| *known == family).unwrap();
    let mut corpus: Vec<Vec<u8>> = spaces.iter().map(|one| manifest(family, &[one], "")).collect();
    corpus.push(manifest(family, spaces, ""));
    corpus.push(manifest(family, &spaces[..1], STATED));
    corpus.push(manifest(family, spaces, "[run]\nshard_seconds = 0.5\ncounterexamples = 7\nrecord = \"losing\"\nreplicas = 2\n"));
    let is_its_own = |text: &&str| text.contains(&format!("\"{family}\""));
    corpus.extend(built_ins().iter().map(|built_in| built_in.manifest).filter(is_its_own).map(|text| text.as_bytes().to_vec()));
    for one in &corpus {
        let outcome = read(one);
        assert!(outcome.contains("boxes, "), "the corpus itself is accepted: {outcome}");
    }
    // The papers' claims in the language, where the family has some.
    for (_, claims) in CLAIMS.iter().filter(|(known, _)| *known == family) {
        corpus.push(manifest(family, &spaces[..1], claims));
    }
    run(family, corpus, &PIECES, read);
}

#[test]
fn manifests_of_graph_nim() {
    fuzz_family("graph-nim");
}

#[test]
fn manifests_of_partizan_subtraction() {
    fuzz_family("partizan-subtraction");
}

#[test]
fn manifests_of_hypergraph_takeaway() {
    fuzz_family("hypergraph-takeaway");
}

#[test]
fn manifests_of_directed_grabbing() {
    fuzz_family("directed-grabbing");
}

#[test]
fn manifests_of_the_null_game() {
    fuzz_family("null");
}

/// Whether an id matches a pattern, by a table: whether the first characters of one match the first of the other.
fn matches_by_table(pattern: &str, id: &str) -> bool {
    let id: Vec<char> = id.chars().collect();
    let mut row: Vec<bool> = (0..=id.len()).map(|length| length == 0).collect();
    for wanted in pattern.chars() {
        let mut next = vec![false; id.len() + 1];
        next[0] = wanted == '*' && row[0];
        for (at, found) in id.iter().enumerate() {
            next[at + 1] = if wanted == '*' { next[at] || row[at + 1] } else { row[at] && wanted == *found };
        }
        row = next;
    }
    row[id.len()]
}

#[test]
fn patterns_of_ids() {
    let corpus = ["four-edges/*\nfour-edges/thm-4.6", "*********!\nfour-edges/lemma-6.1", "*a*b*\nxaxbx", "\n", "é*é\néé"];
    let target = |input: &[u8]| {
        let Ok(text) = std::str::from_utf8(input) else { return "no text".into() };
        let (pattern, id) = text.split_once('\n').unwrap_or((text, text));
        // The table takes the product of both.
        let id: String = id.chars().take(2_000).collect();
        let pattern: String = pattern.chars().take(2_000).collect();
        let found = matches(&pattern, &id);
        assert_eq!(found, matches_by_table(&pattern, &id), "{pattern:?} {id:?}");
        let stars = pattern.matches('*').count();
        format!("{found}, {} stars, {}", stars.min(9), id.len().checked_ilog2().unwrap_or(0))
    };
    let pieces = ["*", "**", "*a*", "a", "b", "/", "four-edges/", "é", "\n", "!"];
    run("patterns", corpus.map(|text| text.as_bytes().to_vec()).to_vec(), &pieces, target);
}
