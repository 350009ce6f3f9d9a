//! What the parser of a command line says of a mistake, as one sentence: what is wrong and what would be right.

use std::error::Error as _;
use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// The sentence for a mistake in the words of a command line, the program's name first. `nearest` finds the known word that was
/// probably meant, if one is near.
#[must_use]
pub fn sentence(error: &Error, command: &Command, words: &[OsString], nearest: impl Fn(&str, &[&str]) -> Option<String>) -> String {
    let place = NamedCommand::of(command, words);
    let argument = strings(error, ContextKind::InvalidArg);
    let first = argument.first().map_or("", String::as_str);
    let value = strings(error, ContextKind::InvalidValue).concat();
    let meant = |word: &str, candidates: &[&str]| nearest(word, candidates).map(|near| format!("did you mean '{near}'?"));
    match error.kind() {
        // What a value's own parser says names the value and says what would be right.
        ErrorKind::ValueValidation => match error.source() {
            Some(problem) => format!("{}: {problem}", flag(first)),
            None => plain(error),
        },
        ErrorKind::InvalidValue if value.is_empty() => format!("{first} has no value; {}", place.help()),
        ErrorKind::InvalidValue => {
            let valid = strings(error, ContextKind::ValidValue);
            let valid: Vec<&str> = valid.iter().map(String::as_str).collect();
            let right = meant(&value, &valid).unwrap_or_else(|| format!("write one of {}", valid.join(", ")));
            format!("{}: '{value}' is none of its values; {right}", flag(first))
        }
        ErrorKind::UnknownArgument => match place.flag_before(first, words) {
            Some(before) => format!("{before} has no value; if '{first}' is meant as one, write {before}={first}"),
            None => {
                let flags = place.flags();
                let right = meant(first, &flags.iter().map(String::as_str).collect::<Vec<_>>()).unwrap_or_else(|| place.help());
                format!("unexpected argument '{first}'; {right}")
            }
        },
        ErrorKind::InvalidSubcommand => {
            let word = strings(error, ContextKind::InvalidSubcommand).concat();
            let right = meant(&word, &place.subcommands()).unwrap_or_else(|| place.help());
            format!("unknown command '{word}'; {right}")
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            format!("a command is missing; {}", place.help())
        }
        ErrorKind::MissingRequiredArgument if !argument.is_empty() => {
            let are = if argument.len() == 1 { "is" } else { "are" };
            format!("{} {are} missing; {}", argument.join(" and "), place.help())
        }
        ErrorKind::ArgumentConflict => {
            let others = strings(error, ContextKind::PriorArg);
            match others.iter().find(|other| *other != first) {
                Some(other) => format!("{} and {} do not go together; keep one of them", flag(first), flag(other)),
                None => format!("{} stands twice; keep one of them", flag(first)),
            }
        }
        _ => plain(error),
    }
}

/// A flag without the name of its value, or what a word without a flag is called.
fn flag(argument: &str) -> &str {
    argument.split([' ', '=']).next().unwrap_or(argument).trim_matches(['<', '>', '[', ']'])
}

/// What the parser itself says, without its label, its usage and its hints.
fn plain(error: &Error) -> String {
    let text = error.to_string();
    let is_more = |part: &&str| !["Usage:", "For more", "tip:"].iter().any(|start| part.trim_start().starts_with(start));
    let words: Vec<&str> = text.split("\n\n").take_while(is_more).flat_map(str::split_whitespace).collect();
    words.join(" ").trim_start_matches("error: ").to_owned()
}

fn strings(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

/// Where on the command line the mistake is: in the innermost command that was named.
struct NamedCommand<'a> {
    path: Vec<&'a Command>,
}

impl<'a> NamedCommand<'a> {
    fn of(command: &'a Command, words: &[OsString]) -> Self {
        let mut path = vec![command];
        let mut current = command;
        for word in words.iter().skip(1).filter_map(|word| word.to_str()) {
            if let Some(inner) = current.find_subcommand(word) {
                path.push(inner);
                current = inner;
            }
        }
        Self { path }
    }

    fn help(&self) -> String {
        let names: Vec<&str> = self.path.iter().map(|command| command.get_name()).collect();
        format!("'{} --help' tells more", names.join(" "))
    }

