//! How text for people is laid out: lines that are too long are broken at words, and long tables are cut.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// What the place is like where text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// How many columns a line may have.
    pub columns: usize,
    /// Whether colours are shown.
    pub colour: bool,
}

/// The rows of a table that are shown to people; JSON has them all.
const ROWS: usize = 40;

/// What stands for the space between a number and its unit while lines are broken.
const GLUE: char = '\u{a0}';
/// Units that stay on the line of their number.
const UNITS: [&str; 11] = ["%", "s", "min", "h", "d", "B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/// Text whose lines have at most so many columns: longer ones are broken at spaces and go on below, further to the right. A word
/// that is longer than that stays whole, and so does a number with its unit.
#[must_use]
pub fn fitted(text: &str, columns: usize) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        if textwrap::core::display_width(line) <= columns {
            out += line;
        } else {
            let indent = " ".repeat(continuation(line, columns));
            let options = Options::new(columns)
                .subsequent_indent(&indent)
                .break_words(false)
                .word_separator(WordSeparator::AsciiSpace)
                .word_splitter(WordSplitter::NoHyphenation)
                .wrap_algorithm(WrapAlgorithm::FirstFit);
            out += &textwrap::wrap(&glued(line), options).join("\n").replace(GLUE, " ");
        }
        out += end;
    }
    out
}

/// A line with its numbers glued to their units.
fn glued(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for (index, word) in line.split(' ').enumerate() {
        let unit = word.trim_end_matches(|c: char| c != '%' && !c.is_alphanumeric());
        let is_unit = UNITS.contains(&unit) && out.ends_with(|c: char| c.is_ascii_digit());
        if index > 0 {
            out.push(if is_unit { GLUE } else { ' ' });
        }
        out += word;
    }
    out
}

/// In which column a line goes on below: below the text behind its label, where two spaces or more stand between them and that leaves
/// half of the columns; else two columns further in than it begins. Less far in if a long word would not fit there.
fn continuation(line: &str, columns: usize) -> usize {
    let text = line.trim_start_matches(' ');
    let start = line.len() - text.len();
    let behind_label = text.split_once("  ").map(|(label, rest)| {
        let gap = 2 + rest.len() - rest.trim_start_matches(' ').len();
        start + textwrap::core::display_width(label) + gap
    });
    let column = behind_label.filter(|column| *column <= columns / 2).unwrap_or(start + 2);
    let longest = text.split(' ').map(textwrap::core::display_width).max().unwrap_or(0);
    column.min(columns.saturating_sub(longest).max(2))
}

/// The rows of a table that are shown, and behind them a note on those that are not.
#[must_use]
pub fn cut(mut rows: Vec<String>) -> Vec<String> {
    if rows.len() > ROWS {
        let more = rows.len() - ROWS;
        rows.truncate(ROWS);
        rows.push(format!("  and {} more: --json has them all", refute_shared::text::grouped(more as u128)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_words_and_go_on_below_their_text() {
        for (line, expected) in [
            ("short enough, this is", "short enough, this is"),
            ("  one two three four five six", "  one two three four\n    five six"),
            ("  says:  one two three four", "  says:  one two\n         three four"),
            ("  a label too long:  one two", "  a label too long:\n    one two"),
            ("it takes about 11 d 7 h", "it takes about 11 d\n  7 h"),
            ("all that is done: 100 %;", "all that is done:\n  100 %;"),
            ("it is up to row 7 as ds", "it is up to row 7 as\n  ds"),
            ("averyveryverylongwordthatfits nowhere", "averyveryverylongwordthatfits\n  nowhere"),
            ("one two three four fi\n\nsix\n", "one two three four fi\n\nsix\n"),
        ] {
            assert_eq!(fitted(line, 21), expected);
        }
        assert_eq!(fitted("\u{1b}[31mRRRR\u{1b}[0m RRRR", 9), "\u{1b}[31mRRRR\u{1b}[0m RRRR", "colours take no room");
    }

    #[test]
    fn a_table_is_cut_behind_its_fortieth_row_with_a_note() {
        let rows = |count: usize| (0..count).map(|row| format!("  row {row}")).collect::<Vec<_>>();
        assert_eq!(cut(rows(40)), rows(40));
        let cut = cut(rows(1_041));
        assert_eq!(cut[..40], rows(40));
        assert_eq!(cut[40..], ["  and 1,001 more: --json has them all"]);
    }
}
