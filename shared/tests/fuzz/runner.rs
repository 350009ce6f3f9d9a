//! Runs a target on mutations of a corpus, each of which follows from a seed. There is no instrument that says what code an input
//! reaches: a target says in a word what became of an input, and one that came to something new is mutated further.
//!
//! REFUTE_FUZZ_SECONDS runs a target for so long instead of on a few inputs, REFUTE_SEED begins elsewhere. An input on which a
//! target panics, or takes longer than it may, is written to a file, whose name the failure says.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How many inputs a target gets in an ordinary run of the tests.
const USUAL: u64 = 2_000;

/// How large an input may grow, in bytes.
const MOST_BYTES: usize = 1 << 16;

/// How many inputs are mutated further at a time.
const MOST_KEPT: usize = 2_048;

/// How long one input may take where a target runs for long.
const BOUND: Duration = Duration::from_secs(10);

/// A random number generator: SplitMix64.
pub struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `end` - 1; `end` is at least 1.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// One of several.
    pub fn one<'a, T>(&mut self, several: &'a [T]) -> &'a T {
        &several[self.below(several.len())]
    }
}

fn asked_for(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable}={text} is no number")))
}

/// Numbers at which things change.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "7",
    "63",
    "64",
    "128",
    "255",
    "65535",
    "65536",
    "4294967295",
    "9223372036854775807",
    "9223372036854775808",
    "-1",
    "1e-9",
    "18446744073709551616",
];

/// Where an input is cut into words: runs of digits, runs of letters, and each other byte.
fn words(input: &[u8]) -> Vec<(usize, usize)> {
    let kind = |byte: &u8| match byte {
        b'0'..=b'9' => 1,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => 2,
        _ => 3,
    };
    let mut found = Vec::new();
    let mut start = 0;
    for at in 1..=input.len() {
        if at == input.len() || kind(&input[at]) != kind(&input[start]) || kind(&input[start]) == 3 {
            found.push((start, at));
            start = at;
        }
    }
    found
}

/// Changes an input in some places.
fn mutate(random: &mut Random, input: &mut Vec<u8>, corpus: &[Vec<u8>], pieces: &[&str]) {
    for _ in 0..=random.below(4) {
        if input.is_empty() {
            input.clone_from(random.one(corpus));
            continue;
        }
        let cut = words(input);
        let (start, end) = *random.one(&cut);
        match random.below(10) {
            0 => drop(input.splice(start..end, random.one(pieces).bytes())),
            1 => drop(input.splice(start..start, random.one(pieces).bytes())),
            2 => drop(input.splice(start..end, random.one(&NUMBERS).bytes())),
            3 => drop(input.drain(start..end)),
            4 => input[start] ^= 1 << random.below(8),
            5 => {
                // A run of words, again, up to 64 times.
                let (_, end) = *random.one(&cut);
                let run = input[start.min(end)..end.max(start)].to_vec();
                let again = run.repeat(1 << random.below(7));
                drop(input.splice(end..end, again));
            }
            6 => {
                // The rest of another one.
                let other = random.one(corpus);
                let from = random.below(other.len() + 1);
                input.truncate(start);
                input.extend_from_slice(&other[from..]);
            }
            7 => {
                // Some words are left out.
                let (_, end) = *random.one(&cut);
                drop(input.drain(start.min(end)..end.max(start)));
            }
            8 => input.truncate(end),
            _ => {
                let other = *random.one(&cut);
                let word = input[other.0..other.1].to_vec();
                drop(input.splice(start..end, word));
            }
        }
        input.truncate(MOST_BYTES);
    }
}

/// Runs a target on the corpus and on mutations of it. It returns in a word what became of an input.
pub fn run(name: &str, corpus: Vec<Vec<u8>>, pieces: &[&str], target: impl Fn(&[u8]) -> String) {
    let (seconds, seed) = (asked_for("REFUTE_FUZZ_SECONDS"), asked_for("REFUTE_SEED").unwrap_or(1));
    let mut random = Random(seed);
    let mut kept = corpus.clone();
    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    let (started, mut longest, mut executions) = (Instant::now(), Duration::ZERO, 0u64);
    while match seconds {
        Some(seconds) => started.elapsed() < Duration::from_secs(seconds),
        None => executions < USUAL,
    } {
        let mut input = match corpus.get(executions as usize) {
            Some(input) => input.clone(),
            None => random.one(&kept).clone(),
        };
        if executions >= corpus.len() as u64 {
            mutate(&mut random, &mut input, &kept, pieces);
        }
        let began = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| target(&input)));
        let took = began.elapsed();
        executions += 1;
        longest = longest.max(took);
        let outcome = outcome.unwrap_or_else(|panic| {
            println!("{name}: input {executions} from seed {seed} panics; it is in {}", write(name, &input).display());
            resume_unwind(panic)
        });
        if seconds.is_some() {
            assert!(took < BOUND, "{name}: input {executions} from seed {seed} takes {took:?}; it is in {}", write(name, &input).display());
        }
        let count = outcomes.entry(outcome).or_default();
        *count += 1;
        if *count <= 4 {
            if kept.len() >= MOST_KEPT {
                let place = random.below(kept.len());
                kept.swap_remove(place);
            }
            kept.push(input);
        }
    }
    println!(
        "{name}: {executions} executions from seed {seed} in {:.1?}, {} outcomes, the longest took {longest:.1?}",
        started.elapsed(),
        outcomes.len()
    );
}

/// Writes an input to a file that stays, and returns its path.
fn write(name: &str, input: &[u8]) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let path = std::env::temp_dir().join(format!("refute-fuzz-{name}-{:016x}", hasher.finish()));
    std::fs::write(&path, input).unwrap();
    path
}
