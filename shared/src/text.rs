//! Small things about text that several places need: numbers and durations for people, the nearest known word, and what
//! came from outside made fit to be shown.

use std::borrow::Cow;

/// The most characters that a sentence quotes of a text from outside: of a manifest, a message or a file name.
pub const MAX_QUOTED: usize = 80;

/// A text from outside as a sentence quotes it: [`plain`], with at most [`MAX_QUOTED`] characters.
#[must_use]
pub fn quoted(text: &str) -> String {
    plain(text, MAX_QUOTED)
}

/// A text from outside as a log has it: [`plain`], with at most a thousand characters.
#[must_use]
pub fn logged(text: &str) -> String {
    plain(text, 1_000)
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

/// The same for one that is shown whole.
#[must_use]
pub fn plain_whole(text: &str) -> String {
    plain(text, usize::MAX)
}

/// The commands with which a program here colours letters on a terminal.
pub const COLOURS: [&str; 5] = ["\x1b[34m", "\x1b[31m", "\x1b[32m", "\x1b[97;40m", "\x1b[0m"];

/// The same for what a command prints, of any length: its line ends, tabs and [`COLOURS`] stand, and all else that is unprintable is
/// escaped as JSON escapes it, so that JSON stays what it was.
#[must_use]
pub fn plain_lines(text: &str) -> Cow<'_, str> {
    let is_escaped = |character: char| is_unprintable(character) && !matches!(character, '\n' | '\t');
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_escaped) {
        out += &rest[..at];
        rest = &rest[at..];
        if let Some(colour) = COLOURS.into_iter().find(|colour| rest.starts_with(colour)) {
            out += colour;
            rest = &rest[colour.len()..];
        } else {
            let mut characters = rest.chars();
            for unit in characters.next().into_iter().flat_map(|character| character.encode_utf16(&mut [0; 2]).to_vec()) {
                out += &format!("\\u{unit:04x}");
            }
            rest = characters.as_str();
        }
    }
    Cow::Owned(out + rest)
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

/// A number of seconds as people write durations, in two units at most: `0.4 s`, `48 s`, `3 min 20 s`, `14 d 17 h`,
/// `1,204 years`. Below 10 s it has two significant digits, but none after the hundredths; what is above 0 is never written as 0.
#[must_use]
pub fn duration(seconds: f64) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    const YEAR: u64 = 365 * DAY;
    let two = |whole: u64, (unit, name): (u64, &str), (part, part_name): (u64, &str)| match whole % unit / part {
        0 => format!("{} {name}", whole / unit),
        parts => format!("{} {name} {parts} {part_name}", whole / unit),
    };
    // What is longer than the universe is old is as good as that. NaN, which no clock gives, becomes 0.
    let seconds = seconds.clamp(0.0, 1e18);
    if seconds < 9.95 {
        let (scaled, digits) = if seconds < 0.995 { ((seconds * 100.0).round(), 2) } else { ((seconds * 10.0).round() * 10.0, 1) };
        let hundredths = if seconds > 0.0 { scaled.max(1.0) } else { 0.0 };
        let text = format!("{:.digits$}", hundredths / 100.0);
        return format!("{} s", text.trim_end_matches('0').trim_end_matches('.'));
    }
    let whole = seconds.round() as u64;
    match whole {
        0..MINUTE => format!("{whole} s"),
        MINUTE..HOUR => two(whole, (MINUTE, "min"), (1, "s")),
        HOUR..DAY => two(whole, (HOUR, "h"), (MINUTE, "min")),
        _ if whole < 2 * YEAR => two(whole, (DAY, "d"), (HOUR, "h")),
        _ => format!("{} years", grouped(u128::from(whole / YEAR))),
    }
}

