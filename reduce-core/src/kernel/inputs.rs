//! Inputs: one buffer with its plan, or several that are walked together.
//!
//! All inputs have the sizes of one plan, each its own strides. The one that leads
//! decides the path; another one that does not lie as that path wants it is packed.

use std::ops::Range;

use smallvec::SmallVec;

use super::fold::Blocks;
use super::stored::Stored;
use crate::level::{Available, Code};
use crate::plan::Plan;

/// Rows that are read at one stride.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "names a hidden type of a public trait")]
pub struct RowCount {
    pub(super) count: usize,
    /// Lanes that have a value: all, but in the last of rows folded side by side.
    pub(super) full: usize,
}

/// Elements of the longest results that are transposed a group of lanes at a time.
pub(super) const LONGEST_TRANSPOSED: usize = 112;

/// The ways from the first element of a result to each of the others.
pub(super) type Ways<P> = SmallVec<[P; 32]>;

/// The elements of a reduction, as kernels ask for them.
///
/// A *place* is where an element lies, in each input, and a *way* the distance
/// between two, which wraps where it goes backwards.
#[allow(unreachable_pub, reason = "as `RowCount`")]
#[allow(private_interfaces, reason = "as `RowCount`")]
pub trait Inputs<'a>: Copy + Send + Sync {
    /// What is stored.
    type Stored: Stored;

    /// Whether [`Inputs::columns`] and [`Inputs::transposed`] are there: for one input, of elements
    /// of four or eight bytes.
    const HAS_COLUMNS: bool = false;

    /// A place or a way.
    type Place: Copy + Default + Send + Sync;

    /// Room for packed elements, reused from block to block.
    type Scratch: Default;

    /// The first of some rows.
    type Rows: Copy;

    /// Buffers read as a plan says.
    fn new(data: <Self::Stored as Stored>::Data<'a>, plan: &'a Plan, level: Available) -> Self;

    /// The place behind a way.
    fn behind(place: Self::Place, way: Self::Place) -> Self::Place;

    /// The way that is taken some times.
    fn times(way: Self::Place, times: usize) -> Self::Place;

    /// The element at a place.
    fn element(self, place: Self::Place) -> Self::Stored;

    /// Some neighbours from a place on.
    fn neighbours(self, place: Self::Place, count: usize) -> <Self::Stored as Stored>::Data<'a>;

    /// As [`Inputs::neighbours`], with all that lies behind them.
    fn from(self, place: Self::Place, count: usize) -> <Self::Stored as Stored>::Data<'a>;

    /// The places of an index of all outer axes but the innermost, and of all that follow.
    fn outer_rows(self, index: usize) -> impl Iterator<Item = Self::Place>;

    /// The way along the innermost outer axis.
    fn outer_way(self) -> Self::Place;

    /// Whether neighbours along the innermost outer axis are neighbours in memory.
    fn outer_is_dense(self) -> bool;

    /// The way from one result of a unit to the next.
    fn lane_way(self) -> Self::Place;

    /// The ways to all elements of a result, the first one left out, into an empty list: moving
    /// one takes as long as making it.
    fn ways(self, ways: &mut Ways<Self::Place>);

    /// The units from one on: the place of the first element, the number of results.
    fn units(self, first: usize) -> impl Iterator<Item = (Self::Place, usize)>;

    /// Whether blocks are read where they are.
    fn is_in_place(self) -> bool;

    /// How many elements lie between the beginning of a line of the cache and the first one of
    /// the result that starts at a place, in the first input, if blocks are better read from lines
    /// on; otherwise 0.
    fn shift(self, place: Self::Place) -> usize;

    /// The elements of some blocks of the result that starts at a place, read where
    /// they are, as many as lie in one run; and the position of the first.
    fn run(
        self,
        place: Self::Place,
        blocks: Range<usize>,
    ) -> (<Self::Stored as Stored>::Data<'a>, u64);

    /// The elements of a block of the result that starts at a place, and the position
    /// of the first.
    fn block<'s>(
        self,
        scratch: &'s mut Self::Scratch,
        place: Self::Place,
        number: usize,
    ) -> (<Self::Stored as Stored>::Data<'s>, u64)
    where
        'a: 's;

    /// The first of some rows, as many as lie at one stride.
    fn segment(self, place: Self::Place, rows: Range<usize>) -> (Self::Rows, RowCount);

    /// Whether the last of some rows is the only one that would be read beyond the end of a
    /// buffer, by groups of lanes that fill a width.
    fn is_last_cut_off(self, rows: Self::Rows, width: usize) -> bool;

    /// Lanes for which rows are read together, in groups: all if rows are read where
    /// they are, else as many as fit in the first level of cache when packed.
    fn lanes_at_once(self, rows: usize, group: usize) -> usize;

    /// Rows as groups of `group` lanes read them, some lanes after the first ones.
    fn rows<'s>(
        self,
        scratch: &'s mut Self::Scratch,
        rows: Self::Rows,
        skipped: usize,
        lanes: usize,
        group: usize,
    ) -> <Self::Stored as Stored>::Run<'s>
    where
        'a: 's;

    /// Whether results have so few elements that [`Inputs::columns`] is worth it, and lie one
    /// behind the other.
    fn are_very_short_rows(self) -> bool {
        false
    }

    /// Whether results are short enough for [`Inputs::transposed`], and one contiguous run each.
    fn are_short_rows(self) -> bool {
        false
    }

    /// At most `L` results of `N` elements each that lie one behind the other, from a place on, as
    /// steps of `L` lanes, in the room for them.
    #[inline(always)]
    fn columns<'s, C: Code, const N: usize, const L: usize>(
        self,
        _code: C,
        _room: &'s mut [[<Self::Stored as Stored>::First; L]; N],
        _place: Self::Place,
        _results: usize,
    ) -> Option<<Self::Stored as Stored>::Run<'s>>
    where
        'a: 's,
    {
        None
    }

    /// At most `L` results that follow one another, from a place on, as steps of `L` lanes, in the
    /// room for them.
    #[inline(always)]
    fn transposed<'s, const L: usize>(
        self,
        _room: &'s mut [[<Self::Stored as Stored>::First; L]],
        _place: Self::Place,
        _results: usize,
    ) -> Option<<Self::Stored as Stored>::Run<'s>>
    where
        'a: 's,
    {
        None
    }
}

/// The blocks of the result that starts at a place.
pub(super) struct ResultBlocks<'s, 'a, I: Inputs<'a>> {
    pub(super) inputs: I,
    pub(super) plan: &'a Plan,
    pub(super) scratch: &'s mut I::Scratch,
    pub(super) place: I::Place,
    pub(super) shift: usize,
}

impl<'a, I: Inputs<'a>> Blocks<I::Stored> for ResultBlocks<'_, 'a, I> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.plan.grid.blocks
    }

    #[inline(always)]
    fn shift(&self) -> usize {
        self.shift
    }

    #[inline(always)]
    fn block(&mut self, number: u64) -> (<I::Stored as Stored>::Data<'_>, u64) {
        let number = usize::try_from(number).unwrap_or(0);
        let (elements, position) = self.inputs.block(self.scratch, self.place, number);
        (elements, self.plan.first + position)
    }
}
