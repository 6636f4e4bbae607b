//! The position of the largest and of the smallest element along one axis.
//!
//! Both compare elements by one rule each, and ties by position. NaN counts as
//! larger (smaller) than everything, and as equal to itself.

use reduce_core::{Indexed, Ordered, ReduceOp, reduce_op};

/// The position of the largest element.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_specs::ArgMax;
/// let data = View::new(&[1.0f32, 5.0, 5.0], &[3])?;
/// assert_eq!(Reduction::new(ArgMax::default()).run(&data)?.data(), [1]);
/// let last = Reduction::new(ArgMax { select_last_index: true }).run(&data)?;
/// assert_eq!(last.data(), [2]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ArgMax {
    /// Whether the last of several equal elements is meant, and not the first.
    pub select_last_index: bool,
}

/// The position of the smallest element.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_specs::ArgMin;
/// let data = View::new(&[4.0f32, 1.0, 1.0], &[3])?;
/// assert_eq!(Reduction::new(ArgMin::default()).run(&data)?.data(), [1]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ArgMin {
    /// Whether the last of several equal elements is meant, and not the first.
    pub select_last_index: bool,
}

/// Which of two elements is meant, `best` being the better of their values: the better one, or of
/// two equal ones the first (or the last).
#[inline(always)]
fn select<A: Ordered>(
    best: A,
    a: Indexed<A>,
    b: Indexed<A>,
    last: bool,
    is_better: impl Fn(A, A) -> bool,
) -> Indexed<A> {
    let b_is_later = a.index < b.index;
    // The one that wins ties is meant unless the other is better.
    let b_wins =
        if b_is_later == last { !is_better(a.value, b.value) } else { is_better(b.value, a.value) };
    Indexed { value: best, index: if b_wins { b.index } else { a.index } }
}

/// Whether the first of two values is larger, as NaN is than all but NaN. A comparison fails if
/// either is NaN, so its opposite takes care of the first.
#[inline(always)]
#[allow(clippy::neg_cmp_op_on_partial_ord, reason = "true of NaN, as is meant")]
fn is_larger<A: Ordered>(x: A, y: A) -> bool {
    !(x <= y) & !y.is_nan()
}

/// Whether the first of two values is smaller, as NaN is than all but NaN.
#[inline(always)]
#[allow(clippy::neg_cmp_op_on_partial_ord, reason = "true of NaN, as is meant")]
fn is_smaller<A: Ordered>(x: A, y: A) -> bool {
    !(x >= y) & !y.is_nan()
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
    type Acc = Indexed<A>;
    type Output = i64;

    fn identity(&self) -> Indexed<A> {
        Indexed { value: A::LOWEST, index: losing_index(self.select_last_index) }
    }

    fn map(&self, x: Indexed<A>) -> Indexed<A> {
        x
    }

    fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
        select(a.value.maximum(b.value), a, b, self.select_last_index, is_larger)
    }

    fn push_two(&self, best: Indexed<A>, x: Indexed<A>, y: Indexed<A>) -> Indexed<A> {
        let value = best.value.maximum3(x.value, y.value);
        Indexed { value, ..self.combine(best, self.combine(x, y)) }
    }

    fn finalize(&self, best: Indexed<A>, _count: usize) -> i64 {
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
    type Acc = Indexed<A>;
    type Output = i64;

    fn identity(&self) -> Indexed<A> {
        Indexed { value: A::HIGHEST, index: losing_index(self.select_last_index) }
    }

    fn map(&self, x: Indexed<A>) -> Indexed<A> {
        x
    }

    fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
        select(a.value.minimum(b.value), a, b, self.select_last_index, is_smaller)
    }

    fn push_two(&self, best: Indexed<A>, x: Indexed<A>, y: Indexed<A>) -> Indexed<A> {
        let value = best.value.minimum3(x.value, y.value);
        Indexed { value, ..self.combine(best, self.combine(x, y)) }
    }

    fn finalize(&self, best: Indexed<A>, _count: usize) -> i64 {
        best.index.cast_signed()
    }
}
