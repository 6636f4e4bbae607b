//! Sums: of elements, magnitudes and squares, and their mean.
//!
//! `ReduceSum` takes its axes as an input from version 13 on, the others from 18.

use reduce_core::{Num, Real, ReduceOp, reduce_op};

/// The sum of the elements.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_specs::ReduceSum;
/// let data = View::new(&[1.0f32, 2.0, 4.0], &[3])?;
/// assert_eq!(Reduction::new(ReduceSum).run(&data)?.data(), [7.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceSum;

/// The sum of the elements. Integers wrap.
#[reduce_op(
    versions = [1, 11, 13],
    dtypes = {
        1.. => [i32, i64, u32, u64, f16 => f32, f32, f64],
        13.. => [bf16 => f32],
    },
    attrs = {
        1..=12 => [axes: ints = all],
        13.. => [axes: input = all, noop_with_empty_axes: bool = false],
        1.. => [keepdims: bool = true],
    },
)]
impl<A: Num> ReduceOp<A> for ReduceSum {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// The sum of the magnitudes.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_specs::ReduceL1;
/// let data = View::new(&[1.0f32, -2.0, 4.0], &[3])?;
/// assert_eq!(Reduction::new(ReduceL1).run(&data)?.data(), [7.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceL1;

/// The sum of the magnitudes of the elements. Integers wrap.
#[reduce_op(
    versions = [1, 11, 13, 18],
    dtypes = {
        1.. => [i32, i64, u32, u64, f16 => f32, f32, f64],
        13.. => [bf16 => f32],
    },
    attrs = {
        1..=17 => [axes: ints = all],
        18.. => [axes: input = all, noop_with_empty_axes: bool = false],
        1.. => [keepdims: bool = true],
    },
)]
impl<A: Num> ReduceOp<A> for ReduceL1 {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x.abs()
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// The mean of the elements.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_specs::ReduceMean;
/// let data = View::new(&[1.0f32, 2.0, 6.0], &[3])?;
/// assert_eq!(Reduction::new(ReduceMean).run(&data)?.data(), [3.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceMean;

/// The mean of the elements. That of integers is exact and truncated toward
/// zero: their sum is 128 bits wide.
#[reduce_op(
    versions = [1, 11, 13, 18],
    dtypes = {
        1.. => [i32 => i128, i64 => i128, u32 => u128, u64 => u128, f16 => f32, f32, f64],
        13.. => [bf16 => f32],
    },
    attrs = {
        1..=17 => [axes: ints = all],
        18.. => [axes: input = all, noop_with_empty_axes: bool = false],
        1.. => [keepdims: bool = true],
    },
    empty = { floats => identity, ints => error },
)]
impl<A: Num> ReduceOp<A> for ReduceMean {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, count: usize) -> A {
        sum.div_count(count)
    }

    fn doubts(&self, sum: &A, _count: usize) -> bool {
        !sum.is_finite()
    }
}

/// The sum of the squares.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_specs::ReduceSumSquare;
/// let data = View::new(&[3.0f32, 4.0], &[2])?;
/// assert_eq!(Reduction::new(ReduceSumSquare).run(&data)?.data(), [25.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceSumSquare;

/// The sum of the squares of the elements. Integers wrap.
#[reduce_op(
    versions = [1, 11, 13, 18],
    dtypes = {
        1.. => [i32, i64, u32, u64, f16 => f32, f32, f64],
        13.. => [bf16 => f32],
    },
    attrs = {
        1..=17 => [axes: ints = all],
        18.. => [axes: input = all, noop_with_empty_axes: bool = false],
        1.. => [keepdims: bool = true],
    },
)]
impl<A: Num> ReduceOp<A> for ReduceSumSquare {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x * x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// The Euclidean norm.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_specs::ReduceL2;
/// let data = View::new(&[3.0f32, 4.0], &[2])?;
/// assert_eq!(Reduction::new(ReduceL2).run(&data)?.data(), [5.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceL2;

/// The square root of the sum of the squares of the elements. That of integers is
/// computed in `f64`, truncated and saturated.
#[reduce_op(
    versions = [1, 11, 13, 18],
    dtypes = {
        1.. => [i32 => f64, i64 => f64, u32 => f64, u64 => f64, f16 => f32, f32, f64],
        13.. => [bf16 => f32],
    },
    attrs = {
        1..=17 => [axes: ints = all],
        18.. => [axes: input = all, noop_with_empty_axes: bool = false],
        1.. => [keepdims: bool = true],
    },
)]
impl<A: Real> ReduceOp<A> for ReduceL2 {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x * x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum.sqrt()
    }

    /// Each square below the least normal number may have lost all of its bits.
    fn doubts(&self, sum: &A, count: usize) -> bool {
        (*sum == A::INFINITY) | (*sum < A::MIN_POSITIVE * A::from_count(count))
    }
}
