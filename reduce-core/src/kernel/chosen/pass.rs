//! A pass of one kernel over the elements that count: what it is given, and how elements are read.

#![allow(unsafe_code, reason = "buffers have their types erased")]

use std::sync::atomic::{AtomicBool, Ordering};

use smallvec::SmallVec;

use super::super::Untyped;
use super::super::micro::{Few, INPUTS, Sizes, Table, Ways};
use super::super::read::{Room, Source};
use super::flags::{Flag, keep_numbers, keep_true};
use super::{Filter, Given, Results};
use crate::facts::schema::Empty;

/// Elements of a result that are read at a time.
pub(super) const CHUNK: usize = 1024;

/// Neighbouring results whose elements are read in turn, if they lie between one another, and how many of
/// each at a time: so many that what is read of a line of the cache stays near until the last of them.
pub(super) const IN_TURN: usize = 16;
pub(super) const CHUNK_IN_TURN: usize = 128;

/// Where the elements of a result begin in each input and each mask.
pub(super) type SourcePlaces = SmallVec<[usize; INPUTS]>;

/// Some elements of a result, and which of them count.
pub(super) struct Chunk {
    rooms: [Room; INPUTS],
    /// Of each input whose elements were read for neighbouring results at once, where those of the
    /// first result lie.
    of_all: [Option<*const u8>; INPUTS],
    pub(super) data: [*const u8; INPUTS],
    pub(super) flags: Vec<Flag>,
    /// The position of the first.
    pub(super) position: u64,
}

impl Chunk {
    pub(super) fn new() -> Self {
        let data = [std::ptr::null(); INPUTS];
        let (rooms, of_all) = (Default::default(), [None; INPUTS]);
        Chunk { rooms, of_all, data, flags: Vec::new(), position: 0 }
    }
}

/// A pass over the elements that count.
pub(super) struct ChoosingPass<'a> {
    pub(super) kernel: &'a Untyped,
    pub(super) table: &'a Table,
    pub(super) sizes: &'a Sizes,
    /// The operator, watched if it doubts results.
    pub(super) op: *const (),
    pub(super) given: Given<'a>,
    pub(super) skips_nan: bool,
    pub(super) results: Results,
    /// The inputs, and behind them masks.
    pub(super) sources: SmallVec<[Source<'a>; INPUTS]>,
    /// Elements of a block.
    pub(super) piece: usize,
    pub(super) at_once: usize,
    /// Elements that are read at a time.
    pub(super) chunk: usize,
    /// From the first of few packed elements to each other.
    pub(super) ways: Vec<Ways>,
    /// Whether none of the elements of some result counts, and there is no value over none.
    pub(super) lacks_value: AtomicBool,
}

// SAFETY: an operator and buffers that threads may share, as the caller of `run` says; each result is
// written by one of them.
unsafe impl Sync for ChoosingPass<'_> {}

impl ChoosingPass<'_> {
    /// Where a result goes.
    pub(super) fn result(&self, number: usize) -> *mut u8 {
        self.results.first.wrapping_add(number * self.results.apart)
    }

    /// Where the elements of a result begin.
    pub(super) fn places(&self, number: usize) -> SourcePlaces {
        self.sources.iter().map(|source| source.plan().place(number)).collect()
    }

    /// Reads a chunk of the elements of so many neighbouring results, from the `first` of each on, if
    /// they lie side by side.
    pub(super) fn read_all(
        &self,
        chunk: &mut Chunk,
        places: &SourcePlaces,
        (first, results): (usize, usize),
    ) {
        let some = (first, self.chunk.min(self.given.plan.count - first));
        for (number, (source, &place)) in self.sources.iter().zip(places).enumerate() {
            chunk.of_all[number] = match results {
                1 => None,
                _ => source.some_of_each(&mut chunk.rooms[number], place, some, results),
            };
        }
    }

    /// Reads a chunk of the elements of a result, from its `first` on; the `of_all`th of those that were
    /// read at once.
    pub(super) fn read(
        &self,
        chunk: &mut Chunk,
        places: &SourcePlaces,
        first: usize,
        of_all: usize,
    ) {
        let count = self.chunk.min(self.given.plan.count - first);
        chunk.position = self.given.plan.first + first as u64;
        chunk.flags.clear();
        chunk.flags.resize(count, 1);
        let inputs = self.sizes.inputs;
        for (number, (source, &place)) in self.sources.iter().zip(places).enumerate() {
            let elements = match chunk.of_all[number] {
                Some(all) => all.wrapping_add(of_all * count * source.size()),
                None => source.some(&mut chunk.rooms[number], place, (first, count)),
            };
            if number < inputs {
                chunk.data[number] = elements;
            } else {
                // SAFETY: so many elements of a mask.
                unsafe { keep_true(&mut chunk.flags, elements) };
            }
            if number < inputs && self.skips_nan {
                // SAFETY: so many elements of the type of the input.
                unsafe { keep_numbers(&mut chunk.flags, self.kernel.dtypes[number], elements) };
            }
        }
    }

    /// Elements for which there is room while they wait, the last of them from one chunk.
    pub(super) fn room_for(&self) -> usize {
        self.piece.min(self.given.plan.count) + self.chunk
    }

    /// Elements that are taken one after another, if a result has no more and no positions count.
    pub(super) fn few(&self) -> usize {
        let takes_positions = self.sizes.searched || self.sizes.positioned;
        if takes_positions { 0 } else { self.kernel.needs.few }
    }

    /// Stores the result over no elements, if there is one.
    pub(super) fn none(&self, out: *mut u8) {
        if self.kernel.empty == Empty::Error {
            return self.lacks_value.store(true, Ordering::Relaxed);
        }
        let (data, next, ways) = ([std::ptr::null(); INPUTS], [0; INPUTS], std::ptr::null());
        let few = Few { data, next, results: 1, ways, elements: 0, position: 0, out };
        self.sizes.assert_few(&few);
        // SAFETY: nothing is read; there is room for the result.
        unsafe { (self.table.few)(self.op, &few) };
    }
}

/// The inputs of an operator, and behind them masks.
///
/// # Safety
/// The buffers hold them.
pub(super) unsafe fn sources<'a>(
    sizes: &Sizes,
    filter: Filter,
    given: Given<'a>,
) -> SmallVec<[Source<'a>; INPUTS]> {
    let (data, lengths) = given.buffers;
    let count = sizes.inputs + filter.masks;
    let source = |number: usize| {
        let size = if number < sizes.inputs { sizes.elements[number] } else { size_of::<bool>() };
        let plan = given.plan.inputs.get(number).unwrap_or(given.plan);
        // SAFETY: the caller's.
        unsafe { Source::new(data[number], lengths[number], size, plan, given.level) }
    };
    (0..count).map(source).collect()
}

/// The ways from the first of so many elements, one behind the other, to each other.
pub(super) fn ways(sizes: &Sizes, count: usize) -> Vec<Ways> {
    (1..count).map(|number| sizes.elements.map(|size| (number * size).cast_signed())).collect()
}
