//! Reductions that start from a value.

use std::marker::PhantomData;

use crate::facts::error::Error;
use crate::facts::schema::Empty;
use crate::front::one_pass::{OnePass, Operators};
use crate::front::reduction::Reduction;
use crate::front::spec::{OpSpec, Reduces};
use crate::kernel::{Ending, Fold};
use crate::values::steps::{Holds, Steps, Through};
use crate::values::stored::Stored;
use crate::values::tuples::for_tuples;

/// An operator that takes a value before all elements; made by [`Reduction::initial`].
#[derive(Clone, Copy, Debug)]
pub struct Initial<Op, T> {
    op: Op,
    initial: T,
}

impl<Op, T: Copy> Initial<Op, T> {
    /// The operator, and the value.
    pub fn parts(&self) -> (&Op, T) {
        (&self.op, self.initial)
    }
}

impl<Op: Operators> Reduction<Op> {
    /// Starts every result from a value, as if it stood before the elements. It is not
    /// counted: a mean divides by the number of elements alone. An operator that asks for
    /// positions finds it at `u64::MAX`. Each of a tuple of operators takes it.
    ///
    /// The initial value belongs to the call, the identity to the operator: a sum that
    /// starts from 10 is not the sum that a thread may start from.
    ///
    /// Doubtful results are not computed again: a product of `1e300` and `1e300` that starts from 0 is NaN, infinity
    /// times zero. A mean of no elements is the value divided by 0, an infinity or NaN.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::{ArgMax, ReduceMax, ReduceSum};
    ///
    /// let data = View::new(&[1.0f32, 2.0, 3.0, -4.0], &[2, 2])?;
    /// let sums = Reduction::new(ReduceSum).initial(10.0f32).axes([1]).run(&data)?;
    /// assert_eq!(sums.data(), [13.0, 9.0]);
    /// let at_least_0 = Reduction::new(ReduceMax).initial(0.0f32).axes([0]).run(&data)?;
    /// assert_eq!(at_least_0.data(), [3.0, 2.0]);
    /// // Where nothing is larger, there is no position.
    /// let above = Reduction::new(ArgMax::default()).initial(2.5f32).axes([1]).run(&data)?;
    /// assert_eq!(above.data(), [-1, 0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn initial<T>(self, initial: T) -> Reduction<Op::Started>
    where
        Op: Starts<T>,
    {
        self.map_op(|op| op.started(initial))
    }
}

/// Operators that can start from a value of storage type `T`: one, or a tuple of them. Every operator that reduces
/// tensors of `T` can.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not start from a value of type `{T}`",
    label = "no row for `{T}`",
    note = "if the type is missing, add it to `dtypes` in the operator's `#[reduce_op(..)]`"
)]
pub trait Starts<T>: Operators {
    /// The operator, or operators, with the value.
    type Started;

    #[doc(hidden)]
    fn started(self, initial: T) -> Self::Started;
}

impl<Op: OpSpec + Reduces<T>, T: Stored> Starts<T> for Op {
    type Started = Initial<Op, T>;

    fn started(self, initial: T) -> Initial<Op, T> {
        Initial { op: self, initial }
    }
}

macro_rules! tuples {
    ($(($($Op:ident . $index:tt),+))*) => {$(
        impl<X: Stored, $($Op: Starts<X>),+> Starts<X> for ($($Op,)+) {
            type Started = ($($Op::Started,)+);

            fn started(self, initial: X) -> Self::Started {
                ($(self.$index.started(initial),)+)
            }
        }
    )*};
}

for_tuples!(tuples);

impl<Op: OpSpec, T: Stored> Operators for Initial<Op, T> {
    fn sign(&self, to: &mut String) {
        self.op.sign(to);
        to.push_str(&format!(" from {:?}", self.initial));
    }

    fn length() -> Option<usize> {
        Op::length()
    }

    #[inline(always)]
    fn check(&self) -> Result<(), Error> {
        self.op.check()
    }
}

impl<Op: 'static, T: 'static> Holds<Op> for Initial<Op, T> {
    #[inline(always)]
    fn held(&self) -> &Op {
        &self.op
    }
}

/// What `E` writes, of an accumulator to which the value was added first.
#[derive(Debug)]
pub struct Starting<E>(PhantomData<E>);

impl<Op, T, S, E> Ending<Through<Initial<Op, T>, S>> for Starting<E>
where
    Op: 'static,
    T: Stored,
    S: Steps<Op = Op, Stored = T>,
    E: Ending<S>,
{
    type Output = E::Output;

    #[inline(always)]
    fn store(Initial { op, initial }: &Initial<Op, T>, acc: S::Acc, count: usize) -> E::Output {
        let first = S::first(op, initial.wide(), u64::MAX);
        E::store(op, S::combine(op, first, acc), count)
    }
}

impl<Op: Reduces<T>, T: Stored> OnePass<T> for Initial<Op, T> {
    type Result = Op::Output;
    type Folded = Op;
    type Fold = <<Op as Reduces<T>>::Fold as Fold>::Through<Self>;
    type Ending = Starting<<Op as Reduces<T>>::Ending>;
    const LANES: usize = <Op as Reduces<T>>::LANES;
    const EMPTY: Empty = <Op as Reduces<T>>::EMPTY;

    #[inline(always)]
    fn folded(&self) -> &Op {
        &self.op
    }
}
