//! What went wrong, as the one sentence that the user reads.
//!
//! The sentences about operators are `reduce-core`'s; those about files are made
//! here. Whatever a file holds reaches the terminal as plain text on one line.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::path::Path;

use reduce_core::Problems;
use reduce_onnx::words::is_seen;
pub(crate) use reduce_onnx::words::{lower, one_line, reason, sentence};

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
        f.write_str(&sentence(&self.0))
    }
}

impl From<reduce_core::Error> for Error {
    fn from(error: reduce_core::Error) -> Self {
        Error(error.to_string())
    }
}

impl From<reduce_onnx::Error> for Error {
    fn from(error: reduce_onnx::Error) -> Self {
        Error(error.sentence().to_owned())
    }
}

impl From<Problems> for Error {
    fn from(problems: Problems) -> Self {
        Error(problems.to_string())
    }
}

/// Says something beside what is printed.
pub(crate) fn note(text: &str) {
    // Nobody is left to tell if standard error is closed.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Does what [`one_line`] does, for each line of a text.
pub(crate) fn lines(text: &str) -> String {
    text.lines().map(|line| one_line(line) + "\n").collect()
}

/// A JSON document whose strings hold nothing unseen. Such a character is written by its number, and a reader finds the same
/// string.
pub(crate) fn plain_json(document: &str) -> String {
    let mut shown = String::with_capacity(document.len());
    for c in document.chars() {
        // Line ends and blanks stand between values; those in strings are escaped already.
        if c == '\n' || is_seen(c) {
            shown.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                shown += &format!("\\u{unit:04x}");
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{is_seen, plain_json};

    #[test]
    fn what_cannot_be_seen_is_written_by_its_number() {
        for c in
            "\0\t\r\n\u{1b}\u{7f}\u{85}\u{200e}\u{2028}\u{202e}\u{feff}\u{e0041}\u{10ffff}".chars()
        {
            let value = serde_json::to_string_pretty(&[format!("a{c}b")]).expect("a string");
            let json = plain_json(&value);
            assert!(json.chars().all(|c| c == '\n' || is_seen(c)), "{json:?}");
            let read: Vec<String> = serde_json::from_str(&json).expect("the same");
            assert_eq!(read, [format!("a{c}b")]);
        }
        let seen = "a 'b' \"c\" \\ é e\u{301} 漢 \u{1f600} ß…";
        assert_eq!(plain_json(seen), seen);
    }
}
