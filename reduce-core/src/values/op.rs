//! Operators: what their authors write.

use super::accumulator::Accumulator;

/// A reduction, as four steps over elements of type `X`.
///
/// Written by hand under [`#[reduce_op]`](macro@crate::reduce_op), usually generic over
/// the compute type: `impl<A: Real> ReduceOp<A> for MyOp`. The result over
/// elements `x1, x2, .. xn` is
///
/// ```text
/// finalize(combine(map(x1), combine(map(x2), .. map(xn))), n)
/// ```
///
/// in whatever grouping, and unless the spec says `commutative = false`
/// whatever order, the kernel finds fastest. That order is a function of shape
/// and layout alone, so the result has the same bits at every CPU level.
///
/// # Laws
///
/// ```text
/// combine(identity(), a)      = a
/// combine(a, combine(b, c))   ≈ combine(combine(a, b), c)
/// combine(a, b)               ≈ combine(b, a)      unless commutative = false
/// push(a, x)                  ≈ combine(a, map(x))
/// push_two(a, x, y)           = push(push(a, x), y)
/// push_into(&mut a, x)        makes push(a, x) of a
/// enters(&a, x)               if push(a, x) is not a
/// ```
///
/// `#[reduce_op]` writes a test of these laws into the crate of the operator.
/// Steps must not panic, and are fastest without branches: `if a > b { a } else
/// { b }` is a select, an early `return` is not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce elements of type `{X}`",
    label = "no `ReduceOp<{X}>` for this type"
)]
pub trait ReduceOp<X> {
    /// What is carried from element to element.
    type Acc: Accumulator;

    /// The result over a set of elements.
    type Output;

    /// The accumulator of no elements.
    fn identity(&self) -> Self::Acc;

    /// The accumulator of one element.
    fn map(&self, x: X) -> Self::Acc;

    /// The accumulator of two sets of elements, `a` before `b`.
    fn combine(&self, a: Self::Acc, b: Self::Acc) -> Self::Acc;

    /// The accumulator of one more element. Written by itself only where that is less
    /// work than combining: a variance that keeps sums of distances from a shift, say,
    /// moves sums when it combines, but not when it takes an element.
    #[inline(always)]
    fn push(&self, acc: Self::Acc, x: X) -> Self::Acc {
        if Self::IN_PLACE {
            let mut acc = acc;
            self.push_into(&mut acc, x);
            return acc;
        }
        self.combine(acc, self.map(x))
    }

    /// The accumulator of two more elements, `x` before `y`: to the last bit that of one after the
    /// other. Written by itself only where that is less work: a maximum, say, asks at once whether
    /// one of two elements is NaN.
    #[inline(always)]
    fn push_two(&self, acc: Self::Acc, x: X, y: X) -> Self::Acc {
        self.push(self.push(acc, x), y)
    }

    /// Adds one more element where the accumulator is. Written by itself, instead of `push`, where an
    /// element changes little of a large accumulator, as one count of a histogram. The kernel then
    /// keeps few accumulators, in memory.
    #[inline(always)]
    fn push_into(&self, acc: &mut Self::Acc, x: X) {
        *acc = self.push(*acc, x);
    }

    /// Whether one more element may change the accumulator: where it is false, `push` gives back what
    /// it was given, and would also after other elements. Written by itself where few elements enter, as among the largest eight. The kernel
    /// then asks for many elements at once, and mostly goes on.
    #[inline(always)]
    fn enters(&self, _acc: &Self::Acc, _x: X) -> bool {
        true
    }

    /// Whether the operator has a `push_two` of its own.
    #[doc(hidden)]
    const PUSHES_TWO: bool = false;

    /// Whether it has a `push_into` of its own.
    #[doc(hidden)]
    const IN_PLACE: bool = false;

    /// Whether it has an `enters` of its own.
    #[doc(hidden)]
    const ENTERS: bool = false;

    /// The result, from the accumulator of `count` elements.
    fn finalize(&self, acc: Self::Acc, count: usize) -> Self::Output;

    /// Whether an intermediate value may have overflowed or underflowed, so that the result of finite
    /// elements may be wrong though its exact value is an ordinary number: a Euclidean norm doubts
    /// a sum of squares that is infinite, or so small that squares were lost in it.
    ///
    /// A doubtful result is computed again, in [`Extended`](crate::Extended), whose exponents have
    /// no end; so the operator must be one for any type: `impl<A: Real> ReduceOp<A>`. It stands
    /// as it is if an element is infinite or NaN, or all are zero. All results are
    /// asked, so this has to be a comparison or two; what is computed again takes some hundred
    /// nanoseconds, and a few for each element. What an operator emits by such a result is made again with
    /// it. Streams, which have no elements to look at again, and reductions with an initial value
    /// do not ask.
    #[inline(always)]
    fn doubts(&self, _acc: &Self::Acc, _count: usize) -> bool {
        false
    }

    /// A doubtful result, if it follows from the least and the greatest magnitude of the elements
    /// of the first input: a product with a factor that is zero.
    #[inline(always)]
    fn of_extremes(&self, _least: f64, _greatest: f64) -> Option<Self::Output> {
        None
    }

    /// Whether the operator has a `doubts` of its own.
    #[doc(hidden)]
    const DOUBTS: bool = false;
}
