//! Pictures of positions as lines of text.

use refute_shared::families::Figure;

use super::layout::Style;

/// The most heaps in a row before it goes on below.
const MOST: usize = 100;
/// Rows have a multiple of so many heaps where they go on below, so that heaps are easily counted.
const STEP: usize = 10;

/// A figure as lines of letters that fit into the columns of a style; in the colours of the literature: L blue, R red, N green, P
/// on black.
#[must_use]
pub fn figure_lines(figure: &Figure, style: Style) -> Vec<String> {
    // Two spaces stand before the label and two behind it.
    let room = style.columns.saturating_sub(label_width(figure) + 4);
    lines_of(figure, (room / STEP * STEP).clamp(STEP, MOST), style.colour)
}

/// A figure as lines of letters without colours, as wide as it may be.
#[must_use]
pub fn plain_figure_lines(figure: &Figure) -> Vec<String> {
    lines_of(figure, MOST, false)
}

fn label_width(figure: &Figure) -> usize {
    figure.rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0)
}

fn lines_of(figure: &Figure, width: usize, colour: bool) -> Vec<String> {
    let mut lines = vec![figure.title.clone()];
    let label_width = label_width(figure);
    let columns = figure.rows.iter().map(|row| row.letters.chars().count()).max().unwrap_or(0);
    for start in (0..columns).step_by(width) {
        if start > 0 {
            lines.push(String::new());
        }
        for row in &figure.rows {
            let letters: String = row.letters.chars().skip(start).take(width).map(|letter| painted(letter, colour)).collect();
            lines.push(format!("  {:<label_width$}  {letters}", row.label));
        }
    }
    lines
}

/// A letter, with the codes around it that a terminal takes for its colour.
fn painted(letter: char, colour: bool) -> String {
    let code = match letter {
        'L' => "34",
        'R' => "31",
        'N' => "32",
        'P' => "97;40",
        _ => return letter.to_string(),
    };
    // These are among the colours that a command may print: see `refute_shared::text::COLOURS`.
    if colour { format!("\x1b[{code}m{letter}\x1b[0m") } else { letter.to_string() }
}

#[cfg(test)]
mod tests {
    use refute_shared::families::FigureRow;

    use super::*;

    #[test]
    fn rows_go_on_below_and_colours_are_left_out_where_nobody_sees_them() {
        let row = |label: &str, letters: String| FigureRow { label: label.into(), letters };
        let figure = Figure { title: "t".into(), rows: vec![row("a", "L".repeat(101)), row("bc", "P".into())] };
        let lines = plain_figure_lines(&figure);
        assert_eq!(lines[1], format!("  a   {}", "L".repeat(100)));
        assert_eq!(lines[2..], ["  bc  P".to_owned(), String::new(), "  a   L".to_owned(), "  bc  ".to_owned()]);
        let coloured = figure_lines(&figure, Style { columns: 200, colour: true });
        assert!(coloured.len() == lines.len() && coloured[2].contains("\x1b[97;40mP\x1b[0m"));
        for (columns, letters) in [(80, 70), (40, 30), (16, 10), (7, 10)] {
            let fitted = figure_lines(&figure, Style { columns, colour: false });
            assert_eq!(fitted[1], format!("  a   {}", "L".repeat(letters)), "{columns}");
        }
    }
}
