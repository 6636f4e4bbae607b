//! Logarithms of sums. Integers are allowed up to version 27, computed in `f64`.

use reduce_core::{Accumulator, Real, ReduceOp, reduce_op};

/// What is less than a result by this factor does not count in it: 2^54.
const LOST: f64 = 18_014_398_509_481_984.0;

/// The logarithm of the sum.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_specs::ReduceLogSum;
/// let data = View::new(&[1.0f32, 3.0], &[2])?;
/// let result = Reduction::new(ReduceLogSum).run(&data)?;
/// assert!((result.data()[0] - 4f32.ln()).abs() < 1e-6);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceLogSum;

/// The logarithm of the sum of the elements. Of a sum of 0 it is −∞, of a
/// negative sum NaN.
#[reduce_op(
    versions = [1, 11, 13, 18, 28],
    dtypes = {
        1.. => [f16 => f32, f32, f64],
        1..=27 => [i32 => f64, i64 => f64, u32 => f64, u64 => f64],
        13.. => [bf16 => f32],
    },
    attrs = {
        1..=17 => [axes: ints = all],
        18.. => [axes: input = all, noop_with_empty_axes: bool = false],
        1.. => [keepdims: bool = true],
    },
)]
impl<A: Real> ReduceOp<A> for ReduceLogSum {
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
        sum.ln()
    }

    fn doubts(&self, sum: &A, _count: usize) -> bool {
        !sum.is_finite()
    }
}

/// The logarithm of the sum of exponentials.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_specs::ReduceLogSumExp;
/// let data = View::new(&[1000.0f64, 1000.0], &[2])?;
/// let result = Reduction::new(ReduceLogSumExp).run(&data)?;
/// assert!((result.data()[0] - (1000.0 + 2f64.ln())).abs() < 1e-6);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceLogSumExp;

/// The largest element, and the sum of `exp(x - max)` over all others; of no elements −1, as if that
/// were to be taken back.
///
/// No exponential of a positive number is taken, so nothing overflows. The 1 of the largest element is left
/// out, in which small exponentials would be lost.
#[derive(Clone, Copy, Debug, Accumulator)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MaxSum<A> {
    max: A,
    others: A,
}

/// The logarithm of the sum of the elements' exponentials, without overflow.
#[reduce_op(
    versions = [1, 11, 13, 18, 28],
    dtypes = {
        1.. => [f16 => f32, f32, f64],
        1..=27 => [i32 => f64, i64 => f64, u32 => f64, u64 => f64],
        13.. => [bf16 => f32],
    },
    attrs = {
        1..=17 => [axes: ints = all],
        18.. => [axes: input = all, noop_with_empty_axes: bool = false],
        1.. => [keepdims: bool = true],
    },
)]
impl<A: Real> ReduceOp<A> for ReduceLogSumExp {
    type Acc = MaxSum<A>;
    type Output = A;

    fn identity(&self) -> MaxSum<A> {
        MaxSum { max: A::NEG_INFINITY, others: -A::ONE }
    }

    fn map(&self, x: A) -> MaxSum<A> {
        MaxSum { max: x, others: A::ZERO }
    }

    /// The side with the smaller maximum is scaled down to the larger one. Two infinities have no difference; beside one, the
    /// other side counts for nothing. Equal maxima are subtracted, so that the slope is right where elements are equal.
    fn combine(&self, a: MaxSum<A>, b: MaxSum<A>) -> MaxSum<A> {
        let (max, kept) = if a.max > b.max { (a.max, a.others) } else { (b.max, b.others) };
        let (min, scaled) = if a.max > b.max { (b.max, b.others) } else { (a.max, a.others) };
        let distance = if min.abs() == A::INFINITY { A::NEG_INFINITY } else { min - max };
        let scaled = scaled + A::ONE;
        MaxSum { max, others: scaled.mul_add(distance.exp_nonpositive(), kept) }
    }

    fn finalize(&self, acc: MaxSum<A>, _count: usize) -> A {
        acc.max + acc.others.ln_1p()
    }

    /// A result near zero, in which exponentials may be missing: those below the least normal number
    /// are taken as zero.
    fn doubts(&self, acc: &MaxSum<A>, count: usize) -> bool {
        let least = A::MIN_POSITIVE * A::from_f64(LOST) * A::from_count(count);
        (acc.max.abs() + acc.others < least) & (count > 1)
    }
}
