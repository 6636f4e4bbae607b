//! Spans of versions.

use std::fmt;

/// A span of versions, both ends included; an open one has no last version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    first: u32,
    last: Option<u32>,
}

impl Window {
    /// The versions from `first` to `last`, or from `first` on.
    pub const fn new(first: u32, last: Option<u32>) -> Self {
        Window { first, last }
    }

    /// The versions from `first` on.
    pub const fn since(first: u32) -> Self {
        Window::new(first, None)
    }

    /// The versions from `first` to `last`.
    pub const fn span(first: u32, last: u32) -> Self {
        Window::new(first, Some(last))
    }

    /// The first version.
    pub const fn first(self) -> u32 {
        self.first
    }

    /// The last version, if the window has an end.
    pub const fn last(self) -> Option<u32> {
        self.last
    }

    /// The version after the last, if there are both.
    pub(crate) fn next(self) -> Option<u32> {
        self.last.and_then(|last| last.checked_add(1))
    }

    /// True if a version lies in the window.
    pub fn contains(self, version: u32) -> bool {
        version >= self.first && self.last.is_none_or(|last| version <= last)
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last {
            None => write!(f, "{}..", self.first),
            Some(last) if last == self.first => write!(f, "{last}"),
            Some(last) => write!(f, "{}..={last}", self.first),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Window;

    #[test]
    fn both_ends_are_inside() {
        let inside = |window: Window| (0..9).filter(|&version| window.contains(version)).collect();
        let inside: [Vec<u32>; 4] =
            [Window::span(3, 3), Window::span(3, 5), Window::since(6), Window::new(1, Some(1))]
                .map(inside);
        assert_eq!(inside, [vec![3], vec![3, 4, 5], vec![6, 7, 8], vec![1]]);
    }
}
