//! `reduce completions` and `reduce man`: what a shell and `man` are told of the command line.
//!
//! Both are written from the arguments' definition, so they say what `--help` says.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::error::Error;

/// What a page says at its foot.
const SOURCE: &str = concat!("reduce ", env!("CARGO_PKG_VERSION"));

/// The completions for a shell, as a script for it.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<String, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "reduce", &mut script);
    text(script)
}

/// The manual page of `reduce`, or of one of its commands, for `man`.
pub(crate) fn page(args: &ManArgs) -> Result<String, Error> {
    // `reduce help` would have a page for every command once more.
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    if let Some(name) = &args.command {
        let found = command.find_subcommand(name).cloned();
        let missing = || Error::new(format!("no command `{name}`; `reduce --help` lists them"));
        command = found.ok_or_else(missing)?;
    }
    let mut page = Vec::new();
    let cannot = |error| Error::new(format!("the page cannot be written: {error}"));
    let page_of = clap_mangen::Man::new(command).source(SOURCE);
    page_of.render(&mut page).map_err(cannot)?;
    // What stands after the help of all commands.
    Ok(text(page)?.replace(".SH EXTRA\n", ".SH \"EXIT STATUS\"\n"))
}

fn text(bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|error| Error::new(error.to_string()))
}
