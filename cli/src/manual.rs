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
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let page_of = clap_mangen::Man::new(command.after_help("")).source(SOURCE);
    page_of.render(&mut page).map_err(cannot)?;
    let page = text(page)?;
    let page = page.strip_suffix(".SH EXTRA\n").unwrap_or(&page);
    Ok(page.to_owned() + &sections(&after))
}

/// What stands below the help of a command, as sections of a page: examples as they are, and the exit status.
fn sections(after: &str) -> String {
    let (examples, status) = after.split_once("\n\n").unwrap_or(("", after));
    let escaped = |line: &str| line.replace('\\', "\\e").replace('-', "\\-");
    let lines = examples.lines().skip(1).map(|line| escaped(line.trim_start()) + "\n");
    let examples = match lines.collect::<String>() {
        lines if lines.is_empty() => lines,
        lines => format!(".SH EXAMPLES\n.nf\n{lines}.fi\n"),
    };
    let status = status.trim_start_matches("Exit status: ");
    examples + ".SH \"EXIT STATUS\"\n" + &escaped(status) + "\n"
}

fn text(bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|error| Error::new(error.to_string()))
}
