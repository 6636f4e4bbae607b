//! Reductions that start from a value.

use std::marker::PhantomData;

use super::{Adapted, Adaptor, Adapts, as_the_operator};
use crate::facts::schema::Empty;
use crate::front::one_pass::OnePass;
use crate::front::reduction::Reduction;
use crate::front::spec::{EndingOf, OpSpec, Reduces};
use crate::kernel::{Ending, Fold};
use crate::values::steps::{Steps, Through};
use crate::values::stored::Stored;

/// From a value, as if it stood before all elements.
#[derive(Clone, Copy, Debug)]
pub struct Starting<T>(pub T);

/// An operator that takes a value before all elements; made by [`Reduction::initial`].
pub type Initial<Op, T> = Adapted<Op, Starting<T>>;

impl<Op> Reduction<Op> {
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
    pub fn initial<T>(self, initial: T) -> Reduction<Op::Adapted>
    where
        Op: Adapts<Starting<T>>,
    {
        self.map_op(|op| op.adapted(Starting(initial)))
    }
}

impl<T: Stored> Adaptor for Starting<T> {
    fn sign(&self, to: &mut String) {
        to.push_str(&format!(" from {:?}", self.0));
    }
}

impl<Op: OpSpec + Reduces<T>, T: Stored> Adapts<Starting<T>> for Op {
    type Adapted = Initial<Op, T>;

    fn adapted(self, how: Starting<T>) -> Initial<Op, T> {
        Adapted { op: self, how }
    }
}

/// What `E` writes of an accumulator to which the value was added first.
#[derive(Debug)]
pub struct Started<E>(PhantomData<E>);

impl<Op, T, S, E> Ending<Through<Initial<Op, T>, S>> for Started<E>
where
    Op: 'static,
    T: Stored,
    S: Steps<Op = Op, Stored = T>,
    E: Ending<S>,
{
    type Output = E::Output;

    #[inline(always)]
    fn store(Adapted { op, how }: &Initial<Op, T>, acc: S::Acc, count: usize) -> E::Output {
        let first = S::first(op, how.0.wide(), u64::MAX);
        E::store(op, S::combine(op, first, acc), count)
    }
}

impl<Op: Reduces<T>, T: Stored> OnePass<T> for Initial<Op, T> {
    type Fold = <<Op as Reduces<T>>::Fold as Fold>::Through<Self>;
    type Ending = Started<EndingOf<Op, T>>;
    const EMPTY: Empty = <Op as Reduces<T>>::EMPTY;

    as_the_operator!(Op, T);
}
