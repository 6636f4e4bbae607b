//! Results that were folded: stored, mended where they are doubtful, and compared.

use std::fmt::Debug;

use reduce_core::backend::Mending;
use reduce_core::bounds::{Input, Slot, Store, Written};
use reduce_core::{OnePass, ReduceOp, Shape};
use reduce_tests::cases::same_bits;

use super::fold::Left;
use super::kinds::Kinds;

/// A result that was folded, and whether its operator doubts it.
pub(super) struct Found<R> {
    /// In the order.
    pub(super) number: usize,
    pub(super) result: R,
    pub(super) is_doubtful: bool,
}

/// Stores results that were folded.
pub(super) fn stored<Op, X, R>(op: &Op, count: usize, left: &[Left<Op::Acc>]) -> Vec<Found<R>>
where
    Op: ReduceOp<X>,
    R: Slot + Store<Op::Output>,
{
    let each = |&Left { number, acc }: &Left<Op::Acc>| {
        let result = R::store(op.finalize(acc, count));
        Found { number, result, is_doubtful: op.doubts(&acc, count) }
    };
    left.iter().map(each).collect()
}

/// Mends a result that some operators doubt.
pub(super) fn mended<Op, I>(
    mending: &Mending<'_, Op, I>,
    number: usize,
    doubts: u32,
    mut result: Op::Result,
    kinds: &mut Kinds,
) -> Op::Result
where
    I: Input,
    Op: OnePass<I::Stored>,
{
    let before = format!("{result:?}");
    if doubts != 0 {
        mending.mend(number, doubts, &mut result);
        let kind = if before == format!("{result:?}") { "stands" } else { "mended" };
        *kinds.entry(kind).or_default() += 1;
    }
    result
}

/// That results have the bits of those of `run`.
pub(super) fn compare<R: Written>(
    what: &dyn Debug,
    found: Vec<R>,
    expected: R::Tensors,
    shape: &Shape,
) {
    let found = R::any(R::tensors(found, shape.clone()).expect("memory"));
    for (found, expected) in found.iter().zip(&R::any(expected)) {
        same_bits(expected, found).unwrap_or_else(|error| panic!("{what:?}: {error}"));
    }
}
