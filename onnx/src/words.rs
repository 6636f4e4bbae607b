//! Text from files, as it can be shown.
//!
//! A model's names may be of any length. They may hold line ends and codes that a terminal obeys. All sentences of this crate
//! show names by these functions, and whoever shows other text of a model does the same.
//!
//! ```
//! use reduce_onnx::words::{counted, quoted};
//!
//! assert_eq!(quoted("y\u{1b}[2J"), r"`y\u{1b}[2J`");
//! assert_eq!(counted(2, "node"), "2 nodes");
//! ```

use std::io;

/// Characters of a name that are shown.
const MOST: usize = 80;

/// A name on one line, and not at any length.
pub fn plain(name: &str) -> String {
    let mut chars = name.chars();
    let shown: String = chars.by_ref().take(MOST).collect();
    let more = if chars.next().is_some() { "…" } else { "" };
    one_line(&shown) + more
}

/// A name in backticks.
pub fn quoted(name: &str) -> String {
    format!("`{}`", plain(name))
}

/// A number of things: `1 node`, `2 nodes`.
pub fn counted(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// Names for a sentence: as many as can be read.
pub fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    /// Names that are shown.
    const SHOWN: usize = 8;
    let mut names = names.map(quoted);
    let shown: Vec<String> = names.by_ref().take(SHOWN).collect();
    match names.count() {
        0 => shown.join(", "),
        others => format!("{} and {others} others", shown.join(", ")),
    }
}

/// A sentence of others, its first letter small.
pub fn lower(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// The reason of a failed file operation, in lower case and without its number.
pub fn reason(error: &io::Error) -> String {
    let text = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        _ => error.to_string(),
    };
    lower(text.split(" (os error").next().unwrap_or_default())
}

/// A sentence on one line, and not at any length: names and lists from a file may be long. Of a long one, the
/// beginning says what is wrong, and the end what to do.
pub fn sentence(text: &str) -> String {
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
pub fn one_line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|c| match is_seen(c) {
        true => shown.push(c),
        false => shown.extend(c.escape_debug()),
    });
    shown
}

/// Tells whether a character can be seen. The answer is `false` for control characters, format characters, separators
/// other than a blank, and characters without a meaning.
pub fn is_seen(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    // Behind another character, an accent is not escaped.
    let mut pair = [b'.'; 5];
    let length = 1 + c.encode_utf8(&mut pair[1..]).len();
    str::from_utf8(&pair[..length]).is_ok_and(|pair| pair.escape_debug().eq(pair.chars()))
}

#[cfg(test)]
mod tests {
    use super::{is_seen, listed, one_line, sentence};

    /// Of each kind of character that a terminal obeys, or that does not show itself.
    const UNSEEN: &str = "\0\t\r\n\u{1b}\u{7f}\u{85}\u{9b}\u{a0}\u{ad}\u{61c}\u{180e}\u{200b}\u{200d}\u{200e}\u{2028}\
        \u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{feff}\u{fffb}\u{e0041}\u{e000}\u{10ffff}";

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        for c in UNSEEN.chars() {
            let text = one_line(&format!("a{c}b"));
            assert!(text.starts_with("a\\") && text.chars().all(is_seen), "{text:?}");
        }
        let seen = "a 'b' \"c\" \\ é e\u{301} 漢 \u{1f600} ß…";
        assert_eq!(one_line(seen), seen);
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

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(listed(["a", "b"].into_iter()), "`a`, `b`");
        let names: Vec<String> = (0..20).map(|name| name.to_string()).collect();
        let text = listed(names.iter().map(String::as_str));
        assert!(text.ends_with("`7` and 12 others"), "{text}");
        assert!(listed(["x".repeat(1000).as_str()].into_iter()).len() < 100);
    }
}
