//! Which axes a reduction runs over.

use std::collections::HashSet;

use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::{Dim, Dims, MOST_AXES, PartialShape, Shape};

/// The axes asked for, before a rank is known.
///
/// "All axes" and "no axis" are different requests and never share a spelling.
///
/// ```
/// use reduce_core::{Axes, Shape};
/// let shape = Shape::new(&[2, 3, 4])?;
/// assert_eq!(Axes::from([0, -1]).resolve(3)?.output_shape(&shape, true)?.dims(), [1, 3, 1]);
/// assert_eq!(Axes::all().resolve(3)?.output_shape(&shape, false)?.dims(), []);
/// assert_eq!(Axes::none().resolve(3)?.output_shape(&shape, false)?.dims(), [2, 3, 4]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axes(Request);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Request {
    All,
    Listed(Dims<i64>),
}

impl Axes {
    /// Every axis: the result is one value.
    pub fn all() -> Self {
        Axes(Request::All)
    }

    /// No axis: every element is its own reduction, `finalize(map(x))`.
    pub fn none() -> Self {
        Axes(Request::Listed(Dims::new()))
    }

    /// Exactly these axes, in any order; negative ones count from the end. An
    /// empty list is [`Axes::none`].
    pub fn of(axes: &[i64]) -> Self {
        Axes(Request::Listed(Dims::from_slice(axes)))
    }

    /// Whether no axis is meant.
    pub(crate) fn is_none(&self) -> bool {
        self.listed().is_some_and(<[i64]>::is_empty)
    }

    /// The axes as they were given, negative ones too; `None` if all are meant.
    ///
    /// ```
    /// use reduce_core::Axes;
    ///
    /// assert_eq!(Axes::from([0, -1]).listed(), Some(&[0, -1][..]));
    /// assert_eq!(Axes::all().listed(), None);
    /// ```
    pub fn listed(&self) -> Option<&[i64]> {
        match &self.0 {
            Request::All => None,
            Request::Listed(axes) => Some(axes),
        }
    }

    /// The shape of the result for an input known in part. Reducing all axes
    /// without keeping them gives a scalar even where the rank is not known.
    ///
    /// # Errors
    /// As [`Axes::resolve`], where the rank is known.
    pub fn infer(&self, shape: &PartialShape, keepdims: bool) -> Result<PartialShape, Error> {
        let Some(dims) = shape.dims() else {
            let is_scalar = self.0 == Request::All && !keepdims;
            return Ok(if is_scalar { PartialShape::new([]) } else { PartialShape::unknown() });
        };
        Ok(PartialShape::new(self.resolve(dims.len())?.keep(dims, keepdims, Dim::Known(1))))
    }

    /// The axes of a tensor of this rank, each named once.
    ///
    /// # Errors
    /// [`ErrorKind::RankTooLarge`] for a rank above a million, [`ErrorKind::AxisOutOfRange`] for an axis outside `-rank..rank` (so any
    /// axis of a scalar), [`ErrorKind::DuplicateAxis`] for an axis named twice.
    pub fn resolve(&self, rank: usize) -> Result<AxisSet, Error> {
        self.resolve_all(rank).map_err(|mut problems| problems.swap_remove(0))
    }

    /// As [`Axes::resolve`], with everything that is wrong, in the order of the list. There is at least one error.
    pub(crate) fn resolve_all(&self, rank: usize) -> Result<AxisSet, Vec<Error>> {
        if rank > MOST_AXES {
            return Err(vec![ErrorKind::RankTooLarge { rank, most: MOST_AXES }.into()]);
        }
        let Request::Listed(axes) = &self.0 else {
            return Ok(AxisSet { reduced: smallvec::smallvec![true; rank] });
        };
        let mut reduced: Dims<bool> = smallvec::smallvec![false; rank];
        let mut problems = Vec::new();
        for &axis in axes {
            // An axis is counted from either end.
            let index = match usize::try_from(axis) {
                Ok(index) => Some(index),
                Err(_) => usize::try_from(axis.unsigned_abs())
                    .ok()
                    .and_then(|back| rank.checked_sub(back)),
            };
            match index.filter(|&index| index < rank) {
                Some(index) if std::mem::replace(&mut reduced[index], true) => {
                    problems.push(ErrorKind::DuplicateAxis { axis, position: Some(index) }.into());
                }
                Some(_) => {}
                None => problems.push(ErrorKind::AxisOutOfRange { axis, rank }.into()),
            }
        }
        if problems.is_empty() { Ok(AxisSet { reduced }) } else { Err(problems) }
    }
}

