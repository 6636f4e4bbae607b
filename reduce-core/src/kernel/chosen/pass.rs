//! A pass over the elements that count, of one kernel or of several members: what it is given, and how elements are
//! read.

#![allow(unsafe_code, reason = "buffers have their types erased")]

use std::sync::atomic::{AtomicBool, Ordering};

use smallvec::SmallVec;

use super::super::micro::{Few, INPUTS, Sizes, Table, Ways};
use super::super::read::{Chunk, ChunkSources, Source};
use super::flags::{Flag, choose};
use super::{Given, Member, Results};
use crate::facts::schema::Empty;
use crate::plan::Plan;

/// The flags of a chunk: for each element, whether it counts for the member that asked last.
pub(super) type Flags = Vec<Flag>;

/// Finds which elements of a chunk count for a member.
pub(super) fn choose_for(member: &Member<'_>, chunk: &Chunk, flags: &mut Flags) {
    let (kernel, ..) = member.kernel;
    // SAFETY: *elements*: the sources of the pass have read a chunk of each input, and of each mask behind them.
    unsafe { choose(flags, (&chunk.data, chunk.count), kernel.dtypes, member.filter) };
}

/// A pass over the elements that count, for some members.
pub(super) struct ChoosingPass<'a> {
    pub(super) members: Vec<MemberPass<'a>>,
    pub(super) given: Given<'a>,
    pub(super) results: Results,
    /// The inputs, and the masks behind them.
    pub(super) sources: ChunkSources<'a>,
}

// SAFETY: *sharing*, which the caller of `new` keeps; and *places*, since each result is written by one thread.
unsafe impl Sync for ChoosingPass<'_> {}

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
        // SAFETY: *operator*, *types* and *places*, which the caller of `ChoosingPass::new` keeps. *elements*: the
        // result is over none.
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
/// *types* and *buffers*, for all members and for what they are given.
pub(super) unsafe fn sources<'a>(
    members: &[Member<'_>],
    given: Given<'a>,
) -> SmallVec<[Source<'a>; INPUTS]> {
    let (data, lengths) = given.buffers;
    let source = |number: usize| {
        let of = members.iter().find(|member| number < member.kernel.2.inputs);
        let size = of.map_or(size_of::<bool>(), |member| member.kernel.2.elements[number]);
        let plan = given.plan.inputs.get(number).unwrap_or(given.plan);
        // SAFETY: *types* and *buffers*, which the caller keeps for each input, and for each mask behind them.
        unsafe { Source::new(data[number], lengths[number], size, plan, given.level) }
    };
    (0..source_count(members)).map(source).collect()
}

/// The ways from the first of `count` packed elements to each of the others.
fn ways(sizes: &Sizes, count: usize) -> Vec<Ways> {
    (1..count).map(|number| sizes.elements.map(|size| (number * size).cast_signed())).collect()
}
