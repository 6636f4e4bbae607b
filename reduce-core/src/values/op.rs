//! Operators: what their authors write.

use super::element::accumulator::Accumulator;

/// A reduction, as four steps over elements of type `X`.
///
/// You write an `impl` block, and [`#[reduce_op]`](macro@crate::reduce_op) above it makes kernels of it. The
/// block is usually generic over the type that is computed in. [The guide](crate::guide::write_an_operator)
/// goes through each step.
///
/// ```
/// use reduce_core::{Real, ReduceOp, Reduction, View, reduce_op};
///
/// /// The geometric mean of positive elements.
/// #[derive(Clone, Copy, Debug, Default)]
/// struct GeometricMean;
///
/// #[reduce_op(dtypes = [f16 => f32, f32, f64])]
/// impl<A: Real> ReduceOp<A> for GeometricMean {
///     type Acc = A; // the sum of the logarithms
///     type Output = A;
///     fn identity(&self) -> A { A::ZERO }
///     fn map(&self, x: A) -> A { x.ln() }
///     fn combine(&self, a: A, b: A) -> A { a + b }
///     fn finalize(&self, sum: A, count: usize) -> A { sum.div_count(count).exp() }
/// }
///
/// let rows = View::new(&[2.0f64, 8.0, 3.0, 3.0], &[2, 2])?;
/// let means = Reduction::new(GeometricMean).axes([1]).run(&rows)?;
/// assert!((means.data()[0] - 4.0).abs() < 1e-12);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// The four steps are [`identity`](ReduceOp::identity), [`map`](ReduceOp::map),
/// [`combine`](ReduceOp::combine) and [`finalize`](ReduceOp::finalize). All other functions are optional
/// and make an operator faster, or its range larger. The result over elements `x1, x2, .. xn` is
///
/// ```text
/// finalize(combine(map(x1), combine(map(x2), .. map(xn))), n)
/// ```
///
/// in whatever grouping the kernel finds fastest, and also in whatever order, unless the spec says
/// `commutative = false`. Grouping and order are a function of shape and layout alone, so the result has the
/// same bits at every CPU level.
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
/// remove(push(a, x), x)       ≈ a
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

    /// The accumulator of no elements: combined with another one, on either side, it changes nothing.
    fn identity(&self) -> Self::Acc;

    /// The accumulator of one element.
    fn map(&self, x: X) -> Self::Acc;

    /// The accumulator of two sets of elements, `a` before `b`. It is the same however elements are cut
    /// into sets, up to roundings.
    fn combine(&self, a: Self::Acc, b: Self::Acc) -> Self::Acc;

    /// The accumulator after one more element. Write it only where that is less work than combining. A variance
    /// that keeps sums of distances from a shift, say, moves sums when it combines, but not when it takes an
    /// element.
    #[inline(always)]
    fn push(&self, acc: Self::Acc, x: X) -> Self::Acc {
        if Self::IN_PLACE {
            let mut acc = acc;
            self.push_into(&mut acc, x);
            return acc;
        }
        self.combine(acc, self.map(x))
    }

    /// The accumulator after two more elements, `x` before `y`: to the last bit that of one after the other.
    /// Write it only where that is less work. A maximum, say, asks at once whether one of two elements is NaN.
    #[inline(always)]
    fn push_two(&self, acc: Self::Acc, x: X, y: X) -> Self::Acc {
        self.push(self.push(acc, x), y)
    }

    /// Adds one more element where the accumulator is. Write it instead of `push` where an element changes
    /// little of a large accumulator, such as one count of a histogram. The kernel then keeps few accumulators,
    /// in memory.
    #[inline(always)]
    fn push_into(&self, acc: &mut Self::Acc, x: X) {
        *acc = self.push(*acc, x);
    }

    /// Whether one more element may change the accumulator. Where it is false, `push` gives back what it was
    /// given, and would also after other elements. Write it where few elements enter, as among the largest
    /// eight. The kernel then asks for many elements at once, and mostly goes on.
    #[inline(always)]
    fn enters(&self, _acc: &Self::Acc, _x: X) -> bool {
        true
    }

    /// The accumulator without an element that was pushed before: the inverse of `push`. The element may have
    /// any value, infinities and NaN too, and others may have been pushed since. Write it where it can be done:
    /// a count goes down, an [`Exact`](crate::numbers::Exact) sum loses nothing. A sum of floats has no inverse: what
    /// was rounded away beside a large element does not come back when that one leaves.
    #[inline(always)]
    fn remove(&self, acc: Self::Acc, _x: X) -> Self::Acc {
        acc
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

    /// Whether it has a `remove` of its own; without one, the accumulator stays as it is.
    #[doc(hidden)]
    const REMOVES: bool = false;

    /// The result, from the accumulator of `count` elements. The count is 0 over an empty set, unless the
    /// spec says `empty = error`.
    fn finalize(&self, acc: Self::Acc, count: usize) -> Self::Output;

    /// What is wrong with the operator's parameters, and what to do instead, as one sentence without a full
    /// stop. Write it where a range under `attrs` does not say it, or parameters depend on one another:
    ///
    /// ```
    /// # use reduce_core::{Error, Real, ReduceOp, Reduction, View, reduce_op};
    /// /// The sum of the elements from `low` to `high`.
    /// #[derive(Clone, Copy, Debug, Default)]
    /// struct SumBetween {
    ///     low: f64,
    ///     high: f64,
    /// }
    ///
    /// #[reduce_op(dtypes = [f32, f64], nan = ignore)]
    /// impl<A: Real> ReduceOp<A> for SumBetween {
    ///     type Acc = A;
    ///     type Output = A;
    ///     fn identity(&self) -> A { A::ZERO }
    ///     fn map(&self, x: A) -> A {
    ///         let is_between = (x >= A::from_f64(self.low)) & (x <= A::from_f64(self.high));
    ///         if is_between { x } else { A::ZERO }
    ///     }
    ///     fn combine(&self, a: A, b: A) -> A { a + b }
    ///     fn finalize(&self, sum: A, _count: usize) -> A { sum }
    ///     fn refuses(&self) -> Option<String> {
    ///         let Self { low, high } = self;
    ///         (low > high).then(|| format!("`low` is {low}, above `high`, {high}; exchange them"))
    ///     }
    /// }
    ///
    /// let error = Reduction::new(SumBetween { low: 2.0, high: 1.0 }).run(&View::new(&[1.0f32], &[1])?);
    /// let error = error.expect_err("limits that are exchanged");
    /// assert_eq!(error.code(), "parameters");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// A reduction, a stream, groups by key, an emission and a call of a registry ask once, before they look at
    /// an element. The steps themselves do not ask, and must not panic whatever the parameters are.
    fn refuses(&self) -> Option<String> {
        None
    }

    /// Whether the result of finite elements may be wrong although the exact one is an ordinary number: an
    /// intermediate value may have overflowed or underflowed. A Euclidean norm, say, doubts a sum of squares
    /// that is infinite, or so small that squares were lost in it.
    ///
    /// A doubtful result is computed again, in [`Extended`](crate::numbers::Extended), whose exponents have no end. So
    /// the operator must be one for any type: `impl<A: Real> ReduceOp<A>`. The result stands as it is if an
    /// element is infinite or NaN, or all are zero. What an operator emits by such a result is made again with
    /// it. Streams do not ask, since they have no elements to look at again; nor do reductions with an initial
    /// value.
    ///
    /// All results are asked, so this has to be a comparison or two. To compute a result again takes some
    /// hundred nanoseconds, and a few for each element.
    #[inline(always)]
    fn doubts(&self, _acc: &Self::Acc, _count: usize) -> bool {
        false
    }

    /// A doubtful result, if it follows from the least and the greatest magnitude of the elements of the first
    /// input. That of a product does, if a factor is zero.
    #[inline(always)]
    fn of_extremes(&self, _least: f64, _greatest: f64) -> Option<Self::Output> {
        None
    }

    /// Whether the spec says `commutative = false`.
    #[doc(hidden)]
    const ORDERED: bool = false;

    /// Whether the operator has a `doubts` of its own.
    #[doc(hidden)]
    const DOUBTS: bool = false;
}
