//! Small things about text that several places need: numbers for people, and the nearest known word.

/// `1234567` as `1,234,567`.
#[must_use]
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// So many of something: `1 claim`, `2,500 claims`.
#[must_use]
pub fn several(count: u128, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(count)) }
}

/// A number of bytes with a binary unit, such as `1.5 MiB`.
#[must_use]
pub fn bytes(count: u128) -> String {
    const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut unit = 0;
    let mut scaled = count as f64;
    while scaled >= 1024.0 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} B") } else { format!("{scaled:.1} {}", UNITS[unit]) }
}

/// A sentence that names what is known, for a word that is not: the nearest one first if one is near.
///
/// Cost: O(sum of lengths · length of `word`).
#[must_use]
pub fn known<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let near = candidates
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .filter(|(edits, candidate)| *edits <= 2 + candidate.len() / 4 && *edits < candidate.len())
        .min();
    match near {
        Some((_, candidate)) => format!("did you mean '{candidate}'?"),
        None if candidates.len() <= 16 => format!("known: {}", candidates.join(", ")),
        None => format!("{} are known", candidates.len()),
    }
}

/// The least number of inserted, deleted and replaced characters between two words, without regard to case.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_threes_from_the_right() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (12_345_678, "12,345,678")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn the_nearest_word_is_offered_and_a_far_one_is_not() {
        assert_eq!(known("h1", ["G4", "H1"]), "did you mean 'H1'?");
        assert_eq!(known("graph_nim", ["graph-nim"]), "did you mean 'graph-nim'?");
        assert_eq!(known("zebra", ["G4", "H1"]), "known: G4, H1");
    }
}
