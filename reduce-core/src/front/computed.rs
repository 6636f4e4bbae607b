//! Reductions computed in another type than the spec says.

use std::marker::PhantomData;
use std::mem::offset_of;

use crate::facts::error::Error;
use crate::facts::order::ORDERED;
use crate::facts::schema::Empty;
use crate::front::emit::Then;
use crate::front::one_pass::{OnePass, Operators};
use crate::front::reduction::Reduction;
use crate::front::spec::{OpSpec, Reduces};
use crate::kernel::{Combining, Finished, Fold, Mends};
use crate::values::element::accumulator::Accumulator;
use crate::values::element::{Element, Load, Store};
use crate::values::op::ReduceOp;
use crate::values::reader::Value;
use crate::values::steps::Holds;
use crate::values::tuples::for_tuples;

/// An operator computed in type `A`; made by [`Reduction::computing_in`].
#[derive(Debug)]
pub struct ComputedIn<Op, A> {
    op: Op,
    compute: PhantomData<fn() -> A>,
}

impl<Op: Clone, A> Clone for ComputedIn<Op, A> {
    fn clone(&self) -> Self {
        ComputedIn { op: self.op.clone(), compute: PhantomData }
    }
}

impl<Op> Reduction<Op> {
    /// Computes in type `A` instead of the spec's: in `f64` for more accuracy, or in
    /// [`Compensated<f32>`](crate::Compensated) for nearly as much in single precision. Results are stored in the type
    /// of the spec.
    ///
    /// ```
    /// use reduce_core::{Compensated, Reduction, View};
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
    pub fn computing_in<A>(self) -> Reduction<Op::Computed>
    where
        Op: Computes<A>,
    {
        self.map_op(Computes::computed)
    }
}

/// Operators that can be computed in type `A`: one, or several in one pass or one after another.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be computed in `{A}`",
    label = "no `ReduceOp<{A}>` for this operator",
    note = "write the operator for any type with the traits it needs: `impl<A: Real> ReduceOp<A>`"
)]
pub trait Computes<A> {
    /// The operator, or operators, computed in the type.
    type Computed;

    #[doc(hidden)]
    fn computed(self) -> Self::Computed;
}

impl<Op: OpSpec + ReduceOp<A>, A: Accumulator> Computes<A> for Op {
    type Computed = ComputedIn<Op, A>;

    fn computed(self) -> ComputedIn<Op, A> {
        ComputedIn { op: self, compute: PhantomData }
    }
}

macro_rules! tuples {
    ($(($($Op:ident . $index:tt),+))*) => {$(
        impl<X: Accumulator, $($Op: Computes<X>),+> Computes<X> for ($($Op,)+) {
            type Computed = ($($Op::Computed,)+);

            fn computed(self) -> Self::Computed {
                ($(self.$index.computed(),)+)
            }
        }
    )*};
}

for_tuples!(tuples);

impl<A, First: Computes<A>, Next: Computes<A>> Computes<A> for Then<First, Next> {
    type Computed = Then<First::Computed, Next::Computed>;

    fn computed(self) -> Self::Computed {
        Then { first: self.first.computed(), next: self.next.computed() }
    }
}

impl<Op: OpSpec, A: 'static> Operators for ComputedIn<Op, A> {
    /// As the operator: what it is computed in is seen in the accumulator.
    fn sign(&self, to: &mut String) {
        self.op.sign(to);
    }

    fn length() -> Option<usize> {
        Op::length()
    }

    #[inline(always)]
    fn check(&self) -> Result<(), Error> {
        self.op.check()
    }
}

impl<Op: 'static, A: 'static> Holds<Op> for ComputedIn<Op, A> {
    #[inline(always)]
    fn held(&self) -> &Op {
        &self.op
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
    type Folded = Op;
    type Fold = <Combining<Value<A>, Op, T> as Fold>::Through<Self>;
    type Ending = Finished<Self::Result>;
    const LANES: usize = match Op::SCHEMA.commutative {
        true => <Self::Fold as Fold>::WANTS.lanes,
        false => ORDERED,
    };
    const EMPTY: Empty = <Op as Reduces<T>>::EMPTY;
    const MENDS: &'static Mends = match <Op as Reduces<T>>::MENDS {
        Mends::Never => &Mends::Never,
        _ => &const { Mends::Together(&[(offset_of!(Self, op), 0, <Op as Reduces<T>>::MENDS)]) },
    };

    #[inline(always)]
    fn folded(&self) -> &Op {
        &self.op
    }
}
