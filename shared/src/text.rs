//! Small things about text that several places need: numbers for people, the nearest known word, and what came from outside made
//! fit to be shown.

/// The most characters that a sentence quotes of a text from outside: of a manifest, a message or a file name.
pub const MAX_QUOTED: usize = 80;

/// A text from outside as a sentence quotes it: [`plain`], with at most [`MAX_QUOTED`] characters.
#[must_use]
pub fn quoted(text: &str) -> String {
    plain(text, MAX_QUOTED)
}

/// A text from outside on one line, fit for a terminal, a log or a page: what is [unprintable](is_unprintable) is escaped as Rust
/// escapes it, and of a text with more than `most` characters the first stand, and `…` behind them.
///
/// Cost: O(most), however long the text is.
#[must_use]
pub fn plain(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    for character in characters.by_ref().take(most) {
        escape_into(&mut out, character);
    }
    if characters.next().is_some() {
        out.push('…');
    }
    out
}

/// The same for a text of several lines that is shown whole: its line breaks stand, all else that is unprintable is escaped.
#[must_use]
pub fn plain_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character == '\n' { out.push(character) } else { escape_into(&mut out, character) }
    }
    out
}

fn escape_into(out: &mut String, character: char) {
    if is_unprintable(character) { out.extend(character.escape_default()) } else { out.push(character) }
}

/// Whether a character does something else than to show itself: control characters, which begin the commands of a terminal; what
/// breaks a line; and what is invisible or turns the direction of a text.
#[must_use]
pub fn is_unprintable(character: char) -> bool {
    let is_invisible = matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    );
    character.is_control() || is_invisible
}

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

/// A sentence that names what is known, for a word that is not: the nearest one first if one is near. Near means few
/// insertions, deletions and replacements of characters, without regard to case: at most 2, and one more for each 4 bytes of the
/// known word, and fewer than it has bytes.
///
/// Cost: O(sum of the squared lengths of the candidates), however long `word` is.
#[must_use]
pub fn known<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let word = word.to_lowercase();
    let near = candidates.iter().filter_map(|candidate| Some((edits_if_near(&word, candidate)?, *candidate))).min();
    match near {
        Some((_, candidate)) => format!("did you mean '{candidate}'?"),
        None if candidates.len() <= 16 => format!("known: {}", candidates.join(", ")),
        None => format!("{} are known", candidates.len()),
    }
}

/// How many edits there are between a word in lower case and a candidate, if they are near each other.
fn edits_if_near(word: &str, candidate: &str) -> Option<usize> {
    let most = (2 + candidate.len() / 4).min(candidate.len().saturating_sub(1));
    let lower = candidate.to_lowercase();
    // No two words are nearer than their lengths, so a long word is never compared in full with short ones.
    let lengths = (word.chars().take(lower.len() + most + 1).count(), lower.chars().count());
    (lengths.0.abs_diff(lengths.1) <= most).then(|| strsim::levenshtein(word, &lower)).filter(|edits| *edits <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_one_short_line_without_commands_to_a_terminal() {
        for (text, expected) in [
            ("four-edges/thm-4.6", "four-edges/thm-4.6"),
            ("Königsberg, κ ≥ 2, ℤ_5", "Königsberg, κ ≥ 2, ℤ_5"),
            ("a\nHELD  b", "a\\nHELD  b"),
            ("\u{1b}[2J\u{9b}1A\r\u{7f}", "\\u{1b}[2J\\u{9b}1A\\r\\u{7f}"),
            ("abc\u{202e}fed\u{2028}\u{200b}", "abc\\u{202e}fed\\u{2028}\\u{200b}"),
        ] {
            assert_eq!(quoted(text), expected);
        }
        assert_eq!(quoted(&"ü".repeat(80)), "ü".repeat(80));
        assert_eq!(quoted(&"ü".repeat(81)), "ü".repeat(80) + "…");
        assert_eq!(plain_lines("HELD a\n  \u{1b}[31mb\t"), "HELD a\n  \\u{1b}[31mb\\t");
    }

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
        assert_eq!(known("claim", ["clam", "claims"]), "did you mean 'claims'?", "of two equally near the first by the alphabet");
        assert_eq!(known("", ["G4"]), "known: G4", "nothing is not near to a short word");
    }

    #[test]
    fn a_word_is_near_up_to_its_bound_and_not_beyond() {
        for (word, candidate, is_near) in [
            ("four-edgxx", "four-edges", true),
            ("four-xxxxs", "four-edges", true),
            ("four-xxxxx", "four-edges", false),
            ("fo-edges", "four-edges", true),
            ("four-edgesabcd", "four-edges", true),
            ("four-edgesabcde", "four-edges", false),
            ("x1", "H1", true),
            ("xy", "H1", false),
        ] {
            assert_eq!(known(word, [candidate]).starts_with("did you mean"), is_near, "{word}");
        }
        assert_eq!(known(&"h".repeat(1 << 20), ["H1"]), "known: H1");
    }
}
