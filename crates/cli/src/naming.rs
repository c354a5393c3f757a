//! The help of a program that is not called `isostep`.

use clap::Command;
use clap::builder::StyledStr;

/// How texts of help begin a command line.
const WRITTEN: &str = "isostep ";

/// A command and all below it, whose help calls the program `name`.
pub(crate) fn renamed(mut command: Command, name: &str) -> Command {
    let rename = |text: &StyledStr| text.to_string().replace(WRITTEN, &format!("{name} "));
    if let Some(text) = command.get_after_help().map(rename) {
        command = command.after_help(text);
    }
    command
        .mut_args(|arg| match arg.get_help().map(rename) {
            Some(text) => arg.help(text),
            None => arg,
        })
        .mut_subcommands(|subcommand| renamed(subcommand, name))
}
