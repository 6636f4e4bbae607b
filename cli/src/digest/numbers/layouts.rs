//! The layouts of inputs, read from `layouts.txt`.

use super::values::ValueKind;

/// How an input lies in its buffer, the axes that are reduced, and the values of the buffer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct InputLayout {
    /// Its line, from 1 on: it says which numbers the elements are made of.
    pub(super) number: u64,
    pub(super) kind: ValueKind,
    pub(super) shape: Vec<usize>,
    pub(super) strides: Vec<isize>,
    pub(super) offset: usize,
    pub(super) axes: Vec<i64>,
    /// The line.
    pub(super) text: &'static str,
}

impl InputLayout {
    /// The elements of the buffer: up to the last that is read.
    pub(super) fn length(&self) -> usize {
        if self.shape.contains(&0) {
            return 0;
        }
        let ways = self.shape.iter().zip(&self.strides);
        let forward = ways.filter(|(_, stride)| **stride > 0);
        let reach: usize = forward.map(|(size, way)| (size - 1) * way.unsigned_abs()).sum();
        self.offset + reach + 1
    }
}

/// All layouts, in their order.
///
/// # Errors
/// The sentence says which line cannot be read.
pub(super) fn layouts() -> Result<Vec<InputLayout>, String> {
    let lines = include_str!("layouts.txt").lines().filter(|line| !line.starts_with('#'));
    lines
        .zip(1..)
        .map(|(line, number)| {
            read(line, number).ok_or_else(|| format!("the layout `{line}` cannot be read"))
        })
        .collect()
}

fn read(text: &'static str, number: u64) -> Option<InputLayout> {
    let mut columns = text.split_whitespace();
    let kind = ValueKind::named(columns.next()?)?;
    let shape = list(columns.next()?, 'x')?;
    let strides: Vec<isize> = list(columns.next()?, ',')?;
    let offset = columns.next()?.parse().ok()?;
    let axes = list(columns.next()?, ',')?;
    let is_whole = strides.len() == shape.len() && columns.next().is_none();
    is_whole.then_some(InputLayout { number, kind, shape, strides, offset, axes, text })
}

/// Numbers between separators; `-` stands for none.
pub(super) fn list<T: std::str::FromStr>(text: &str, separator: char) -> Option<Vec<T>> {
    match text {
        "-" => Some(Vec::new()),
        _ => text.split(separator).map(|number| number.parse().ok()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{ValueKind, layouts, read};

    #[test]
    fn all_lines_are_read() {
        let layouts = layouts().expect("layouts");
        assert!(layouts.len() > 100);
        // Several threads take part only beyond 2^17 elements.
        let large =
            layouts.iter().filter(|layout| layout.shape.iter().product::<usize>() > 1 << 17);
        assert!(large.count() >= 8);
        for kind in ValueKind::ALL {
            assert!(layouts.iter().filter(|layout| layout.kind == kind).count() >= 5, "{kind:?}");
        }
    }

    #[test]
    fn a_buffer_ends_with_the_last_element_that_is_read() {
        let length = |line| read(line, 1).map(|layout| layout.length());
        assert_eq!(length("plain 3x4 -10,2 20 1"), Some(27));
        assert_eq!(length("plain - - 0 -"), Some(1));
        assert_eq!(length("plain 3x0 1,1 0 1"), Some(0));
        assert_eq!(length("plain 3x4 1 0 1"), None);
        assert_eq!(length("other 3 1 0 0"), None);
    }
}
