//! Reductions that have a value where there is nothing to reduce, or too little.

use std::marker::PhantomData;
use std::mem::offset_of;

use super::{Adapted, Adaptor, Adapts, as_the_operator, mended_as_the_operator};
use crate::facts::schema::Empty;
use crate::front::one_pass::OnePass;
use crate::front::reduction::Reduction;
use crate::front::spec::{EndingOf, OpSpec, Reduces};
use crate::kernel::{Ending, Fold, Mends, ScanMends};
use crate::values::steps::{Steps, Through};
use crate::values::stored::Stored;
use crate::values::written::Written;

/// A value over sets of few elements.
#[derive(Clone, Copy, Debug)]
pub struct Else<V> {
    /// The value.
    pub value: V,
    /// Sets of at least this many elements have the result of the operator.
    pub min_count: usize,
}

/// An operator that has a value over sets of few elements; made by [`Reduction::or`] and [`Reduction::min_count`].
pub type Or<Op, V> = Adapted<Op, Else<V>>;

impl<Op> Reduction<Op> {
    /// Gives this value where a set has no elements, or none that count. It takes the place of what the operator has
    /// there: an error, NaN or its identity. The value is of the type of the result; each of a tuple of operators takes
    /// it.
    ///
    /// ```
    /// use reduce_core::{Reduction, SkipNan, View};
    /// use reduce_specs::{ReduceMax, ReduceMean, ReduceSum};
    ///
    /// let nothing = View::new(&[0i32; 0], &[0, 2])?;
    /// let max = Reduction::new(ReduceMax).axes([0]);
    /// assert_eq!(max.clone().or(-1).run(&nothing)?.data(), [-1, -1]);
    ///
    /// let rows = View::new(&[1.0f32, 2.0], &[2, 1])?.slice(0, 0, 0, 1)?;
    /// let (mean, sum) = Reduction::new((ReduceMean, ReduceSum)).or(7.0f32).run(&rows)?;
    /// assert_eq!((mean.data(), sum.data()), (&[7.0][..], &[7.0][..]));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn or<V>(self, value: V) -> Reduction<Op::Adapted>
    where
        Op: Adapts<Else<V>>,
    {
        self.min_count(1, value)
    }

    /// Gives this value where a set has fewer than `min_count` elements that count. The value is of the type of the
    /// result; each of a tuple of operators takes it.
    ///
    /// ```
    /// use reduce_core::{Reduction, SkipNan, View};
    /// use reduce_specs::ReduceMean;
    ///
    /// let elements = [1.0, f32::NAN, f32::NAN, 2.0, f32::NAN, 4.0];
    /// let rows = View::new(&elements, &[2, 3])?;
    /// let means = Reduction::new(SkipNan(ReduceMean)).axes([1]).min_count(2, -1.0).run(&rows)?;
    /// assert_eq!(means.data(), [-1.0, 3.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn min_count<V>(self, min_count: usize, value: V) -> Reduction<Op::Adapted>
    where
        Op: Adapts<Else<V>>,
    {
        self.map_op(|op| op.adapted(Else { value, min_count }))
    }
}

impl<V: Written> Adaptor for Else<V> {
    fn sign(&self, to: &mut String) {
        to.push_str(&format!(" or {:?}", self.value));
        if self.min_count != 1 {
            to.push_str(&format!(" below {}", self.min_count));
        }
    }
}

impl<Op: OpSpec, V: Written> Adapts<Else<V>> for Op {
    type Adapted = Or<Op, V>;

    fn adapted(self, how: Else<V>) -> Or<Op, V> {
        Adapted { op: self, how }
    }
}

/// Writes what `E` does, but the value where an accumulator has few elements.
#[derive(Debug)]
pub struct OrElse<E>(PhantomData<E>);

impl<Op, S, E> Ending<Through<Or<Op, E::Output>, S>> for OrElse<E>
where
    Op: 'static,
    S: Steps<Op = Op>,
    E: Ending<S>,
{
    type Output = E::Output;

    const DOUBTS: bool = E::DOUBTS;

    #[inline(always)]
    fn store(Adapted { op, how }: &Or<Op, E::Output>, acc: S::Acc, count: usize) -> E::Output {
        if count < how.min_count { how.value } else { E::store(op, acc, count) }
    }

    #[inline(always)]
    fn doubts(adapted: &Or<Op, E::Output>, acc: &S::Acc, count: usize) -> u32 {
        if count < adapted.how.min_count { 0 } else { E::doubts(&adapted.op, acc, count) }
    }
}

impl<Op: Reduces<T>, T: Stored> OnePass<T> for Or<Op, Op::Output> {
    type Fold = <<Op as Reduces<T>>::Fold as Fold>::Through<Self>;
    type Ending = OrElse<EndingOf<Op, T>>;
    const EMPTY: Empty = Empty::Identity;

    as_the_operator!(Op, T);
    mended_as_the_operator!(Op, T);
}
