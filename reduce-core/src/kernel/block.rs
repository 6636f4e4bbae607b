//! Blocks: where the elements of a result lie, as a driver says and a fold reads.

#![allow(unsafe_code, reason = "elements are read through pointers")]

use crate::values::stored::Stored;
pub(crate) use crate::values::stored::{Data, INPUTS};

/// From one element to another in each input, in bytes.
pub(crate) type Ways = [isize; INPUTS];

/// The place some way from another.
#[inline(always)]
pub(crate) fn by(data: &Data, way: &Ways) -> Data {
    let mut there = *data;
    for input in 0..INPUTS {
        there[input] = there[input].wrapping_offset(way[input]);
    }
    there
}

/// A block of the elements of a result, lanes along it.
///
/// Its steps are whole, except that a last one may have elements for some lanes alone.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The whole steps, one behind the other.
    pub(crate) data: Data,
    pub(crate) steps: usize,
    /// The incomplete step after them, and how many of its lanes are taken.
    pub(crate) last: Data,
    pub(crate) last_lanes: usize,
    /// How many elements there are in all.
    pub(crate) count: usize,
    /// Which of the blocks of its result it is.
    pub(crate) number: u64,
    /// The position of its first element.
    pub(crate) position: u64,
    /// How many bytes ahead of it others are fetched; 0 if none are.
    pub(crate) ahead: usize,
}

impl Block {
    /// A block of nothing.
    pub(crate) const NONE: Block = Block {
        data: [std::ptr::null(); INPUTS],
        steps: 0,
        last: [std::ptr::null(); INPUTS],
        last_lanes: 0,
        count: 0,
        number: 0,
        position: 0,
        ahead: 0,
    };

    /// Cuts `count` elements, which begin at `data` in each input, into whole steps of `lanes` lanes and a rest. The
    /// rest lies behind the steps; whoever may not read it as a step puts it elsewhere. `sizes` are the bytes of an
    /// element of each input, and the number of lanes is a power of two.
    #[inline(always)]
    pub(crate) fn cut(&mut self, count: usize, lanes: usize, sizes: &[usize]) {
        self.count = count;
        self.steps = count >> lanes.trailing_zeros();
        self.last_lanes = count & (lanes - 1);
        let whole = count - self.last_lanes;
        for ((last, data), size) in self.last.iter_mut().zip(&self.data).zip(sizes) {
            *last = data.wrapping_add(whole * size);
        }
    }
}

/// Rows, each at the same distance from the one before.
#[derive(Clone, Copy, Debug)]
pub struct EvenRows {
    pub(crate) data: Data,
    pub(crate) ways: Ways,
    pub(crate) count: usize,
    /// How many bytes ahead of each others are fetched; 0 if none are. If elements are packed, what is fetched lies in
    /// another buffer.
    pub(crate) ahead: usize,
}

/// Elements of a result, one behind the other.
#[derive(Clone, Copy, Debug)]
pub struct ResultElements {
    data: Data,
    count: usize,
    positions: ElementPositions,
}

/// The positions of some elements.
#[derive(Clone, Copy, Debug)]
enum ElementPositions {
    /// They follow one another from this one on.
    From(u64),
    /// One for each element.
    Of(*const u64),
}

impl ResultElements {
    /// `count` elements from a place on.
    ///
    /// # Safety
    /// *elements*: there are `count` of each input from the place on, until these were used for the last time.
    pub(crate) unsafe fn new(data: Data, count: usize, position: u64) -> Self {
        ResultElements { data, count, positions: ElementPositions::From(position) }
    }

    /// Elements that each have a position of their own.
    ///
    /// # Safety
    /// *elements*, as for [`ResultElements::new`]: there is one of each input for each position. The positions may be
    /// read as long as the elements.
    pub(crate) unsafe fn at_positions(data: Data, positions: &[u64]) -> Self {
        let count = positions.len();
        ResultElements { data, count, positions: ElementPositions::Of(positions.as_ptr()) }
    }

    /// The position of one of them, or where one beyond the last would be.
    #[inline(always)]
    pub(crate) fn position(&self, place: usize) -> u64 {
        match self.positions {
            ElementPositions::From(first) => first + place as u64,
            // SAFETY: *elements*: the caller of `at_positions` keeps that there is a position for each, and `place` is
            // less than `count`.
            ElementPositions::Of(all) if place < self.count => unsafe { *all.wrapping_add(place) },
            ElementPositions::Of(_) => 0,
        }
    }

    /// How many there are.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// One of them.
    ///
    /// # Safety
    /// *types*: the elements are of storage type `T`.
    #[inline(always)]
    pub(crate) unsafe fn at<T: Stored>(&self, place: usize) -> T {
        assert!(place < self.count, "an element beyond the last");
        // SAFETY: *elements*, which the callers of `new` and of this function keep: `place` is less than `count`, and
        // the types are right.
        unsafe { T::at(&self.data, place) }
    }
}

/// The blocks of a result, for what must look at one again: a selection knows the block that its
/// element came from, and searches it.
pub trait Blocks {
    /// How many there are.
    fn count(&self) -> usize;

    /// The elements of one.
    fn block(&mut self, number: u64) -> ResultElements;
}

/// The one block of a result.
pub(crate) struct OneBlock(pub(crate) ResultElements);

impl Blocks for OneBlock {
    fn count(&self) -> usize {
        1
    }

    fn block(&mut self, _number: u64) -> ResultElements {
        self.0
    }
}

/// No blocks, for folds that do not look at them again.
pub(crate) struct NoBlocks;

impl Blocks for NoBlocks {
    fn count(&self) -> usize {
        0
    }

    fn block(&mut self, _number: u64) -> ResultElements {
        ResultElements {
            data: [std::ptr::null(); INPUTS],
            count: 0,
            positions: ElementPositions::From(0),
        }
    }
}
