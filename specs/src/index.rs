//! The position of the largest and of the smallest element along one axis.
//!
//! Both compare elements by one rule each, and ties by position. NaN counts as
//! larger (smaller) than everything, and as equal to itself.

use reduce_core::{Accumulator, Indexed, Ordered, ReduceOp, reduce_op};

/// The position of the largest element.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArgMax {
    /// Whether the last of several equal elements is meant, and not the first.
    pub select_last_index: bool,
}

/// The position of the smallest element.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArgMin {
    /// Whether the last of several equal elements is meant, and not the first.
    pub select_last_index: bool,
}

/// The best element so far, and its position.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Best<A> {
    value: A,
    index: u64,
}

/// Of two elements, the one that `a_wins`, or on a tie the one that stands first
/// (or last).
#[inline(always)]
fn better<A: Ordered>(a: Best<A>, b: Best<A>, a_wins: bool, b_wins: bool, last: bool) -> Best<A> {
    let a_wins_tie = (a.index < b.index) != last;
    let tie = a_wins == b_wins;
    if (tie && a_wins_tie) || (!tie && a_wins) { a } else { b }
}

/// The position that loses every tie.
#[inline(always)]
fn losing_index(last: bool) -> u64 {
    if last { 0 } else { u64::MAX }
}

/// The position of the largest element along an axis. Of several equal ones it is
/// the first, or the last where `select_last_index` is 1. NaN is larger than all.
#[reduce_op(
    versions = [1, 11, 12, 13],
    dtypes = {
        1.. => [i8, i16, i32, i64, u8, u16, u32, u64, f16 => f32, f32, f64],
        13.. => [bf16 => f32],
    },
    attrs = {
        1.. => [axis: int = 0, keepdims: bool = true],
        12.. => [select_last_index: bool = false],
    },
    output = i64,
    empty = error,
)]
impl<A: Ordered> ReduceOp<Indexed<A>> for ArgMax {
    type Acc = Best<A>;
    type Output = i64;

    fn identity(&self) -> Best<A> {
        Best { value: A::LOWEST, index: losing_index(self.select_last_index) }
    }

    fn map(&self, x: Indexed<A>) -> Best<A> {
        Best { value: x.value, index: x.index }
    }

    fn combine(&self, a: Best<A>, b: Best<A>) -> Best<A> {
        let a_wins = a.value > b.value || (a.value.is_nan() && !b.value.is_nan());
        let b_wins = b.value > a.value || (b.value.is_nan() && !a.value.is_nan());
        better(a, b, a_wins, b_wins, self.select_last_index)
    }

    fn finalize(&self, best: Best<A>, _count: usize) -> i64 {
        best.index.cast_signed()
    }
}

/// The position of the smallest element along an axis. Of several equal ones it is
/// the first, or the last where `select_last_index` is 1. NaN is smaller than all.
#[reduce_op(
    versions = [1, 11, 12, 13],
    dtypes = {
        1.. => [i8, i16, i32, i64, u8, u16, u32, u64, f16 => f32, f32, f64],
        13.. => [bf16 => f32],
    },
    attrs = {
        1.. => [axis: int = 0, keepdims: bool = true],
        12.. => [select_last_index: bool = false],
    },
    output = i64,
    empty = error,
)]
impl<A: Ordered> ReduceOp<Indexed<A>> for ArgMin {
    type Acc = Best<A>;
    type Output = i64;

    fn identity(&self) -> Best<A> {
        Best { value: A::HIGHEST, index: losing_index(self.select_last_index) }
    }

    fn map(&self, x: Indexed<A>) -> Best<A> {
        Best { value: x.value, index: x.index }
    }

    fn combine(&self, a: Best<A>, b: Best<A>) -> Best<A> {
        let a_wins = a.value < b.value || (a.value.is_nan() && !b.value.is_nan());
        let b_wins = b.value < a.value || (b.value.is_nan() && !a.value.is_nan());
        better(a, b, a_wins, b_wins, self.select_last_index)
    }

    fn finalize(&self, best: Best<A>, _count: usize) -> i64 {
        best.index.cast_signed()
    }
}
