//! Lanes across results: each takes the elements of a result of its own.

use super::super::ending::Ending;
use super::super::fold::last::InLines;
use super::super::fold::{Fold, LaneSpread, Lanes, empty};
use super::doubt::{note, operator, put};
use super::{EvenRows, LaneState, Panel};
use crate::machine::code::Code;
use crate::machine::{barrier, settled};
use crate::values::element::Slot;
use crate::values::element::accumulator::Accumulator;
use crate::values::stored::{Stored, behind};

/// Folds a panel, one group of lanes after the other. Merges the state of each group with those before it, and stores
/// it or its results.
///
/// # Safety
/// The contract of microkernels.
#[inline(always)]
pub(crate) unsafe fn across<C: Code, F: Fold, E: Ending<F::Steps>, const L: usize>(
    code: C,
    given: *const (),
    states: *mut u8,
    panel: &Panel,
) {
    // SAFETY: *operator*, which the driver keeps: it is that of this table.
    let op = unsafe { operator::<F, E>(given) };
    let Panel { mut rows, groups, mut full, fresh, position, filing, mut results } = *panel;
    let (mut states, mut out) = (states.cast::<LaneState<F, L>>(), filing.out.cast::<E::Output>());
    for _ in 0..groups {
        // A state is in memory between its steps, its merges and its end. Otherwise what one of these does with lanes
        // would decide how they are formed in another.
        if fresh {
            // SAFETY: *states*, which the driver keeps: this one has room, and is nobody else's.
            unsafe { states.write(InLines(empty::<F>(op).splat())) };
        }
        let mut into = settled(states);
        // SAFETY: *states*: this one was just written, or by the call before if the panel is not fresh.
        let state = unsafe { &mut *into };
        if full >= L {
            // SAFETY: *steps*, which the driver keeps: all lanes of each row may be read.
            unsafe { F::across::<C, L>(code, op, &mut state.0, fresh, &rows, position) };
        } else {
            // SAFETY: *elements*, which the driver keeps: the first `full` lanes of the only row have one.
            unsafe { some_lanes::<F, L>(op, state, &rows, full, position) };
        }
        for _ in 0..filing.merges {
            // SAFETY: *states*: this one was just written, or merged.
            let newest = unsafe { &*settled(into) };
            into = into.wrapping_byte_sub(filing.apart);
            // SAFETY: *states*, which the driver keeps: each of those below was written, and lies `apart` bytes from
            // this one.
            F::merge::<C, L>(code, op, unsafe { &mut (*into).0 }, &newest.0);
        }
        if !out.is_null() {
            let some = results.min(L);
            // SAFETY: *states*: this one was merged last, and no other reference to it is left.
            let state = unsafe { &*settled(into) };
            // SAFETY: *places*, which the driver keeps: there is one for each of the `results` left, of which `some`
            // are of this group.
            unsafe { finish::<C, F, E, L>(given, state, out, some, filing.count) };
            results -= some;
            out = out.wrapping_add(L);
        }
        states = states.wrapping_add(1);
        full = full.saturating_sub(L);
        rows.data = behind::<F::Stored>(&rows.data, L);
    }
}

/// Folds a panel of whole groups at once, and stores the results. It is used for short rows, which were turned. States
/// never leave the registers, which takes a third of the time of [`across`].
///
/// # Safety
/// The contract of microkernels.
#[inline(always)]
pub(crate) unsafe fn columns<C: Code, F: Fold, E: Ending<F::Steps>, const L: usize>(
    code: C,
    given: *const (),
    panel: &Panel,
) {
    // SAFETY: *operator*, which the driver keeps: it is that of this table.
    let op = unsafe { operator::<F, E>(given) };
    let Panel { mut rows, groups, position, filing, .. } = *panel;
    let mut out = filing.out.cast::<E::Output>();
    for _ in 0..groups {
        barrier();
        // Where accumulators are larger than a register, they are in memory for a moment, each vector in a line of its own.
        let mut lanes: LaneState<F, L> = InLines(empty::<F>(op).splat());
        // SAFETY: *steps*, which the driver keeps: all lanes of each row may be read.
        unsafe { F::across::<C, L>(code, op, &mut lanes.0, true, &rows, position) };
        barrier();
        // SAFETY: *places*, which the driver keeps: groups are whole, so that each lane has one.
        unsafe { finish_all::<F, E, L>(given, &lanes.0, out, filing.count) };
        out = out.wrapping_add(L);
        rows.data = behind::<F::Stored>(&rows.data, L);
    }
}

/// Takes one step, lane after lane.
///
/// # Safety
/// *elements*: the first `lanes` lanes of the only row have one.
#[inline(always)]
unsafe fn some_lanes<F: Fold, const L: usize>(
    op: &F::Op,
    state: &mut LaneState<F, L>,
    rows: &EvenRows,
    lanes: usize,
    position: u64,
) {
    for lane in 0..lanes {
        barrier();
        // SAFETY: *elements*, which the caller keeps: `lane` is one of the first `lanes`.
        let x = unsafe { F::Stored::at(&rows.data, lane) };
        let after = F::take(op, F::Acc::get(&state.0, lane), x.wide(), position, position);
        F::Acc::set(&mut state.0, lane, after);
    }
}

/// Stores results, one for each of the first lanes.
///
/// # Safety
/// *operator*: `given` is what the microkernel was given. *places*: there are `results` from `out` on.
#[inline(always)]
unsafe fn finish<C: Code, F: Fold, E: Ending<F::Steps>, const L: usize>(
    given: *const (),
    state: &LaneState<F, L>,
    out: *mut E::Output,
    results: usize,
    count: usize,
) {
    if C::VECTORS && results == L {
        // SAFETY: *operator* and *places*, which the caller keeps: `results` are as many as lanes.
        return unsafe { finish_all::<F, E, L>(given, &state.0, out, count) };
    }
    for lane in 0..results {
        barrier();
        let acc = F::of_lane(F::Acc::get(&state.0, lane), LaneSpread::NONE);
        // SAFETY: *operator* and *places*, which the caller keeps: `lane` is less than `results`.
        unsafe { put::<F, E>(given, out.wrapping_add(lane), acc, count) };
    }
}

/// Stores results, one for each lane.
///
/// # Safety
/// *operator*: `given` is what the microkernel was given. *places*: there is one for each lane.
#[inline(always)]
unsafe fn finish_all<F: Fold, E: Ending<F::Steps>, const L: usize>(
    given: *const (),
    lanes: &Lanes<F::Acc, L>,
    out: *mut E::Output,
    count: usize,
) {
    // SAFETY: *operator*, which the caller keeps for this function, too.
    let op = unsafe { operator::<F, E>(given) };
    let acc = |lane| F::of_lane(F::Acc::get(lanes, lane), LaneSpread::NONE);
    // Aside, where they cannot overlap with the lanes.
    let mut all = [E::Output::blank(); L];
    let mut any = false;
    for lane in 0..L {
        all[lane] = E::store(op, acc(lane), count);
        any |= E::DOUBTS && E::doubts(op, &acc(lane), count) != 0;
    }
    // SAFETY: *places*, which the caller keeps: there is one for each lane.
    unsafe { out.cast::<[E::Output; L]>().write(all) };
    if E::DOUBTS && any {
        // The lanes stay in their registers: their address is given to nobody.
        let mut doubts = [0; L];
        for lane in 0..L {
            doubts[lane] = E::doubts(op, &acc(lane), count);
        }
        // SAFETY: *operator*, which the caller keeps: it is watched, since it doubts results.
        unsafe { note(given, (out.cast(), size_of::<E::Output>()), &doubts) };
    }
}
