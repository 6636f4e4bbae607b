//! Reductions that start from a value.

use std::marker::PhantomData;

use crate::facts::error::Error;
use crate::facts::schema::Empty;
use crate::front::one_pass::{OnePass, Operators};
use crate::front::reduction::Reduction;
use crate::front::spec::{OpSpec, Reduces};
use crate::kernel::composed;
use crate::kernel::{Folds, Keepable, Kernel};
use crate::values::element::Slot;
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
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

/// The fold of an [`Initial`]: `F`, that of the operator alone. The value comes in where a result is finished.
#[derive(Debug)]
pub struct Starting<F>(PhantomData<F>);

impl<F, Op, T, O> Folds<Initial<Op, T>, T, O> for Starting<F>
where
    F: Folds<Initial<Op, T>, T, O>,
    T: Stored,
    O: Slot,
{
    type Fold = F::Fold;
}

impl<F: Keepable> Keepable for Starting<F> {}

impl<Op: Operators> Reduction<Op> {
    /// Starts every result from a value, as if it stood before the elements. It is not
    /// counted: a mean divides by the number of elements alone. An operator that asks for
    /// positions finds it at `u64::MAX`. Each of a tuple of operators takes it.
    ///
    /// The initial value belongs to the call, the identity to the operator: a sum that
    /// starts from 10 is not the sum that a thread may start from.
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

/// That an operator, or each of a tuple of operators, can start from a value of a storage
/// type: every operator that reduces tensors of it can.
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

impl<X, Op, T> ReduceOp<X> for Initial<Op, T>
where
    T: Stored,
    Op: ReduceOp<X> + Reduces<T>,
    <Op as Reduces<T>>::Reader: Reader<T, Element = X>,
{
    type Acc = Op::Acc;
    type Output = <Op as ReduceOp<X>>::Output;

    #[inline(always)]
    fn identity(&self) -> Op::Acc {
        self.op.identity()
    }

    #[inline(always)]
    fn map(&self, x: X) -> Op::Acc {
        self.op.map(x)
    }

    #[inline(always)]
    fn combine(&self, a: Op::Acc, b: Op::Acc) -> Op::Acc {
        self.op.combine(a, b)
    }

    #[inline(always)]
    fn push(&self, acc: Op::Acc, x: X) -> Op::Acc {
        self.op.push(acc, x)
    }

    #[inline(always)]
    fn push_two(&self, acc: Op::Acc, x: X, y: X) -> Op::Acc {
        self.op.push_two(acc, x, y)
    }

    #[inline(always)]
    fn push_into(&self, acc: &mut Op::Acc, x: X) {
        self.op.push_into(acc, x);
    }

    #[inline(always)]
    fn enters(&self, acc: &Op::Acc, x: X) -> bool {
        self.op.enters(acc, x)
    }

    #[inline(always)]
    fn remove(&self, acc: Op::Acc, x: X) -> Op::Acc {
        self.op.remove(acc, x)
    }

    const PUSHES_TWO: bool = Op::PUSHES_TWO;
    const IN_PLACE: bool = Op::IN_PLACE;
    const ENTERS: bool = Op::ENTERS;
    const REMOVES: bool = Op::REMOVES;

    #[inline(always)]
    fn finalize(&self, acc: Op::Acc, count: usize) -> Self::Output {
        let first = <Op as Reduces<T>>::Reader::read(self.initial, u64::MAX);
        self.op.finalize(self.op.combine(self.op.map(first), acc), count)
    }
}

impl<Op, T> OnePass<T> for Initial<Op, T>
where
    T: Stored,
    Op: Reduces<T>,
    <Op as Reduces<T>>::Fold: Folds<Self, T, <Op as Reduces<T>>::Output>,
{
    type Result = <Op as Reduces<T>>::Output;
    type Fold = Starting<<Op as Reduces<T>>::Fold>;
    const LANES: usize = <Op as Reduces<T>>::LANES;
    const EMPTY: Empty = <Op as Reduces<T>>::EMPTY;

    fn kernel() -> &'static Kernel<Self, T, Self::Result> {
        const { &composed::<Self::Fold, Self, T, Self::Result>(Self::LANES, Self::EMPTY) }
    }
}
