//! A pass over the elements that count, of one kernel or of several members: what it is given, and how elements are
//! read.

#![allow(unsafe_code, reason = "buffers have their types erased")]

use std::sync::atomic::{AtomicBool, Ordering};

use smallvec::SmallVec;

use super::super::micro::{Few, INPUTS, Sizes, Table, Ways};
use super::super::read::{Room, Source};
use super::flags::{Flag, choose};
use super::{Given, Member, Results};
use crate::facts::schema::Empty;
use crate::plan::Plan;

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
    /// Where those of each input, and of each mask, begin; and how many they are.
    pub(super) data: [*const u8; INPUTS],
    pub(super) count: usize,
    /// For each of them, whether it counts for the member that asked last.
    pub(super) flags: Vec<Flag>,
    /// The position of the first.
    pub(super) position: u64,
}

impl Chunk {
    pub(super) fn new() -> Self {
        let data = [std::ptr::null(); INPUTS];
        let (rooms, of_all) = (Default::default(), [None; INPUTS]);
        Chunk { rooms, of_all, data, count: 0, flags: Vec::new(), position: 0 }
    }

    /// Finds which elements count for a member.
    pub(super) fn choose(&mut self, member: &Member<'_>) {
        let (kernel, ..) = member.kernel;
        // SAFETY: the elements that were read.
        unsafe {
            choose(&mut self.flags, (&self.data, self.count), kernel.dtypes, member.filter);
        }
    }
}

/// A pass over the elements that count, for some members.
pub(super) struct ChoosingPass<'a> {
    pub(super) members: Vec<MemberPass<'a>>,
    pub(super) given: Given<'a>,
    pub(super) results: Results,
    /// The inputs, and the masks behind them.
    pub(super) sources: SmallVec<[Source<'a>; INPUTS]>,
    pub(super) at_once: usize,
    /// The number of elements of a result that are read at a time.
    pub(super) chunk: usize,
}

// SAFETY: threads may share the operators and the buffers, as the caller of `new` says. Each result is written by one
// of them.
unsafe impl Sync for ChoosingPass<'_> {}

impl ChoosingPass<'_> {
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
        chunk.count = count;
        for (number, (source, &place)) in self.sources.iter().zip(places).enumerate() {
            chunk.data[number] = match chunk.of_all[number] {
                Some(all) => all.wrapping_add(of_all * count * source.size()),
                None => source.some(&mut chunk.rooms[number], place, (first, count)),
            };
        }
    }
}

/// What a pass does for a member.
pub(super) struct MemberPass<'a> {
    pub(super) member: &'a Member<'a>,
    pub(super) table: &'a Table,
    pub(super) sizes: &'a Sizes,
    /// The operator, watched if it doubts results.
    pub(super) op: *const (),
    pub(super) plan: &'a Plan,
    /// The number of elements of a block, and of a chunk.
    pub(super) piece: usize,
    pub(super) chunk: usize,
    /// The way from the first of few packed elements to each of the others.
    pub(super) ways: Vec<Ways>,
    /// Whether all elements of some result are left out, and the operator has no value over none.
    pub(super) lacks_value: AtomicBool,
}

impl<'a> MemberPass<'a> {
    /// The pass of a member whose operator is at `op`, watched if it doubts results.
    pub(super) fn new(member: &'a Member<'a>, op: *const (), plan: &'a Plan, chunk: usize) -> Self {
        let (kernel, table, sizes) = member.kernel;
        MemberPass {
            member,
            table,
            sizes,
            op,
            plan,
            piece: kernel.needs.packed_piece(),
            chunk,
            ways: ways(sizes, kernel.needs.few),
            lacks_value: AtomicBool::new(false),
        }
    }

    /// The number of waiting elements that there is room for: a block and the chunk behind it.
    pub(super) fn room_for(&self) -> usize {
        self.piece.min(self.plan.count) + self.chunk
    }

    /// Up to this many elements of a result are taken one after another. If positions are asked for, all are taken by
    /// lanes.
    pub(super) fn few(&self) -> usize {
        let takes_positions = self.sizes.searched || self.sizes.positioned;
        if takes_positions { 0 } else { self.member.kernel.0.needs.few }
    }

    /// Stores the operator's value over no elements, if it has one.
    pub(super) fn none(&self, out: *mut u8) {
        if self.member.kernel.0.empty == Empty::Error {
            return self.lacks_value.store(true, Ordering::Relaxed);
        }
        let (data, next, ways) = ([std::ptr::null(); INPUTS], [0; INPUTS], std::ptr::null());
        let few = Few { data, next, results: 1, ways, elements: 0, position: 0, out };
        self.sizes.assert_few(&few);
        // SAFETY: nothing is read; there is room for the result.
        unsafe { (self.table.few)(self.op, &few) };
    }
}

/// The number of inputs and masks that some members read.
fn source_count(members: &[Member<'_>]) -> usize {
    let behind = members.iter().map(|member| member.kernel.2.inputs + member.filter.masks);
    behind.max().unwrap_or(0)
}

/// The inputs of operators, and the masks behind them, as some members need them.
///
/// # Safety
/// The buffers hold them.
pub(super) unsafe fn sources<'a>(
    members: &[Member<'_>],
    given: Given<'a>,
) -> SmallVec<[Source<'a>; INPUTS]> {
    let (data, lengths) = given.buffers;
    let source = |number: usize| {
        let of = members.iter().find(|member| number < member.kernel.2.inputs);
        let size = of.map_or(size_of::<bool>(), |member| member.kernel.2.elements[number]);
        let plan = given.plan.inputs.get(number).unwrap_or(given.plan);
        // SAFETY: the caller's.
        unsafe { Source::new(data[number], lengths[number], size, plan, given.level) }
    };
    (0..source_count(members)).map(source).collect()
}

/// The ways from the first of `count` packed elements to each of the others.
fn ways(sizes: &Sizes, count: usize) -> Vec<Ways> {
    (1..count).map(|number| sizes.elements.map(|size| (number * size).cast_signed())).collect()
}
