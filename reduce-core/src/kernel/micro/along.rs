//! Lanes along the elements of a result: a block folded and filed, and the end of a result.

use super::super::fold::Fold;
use super::super::stored::Stored;
use super::{Block, End, Filing, NoBlocks};
use crate::element::Slot;
use crate::level::{Code, Work};
use crate::simd::settled;

/// Folds a block, merges it with states before it, and stores the state or the result.
///
/// # Safety
/// The contract of microkernels.
#[inline(always)]
pub(super) unsafe fn along<C, F, Op, T, O, const L: usize>(
    code: C,
    op: *const (),
    top: *mut u8,
    block: &Block,
    filing: &Filing,
) where
    C: Code,
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    // SAFETY: the operator of the table.
    let op = unsafe { &*op.cast::<Op>() };
    // SAFETY: the caller's.
    let state = unsafe { F::along(code, op, block) };
    // A copy, or the compiler would ask whether states overlap with it.
    let Filing { merges, apart, out, count, shift } = *filing;
    let mut top = top.cast::<F::State>();
    // SAFETY: room for a state.
    unsafe { top.write(state) };
    // What is done with lanes after the loop over the steps would decide how they are formed in it.
    top = settled(top);
    for _ in 0..merges {
        // SAFETY: what was just written, or merged.
        let newest = unsafe { &*top };
        top = top.wrapping_byte_sub(apart);
        // SAFETY: a state before it, which does not overlap with it.
        let earlier = unsafe { &mut *top };
        F::merge(code, op, earlier, newest);
        top = settled(top);
    }
    if out.is_null() {
        return;
    }
    // SAFETY: the last of them.
    let state = unsafe { &*top };
    if F::LIGHT && C::REGISTERS >= ENOUGH && shift == 0 {
        // SAFETY: the caller's.
        unsafe { store::<C, F, Op, T, O, L>(code, op, state, 0, count, out) };
    } else {
        code.apart(Last::<'_, F, Op, T, O, L> { op, state, shift, count, out, _types: [] });
    }
}

/// Bytes of all vector registers of a level where lanes are few vectors: so the end of a result is short
/// enough to be no function of its own, which takes 15 ns.
const ENOUGH: usize = 2048;

/// The end of a result whose last block was folded.
struct Last<'a, F, Op, T, O, const L: usize>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
{
    op: &'a Op,
    state: &'a F::State,
    shift: usize,
    count: usize,
    out: *mut u8,
    _types: [(T, O); 0],
}

impl<F, Op, T, O, const L: usize> Work for Last<'_, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let Last { op, state, shift, count, out, .. } = self;
        // SAFETY: made where the caller of a microkernel said so.
        unsafe { store::<C, F, Op, T, O, L>(code, op, state, shift, count, out) };
    }
}

/// Stores the result of a state, whose blocks nobody looks at again.
///
/// # Safety
/// A result may be written to `out`.
#[inline(always)]
unsafe fn store<C, F, Op, T, O, const L: usize>(
    code: C,
    op: &Op,
    state: &F::State,
    shift: usize,
    count: usize,
    out: *mut u8,
) where
    C: Code,
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    // SAFETY: without blocks, none is looked at.
    let acc = unsafe { F::all_lanes(code, op, state, shift, &mut NoBlocks) };
    // SAFETY: the caller's.
    unsafe { out.cast::<O>().write(F::store(op, acc, count)) };
}

/// Stores the result that a state is all of.
///
/// # Safety
/// The contract of microkernels.
#[inline(always)]
pub(super) unsafe fn end<C, F, Op, T, O, const L: usize>(
    code: C,
    op: *const (),
    state: *const u8,
    end: &mut End<'_>,
) where
    C: Code,
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    // SAFETY: the operator of the table.
    let op = unsafe { &*op.cast::<Op>() };
    // SAFETY: a state.
    let state = unsafe { &*state.cast::<F::State>() };
    // SAFETY: the blocks of the result.
    let acc = unsafe { F::all_lanes(code, op, state, end.shift, end.blocks) };
    // SAFETY: room for a result.
    unsafe { end.out.cast::<O>().write(F::store(op, acc, end.count)) };
}
