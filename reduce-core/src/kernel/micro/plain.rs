//! The level without vectors: an operator is five small loops over lanes in memory, and the
//! microkernels around them are the same for all operators.
//!
//! Every CPU has this level, few use it, and it is to cost each operator as little as can be.

use std::marker::PhantomData;

use super::super::ending::Ending;
use super::super::fold::last::InLines;
use super::super::fold::{Fold, LaneSpread, empty, folds_parts};
use super::doubt::{operator, put};
use super::{
    Block, Data, End, Few, Filing, INPUTS, LaneState, Panel, Sizes, StrandLanes, Table, by,
};
use crate::machine::code::Simple;
use crate::machine::{barrier, opaque};
use crate::values::element::accumulator::Accumulator;
use crate::values::stored::Stored;

/// What an operator is at this level.
#[derive(Clone, Copy)]
struct PlainSteps {
    /// Lanes that hold nothing.
    identity: unsafe fn(op: *const (), state: *mut u8),
    /// Some lanes take an element each.
    take: unsafe fn(op: *const (), state: *mut u8, step: &PlainStep),
    /// Lanes are combined with later ones.
    merge: unsafe fn(op: *const (), earlier: *mut u8, newest: *const u8),
    /// Stores results, one for each of the first lanes.
    finish: unsafe fn(op: *const (), state: *const u8, out: *mut u8, results: usize, count: usize),
    /// Stores the result whose lanes are all in a state.
    end: unsafe fn(op: *const (), state: *const u8, end: &mut End<'_>),
    sizes: Sizes,
}

/// A step in which the lanes from `lanes.0` to `lanes.1` take an element each.
#[derive(Clone, Copy)]
struct PlainStep {
    data: Data,
    lanes: (usize, usize),
    /// The position of the first of these elements, and the way from lane to lane.
    position: u64,
    way: u64,
    /// The position, or the number of the block, that a selection notes.
    tag: u64,
}

/// The microkernels of a fold at this level.
pub(crate) const fn plain<F: Fold, E: Ending<F::Steps>, const L: usize>() -> Table {
    Table {
        along: if folds_parts::<F, L>() { along_parts::<F, E, L> } else { along::<F, E, L> },
        across: across::<F, E, L>,
        columns: None,
        rows: None,
        few: few::<F, E, L>,
        end: end::<F, E, L>,
        strands: strands::<F, E, L>,
        copy: super::copy::<F::Acc, L>,
    }
}

/// The steps of a fold, and its sizes.
struct Of<F, E, const L: usize>(PhantomData<(F, E)>);

impl<F: Fold, E: Ending<F::Steps>, const L: usize> Of<F, E, L> {
    const PLAIN: &'static PlainSteps = &PlainSteps {
        identity: identity::<F, E, L>,
        take: take::<F, E, L>,
        merge: merge::<F, E, L>,
        finish: finish::<F, E, L>,
        end: end::<F, E, L>,
        sizes: Sizes::of::<F, E, L>(),
    };
}

unsafe fn along<F: Fold, E: Ending<F::Steps>, const L: usize>(
    op: *const (),
    top: *mut u8,
    block: &Block,
    filing: &Filing,
) {
    // SAFETY: the driver keeps the contract of microkernels for this table, and `PLAIN` has its steps.
    unsafe { Of::<F, E, L>::PLAIN.along(op, top, block, filing) };
}

unsafe fn along_parts<F: Fold, E: Ending<F::Steps>, const L: usize>(
    op: *const (),
    top: *mut u8,
    block: &Block,
    filing: &Filing,
) {
    // SAFETY: the driver keeps the contract of microkernels for this table, and this is its function.
    unsafe { super::along::<Simple, F, E, L>(Simple, op, top, block, filing) };
}

unsafe fn across<F: Fold, E: Ending<F::Steps>, const L: usize>(
    op: *const (),
    states: *mut u8,
    panel: &Panel,
) {
    // SAFETY: the driver keeps the contract of microkernels for this table, and `PLAIN` has its steps.
    unsafe { Of::<F, E, L>::PLAIN.across(op, states, panel) };
}

unsafe fn end<F: Fold, E: Ending<F::Steps>, const L: usize>(
    op: *const (),
    state: *const u8,
    end: &mut End<'_>,
) {
    // SAFETY: the driver keeps the contract of microkernels for this table, and this is its function.
    unsafe { super::end::<Simple, F, E, L>(Simple, op, state, end) };
}

unsafe fn few<F: Fold, E: Ending<F::Steps>, const L: usize>(op: *const (), few: &Few) {
    // SAFETY: the driver keeps the contract of microkernels for this table, and this is its function.
    unsafe { super::few::<Simple, F, E, L>(Simple, op, few) };
}

unsafe fn strands<F: Fold, E: Ending<F::Steps>, const L: usize>(
    op: *const (),
    states: *mut u8,
    strands: &StrandLanes,
) {
    // SAFETY: the driver keeps the contract of microkernels for this table, and this is its function.
    unsafe { super::strands::<Simple, F, E, L>(Simple, op, states, strands) };
}

unsafe fn identity<F: Fold, E: Ending<F::Steps>, const L: usize>(given: *const (), state: *mut u8) {
    // SAFETY: *operator*, which the caller keeps: `PLAIN` and the table are of the same fold.
    let op = unsafe { operator::<F, E>(given) };
    // SAFETY: *states*, which the caller keeps: there is room for one.
    unsafe { state.cast::<LaneState<F, L>>().write(InLines(empty::<F>(op).splat())) };
}

