//! Arithmetic of windows of versions.

use std::fmt;

use proc_macro2::Span;

use crate::parse::RawWindow;

/// A span of versions, both ends included, and where it is written.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) first: u32,
    pub(crate) last: Option<u32>,
    pub(crate) first_span: Span,
    pub(crate) last_span: Span,
}

impl Window {
    /// A window that is not written anywhere: it stands for all of a life.
    pub(crate) fn implied(first: u32, last: Option<u32>, span: Span) -> Self {
        Window { first, last, first_span: span, last_span: span }
    }

    pub(crate) fn written(raw: &RawWindow) -> Self {
        Window {
            first: raw.first.number,
            last: raw.last.map(|last| last.number),
            first_span: raw.first.span,
            last_span: raw.last.map_or(raw.first.span, |last| last.span),
        }
    }

    pub(crate) fn contains(&self, version: u32) -> bool {
        version >= self.first && self.last.is_none_or(|last| version <= last)
    }

    /// The version after the last.
    pub(crate) fn after(&self) -> Option<u32> {
        self.last.and_then(|last| last.checked_add(1))
    }

    /// The versions in both.
    pub(crate) fn overlap(&self, other: &Window) -> Option<Window> {
        let first = self.first.max(other.first);
        let last = match (self.last, other.last) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (last, None) | (None, last) => last,
        };
        let overlap = Window::implied(first, last, other.first_span);
        last.is_none_or(|last| first <= last).then_some(overlap)
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
    use super::{Span, Window};

    fn window(first: u32, last: Option<u32>) -> Window {
        Window::implied(first, last, Span::call_site())
    }

    #[test]
    fn overlaps_agree_with_membership() {
        let lasts = |first: u32| [None, Some(first), Some(first + 1), Some(first + 3)];
        let windows = (1..6).flat_map(|first| lasts(first).map(|last| window(first, last)));
        let windows: Vec<Window> = windows.collect();
        for a in &windows {
            for b in &windows {
                let both = a.overlap(b);
                for version in 0..12 {
                    let expected = a.contains(version) && b.contains(version);
                    let found = both.is_some_and(|both| both.contains(version));
                    assert_eq!(found, expected, "{a} and {b} at {version}");
                }
            }
        }
    }

    #[test]
    fn the_last_version_has_no_successor() {
        assert_eq!(window(1, Some(u32::MAX)).after(), None);
        assert_eq!(window(1, Some(17)).after(), Some(18));
        assert_eq!(window(1, None).after(), None);
    }
}
