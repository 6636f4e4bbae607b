//! The variance, an operator of the benchmark's own: what a user's may cost.

use reduce_core::{Accumulator, Real, ReduceOp, reduce_op};

/// The population variance.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Variance;

/// Elements counted from a shift: how many, their sum, the sum of their squares.
///
/// The shift is one of the elements. So the two sums are those of small numbers,
/// and their difference loses little, however far the elements are from zero.
#[derive(Clone, Copy, Debug, Accumulator)]
pub(crate) struct Shifted<A> {
    shift: A,
    count: A,
    sum: A,
    squares: A,
}

/// The mean of the squared distances from the mean.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64])]
impl<A: Real> ReduceOp<A> for Variance {
    type Acc = Shifted<A>;
    type Output = A;

    fn identity(&self) -> Shifted<A> {
        Shifted { shift: A::ZERO, count: A::ZERO, sum: A::ZERO, squares: A::ZERO }
    }

    fn map(&self, x: A) -> Shifted<A> {
        Shifted { shift: x, count: A::ONE, sum: A::ZERO, squares: A::ZERO }
    }

    /// The second set, counted from the shift of the first: with its elements
    /// moved by `d`, a sum `s` of `n` gains `n d`, and the squares `2 d s + n d²`.
    /// An empty first set takes over the shift; an empty second one moves nothing.
    fn combine(&self, a: Shifted<A>, b: Shifted<A>) -> Shifted<A> {
        let shift = if a.count == A::ZERO { b.shift } else { a.shift };
        let distance = b.shift - shift;
        let moved = b.count.mul_add(distance, b.sum);
        Shifted {
            shift,
            count: a.count + b.count,
            sum: a.sum + moved,
            squares: a.squares + distance.mul_add(b.sum + moved, b.squares),
        }
    }

    /// An element is counted from the shift, which the first one sets.
    fn push(&self, acc: Shifted<A>, x: A) -> Shifted<A> {
        let shift = if acc.count == A::ZERO { x } else { acc.shift };
        let distance = x - shift;
        Shifted {
            shift,
            count: acc.count + A::ONE,
            sum: acc.sum + distance,
            squares: distance.mul_add(distance, acc.squares),
        }
    }

    fn finalize(&self, acc: Shifted<A>, count: usize) -> A {
        let mean = acc.sum.div_count(count);
        // NaN for an infinite element: it has no distance from any.
        let zero = acc.shift * A::ZERO;
        (-mean).mul_add(acc.sum, acc.squares).div_count(count) + zero
    }
}