unsafe fn take<F: Fold, E: Ending<F::Steps>, const L: usize>(
    given: *const (),
    state: *mut u8,
    step: &PlainStep,
) {
    // SAFETY: *operator*, which the caller keeps: `PLAIN` and the table are of the same fold.
    let op = unsafe { operator::<F, E>(given) };
    // SAFETY: *states*, which the caller keeps: this one was written, and is nobody else's.
    let state = unsafe { &mut *state.cast::<LaneState<F, L>>() };
    let PlainStep { data, lanes, mut position, way, tag } = *step;
    for lane in lanes.0..lanes.1 {
        barrier();
        // SAFETY: *elements* or *steps*, which the caller keeps: `lane` is one of those that take what is there.
        let x = unsafe { F::Stored::at(&data, lane) };
        let after = F::take(op, F::Acc::get(&state.0, lane), x.wide(), position, tag);
        F::Acc::set(&mut state.0, lane, after);
        position = position.wrapping_add(way);
    }
}

unsafe fn merge<F: Fold, E: Ending<F::Steps>, const L: usize>(
    given: *const (),
    earlier: *mut u8,
    newest: *const u8,
) {
    // SAFETY: *operator*, which the caller keeps: `PLAIN` and the table are of the same fold.
    let op = unsafe { operator::<F, E>(given) };
    // SAFETY: *states*, which the caller keeps: this one was written, and is nobody else's.
    let earlier = unsafe { &mut *earlier.cast::<LaneState<F, L>>() };
    // SAFETY: *states*, which the caller keeps: this one was written, and is not the other.
    let newest = unsafe { &*newest.cast::<LaneState<F, L>>() };
    F::merge::<Simple, L>(Simple, op, &mut earlier.0, &newest.0);
}

unsafe fn finish<F: Fold, E: Ending<F::Steps>, const L: usize>(
    given: *const (),
    state: *const u8,
    out: *mut u8,
    results: usize,
    count: usize,
) {
    // SAFETY: *states*, which the caller keeps: this one was written.
    let state = unsafe { &*state.cast::<LaneState<F, L>>() };
    for lane in 0..opaque(results) {
        barrier();
        let acc = F::of_lane(F::Acc::get(&state.0, lane), LaneSpread::NONE);
        // SAFETY: *operator* and *places*, which the caller keeps: `lane` is less than `results`.
        unsafe { put::<F, E>(given, out.cast::<E::Output>().wrapping_add(lane), acc, count) };
    }
}

impl PlainSteps {
    /// See [`Table::along`](super::Table::along).
    ///
    /// # Safety
    /// The contract of microkernels.
    #[inline(never)]
    unsafe fn along(&self, op: *const (), top: *mut u8, block: &Block, filing: &Filing) {
        let Sizes { lanes, elements, searched, .. } = self.sizes;
        // SAFETY: *states*, which the driver keeps: there is room for one at `top`, which is nobody else's.
        unsafe { (self.identity)(op, top) };
        let mut position = block.position;
        let mut take = |data: Data, lanes: (usize, usize)| {
            let tag = if searched { block.number } else { position };
            let step = PlainStep { data, lanes, position, way: 1, tag };
            position += (lanes.1 - lanes.0) as u64;
            // SAFETY: *operator*, *states* and *elements*: the state was begun, and these lanes have elements, as the
            // driver keeps.
            unsafe { (self.take)(op, top, &step) };
        };
        let mut data = block.data;
        let way = elements.map(|size| (lanes * size).cast_signed());
        for _ in 0..block.steps {
            take(data, (0, lanes));
            data = by(&data, &way);
        }
        if block.last_lanes > 0 {
            take(block.last, (0, block.last_lanes));
        }
        // SAFETY: *states*: this one was just written, and the driver keeps that those before it were.
        let state = unsafe { self.merged(op, top, filing) };
        if !filing.out.is_null() {
            let Filing { out, count, .. } = *filing;
            let mut end = End { blocks: &mut super::NoBlocks, count, out };
            // SAFETY: *operator*, *states* and *places*, which the driver keeps: all of the result is in this state.
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
            // SAFETY: *operator* and *states*, which the caller keeps: two that were written, `apart` bytes from each
            // other.
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
        let Sizes { lanes, elements, state: bytes, result, .. } = self.sizes;
        let (mut left, mut full) = (panel.results, panel.full);
        let mut data = panel.rows.data;
        let mut out = panel.filing.out;
        for group in 0..panel.groups {
            let state = states.wrapping_add(group * bytes);
            if panel.fresh {
                // SAFETY: *operator* and *states*, which the driver keeps: there is room for one.
                unsafe { (self.identity)(op, state) };
            }
            let mut row = data;
            for number in 0..panel.rows.count {
                let position = panel.position + number as u64;
                let lanes = (0, full.min(lanes));
                let step = PlainStep { data: row, lanes, position, way: 0, tag: position };
                // SAFETY: *operator*, *states* and *steps*: the state was begun, and the driver keeps that all lanes of a
                // row may be read, or that the first `full` of the only row have an element.
                unsafe { (self.take)(op, state, &step) };
                row = by(&row, &panel.rows.ways);
            }
            // SAFETY: *states*: this one was just written, and the driver keeps that those before it were.
            let state = unsafe { self.merged(op, state, &panel.filing) };
            if !out.is_null() {
                let some = left.min(lanes);
                // SAFETY: *operator*, *states* and *places*, which the driver keeps: `some` of the places left are of
                // this group.
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
