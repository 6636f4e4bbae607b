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
    // SAFETY: *operator*, which the driver keeps: it is that of this table.
    let op = unsafe { operator::<F, E>(given) };
    // SAFETY: *steps*, which the driver keeps for this block.
    let state: LaneState<F, L> = InLines(unsafe { F::along::<C, L>(code, op, block) });
    // A copy, or the compiler would ask whether states overlap with it.
    let Filing { merges, apart, out, count } = *filing;
    let mut top = top.cast::<LaneState<F, L>>();
    // SAFETY: *states*, which the driver keeps: there is room for one at `top`, which is nobody else's.
    unsafe { top.write(state) };
    // Otherwise what is done with lanes after the loop over the steps would decide how they are formed in it.
    top = settled(top);
    for _ in 0..merges {
        // SAFETY: *states*: this one was just written, or merged.
        let newest = unsafe { &*top };
        top = top.wrapping_byte_sub(apart);
        // SAFETY: *states*, which the driver keeps: each of the `merges` below was written, and lies `apart` bytes from
        // this one.
        let earlier = unsafe { &mut *top };
        F::merge::<C, L>(code, op, &mut earlier.0, &newest.0);
        top = settled(top);
    }
    if out.is_null() {
        return;
    }
    // SAFETY: *states*: this one was merged last, and no other reference to it is left.
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
        // SAFETY: *operator*: `along`, which made this, was given that of its table.
        let op = unsafe { operator::<F, E>(given) };
        // SAFETY: *elements*: `NoBlocks` has none, and a fold that searches is not ended here.
        let acc = unsafe { of_state::<C, F, L>(code, op, state, &mut NoBlocks) };
        // SAFETY: *operator* and *places*: `along` made this with its own operator, where `out` is not null.
        unsafe { put::<F, E>(given, out.cast(), acc, count) };
    }
}

/// The accumulator of the result whose lanes are all in a state.
///
/// # Safety
/// *elements*: the blocks are of the storage type of the fold.
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
    // SAFETY: *elements*, which the caller keeps: the blocks are of the fold's storage type.
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
    // SAFETY: *operator*, which the driver keeps: it is that of this table.
    let op = unsafe { operator::<F, E>(given) };
    // SAFETY: *states*, which the driver keeps: all blocks of the result were merged into this one.
    let state = unsafe { &*state.cast::<LaneState<F, L>>() };
    // SAFETY: *elements*, which the driver keeps: the blocks are those of the result.
    let acc = unsafe { of_state::<C, F, L>(code, op, state, end.blocks) };
    // SAFETY: *operator* and *places*, which the driver keeps: there is one for this result.
    unsafe { put::<F, E>(given, end.out.cast(), acc, end.count) };
}
