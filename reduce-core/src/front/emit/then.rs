//! Operators one after another, each over what the one before it emitted.

use super::{Emits, Emitting};
use crate::facts::error::Error;
use crate::front::adapt::Adapts;
use crate::front::one_pass::Operators;
use crate::front::reduction::Reduction;
use crate::kernel::{StageOps, Stages};
use crate::values::element::Element;
use crate::values::stored::Stored;

/// An operator that reduces what another one emitted; made by [`Reduction::then`].
#[derive(Clone, Copy, Debug)]
pub struct Then<First, Next> {
    pub(crate) first: First,
    pub(crate) next: Next,
}

impl<First, Next> Then<First, Next> {
    /// The operator whose elements are read.
    #[doc(hidden)]
    pub fn first(&self) -> &First {
        &self.first
    }

    /// The operator that reduces what the first emits.
    #[doc(hidden)]
    pub fn next(&self) -> &Next {
        &self.next
    }
}

impl<Op> Reduction<Op> {
    /// Reduces what the operator emits by another one, over the same axes. The other one emits in its turn.
    ///
    /// All stages are done for some results before the others, so that what is emitted in between stays in cache. Over
    /// the first axis, and over sets that no cache holds, it takes memory as large as the input, if it does not fit the
    /// output. It stays in the type it is computed in, and is never rounded to half precision, say.
    ///
    /// ```
    /// # use reduce_core::{Emit, Real, ReduceOp, Reduction, View, reduce_op};
    /// /// Subtracts the mean.
    /// #[derive(Clone, Copy, Debug, Default)]
    /// struct Centre;
    /// # #[reduce_op(dtypes = [f32, f64])]
    /// # impl<A: Real> ReduceOp<A> for Centre {
    /// #     type Acc = A;
    /// #     type Output = A;
    /// #     fn identity(&self) -> A { A::ZERO }
    /// #     fn map(&self, x: A) -> A { x }
    /// #     fn combine(&self, a: A, b: A) -> A { a + b }
    /// #     fn finalize(&self, sum: A, count: usize) -> A { sum.div_count(count) }
    /// # }
    /// #
    /// # impl<A: Real> Emit<A> for Centre {
    /// #     type Emitted = A;
    /// #     #[inline(always)]
    /// #     fn emit(&self, x: A, mean: &A) -> A { x - *mean }
    /// # }
    ///
    /// /// Divides by the root of the mean square.
    /// #[derive(Clone, Copy, Debug, Default)]
    /// struct ToUnit;
    ///
    /// #[reduce_op(dtypes = [f32, f64])]
    /// impl<A: Real> ReduceOp<A> for ToUnit {
    ///     type Acc = A;
    ///     type Output = A;
    ///     fn identity(&self) -> A { A::ZERO }
    ///     fn map(&self, x: A) -> A { x * x }
    ///     fn combine(&self, a: A, b: A) -> A { a + b }
    ///     fn finalize(&self, sum: A, count: usize) -> A { sum.div_count(count).sqrt() }
    /// }
    ///
    /// impl<A: Real> Emit<A> for ToUnit {
    ///     type Emitted = A;
    ///     #[inline(always)]
    ///     fn emit(&self, x: A, length: &A) -> A { x / *length }
    /// }
    ///
    /// // Layer norm: the squares are those of distances from the mean, as they should be.
    /// let rows = View::new(&[1.0f32, 3.0, 1e6, 1e6 + 4.0], &[2, 2])?;
    /// let norm = Reduction::new(Centre).then(ToUnit).axes([1]).emit(&rows)?;
    /// assert_eq!(norm.data(), [-1.0, 1.0, -1.0, 1.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn then<Next: Operators>(self, next: Next) -> Reduction<Then<Op, Next>> {
        self.map_op(|first| Then { first, next })
    }
}

impl<How: Copy, First: Adapts<How>, Next: Adapts<How>> Adapts<How> for Then<First, Next> {
    type Adapted = Then<First::Adapted, Next::Adapted>;

    fn adapted(self, how: How) -> Self::Adapted {
        Then { first: self.first.adapted(how), next: self.next.adapted(how) }
    }
}

impl<T, First, Next> Emitting<T> for Then<First, Next>
where
    T: Stored,
    First: Emitting<T, Emitted: Element>,
    Next: Emitting<First::Emitted>,
{
    type Emitted = Next::Emitted;
}

impl<T, O, First, Next, E> Emits<T, O> for Then<First, Next>
where
    T: Stored,
    E: Element,
    First: Emitting<T, Emitted = E> + Emits<T, E>,
    Next: Operators + Emits<E, O>,
{
    fn stages() -> Stages<T, O> {
        <First as Emits<T, E>>::stages().then(<Next as Emits<E, O>>::stages())
    }

    fn ops(&self) -> StageOps<'_> {
        <First as Emits<T, E>>::ops(&self.first).then(<Next as Emits<E, O>>::ops(&self.next))
    }

    fn check_all(&self) -> Result<(), Error> {
        self.first.check_all()?;
        self.next.check()
    }
}
