//! What went wrong, as the one sentence that the user reads.
//!
//! The sentences about operators are `reduce-core`'s; those about files are made
//! here. Whatever a file holds reaches the terminal as plain text on one line.

use std::fmt::{self, Display};
use std::io::{self, Write};
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
        f.write_str(&sentence(&self.0))
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

/// Says something beside what is printed.
pub(crate) fn note(text: &str) {
    // Nobody is left to tell if standard error is closed.
    let _ = io::stderr().write_all(text.as_bytes());
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

/// A sentence on one line, and not at any length: names and lists from a file may be long. Of a long one, the
/// beginning says what is wrong, and the end what to do.
pub(crate) fn sentence(text: &str) -> String {
    /// Characters that are shown of the beginning and of the end.
    const ENDS: [usize; 2] = [800, 400];
    let text = one_line(text);
    let place = |number: usize| text.char_indices().nth(number).map(|(place, _)| place);
    let end = || text.char_indices().rev().nth(ENDS[1] - 1).map_or(0, |(place, _)| place);
    match place(ENDS[0] + ENDS[1]).and_then(|_| place(ENDS[0])) {
        Some(first) => format!("{} … {}", &text[..first], &text[end()..]),
        None => text,
    }
}

/// The text with all escaped that cannot be seen. A file's names may hold line ends and codes that a terminal obeys. Other
/// characters take no room, or turn the direction of the text behind them.
pub(crate) fn one_line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|c| match is_seen(c) {
        true => shown.push(c),
        false => shown.extend(c.escape_debug()),
    });
    shown
}

/// Tells whether a character can be seen. The answer is `false` for control characters, format characters, separators
/// other than a blank, and characters without a meaning.
fn is_seen(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    // Behind another character, an accent is not escaped.
    let mut pair = [b'.'; 5];
    let length = 1 + c.encode_utf8(&mut pair[1..]).len();
    str::from_utf8(&pair[..length]).is_ok_and(|pair| pair.escape_debug().eq(pair.chars()))
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
    use super::{is_seen, one_line, plain_json, sentence};

    /// Of each kind of character that a terminal obeys, or that does not show itself.
    const UNSEEN: &str = "\0\t\r\n\u{1b}\u{7f}\u{85}\u{9b}\u{a0}\u{ad}\u{61c}\u{180e}\u{200b}\u{200d}\u{200e}\u{2028}\
        \u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{feff}\u{fffb}\u{e0041}\u{e000}\u{10ffff}";

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        for c in UNSEEN.chars() {
            let text = one_line(&format!("a{c}b"));
            assert!(text.starts_with("a\\") && text.chars().all(is_seen), "{text:?}");
            let value = serde_json::to_string_pretty(&[format!("a{c}b")]).expect("a string");
            let json = plain_json(&value);
            assert!(json.chars().all(|c| c == '\n' || is_seen(c)), "{json:?}");
            let read: Vec<String> = serde_json::from_str(&json).expect("the same");
            assert_eq!(read, [format!("a{c}b")]);
        }
        let seen = "a 'b' \"c\" \\ é e\u{301} 漢 \u{1f600} ß…";
        assert_eq!((one_line(seen), plain_json(seen)), (seen.to_owned(), seen.to_owned()));
    }

    #[test]
    fn long_sentences_keep_both_ends() {
        let text = format!("unknown operator `{}`; name one", "é".repeat(500_000));
        let shown = sentence(&text);
        assert!(
            shown.starts_with("unknown operator `é") && shown.ends_with("é`; name one"),
            "{shown}"
        );
        assert_eq!(shown.chars().count(), 1203);
        let whole = "é".repeat(1200);
        assert_eq!(sentence(&whole), whole);
    }
}
