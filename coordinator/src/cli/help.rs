//! `refute help`: the help of a command, and pages on topics.

use clap::Args;
use refute_shared::language;
use refute_shared::text::known;

use super::exit::{Failure, Output};

/// The help of a command, or a topic: language
#[derive(Args, Debug)]
#[command(after_help = "Example: refute help language")]
pub struct Help {
    /// A command, or `language`: the language in which manifests state claims
    topic: Option<String>,
}

impl Help {
    pub fn run(&self, mut program: clap::Command) -> Result<Output, Failure> {
        match self.topic.as_deref() {
            None => Ok(Output::page(&program.render_long_help().to_string())),
            Some("language") => Ok(Output::page(language::REFERENCE)),
            Some(topic) => {
                program.build();
                let names: Vec<String> = program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
                match program.find_subcommand_mut(topic) {
                    Some(command) => Ok(Output::page(&command.render_long_help().to_string())),
                    None => {
                        let hint = known(topic, names.iter().map(String::as_str).chain(["language"]));
                        Err(Failure::wrong(format!("no help on '{topic}'; {hint}")))
                    }
                }
            }
        }
    }
}