impl Axes {
    /// What is wrong with the list for a tensor of any rank: an axis that is listed again by the same number.
    pub(crate) fn repeated(&self) -> impl Iterator<Item = Error> {
        let listed: &[i64] = match &self.0 {
            Request::Listed(axes) => axes,
            Request::All => &[],
        };
        let mut known = HashSet::new();
        let again = listed.iter().filter(move |axis| !known.insert(**axis));
        again.map(|&axis| ErrorKind::DuplicateAxis { axis, position: None }.into())
    }
}

impl<const N: usize> From<[i64; N]> for Axes {
    fn from(axes: [i64; N]) -> Self {
        Axes::of(&axes)
    }
}

impl From<&[i64]> for Axes {
    fn from(axes: &[i64]) -> Self {
        Axes::of(axes)
    }
}

impl From<Vec<i64>> for Axes {
    fn from(axes: Vec<i64>) -> Self {
        Axes::of(&axes)
    }
}

impl From<i64> for Axes {
    fn from(axis: i64) -> Self {
        Axes::of(&[axis])
    }
}

/// The axes of a tensor of known rank that a reduction runs over.
///
/// One flag per axis, so order and duplicates cannot matter any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisSet {
    reduced: Dims<bool>,
}

impl AxisSet {
    /// The rank of the tensors this set is for.
    pub fn rank(&self) -> usize {
        self.reduced.len()
    }

    /// Whether this axis is reduced; `false` beyond the rank.
    pub fn contains(&self, axis: usize) -> bool {
        self.reduced.get(axis).copied().unwrap_or(false)
    }

    /// The same axes of a tensor whose axis `i` is axis `order[i]` of these.
    pub(crate) fn permuted(&self, order: &[usize]) -> AxisSet {
        AxisSet { reduced: order.iter().map(|&axis| self.contains(axis)).collect() }
    }

    /// The shape of the result: reduced axes have size 1, or are left out.
    ///
    /// # Errors
    /// [`ErrorKind::RankMismatch`] for a shape of another rank.
    pub fn output_shape(&self, shape: &Shape, keepdims: bool) -> Result<Shape, Error> {
        if shape.rank() != self.rank() {
            let (expected, found) = (self.rank(), shape.rank());
            return Err(ErrorKind::RankMismatch { what: "shape", expected, found }.into());
        }
        Ok(shape.subset(self.keep(shape, keepdims, 1)))
    }

    /// The sizes of the result: those of kept axes, and `one` for reduced axes
    /// that stay.
    fn keep<'a, D: Clone>(
        &'a self,
        dims: &'a [D],
        keepdims: bool,
        one: D,
    ) -> impl Iterator<Item = D> + 'a {
        dims.iter().zip(&self.reduced).filter_map(move |(dim, &reduced)| {
            match (reduced, keepdims) {
                (true, true) => Some(one.clone()),
                (true, false) => None,
                (false, _) => Some(dim.clone()),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Axes;

    #[test]
    fn every_axis_around_the_rank() {
        for rank in 0..5usize {
            for axis in -7..7i64 {
                let found = Axes::from(axis).resolve(rank);
                let signed = i64::try_from(rank).expect("small");
                if (-signed..signed).contains(&axis) {
                    let place = usize::try_from(axis.rem_euclid(signed)).expect("in range");
                    assert!(found.expect("in range").contains(place));
                } else {
                    let message = found.expect_err("out of range").to_string();
                    assert!(message.contains(&axis.to_string()), "{message}");
                }
            }
        }
    }

    #[test]
    fn extremes_do_not_overflow() {
        for axis in [i64::MIN, i64::MIN + 1, i64::MAX] {
            assert!(Axes::from(axis).resolve(3).is_err());
        }
    }

    #[test]
    fn a_rank_beyond_memory_is_refused() {
        for rank in [1 << 30, usize::MAX] {
            for axes in [Axes::all(), Axes::none(), Axes::from(0)] {
                let message = axes.resolve(rank).expect_err("too many axes").to_string();
                assert!(message.contains(&format!("{rank} axes ")), "{message}");
            }
        }
        assert_eq!(Axes::all().resolve(1 << 20).expect("not too many").rank(), 1 << 20);
    }

    #[test]
    fn no_axis_beyond_the_rank_is_reduced() {
        let all = Axes::all().resolve(2).expect("not too many");
        assert_eq!([0, 1, 2].map(|axis| all.contains(axis)), [true, true, false]);
    }

    #[test]
    fn duplicates_are_refused_in_either_spelling() {
        let message = Axes::from([1, -1]).resolve(2).expect_err("same axis").to_string();
        assert!(message.contains("axis -1 names axis 1, which is named already"), "{message}");
    }
}
