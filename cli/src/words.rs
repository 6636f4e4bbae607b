//! Names from files, as sentences show them.

use crate::error::one_line;

/// Characters of a name that are shown.
const MOST: usize = 80;

/// A name on one line, and not at any length.
pub(crate) fn plain(name: &str) -> String {
    let mut chars = name.chars();
    let shown: String = chars.by_ref().take(MOST).collect();
    let more = if chars.next().is_some() { "…" } else { "" };
    one_line(&shown) + more
}

/// A name in backticks.
pub(crate) fn quoted(name: &str) -> String {
    format!("`{}`", plain(name))
}

/// A number of things: `1 node`, `2 nodes`.
pub(crate) fn counted(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}
