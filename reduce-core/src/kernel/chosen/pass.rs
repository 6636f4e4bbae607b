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

/// This many elements of a result are read at a time.
pub(super) const CHUNK: usize = 1024;

/// If the elements of neighbouring results lie between one another, up to [`IN_TURN`] results are read in turn,
/// [`CHUNK_IN_TURN`] elements of each at a time. Few are read, so that a line of the cache stays near until the last
/// result has read its part of it.
pub(super) const IN_TURN: usize = 16;
pub(super) const CHUNK_IN_TURN: usize = 128;

/// Where the elements of a result begin in each input and each mask.
pub(super) type SourcePlaces = SmallVec<[usize; INPUTS]>;

/// Some elements of a result, and which of them count.
pub(super) struct Chunk {
    rooms: [Room; INPUTS],
    /// For each input that was read for neighbouring results at once, where the elements of the first result lie.
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
    /// The inputs, and the masks behind them.
    pub(super) sources: SmallVec<[Source<'a>; INPUTS]>,
    /// The number of elements of a block.
    pub(super) piece: usize,
    pub(super) at_once: usize,
    /// The number of elements of a result that are read at a time.
    pub(super) chunk: usize,
    /// The way from the first of few packed elements to each of the others.
    pub(super) ways: Vec<Ways>,
    /// Whether all elements of some result are left out, and the operator has no value over none.
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

    /// Reads a chunk of the elements of `results` neighbouring results, from the `first` of each on, if they lie side
    /// by side.
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

    /// Reads a chunk of the elements of a result, from its `first` on. It is result number `of_all` of those that were
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
                // SAFETY: there are `count` elements of a mask.
                unsafe { keep_true(&mut chunk.flags, elements) };
            }
            if number < inputs && self.skips_nan {
                // SAFETY: there are `count` elements of the type of the input.
                unsafe { keep_numbers(&mut chunk.flags, self.kernel.dtypes[number], elements) };
            }
        }
    }

    /// The number of waiting elements that there is room for: a block and the chunk behind it.
    pub(super) fn room_for(&self) -> usize {
        self.piece.min(self.given.plan.count) + self.chunk
    }

    /// Up to this many elements of a result are taken one after another. If positions are asked for, all are taken by
    /// lanes.
    pub(super) fn few(&self) -> usize {
        let takes_positions = self.sizes.searched || self.sizes.positioned;
        if takes_positions { 0 } else { self.kernel.needs.few }
    }

    /// Stores the operator's value over no elements, if it has one.
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

/// The inputs of an operator, and the masks behind them.
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

/// The ways from the first of `count` packed elements to each of the others.
pub(super) fn ways(sizes: &Sizes, count: usize) -> Vec<Ways> {
    (1..count).map(|number| sizes.elements.map(|size| (number * size).cast_signed())).collect()
}
