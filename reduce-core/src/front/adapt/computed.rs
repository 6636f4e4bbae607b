//! Reductions computed in another type than the spec says.

use std::fmt;
use std::marker::PhantomData;
use std::mem::offset_of;

use super::{Adapted, Adaptor, Adapts, mended_as_the_operator};
use crate::facts::schema::Empty;
use crate::front::one_pass::OnePass;
use crate::front::reduction::Reduction;
use crate::front::spec::{OpSpec, Reduces};
use crate::kernel::{Combining, Finished, Fold, Mends, ScanMends};
use crate::values::element::accumulator::Accumulator;
use crate::values::element::{Element, Load, Store};
use crate::values::op::ReduceOp;
use crate::values::reader::Value;

/// Computed in type `A`.
pub struct In<A>(PhantomData<fn() -> A>);

impl<A> Clone for In<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for In<A> {}

impl<A> fmt::Debug for In<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "In({})", std::any::type_name::<A>())
    }
}

/// An operator computed in type `A`; made by [`Reduction::computing_in`].
pub type ComputedIn<Op, A> = Adapted<Op, In<A>>;

impl<Op> Reduction<Op> {
    /// Computes in type `A` instead of the spec's: in `f64` for more accuracy, or in
    /// [`Compensated<f32>`](crate::numbers::Compensated) for nearly as much in single precision. Results are stored in
    /// the type of the spec.
    ///
    /// ```
    /// use reduce_core::numbers::Compensated;
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::ReduceSum;
    ///
    /// let data = [1e8f32, 1.0, -1e8, 1.0];
    /// let data = View::new(&data, &[4])?;
    /// let plain = Reduction::new(ReduceSum).run(&data)?;
    /// let wide = Reduction::new(ReduceSum).computing_in::<f64>().run(&data)?;
    /// let compensated = Reduction::new(ReduceSum).computing_in::<Compensated<f32>>().run(&data)?;
    /// assert_eq!((plain.data()[0], wide.data()[0], compensated.data()[0]), (1.0, 2.0, 2.0));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// Emission is computed in the type too, from elements to what is stored, and so is each of several stages:
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
    /// // The mean, 10000000.4, lies between two numbers of single precision.
    /// let data = [1e7f32, 1e7, 1e7, 1e7 + 1.0, 1e7 + 1.0];
    /// let data = View::new(&data, &[5])?;
    /// let plain = Reduction::new(Centre).emit(&data)?;
    /// let wide = Reduction::new(Centre).computing_in::<f64>().emit(&data)?;
    /// assert_eq!(plain.data(), [0.0, 0.0, 0.0, 1.0, 1.0]);
    /// assert_eq!(wide.data(), [-0.4, -0.4, -0.4, 0.6, 0.6]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// The operator, or each of a tuple, must be one of single elements of any type with the
    /// traits it asks for: `impl<A: Real> ReduceOp<A>`. The bounds of the error of each
    /// choice are in [numerics](crate::guide::numerics#accuracy-by-choice).
    #[must_use]
    pub fn computing_in<A>(self) -> Reduction<Op::Adapted>
    where
        Op: Adapts<In<A>>,
    {
        self.map_op(|op| op.adapted(In(PhantomData)))
    }
}

// What it is computed in is seen in the accumulator.
impl<A: 'static> Adaptor for In<A> {}

impl<Op: OpSpec + ReduceOp<A>, A: Accumulator> Adapts<In<A>> for Op {
    type Adapted = ComputedIn<Op, A>;

    fn adapted(self, how: In<A>) -> ComputedIn<Op, A> {
        Adapted { op: self, how }
    }
}

impl<Op, A, T> OnePass<T> for ComputedIn<Op, A>
where
    A: Accumulator,
    T: Element + Load<A>,
    T::Wide: Load<A>,
    Op: OpSpec + Reduces<T> + ReduceOp<A>,
    <Op as Reduces<T>>::Output: Store<<Op as ReduceOp<A>>::Output>,
{
    type Result = <Op as Reduces<T>>::Output;
    type Fold = <Combining<Value<A>, Op, T> as Fold>::Through<Self>;
    type Ending = Finished<Self::Result>;
    const LANES: usize = <Self::Fold as Fold>::WANTS.lanes;
    const EMPTY: Empty = <Op as Reduces<T>>::EMPTY;

    mended_as_the_operator!(Op, T);
}
