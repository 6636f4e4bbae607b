//! Elements that lie in a file, but not as this machine reads them: at an odd byte, or in another order.
//!
//! They are copied to be reduced, all at once or in pieces of the outermost axis. That axis must be kept, and a piece must
//! have many of its indices. Then each result comes of the same elements in the same order. So an archive of `NumPy`, whose
//! members lie at odd bytes, may be larger than the memory.

use std::ops::Range;

use reduce_core::planning::AxisSet;
use reduce_core::{AnyTensor, DType};

use super::npz;
use super::{Array, Elements};
use crate::contents::{Contents, Pages};
use crate::scalar::{self, ByteOrder, Came, Room};

/// Bytes of a piece.
const PIECE: usize = 1 << 24;

/// Indices of a piece, at least. Fewer results than lanes are combined in another order than many.
const LEAST: usize = 512;

/// An array in a mapped file.
#[derive(Debug)]
pub(crate) struct Apart {
    pub(super) contents: Contents,
    /// The elements, one behind the other.
    pub(super) bytes: Range<usize>,
    pub(super) dtype: DType,
    pub(super) order: ByteOrder,
    pub(super) shape: Vec<usize>,
    pub(super) strides: Vec<isize>,
    /// The member of an archive, whose checksum is to be compared.
    pub(super) member: Option<usize>,
}

/// What was found by a name.
#[derive(Debug)]
pub(crate) enum Opened {
    Whole(Array),
    Apart(Apart),
}

impl Opened {
    /// The type of the elements.
    pub(crate) fn dtype(&self) -> DType {
        match self {
            Opened::Whole(array) => array.dtype(),
            Opened::Apart(apart) => apart.dtype,
        }
    }

    /// The sizes of the axes.
    pub(crate) fn shape(&self) -> &[usize] {
        match self {
            Opened::Whole(array) => array.shape(),
            Opened::Apart(apart) => &apart.shape,
        }
    }

    /// The array, with its elements in memory or mapped.
    ///
    /// # Errors
    /// Why they cannot be read: a sentence whose subject is the file.
    pub(crate) fn load(self) -> Result<Array, String> {
        match self {
            Opened::Whole(array) => Ok(array),
            Opened::Apart(apart) => apart.load(),
        }
    }
}

impl Apart {
    /// All elements in memory.
    pub(super) fn load(self) -> Result<Array, String> {
        if let Some(member) = self.member {
            return npz::inflated(&self.contents, member);
        }
        let tensor = self.elements(self.bytes.clone())?;
        Ok(Array { elements: Elements::Read(tensor), shape: self.shape, strides: self.strides })
    }

    /// Elements in memory, as a list.
    fn elements(&self, bytes: Range<usize>) -> Result<AnyTensor, String> {
        let count = bytes.len() / self.dtype.size();
        let mut pages = Pages::some(&self.contents, bytes);
        match scalar::read(self.dtype, count, self.order, Room::AtOnce, &mut pages)? {
            Came::All(tensor) => Ok(tensor),
            Came::Fewer(_) => Err("is cut off".to_owned()),
        }
    }

    /// The type of the elements.
    pub(crate) fn dtype(&self) -> DType {
        self.dtype
    }

    /// The outermost axis, and how its indices are cut into pieces, if all of some operators keep it.
    pub(crate) fn pieces(&self, reduced: &[AxisSet]) -> Option<(usize, Vec<Range<usize>>)> {
        let long = (0..self.shape.len()).filter(|&axis| self.shape[axis] > 1);
        let axis = long.max_by_key(|&axis| self.strides[axis])?;
        if reduced.iter().any(|axes| axes.contains(axis)) {
            return None;
        }
        let of_index = self.strides[axis].unsigned_abs() * self.dtype.size();
        Some((axis, cut(self.shape[axis], LEAST.max(PIECE / of_index))?))
    }

    /// That the file is not damaged, as far as it can be told before it is read in pieces.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.member.map_or(Ok(()), |member| npz::check(&self.contents, member))
    }

    /// A piece, in memory.
    pub(crate) fn piece(&self, axis: usize, indices: Range<usize>) -> Result<Array, String> {
        let of_index = self.strides[axis].unsigned_abs() * self.dtype.size();
        let place = |index: usize| self.bytes.start + index * of_index;
        let tensor = self.elements(place(indices.start)..place(indices.end))?;
        let mut shape = self.shape.clone();
        shape[axis] = indices.len();
        Ok(Array { elements: Elements::Read(tensor), shape, strides: self.strides.clone() })
    }

    /// Gives back the memory of the file: what is used again is read again.
    pub(crate) fn give_back(&self) {
        self.contents.give_back();
    }
}

/// Cuts `indices` indices into ranges of nearly one length, which is at least `least`. There are
/// none if a single one would be left.
fn cut(indices: usize, least: usize) -> Option<Vec<Range<usize>>> {
    let count = indices / least;
    let place = |number: usize| number * (indices / count) + number.min(indices % count);
    (count > 1).then(|| (0..count).map(|number| place(number)..place(number + 1)).collect())
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn ranges_follow_one_another_and_are_long() {
        assert_eq!((cut(1023, 512), cut(0, 1)), (None, None));
        for (indices, least) in [(1024, 512), (10_000, 256), (1_000_000, 513), (7, 2)] {
            let ranges = cut(indices, least).expect("several");
            assert_eq!(ranges.first().map(|range| range.start), Some(0));
            assert_eq!(ranges.last().map(|range| range.end), Some(indices));
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert!(ranges.iter().all(|range| range.len() >= least && range.len() < 2 * least));
        }
    }
}
