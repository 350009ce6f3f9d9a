//! The hidden command that writes man pages and shell completions, for packages.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory as _};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use refute_connect::path::path_parser;

use crate::cli::arguments::Arguments;
use crate::cli::exit::{Failure, Output};

/// Writes the man pages and the shell completions of both programs, as they lie below /usr/share
#[derive(Args, Debug)]
#[command(after_help = "Example: refute package-files ./share")]
pub struct PackageFiles {
    /// A directory, which is made if need be
    #[arg(value_parser = path_parser())]
    directory: PathBuf,
}

/// Where each shell looks for the completions of a program.
const COMPLETIONS: [(Shell, &str); 3] = [
    (Shell::Bash, "bash-completion/completions/NAME"),
    (Shell::Zsh, "zsh/site-functions/_NAME"),
    (Shell::Fish, "fish/vendor_completions.d/NAME.fish"),
];

impl PackageFiles {
    pub fn run(&self) -> Result<Output, Failure> {
        let failed = |error| Failure::not_done(format!("{}: {error}", self.directory.display()));
        let files = package_files().map_err(failed)?;
        for (path, text) in &files {
            write(&self.directory.join(path), text).map_err(failed)?;
        }
        Ok(Output::done(files.iter().map(|(path, _)| format!("{path}\n")).collect::<String>()))
    }
}

fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}

/// Each file by its path below a directory such as /usr/share.
fn package_files() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for (name, command) in [("refute", Arguments::command()), ("refute-worker", refute_worker::cli::Arguments::command())] {
        for (shell, path) in COMPLETIONS {
            let mut script = Vec::new();
            generate(shell, &mut without_hidden(name, &command), name, &mut script);
            files.push((path.replace("NAME", name), script));
        }
        // No page is about a subcommand `help` of the parser's.
        let mut command = command.disable_help_subcommand(true);
        command.build();
        add_pages(&command, &mut files)?;
    }
    Ok(files)
}

/// A command as people see it: completions would offer hidden subcommands as well.
fn without_hidden(name: &'static str, command: &Command) -> Command {
    let shown = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()).cloned();
    let arguments = command.get_arguments().cloned();
    let has_own_help = command.is_disable_help_subcommand_set();
    let shown = Command::new(name).version(env!("CARGO_PKG_VERSION")).args(arguments).subcommands(shown);
    shown.disable_help_subcommand(has_own_help)
}

/// A page for a command, and one for each of its subcommands.
fn add_pages(command: &Command, files: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let man = Man::new(command.clone()).source(concat!("refute ", env!("CARGO_PKG_VERSION"))).manual("refute");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_options_section(&mut page)?;
    let subcommands: Vec<&Command> = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()).collect();
    if !subcommands.is_empty() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(text) = command.get_after_help() {
        after_help(&text.to_string()).to_writer(&mut page)?;
    }
    files.push((format!("man/man1/{}", man.get_filename()), page));
    subcommands.into_iter().try_for_each(|subcommand| add_pages(subcommand, files))
}

/// What stands below the options of a help text, its lines as they are, under the headings that manuals have.
fn after_help(text: &str) -> Roff {
    let mut roff = Roff::default();
    for paragraph in text.split("\n\n") {
        let (heading, paragraph) = match paragraph {
            codes if codes.starts_with("Exit codes:") => ("EXIT STATUS", codes.trim_start_matches("Exit codes:")),
            example if example.starts_with("Example:") => ("EXAMPLES", example.trim_start_matches("Example:")),
            examples if examples.starts_with("Examples:") => ("EXAMPLES", examples.trim_start_matches("Examples:")),
            note => ("NOTES", note),
        };
        roff.control("SH", [heading]);
        roff.control("nf", []);
        for line in paragraph.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
            roff.text([roman(line.strip_prefix("  ").or_else(|| line.strip_prefix(' ')).unwrap_or(line))]);
        }
        roff.control("fi", []);
    }
    roff
}
