//! What stands below the help of each command: examples, what there is to know, and what the exit status means.

use clap::Command;

/// Examples, a line each, and what the exit status means.
macro_rules! examples {
    ($($line:literal)+) => {
        concat!(
            "Examples:\n",
            $("  ", $line, "\n",)+
            "\nExit status: 0 if all was done, 1 if a conformance test failed, a model has problems or bits are\n\
             others than they should be, 2 if a request could not be carried out, which one line on standard\n\
             error says."
        )
    };
}
pub(crate) use examples;

/// The longest line.
const WIDTH: usize = 100;

/// A command whose help begins with a line on what it does and with its usage. What else there is to know stands below, for
/// itself and for its commands.
pub(crate) fn usage_first(command: Command) -> Command {
    let long = command.get_long_about().map(ToString::to_string);
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let command = match long.as_deref().and_then(|long| long.split_once("\n\n")) {
        Some((about, more)) => {
            let (examples, status) = after.split_once("\n\n").unwrap_or(("", &after));
            let more = wrapped(more);
            let below = format!("{examples}\n\nMore:\n{more}\n{status}");
            command.long_about(about.to_owned()).after_long_help(below)
        }
        None => command,
    };
    command.mut_subcommands(usage_first)
}

/// Paragraphs in lines that are indented and not too long.
fn wrapped(text: &str) -> String {
    let mut wrapped = String::new();
    for paragraph in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut column = WIDTH;
        for word in paragraph.split_whitespace() {
            let length = word.chars().count();
            let is_new = column + 1 + length > WIDTH;
            wrapped += if !is_new {
                " "
            } else if wrapped.is_empty() {
                "  "
            } else {
                "\n  "
            };
            column = if is_new { 2 + length } else { column + 1 + length };
            wrapped += word;
        }
    }
    wrapped + "\n"
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_not_too_long() {
        let text = wrapped(&"some words ".repeat(40));
        assert!(text.lines().all(|line| line.len() <= 100 && line.starts_with("  some")), "{text}");
        assert_eq!(text.split_whitespace().count(), 80);
        assert_eq!(wrapped("a b\nc"), "  a b\n  c\n");
        assert_eq!(wrapped(&"x".repeat(200)), format!("  {}\n", "x".repeat(200)));
    }
}
