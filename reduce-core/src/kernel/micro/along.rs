//! Lanes along the elements of a result: a block folded and filed, and the end of a result.

use std::marker::PhantomData;

use super::super::ending::Ending;
use super::super::fold::last::{InLines, join_in_memory};
use super::super::fold::{Fold, first, folds_parts};
use super::doubt::{operator, put};
use super::{Block, Blocks, End, Filing, LaneState, NoBlocks};
use crate::machine::code::{Code, Work};
use crate::machine::settled;

/// Folds a block, merges it with states before it, and stores the state or the result.
///
/// # Safety
/// The contract of microkernels.
#[inline(always)]
pub(crate) unsafe fn along<C: Code, F: Fold, E: Ending<F::Steps>, const L: usize>(
    code: C,
    given: *const (),
    top: *mut u8,
    block: &Block,
    filing: &Filing,
) {
    // SAFETY: the operator of the table.
    let op = unsafe { operator::<F, E>(given) };
    // SAFETY: the caller's.
    let state: LaneState<F, L> = InLines(unsafe { F::along::<C, L>(code, op, block) });
    // A copy, or the compiler would ask whether states overlap with it.
    let Filing { merges, apart, out, count } = *filing;
    let mut top = top.cast::<LaneState<F, L>>();
    // SAFETY: room for a state.
    unsafe { top.write(state) };
    // Otherwise what is done with lanes after the loop over the steps would decide how they are formed in it.
    top = settled(top);
    for _ in 0..merges {
        // SAFETY: what was just written, or merged.
        let newest = unsafe { &*top };
        top = top.wrapping_byte_sub(apart);
        // SAFETY: a state before it, which does not overlap with it.
        let earlier = unsafe { &mut *top };
        F::merge::<C, L>(code, op, &mut earlier.0, &newest.0);
        top = settled(top);
    }
    if out.is_null() {
        return;
    }
    // SAFETY: the last of them.
    let state = unsafe { &*top };
    let end = Last::<'_, F, E, L> { given, state, count, out, ending: PhantomData };
    // Where all lanes fit into few vectors, the end is short enough to be inlined: a function of its own takes 15 ns.
    if F::WANTS.light && C::REGISTERS >= ENOUGH {
        end.run(code);
    } else {
        code.apart(end);
    }
}

/// From this many bytes of vector registers on, all lanes fit into few vectors.
const ENOUGH: usize = 2048;

/// The end of a result whose blocks were all folded, and are not looked at again.
struct Last<'a, F: Fold, E, const L: usize> {
    given: *const (),
    state: &'a LaneState<F, L>,
    count: usize,
    out: *mut u8,
    ending: PhantomData<E>,
}

impl<F: Fold, E: Ending<F::Steps>, const L: usize> Work for Last<'_, F, E, L> {
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let Last { given, state, count, out, .. } = self;
        // SAFETY: made with the operator of the table.
        let op = unsafe { operator::<F, E>(given) };
        // SAFETY: without blocks, none is looked at.
        let acc = unsafe { of_state::<C, F, L>(code, op, state, &mut NoBlocks) };
        // SAFETY: made where there is room for a result.
        unsafe { put::<F, E>(given, out.cast(), acc, count) };
    }
}

/// The accumulator of the result whose lanes are all in a state.
///
/// # Safety
/// The blocks are of the storage type of the fold.
#[inline(always)]
unsafe fn of_state<C: Code, F: Fold, const L: usize>(
    code: C,
    op: &F::Op,
    state: &LaneState<F, L>,
    blocks: &mut dyn Blocks,
) -> F::Acc {
    let moving = F::moving::<L>(&state.0);
    let best = match const { folds_parts::<F, L>() } {
        true => first::<F, L>(&moving),
        false => join_in_memory::<C, F, L>(op, &moving),
    };
    // SAFETY: the caller's.
    unsafe { F::found::<C, L>(code, op, best, &moving, Some(&state.0), blocks) }
}

/// Stores the result whose lanes are all in a state.
///
/// # Safety
/// The contract of microkernels.
#[inline(always)]
pub(crate) unsafe fn end<C: Code, F: Fold, E: Ending<F::Steps>, const L: usize>(
    code: C,
    given: *const (),
    state: *const u8,
    end: &mut End<'_>,
) {
    // SAFETY: the operator of the table.
    let op = unsafe { operator::<F, E>(given) };
    // SAFETY: a state.
    let state = unsafe { &*state.cast::<LaneState<F, L>>() };
    // SAFETY: the blocks of the result.
    let acc = unsafe { of_state::<C, F, L>(code, op, state, end.blocks) };
    // SAFETY: room for a result.
    unsafe { put::<F, E>(given, end.out.cast(), acc, end.count) };
}
