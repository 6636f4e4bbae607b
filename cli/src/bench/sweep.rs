//! The sweep: every short row length, and every small number of columns.
//!
//! A kernel that is chosen by a size is good up to a size. Neighbours that differ
//! much in speed show where the choice is wrong.

use super::cases::{Case, Kind};
use super::rows::Row;

/// Which axis has the size that is swept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// The size of a row, which is reduced.
    Rows,
    /// The number of columns. Each column is reduced.
    Columns,
}

impl Direction {
    pub(crate) const BOTH: [Direction; 2] = [Direction::Rows, Direction::Columns];

    fn prefix(self) -> &'static str {
        match self {
            Direction::Rows => "rows_",
            Direction::Columns => "columns_",
        }
    }

    /// The size that a row is about, if it is one of this sweep.
    pub(crate) fn size(self, row: &Row) -> Option<usize> {
        row.case.strip_prefix(self.prefix())?.parse().ok()
    }
}

/// Both sweeps: the sizes from 1 up, each in an input of about this many elements.
pub(crate) fn cases(longest: usize, elements: usize) -> impl Iterator<Item = Case> {
    Direction::BOTH.into_iter().flat_map(move |direction| {
        (1..=longest).map(move |size| Case {
            name: format!("{}{size}", direction.prefix()),
            shape: vec![(elements / size).max(1), size],
            axes: Some(vec![if direction == Direction::Rows { 1 } else { 0 }]),
            transposed: false,
            kind: Kind::Sweep,
        })
    })
}

/// The speeds of one operator and type over the sizes.
#[derive(Debug)]
pub(crate) struct Curve<'a> {
    pub(crate) op: &'a str,
    pub(crate) dtype: &'a str,
    /// Size and row, the sizes rising.
    pub(crate) points: Vec<(usize, &'a Row)>,
}

/// The curves of a direction, in the order of their first rows.
pub(crate) fn curves(rows: &[Row], direction: Direction) -> Vec<Curve<'_>> {
    let mut curves: Vec<Curve<'_>> = Vec::new();
    for row in rows.iter().filter(|row| row.library == "reduce") {
        let Some(size) = direction.size(row) else { continue };
        let same = |curve: &&mut Curve<'_>| (curve.op, curve.dtype) == (row.op, row.dtype);
        match curves.iter_mut().find(same) {
            Some(curve) => curve.points.push((size, row)),
            None => curves.push(Curve { op: row.op, dtype: row.dtype, points: vec![(size, row)] }),
        }
    }
    curves.iter_mut().for_each(|curve| curve.points.sort_by_key(|(size, _)| *size));
    curves
}

impl Curve<'_> {
    /// The worst step from a size to the next, as a line of text.
    pub(crate) fn worst_step(&self) -> Option<String> {
        // A sample can be disturbed, but not be too fast: the best time is what
        // the sizes differ by.
        let speed = |row: &Row| super::rows::speed(row.bytes, row.samples.min);
        let steps = self.points.windows(2).map(|pair| {
            let [a, b] = [pair[0].1, pair[1].1];
            if speed(a) < speed(b) { (a, b) } else { (b, a) }
        });
        let ratio = |(slow, fast): &(&Row, &Row)| speed(fast) / speed(slow);
        let (slow, fast) = steps.max_by(|a, b| ratio(a).total_cmp(&ratio(b)))?;
        Some(format!(
            "worst neighbours, {} {}: {} at {:.1} GB/s, {} at {:.1}, {:.2} times as fast",
            self.op,
            self.dtype,
            slow.case,
            speed(slow),
            fast.case,
            speed(fast),
            ratio(&(slow, fast)),
        ))
    }
}
