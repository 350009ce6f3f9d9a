//! What a program says about itself, and the other files of a package.

use std::fs;

use refute_coordinator::report::FORMAT_VERSION;
use refute_coordinator::store::FORMAT;
use refute_proto::PROTOCOL;
use refute_shared::families::FAMILIES;
use serde_json::{Value, json};

use crate::mistakes::refused;
use crate::process::refute_worker;
use crate::room::Room;

#[test]
fn a_version_alone_is_one_line() {
    let ended = Room::new().refute(["--version"]);
    assert_eq!((ended.code, ended.stdout), (Some(0), format!("refute {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn a_verbose_version_tells_what_the_program_is_built_from() {
    let room = Room::new();
    let text = room.refute(["--version", "--verbose"]).stdout;
    let value =
        |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).unwrap_or_else(|| panic!("{key}: {text}"));
    assert!(text.starts_with(&format!("refute {}\n", env!("CARGO_PKG_VERSION"))), "{text}");
    for (key, version) in [("protocol", u64::from(PROTOCOL)), ("store format", FORMAT), ("report format", FORMAT_VERSION.into())] {
        assert_eq!(value(key), version.to_string(), "{key}");
    }
    for family in FAMILIES {
        assert_eq!(value(&format!("solver {}", family.id())), family.solver_version().to_string(), "{}", family.id());
    }
    let commit = value("commit").trim_end_matches("-dirty");
    assert!(commit == "unknown" || (commit.len() == 40 && commit.chars().all(|digit| digit.is_ascii_hexdigit())), "{commit}");
    assert!(value("rustc").starts_with(|digit: char| digit.is_ascii_digit()) && value("target").contains('-'), "{text}");

    let json: Value = serde_json::from_str(&room.refute(["--version", "--verbose", "--json"]).stdout).unwrap();
    assert_eq!((&json["commit"], &json["rustc"]), (&json!(value("commit")), &json!(value("rustc"))));
    assert_eq!(json["formats"], json!({"store": FORMAT, "report": FORMAT_VERSION}));
}

#[test]
fn both_programs_take_the_flags_in_any_order_and_refuse_them_elsewhere() {
    let room = Room::new();
    assert_eq!(room.refute(["--verbose", "-V"]).stdout, room.refute(["--version", "--verbose"]).stdout);
    refused(&room, &room.refute(["--verbose", "list"]), 2, &["--verbose belongs to --version"]);
    refused(&room, &room.refute(["--json", "list"]), 2, &["it follows the command"]);
    let worker = |arguments: &[&str]| {
        let output = refute_worker().args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, text, _) = worker(&["--verbose", "--version"]);
    assert_eq!(code, Some(0));
    assert!(text.starts_with("refute-worker ") && text.contains("\nsolver ") && !text.contains("store"), "{text}");
    let (code, text, error) = worker(&["--coordinator", "localhost:7433", "--verbose"]);
    assert_eq!((code, text.as_str()), (Some(2), ""));
    assert!(error.contains("--verbose belongs to --version"), "{error}");
}

#[test]
fn a_package_has_a_page_for_each_command_and_completions_for_three_shells() {
    let room = Room::new();
    let written = room.refute(["package-files", "share"]);
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    let read = |file: &str| fs::read_to_string(room.path("share").join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let help = room.refute(["--help"]).stdout;
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    // A line of the list is indented by two; what does not fit into it goes on further to the right.
    let commands = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 19 && !names.contains(&"package-files"), "{names:?}");
    for name in &names {
        let page = read(&format!("man/man1/refute-{name}.1"));
        assert!(page.contains(&format!("refute\\-{} \\- ", name.replace('-', "\\-"))), "{page}");
        assert!(page.contains(".SH EXAMPLES\n"), "the page of {name} has no example");
        for script in ["bash-completion/completions/refute", "zsh/site-functions/_refute", "fish/vendor_completions.d/refute.fish"] {
            assert!(read(script).contains(name) && !read(script).contains("package-files"), "{script}: {name}");
        }
    }
    for page in ["refute", "refute-worker"] {
        assert!(read(&format!("man/man1/{page}.1")).contains(".SH \"EXIT STATUS\"\n"), "{page}");
    }
    let completions =
        ["bash-completion/completions/refute-worker", "zsh/site-functions/_refute-worker", "fish/vendor_completions.d/refute-worker.fish"];
    for script in completions {
        assert!(read(script).contains("coordinator"), "{script}");
    }
    assert_eq!(fs::read_dir(room.path("share/man/man1")).unwrap().count(), names.len() + 2);
    assert_eq!(written.stdout.lines().count(), names.len() + 2 + 6);
}
