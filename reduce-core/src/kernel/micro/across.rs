//! Lanes across results: each takes the elements of a result of its own.

use super::super::fold::{Fold, Spread};
use super::super::stored::{Stored, behind};
use super::{Panel, Steps};
use crate::element::Slot;
use crate::level::Code;
use crate::simd::{barrier, settled};

/// Folds a panel, a group of lanes after the other; merges each state with those before it, and
/// stores it, or its results.
///
/// # Safety
/// The contract of microkernels.
#[inline(always)]
pub(super) unsafe fn across<C, F, Op, T, O, const L: usize>(
    code: C,
    op: *const (),
    states: *mut u8,
    panel: &Panel,
) where
    C: Code,
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    // SAFETY: the operator of the table.
    let op = unsafe { &*op.cast::<Op>() };
    let Panel { mut steps, groups, mut full, fresh, position, filing, mut results } = *panel;
    let (mut states, mut out) = (states.cast::<F::State>(), filing.out.cast::<O>());
    for _ in 0..groups {
        // In memory between its steps, its merges and its end, or what one does with lanes would
        // decide how they are formed in the other.
        if fresh {
            // SAFETY: room for a state.
            unsafe { states.write(F::identity(op)) };
        }
        let mut into = settled(states);
        // SAFETY: what was just written, or by a call before.
        let state = unsafe { &mut *into };
        if full >= L {
            // SAFETY: the caller's.
            unsafe { F::rows(code, op, state, fresh, &steps, position) };
        } else {
            // SAFETY: so many lanes of the step have an element.
            unsafe { some_lanes::<F, Op, T, O, L>(op, state, &steps, full, position) };
        }
        for _ in 0..filing.merges {
            // SAFETY: what was just written, or merged.
            let newest = unsafe { &*settled(into) };
            into = into.wrapping_byte_sub(filing.apart);
            // SAFETY: a state before it, which does not overlap with it.
            F::merge(code, op, unsafe { &mut *into }, newest);
        }
        if !out.is_null() {
            let some = results.min(L);
            // SAFETY: the last of them.
            let state = unsafe { &*settled(into) };
            // SAFETY: room for so many results.
            unsafe { finish::<C, F, Op, T, O, L>(op, state, out, some, filing.count) };
            results -= some;
            out = out.wrapping_add(L);
        }
        states = states.wrapping_add(1);
        full = full.saturating_sub(L);
        steps.data = behind::<T>(&steps.data, L);
    }
}

/// Folds whole groups of results that are all of a panel, and stores them: of short rows, which were
/// turned. Their states never leave the registers, which takes a third of the time of [`across`].
///
/// # Safety
/// The contract of microkernels.
#[inline(always)]
pub(super) unsafe fn columns<C, F, Op, T, O, const L: usize>(
    code: C,
    op: *const (),
    panel: &Panel,
) where
    C: Code,
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    // SAFETY: the operator of the table.
    let op = unsafe { &*op.cast::<Op>() };
    let Panel { mut steps, groups, position, filing, .. } = *panel;
    let mut out = filing.out.cast::<O>();
    for _ in 0..groups {
        barrier();
        let mut state = F::identity(op);
        // SAFETY: the caller's.
        unsafe { F::rows(code, op, &mut state, true, &steps, position) };
        barrier();
        let mut all = [O::default(); L];
        for lane in 0..L {
            all[lane] = F::store(op, F::one_lane(op, &state, lane, Spread::NONE), filing.count);
        }
        // SAFETY: room for so many results.
        unsafe { out.cast::<[O; L]>().write(all) };
        out = out.wrapping_add(L);
        steps.data = behind::<T>(&steps.data, L);
    }
}

/// Lanes of one step, one after the other.
///
/// # Safety
/// So many lanes of the step have an element.
#[inline(always)]
unsafe fn some_lanes<F, Op, T, O, const L: usize>(
    op: &Op,
    state: &mut F::State,
    steps: &Steps,
    lanes: usize,
    position: u64,
) where
    F: Fold<Op, T, O, L>,
    T: Stored,
{
    for lane in 0..lanes {
        barrier();
        // SAFETY: the caller's.
        let x = unsafe { T::at(&steps.data, lane) };
        F::element(op, state, lane, x, position, position);
    }
}

/// Stores results, one for each of the first lanes.
///
/// # Safety
/// There is room for them.
#[inline(always)]
unsafe fn finish<C, F, Op, T, O, const L: usize>(
    op: &Op,
    state: &F::State,
    out: *mut O,
    results: usize,
    count: usize,
) where
    C: Code,
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    let result = |state, lane| F::store(op, F::one_lane(op, state, lane, Spread::NONE), count);
    if C::VECTORS && results == L {
        // Aside, where they cannot overlap with the lanes.
        let mut all = [O::default(); L];
        for lane in 0..L {
            all[lane] = result(state, lane);
        }
        // SAFETY: all of them.
        return unsafe { out.cast::<[O; L]>().write(all) };
    }
    for lane in 0..results {
        barrier();
        // SAFETY: one of them.
        unsafe { out.add(lane).write(result(state, lane)) };
    }
}
