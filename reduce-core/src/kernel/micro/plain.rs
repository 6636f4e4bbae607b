//! The level without vectors: an operator is five small loops over lanes in memory, and the
//! microkernels around them are the same for all operators.
//!
//! Every CPU has this level, few use it, and it is to cost each operator as little as can be.

use super::super::fold::{Fold, Spread};
use super::super::stored::Stored;
use super::{Block, Data, End, Filing, INPUTS, Micro, Few, Of, Panel, Sizes, Strands, Table, by};
use crate::element::Slot;
use crate::level::Simple;
use crate::simd::{barrier, opaque};

/// What an operator is at this level.
#[derive(Clone, Copy)]
struct Plain {
    /// Lanes that hold nothing.
    identity: unsafe fn(op: *const (), state: *mut u8),
    /// Some lanes take an element each.
    take: unsafe fn(op: *const (), state: *mut u8, step: &Step),
    /// Lanes are combined with later ones.
    merge: unsafe fn(op: *const (), earlier: *mut u8, newest: *const u8),
    /// Stores results, one for each of the first lanes.
    finish: unsafe fn(op: *const (), state: *const u8, out: *mut u8, results: usize, count: usize),
    /// Stores the result that a state is all of.
    end: unsafe fn(op: *const (), state: *const u8, end: &mut End<'_>),
    sizes: &'static Sizes,
}

/// A step of which some lanes take an element each.
#[derive(Clone, Copy)]
struct Step {
    data: Data,
    lanes: (usize, usize),
    /// The position of the first of them, and from lane to lane.
    position: u64,
    way: u64,
    /// The position, or the number of the block, that a selection notes.
    tag: u64,
}

impl<F, Op, T, O, const L: usize> Of<F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    const PLAIN: Plain = Plain {
        identity: Self::identity,
        take: Self::take,
        merge: Self::merge,
        finish: Self::finish,
        end: Self::plain_end,
        sizes: &Self::SIZES,
    };

    /// The microkernels of this level.
    pub(super) const PLAIN_TABLE: Table = Table {
        along: Self::plain_along,
        across: Self::plain_across,
        columns: None,
        rows: None,
        few: Self::plain_few,
        end: Self::plain_end,
        strands: Self::plain_strands,
    };

    unsafe fn identity(op: *const (), state: *mut u8) {
        // SAFETY: the operator of the table.
        let op = unsafe { &*op.cast::<Op>() };
        // SAFETY: room for a state.
        unsafe { state.cast::<F::State>().write(F::identity(op)) };
    }

    unsafe fn take(op: *const (), state: *mut u8, step: &Step) {
        // SAFETY: the operator of the table.
        let op = unsafe { &*op.cast::<Op>() };
        // SAFETY: a state.
        let state = unsafe { &mut *state.cast::<F::State>() };
        let Step { data, lanes, mut position, way, tag } = *step;
        for lane in lanes.0..lanes.1 {
            barrier();
            // SAFETY: an element of the step.
            let x = unsafe { T::at(&data, lane) };
            F::element(op, state, lane, x, position, tag);
            position = position.wrapping_add(way);
        }
    }

    unsafe fn merge(op: *const (), earlier: *mut u8, newest: *const u8) {
        // SAFETY: the operator of the table.
        let op = unsafe { &*op.cast::<Op>() };
        // SAFETY: a state.
        let earlier = unsafe { &mut *earlier.cast::<F::State>() };
        // SAFETY: another one.
        F::merge(Simple, op, earlier, unsafe { &*newest.cast::<F::State>() });
    }

    unsafe fn finish(op: *const (), state: *const u8, out: *mut u8, results: usize, count: usize) {
        // SAFETY: the operator of the table.
        let op = unsafe { &*op.cast::<Op>() };
        // SAFETY: a state.
        let state = unsafe { &*state.cast::<F::State>() };
        for lane in 0..opaque(results) {
            barrier();
            let result = F::store(op, F::one_lane(op, state, lane, Spread::NONE), count);
            // SAFETY: room for a result.
            unsafe { out.cast::<O>().add(lane).write(result) };
        }
    }

    unsafe fn plain_along(op: *const (), top: *mut u8, block: &Block, filing: &Filing) {
        // SAFETY: the caller's.
        unsafe { Self::PLAIN.along(op, top, block, filing) };
    }

