//! What people see on a terminal: a real one, of `script`, whose screen is drawn here.

use std::fs;
use std::num::NonZero;
use std::process::Command;

use crate::manifests::{LONG, REFUTED};
use crate::process::{Process, is_able, refute, until};
use crate::room::Room;

const ROWS: u16 = 1_000;

/// Starts `refute` on a terminal of so many columns, or none if this machine has no `script`. Its process number is in `pid`.
fn start(room: &Room, columns: u16, arguments: &[&str]) -> Option<Process> {
    if !is_able(&["script", "-qec", "true", "/dev/null"], "terminals") {
        return None;
    }
    let program = refute();
    let words = [program.get_program().to_str().unwrap()].iter().chain(arguments).map(|word| format!("'{word}'")).collect::<Vec<_>>();
    let line = format!("stty cols {columns} rows {ROWS}; echo $$ > pid; exec {}", words.join(" "));
    let mut command = Command::new("script");
    command.args(["-qefc", &line, "typescript"]).env_remove("REFUTE_COORDINATOR").env_remove("NO_COLOR").stdin(std::process::Stdio::null());
    Some(room.start(command))
}

/// The screens that were seen one after the other, without their empty rows: one whenever the cursor went back to the start of its
/// row.
fn screens(room: &Room, columns: u16) -> Vec<Vec<String>> {
    let written = fs::read(room.path("typescript")).unwrap();
    // The first and the last line are those of `script` itself.
    let from = written.iter().position(|byte| *byte == b'\n').map_or(written.len(), |end| end + 1);
    let trailer = b"\nScript done";
    let to = written.windows(trailer.len()).rposition(|window| window == trailer).unwrap_or(written.len());
    let mut terminal = vt100::Parser::new(non_zero(ROWS), non_zero(columns), 0);
    let pieces = written[from..to].split_inclusive(|byte| *byte == b'\r');
    let mut screens = Vec::new();
    for piece in pieces {
        terminal.process(piece);
        screens.push(terminal.screen().rows(0, columns).filter(|row| !row.trim().is_empty()).collect());
    }
    screens
}

fn non_zero(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

#[test]
fn a_bar_fits_on_its_line_and_leaves_nothing_behind_when_it_is_stopped() {
    for columns in [40, 80] {
        let room = Room::new();
        let manifest = room.write("manifest.toml", LONG);
        let Some(mut run) = start(&room, columns, &["run", &manifest, "--workers", "1"]) else { return };
        let seen = || if room.path("typescript").exists() { screens(&room, columns) } else { Vec::new() };
        let shows = |text: &'static str| move |screen: &Vec<String>| screen.concat().contains(text);
        until("the bar to show how long it takes", || seen().iter().any(shows(" left")).then_some(()));
        let id = fs::read_to_string(room.path("pid")).unwrap();
        assert!(Command::new("kill").args(["-INT", id.trim()]).status().unwrap().success());
        assert_eq!(run.wait().code, Some(3));
        let seen = seen();
        for screen in seen.iter().filter(|screen| shows("%")(screen)) {
            assert_eq!(screen.len(), 1, "{screen:#?}");
            assert!(screen[0].starts_with('[') && screen[0].contains(" %  "), "{screen:#?}");
        }
        let last = seen.last().unwrap().iter().map(|row| row.trim()).collect::<Vec<_>>().join(" ");
        assert!(
            last.starts_with("refute: stopped; run the same command again and it goes on (long-"),
            "nothing of the bar is left: {last}"
        );
    }
}

#[test]
fn text_is_broken_at_words_at_the_width_of_the_terminal() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", REFUTED);
    let report = room.refute(["run", &manifest]);
    let id = report.expect(1).split(':').next().unwrap();
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert!(report.stdout.lines().all(|line| line.chars().count() <= 80), "without a terminal there are 80 columns");
    for columns in [40, 60, 132] {
        let Some(mut shown) = start(&room, columns, &["report", id]) else { return };
        assert_eq!(shown.wait().code, Some(1));
        let rows = screens(&room, columns).pop().unwrap();
        assert_eq!(words(&rows.join("\n")), words(&report.stdout), "no word is broken");
        assert!(rows.iter().any(|row| row.trim_end().chars().count() + 12 > columns.into()), "the width is used: {rows:#?}");
    }
}
