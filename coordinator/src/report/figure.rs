//! Pictures of positions as lines of text.

use refute_shared::families::Figure;

/// Heaps in a row before it goes on below.
const WIDTH: usize = 100;

/// A figure as lines of letters; on a terminal in the colours of the literature: L blue, R red, N green, P on black.
#[must_use]
pub fn figure_lines(figure: &Figure, colour: bool) -> Vec<String> {
    let mut lines = vec![figure.title.clone()];
    let label_width = figure.rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
    let columns = figure.rows.iter().map(|row| row.letters.chars().count()).max().unwrap_or(0);
    for start in (0..columns).step_by(WIDTH) {
        if start > 0 {
            lines.push(String::new());
        }
        for row in &figure.rows {
            let letters: String = row.letters.chars().skip(start).take(WIDTH).map(|letter| painted(letter, colour)).collect();
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
        let lines = figure_lines(&figure, false);
        assert_eq!(lines[1], format!("  a   {}", "L".repeat(100)));
        assert_eq!(lines[2..], ["  bc  P".to_owned(), String::new(), "  a   L".to_owned(), "  bc  ".to_owned()]);
        assert!(figure_lines(&figure, true)[2].contains("\x1b[97;40mP\x1b[0m"));
    }
}
