//! What went wrong, as the one sentence that the user reads.
//!
//! The sentences about operators are `reduce-core`'s; those about files are made
//! here. Whatever a file holds reaches the terminal as plain text on one line.

use std::fmt::{self, Display};
use std::io;
use std::path::Path;

use reduce_core::Problems;

/// A request that cannot be carried out: one lower-case sentence.
#[derive(Debug)]
pub(crate) struct Error(String);

impl Error {
    /// An error that is not about a file.
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Error(sentence.into())
    }

    /// An error about a file.
    pub(crate) fn at(path: &Path, sentence: impl Display) -> Self {
        Error(format!("`{}`: {sentence}", path.display()))
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&one_line(&self.0))
    }
}

impl From<reduce_core::Error> for Error {
    fn from(error: reduce_core::Error) -> Self {
        Error(error.to_string())
    }
}

impl From<Problems> for Error {
    fn from(problems: Problems) -> Self {
        Error(problems.to_string())
    }
}

/// The reason of a failed file operation, in lower case and without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        _ => error.to_string(),
    };
    lower(text.split(" (os error").next().unwrap_or_default())
}

/// A sentence of others, its first letter small.
pub(crate) fn lower(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// The text with every control character escaped: a file's names may hold line
/// ends, and codes that a terminal obeys.
pub(crate) fn one_line(text: &str) -> String {
    let escape =
        |c: char| if c.is_control() { c.escape_default().collect() } else { c.to_string() };
    text.chars().map(escape).collect()
}

/// The same of a text of several lines.
pub(crate) fn lines(text: &str) -> String {
    text.lines().map(|line| one_line(line) + "\n").collect()
}