/// A sentence that names what is known, for a word that is not: the nearest one first if one is near, as [`nearest`] has it.
///
/// Cost: as for [`nearest`].
#[must_use]
pub fn known<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    match nearest(word, candidates.iter().copied()) {
        Some(candidate) => format!("did you mean '{candidate}'?"),
        None if candidates.len() <= 24 => format!("known: {}", candidates.join(", ")),
        None => format!("{} are known", candidates.len()),
    }
}

/// The known word that is nearest to one that is not, if one is near; of several the first by the alphabet. Near means few
/// insertions, deletions, replacements and swaps of characters, without regard to case: one for each 3 characters of the
/// shorter word, one for a word of two, and none for a single character.
///
/// Cost: O(sum of the squared lengths of the candidates), however long `word` is.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let near = candidates.into_iter().filter_map(|candidate| Some((edits_if_near(&word, candidate)?, candidate)));
    near.min().map(|(_, candidate)| candidate)
}

/// How many edits there are between a word in lower case and a candidate, if they are near each other.
fn edits_if_near(word: &str, candidate: &str) -> Option<usize> {
    let lower = candidate.to_lowercase();
    let length = lower.chars().count();
    // No two words are nearer than their lengths, so a word that is too long for a candidate is not looked at in full.
    let typed = word.chars().take(2 * length + 2).count();
    let most = if typed < 2 { 0 } else { (typed.min(length) / 3).max(1) };
    (typed.abs_diff(length) <= most).then(|| strsim::osa_distance(word, &lower)).filter(|edits| *edits <= most)
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
        assert_eq!(plain_lines("HELD a\n\t\u{1b}[2J\u{9b}\u{e0001}b"), "HELD a\n\t\\u001b[2J\\u009b\\udb40\\udc01b");
        assert_eq!(plain_lines("\u{1b}[31mR\u{1b}[0m\u{1b}[8m"), "\u{1b}[31mR\u{1b}[0m\\u001b[8m");
        let json = serde_json::json!({ "label": "a\u{9b}2J\u{7f}\u{e0001}\u{202e}" });
        assert_eq!(serde_json::from_str::<serde_json::Value>(&plain_lines(&json.to_string())).unwrap(), json);
    }

    #[test]
    fn digits_are_grouped_by_threes_from_the_right() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (12_345_678, "12,345,678")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn durations_are_written_as_people_write_them() {
        for (seconds, text) in [
            (0.0, "0 s"),
            (-1.0, "0 s"),
            (0.0004, "0.01 s"),
            (0.4, "0.4 s"),
            (0.478, "0.48 s"),
            (0.996, "1 s"),
            (1.24, "1.2 s"),
            (9.94, "9.9 s"),
            (9.96, "10 s"),
            (59.4, "59 s"),
            (59.6, "1 min"),
            (200.0, "3 min 20 s"),
            (3599.7, "1 h"),
            (18_120.0, "5 h 2 min"),
            (86_399.0, "23 h 59 min"),
            (86_400.0, "1 d"),
            (1_273_208.7, "14 d 17 h"),
            (63_071_999.0, "729 d 23 h"),
            (63_072_000.0, "2 years"),
            (3.8e10, "1,204 years"),
            (f64::INFINITY, "31,709,791,983 years"),
            (f64::NAN, "0 s"),
        ] {
            assert_eq!(duration(seconds), text, "{seconds}");
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
            ("four-xxxes", "four-edges", true),
            ("four-xxxxs", "four-edges", false),
            ("fo-edges", "four-edges", true),
            ("four-edgesabc", "four-edges", true),
            ("four-edgesabcd", "four-edges", false),
            ("nope", "null", false),
            ("nul", "null", true),
            ("nlul", "null", true),
            ("x1", "H1", true),
            ("xy", "H1", false),
            ("h", "H1", false),
            ("a", "b", false),
        ] {
            assert_eq!(known(word, [candidate]).starts_with("did you mean"), is_near, "{word}");
        }
        assert_eq!(known(&"h".repeat(1 << 20), ["H1"]), "known: H1");
    }
}