    unsafe fn plain_across(op: *const (), states: *mut u8, panel: &Panel) {
        // SAFETY: the caller's.
        unsafe { Self::PLAIN.across(op, states, panel) };
    }

    unsafe fn plain_few(op: *const (), few: &Few) {
        // SAFETY: the caller's.
        unsafe { <Self as Micro>::few(Simple, op, few) };
    }

    unsafe fn plain_strands(op: *const (), states: *mut u8, strands: &Strands) {
        // SAFETY: the caller's.
        unsafe { <Self as Micro>::strands(Simple, op, states, strands) };
    }

    unsafe fn plain_end(op: *const (), state: *const u8, end: &mut End<'_>) {
        // SAFETY: the caller's.
        unsafe { <Self as Micro>::end(Simple, op, state, end) };
    }
}

impl Plain {
    /// See [`Table::along`](super::Table::along).
    ///
    /// # Safety
    /// The contract of microkernels.
    #[inline(never)]
    unsafe fn along(&self, op: *const (), top: *mut u8, block: &Block, filing: &Filing) {
        let Sizes { lanes, elements, searched, .. } = *self.sizes;
        // SAFETY: room for a state.
        unsafe { (self.identity)(op, top) };
        let mut position = block.position;
        let mut take = |data: Data, lanes: (usize, usize)| {
            let tag = if searched { block.number } else { position };
            let step = Step { data, lanes, position, way: 1, tag };
            position += (lanes.1 - lanes.0) as u64;
            // SAFETY: lanes of a step that may be read.
            unsafe { (self.take)(op, top, &step) };
        };
        if block.first_lanes.1 > block.first_lanes.0 {
            take(block.first, block.first_lanes);
        }
        let mut data = block.data;
        let way = elements.map(|size| (lanes * size).cast_signed());
        for _ in 0..block.steps {
            take(data, (0, lanes));
            data = by(&data, &way);
        }
        if block.last_lanes > 0 {
            take(block.last, (0, block.last_lanes));
        }
        // SAFETY: the state that was just written, and those before it.
        let state = unsafe { self.merged(op, top, filing) };
        if !filing.out.is_null() {
            let Filing { out, count, shift, .. } = *filing;
            let mut end = End { blocks: &mut super::NoBlocks, shift, count, out };
            // SAFETY: the state of the result, and room for it.
            unsafe { (self.end)(op, state, &mut end) };
        }
    }

    /// Merges a state with those before it, and says where it is then.
    ///
    /// # Safety
    /// The contract of microkernels.
    unsafe fn merged(&self, op: *const (), mut top: *mut u8, filing: &Filing) -> *mut u8 {
        for _ in 0..filing.merges {
            let newest = top;
            top = top.wrapping_sub(filing.apart);
            // SAFETY: two states.
            unsafe { (self.merge)(op, top, newest) };
        }
        top
    }

    /// See [`Table::across`](super::Table::across).
    ///
    /// # Safety
    /// The contract of microkernels.
    #[inline(never)]
    unsafe fn across(&self, op: *const (), states: *mut u8, panel: &Panel) {
        let Sizes { lanes, elements, state: bytes, result, .. } = *self.sizes;
        let (mut left, mut full) = (panel.results, panel.full);
        let mut data = panel.steps.data;
        let mut out = panel.filing.out;
        for group in 0..panel.groups {
            let state = states.wrapping_add(group * bytes);
            if panel.fresh {
                // SAFETY: room for a state.
                unsafe { (self.identity)(op, state) };
            }
            let mut row = data;
            for number in 0..panel.steps.count {
                let position = panel.position + number as u64;
                let lanes = (0, full.min(lanes));
                let step = Step { data: row, lanes, position, way: 0, tag: position };
                // SAFETY: a step that may be read.
                unsafe { (self.take)(op, state, &step) };
                row = by(&row, &panel.steps.ways);
            }
            // SAFETY: the state that was just written, and those before it.
            let state = unsafe { self.merged(op, state, &panel.filing) };
            if !out.is_null() {
                let some = left.min(lanes);
                // SAFETY: room for so many results.
                unsafe { (self.finish)(op, state, out, some, panel.filing.count) };
                left -= some;
                out = out.wrapping_add(some * result);
            }
            full = full.saturating_sub(lanes);
            for input in 0..INPUTS {
                data[input] = data[input].wrapping_add(lanes * elements[input]);
            }
        }
    }
}
