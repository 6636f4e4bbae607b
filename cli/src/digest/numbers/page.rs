//! The committed page of numbers, and what differs from it.

use std::fmt::Write as _;

use super::mix::Digest;

/// The name of the last line.
const ALL: &str = "all";

/// A line: a number, and what it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) number: u64,
}

/// The lines of some operators: after those of its types, each operator has one that is made of theirs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) lines: Vec<Line>,
}

impl Page {
    /// The page of numbers that are in the order of their names, such as `Dot f32,f32`. If these are all that there are, a last
    /// line is made of those of operators.
    pub(super) fn of(numbers: &[(String, Digest)], are_all: bool) -> Self {
        let operator = |name: &str| name.split(' ').next().unwrap_or(name).to_owned();
        let (mut lines, mut all) = (Vec::new(), Digest::NONE);
        for same in numbers.chunk_by(|a, b| operator(&a.0) == operator(&b.0)) {
            let mut digest = Digest::NONE;
            for (name, number) in same {
                lines.push(Line { name: name.clone(), number: number.number() });
                digest = digest.and(number.number());
            }
            lines.push(Line { name: operator(&same[0].0), number: digest.number() });
            all = all.and(digest.number());
        }
        if are_all {
            lines.push(Line { name: ALL.to_owned(), number: all.number() });
        }
        Page { lines }
    }

    /// How many operators there are.
    pub(super) fn operators(&self) -> usize {
        let is_operator = |line: &&Line| !line.name.contains([' ', ':']) && line.name != ALL;
        self.lines.iter().filter(is_operator).count()
    }

    /// The page that is committed.
    pub(super) fn committed() -> Self {
        let lines = include_str!("committed.txt").lines().filter_map(|line| {
            let (number, name) = line.split_once(' ')?;
            let number = u64::from_str_radix(number, 16).ok()?;
            Some(Line { name: name.to_owned(), number })
        });
        Page { lines: lines.collect() }
    }

    /// The lines as text; those of types only if they are asked for.
    pub(super) fn text(&self, has_types: bool) -> String {
        let mut text = String::new();
        for Line { name, number } in &self.lines {
            if has_types || !name.contains(' ') {
                // Text takes what is written to it.
                let _ = writeln!(text, "{number:016x} {name}");
            }
        }
        text
    }

    /// The names of lines that the other page has not, or with another number.
    pub(super) fn differing(&self, other: &Page) -> Vec<&str> {
        let is_missing = |line: &&Line| !other.lines.contains(line);
        self.lines.iter().filter(is_missing).map(|line| line.name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, Page};

    fn page(numbers: &[(&str, u64)], are_all: bool) -> Page {
        let numbers: Vec<_> =
            numbers.iter().map(|(name, n)| ((*name).to_owned(), Digest::NONE.and(*n))).collect();
        Page::of(&numbers, are_all)
    }

    #[test]
    fn a_line_of_an_operator_is_made_of_those_of_its_types() {
        let both = page(&[("Sum f32", 1), ("Sum f64", 2), ("Max f32", 1)], true);
        let names: Vec<&str> = both.lines.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["Sum f32", "Sum f64", "Sum", "Max f32", "Max", "all"]);
        assert_eq!(both.text(false).lines().count(), 3);
        // Another number of a type changes that of its operator, and the last one.
        let other = page(&[("Sum f32", 1), ("Sum f64", 3), ("Max f32", 1)], true);
        assert_eq!(other.differing(&both), ["Sum f64", "Sum", "all"]);
        let alone = page(&[("Max f32", 1)], false);
        assert!(alone.differing(&both).is_empty());
    }
}
