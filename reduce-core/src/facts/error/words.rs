//! Words that sentences about mistakes are made of.

use std::fmt::Display;

use crate::facts::window::Window;

/// `a`, `b` or `c`, each in backticks.
pub(super) fn one_of<T: Display>(items: &[T]) -> String {
    let quoted: Vec<String> = items.iter().map(|item| format!("`{item}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

/// `1..=17 and 20..`, without repeating a window.
pub(super) fn spans(windows: &[Window]) -> String {
    let spans: Vec<String> = windows.iter().map(ToString::to_string).collect();
    spans.join(" and ")
}

/// `a, b, c`, or that there is none.
pub(super) fn in_turn<T: Display>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    if items.is_empty() { "nothing".to_owned() } else { items.join(", ") }
}

/// A number of things: `1 entry`, `2 entries`.
pub(super) fn counted(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// A number of elements.
pub(super) fn count_of(number: usize) -> String {
    counted(number, "element", "elements")
}

pub(super) fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean `{name}`"))
}
