//! Lanes across results: each takes the elements of a result of its own.

use super::super::fold::last::InLines;
use super::super::fold::{Fold, Lanes, Spread};
use super::doubt::{note, operator, put};
use super::{Panel, State, Steps};
use crate::machine::code::Code;
use crate::machine::{barrier, settled};
use crate::values::accumulator::Accumulator;
use crate::values::element::Slot;
use crate::values::stored::{Stored, behind};

/// Folds a panel, a group of lanes after the other; merges each state with those before it, and
/// stores it, or its results.
///
/// # Safety
/// The contract of microkernels.
#[inline(always)]
pub(crate) unsafe fn across<C: Code, F: Fold, const L: usize>(
    code: C,
    given: *const (),
    states: *mut u8,
    panel: &Panel,
) {
    // SAFETY: the operator of the table.
    let op = unsafe { operator::<F>(given) };
    let Panel { mut steps, groups, mut full, fresh, position, filing, mut results } = *panel;
    let (mut states, mut out) = (states.cast::<State<F, L>>(), filing.out.cast::<F::Output>());
    for _ in 0..groups {
        // In memory between its steps, its merges and its end, or what one does with lanes would
        // decide how they are formed in the other.
        if fresh {
            // SAFETY: room for a state.
            unsafe { states.write(InLines(F::identity(op).splat())) };
        }
        let mut into = settled(states);
        // SAFETY: what was just written, or by a call before.
        let state = unsafe { &mut *into };
        if full >= L {
            // SAFETY: the caller's.
            unsafe { F::across::<C, L>(code, op, &mut state.0, fresh, &steps, position) };
        } else {
            // SAFETY: so many lanes of the step have an element.
            unsafe { some_lanes::<F, L>(op, state, &steps, full, position) };
        }
        for _ in 0..filing.merges {
            // SAFETY: what was just written, or merged.
            let newest = unsafe { &*settled(into) };
            into = into.wrapping_byte_sub(filing.apart);
            // SAFETY: a state before it, which does not overlap with it.
            F::merge::<C, L>(code, op, unsafe { &mut (*into).0 }, &newest.0);
        }
        if !out.is_null() {
            let some = results.min(L);
            // SAFETY: the last of them.
            let state = unsafe { &*settled(into) };
            // SAFETY: room for so many results.
            unsafe { finish::<C, F, L>(given, state, out, some, filing.count) };
            results -= some;
            out = out.wrapping_add(L);
        }
        states = states.wrapping_add(1);
        full = full.saturating_sub(L);
        steps.data = behind::<F::Stored>(&steps.data, L);
    }
}

/// Folds whole groups of results that are all of a panel, and stores them: of short rows, which were
/// turned. Their states never leave the registers, which takes a third of the time of [`across`].
///
/// # Safety
/// The contract of microkernels.
#[inline(always)]
pub(crate) unsafe fn columns<C: Code, F: Fold, const L: usize>(
    code: C,
    given: *const (),
    panel: &Panel,
) {
    // SAFETY: the operator of the table.
    let op = unsafe { operator::<F>(given) };
    let Panel { mut steps, groups, position, filing, .. } = *panel;
    let mut out = filing.out.cast::<F::Output>();
    for _ in 0..groups {
        barrier();
        let mut lanes: Lanes<F::Acc, L> = F::identity(op).splat();
        // SAFETY: the caller's.
        unsafe { F::across::<C, L>(code, op, &mut lanes, true, &steps, position) };
        barrier();
        // SAFETY: room for so many results.
        unsafe { finish_all::<F, L>(given, &lanes, out, filing.count) };
        out = out.wrapping_add(L);
        steps.data = behind::<F::Stored>(&steps.data, L);
    }
}

/// Lanes of one step, one after the other.
///
/// # Safety
/// So many lanes of the step have an element.
#[inline(always)]
unsafe fn some_lanes<F: Fold, const L: usize>(
    op: &F::Op,
    state: &mut State<F, L>,
    steps: &Steps,
    lanes: usize,
    position: u64,
) {
    for lane in 0..lanes {
        barrier();
        // SAFETY: the caller's.
        let x = unsafe { F::Stored::at(&steps.data, lane) };
        let after = F::take(op, F::Acc::get(&state.0, lane), x, position, position);
        F::Acc::set(&mut state.0, lane, after);
    }
}

/// Stores results, one for each of the first lanes.
///
/// # Safety
/// There is room for them.
#[inline(always)]
unsafe fn finish<C: Code, F: Fold, const L: usize>(
    given: *const (),
    state: &State<F, L>,
    out: *mut F::Output,
    results: usize,
    count: usize,
) {
    if C::VECTORS && results == L {
        // SAFETY: all of them.
        return unsafe { finish_all::<F, L>(given, &state.0, out, count) };
    }
    for lane in 0..results {
        barrier();
        let acc = F::of_lane(F::Acc::get(&state.0, lane), Spread::NONE);
        // SAFETY: one of them.
        unsafe { put::<F>(given, out.wrapping_add(lane), acc, count) };
    }
}

/// Stores results, one for each lane.
///
/// # Safety
/// There is room for them, and `given` is what the microkernel was given.
#[inline(always)]
unsafe fn finish_all<F: Fold, const L: usize>(
    given: *const (),
    lanes: &Lanes<F::Acc, L>,
    out: *mut F::Output,
    count: usize,
) {
    // SAFETY: the caller's.
    let op = unsafe { operator::<F>(given) };
    let acc = |lane| F::of_lane(F::Acc::get(lanes, lane), Spread::NONE);
    // Aside, where they cannot overlap with the lanes.
    let mut all = [F::Output::blank(); L];
    let mut any = false;
    for lane in 0..L {
        all[lane] = F::store(op, acc(lane), count);
        any |= F::DOUBTS && F::doubts(op, &acc(lane), count) != 0;
    }
    // SAFETY: all of them.
    unsafe { out.cast::<[F::Output; L]>().write(all) };
    if F::DOUBTS && any {
        // SAFETY: the caller's.
        unsafe { note::<F>(given, out, (0..L).map(acc), count) };
    }
}