    fn subcommands(&self) -> Vec<&'a str> {
        let all = self.path.iter().flat_map(|command| command.get_subcommands());
        all.filter(|command| !command.is_hide_set()).map(Command::get_name).collect()
    }

    fn arguments(&self) -> impl Iterator<Item = &'a clap::Arg> {
        self.path.iter().flat_map(|command| command.get_arguments())
    }

    fn flags(&self) -> Vec<String> {
        let shown = self.arguments().filter(|argument| !argument.is_hide_set());
        shown.filter_map(|argument| argument.get_long()).map(|long| format!("--{long}")).collect()
    }

    /// The flag that takes a value and stands right before a word that looks like a flag itself.
    fn flag_before(&self, word: &str, words: &[OsString]) -> Option<String> {
        // The parser names the first letter alone where it takes a word for several short flags.
        let index = words.iter().position(|typed| typed.to_str().is_some_and(|typed| typed.starts_with(word)))?;
        let before = words[index.checked_sub(1)?].to_str()?;
        let takes_value = |argument: &clap::Arg| argument.get_action().takes_values();
        let long = |argument: &&clap::Arg| argument.get_long().is_some_and(|long| before.strip_prefix("--") == Some(long));
        (word.starts_with('-') && !word.starts_with("--") && self.arguments().find(long).is_some_and(takes_value))
            .then(|| before.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use clap::{Parser, Subcommand, ValueEnum};

    use super::*;
    use crate::number::{NumberError, parse_number};

    #[derive(Debug, Parser)]
    #[command(name = "game")]
    struct Arguments {
        #[command(subcommand)]
        _command: Play,
    }

    #[derive(Debug, Subcommand)]
    enum Play {
        Play {
            #[arg(long, value_parser = heaps, allow_negative_numbers = true)]
            heaps: Option<u8>,
            #[arg(long, conflicts_with = "heaps")]
            file: Option<String>,
            #[arg(long)]
            rule: Option<Rule>,
            who: String,
        },
    }

    #[derive(Clone, Debug, ValueEnum)]
    enum Rule {
        Normal,
        Misere,
    }

    fn heaps(text: &str) -> Result<u8, NumberError> {
        parse_number(text, 1..=9, "number of heaps", "one from 1 to 9")
    }

    fn said(line: &str) -> String {
        use clap::CommandFactory as _;
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let error = Arguments::try_parse_from(&words).unwrap_err();
        let start = |word: &str| word.trim_start_matches('-')[..3].to_owned();
        let nearest = |word: &str, known: &[&str]| known.iter().find(|known| start(known) == start(word)).map(|known| (*known).to_owned());
        sentence(&error, &Arguments::command(), &words, nearest)
    }

    #[test]
    fn each_mistake_is_one_sentence_with_what_would_be_right() {
        for (line, sentence) in [
            ("game play ada --heaps -1", "--heaps: '-1' is no number of heaps; write one from 1 to 9"),
            ("game play ada --heaps=", "--heaps: '' is no number of heaps; write one from 1 to 9"),
            ("game play ada --heaps", "--heaps <HEAPS> has no value; 'game play --help' tells more"),
            ("game play ada --rule misrre", "--rule: 'misrre' is none of its values; did you mean 'misere'?"),
            ("game play ada --rule other", "--rule: 'other' is none of its values; write one of normal, misere"),
            ("game play ada --file -xy", "--file has no value; if '-x' is meant as one, write --file=-x"),
            ("game play ada --hea 3", "unexpected argument '--hea'; did you mean '--heaps'?"),
            ("game play ada --hat 3", "unexpected argument '--hat'; 'game play --help' tells more"),
            ("game play ada eve", "unexpected argument 'eve'; 'game play --help' tells more"),
            ("game play", "<WHO> is missing; 'game play --help' tells more"),
            ("game play ada --heaps 1 --heaps 2", "--heaps stands twice; keep one of them"),
            ("game play ada --heaps 1 --file a", "--heaps and --file do not go together; keep one of them"),
            ("game plaid", "unknown command 'plaid'; did you mean 'play'?"),
            ("game", "a command is missing; 'game --help' tells more"),
        ] {
            assert_eq!(said(line), sentence, "{line}");
        }
    }
}
