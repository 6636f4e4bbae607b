//! Operators over the elements where another input is extreme.

use std::marker::PhantomData;

use super::{Adapted, Adaptor, Adapts};
use crate::facts::error::Error;
use crate::facts::schema::Empty;
use crate::front::one_pass::{AccOf, OnePass, Operators, StepsOf};
use crate::front::reduction::Reduction;
use crate::front::spec::OpSpec;
use crate::kernel::{Combine, Ending};
use crate::values::steps::{Steps, Wide};
use crate::values::stored::{BeforeLast, Stored};

/// Over the elements whose last input is what this operator selects.
#[derive(Clone, Copy, Debug, Default)]
pub struct Where<Select>(pub Select);

/// An operator over the elements whose last input is extreme; made by [`Reduction::at`].
pub type At<Select, Op> = Adapted<Op, Where<Select>>;

impl<Op> Reduction<Op> {
    /// Reduces the elements whose last input, one more than the operator has, is what `select` selects among all:
    /// the largest for `ReduceMax`, say. All that are equally large count. In a tuple each operator is given them.
    /// Doubtful results are not computed again.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::{ReduceMax, ReduceMean, ReduceSum};
    ///
    /// // What was sold on the latest day.
    /// let sold = View::new(&[5.0f32, 1.0, 2.0, 4.0], &[4])?;
    /// let day = View::new(&[1i32, 3, 2, 3], &[4])?;
    /// let latest = Reduction::new((ReduceSum, ReduceMean)).at(ReduceMax);
    /// let (sum, mean) = latest.run(&(sold, day))?;
    /// assert_eq!((sum.data(), mean.data()), (&[5.0][..], &[2.5][..]));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn at<Select>(self, select: Select) -> Reduction<Op::Adapted>
    where
        Op: Adapts<Where<Select>>,
    {
        self.map_op(|op| op.adapted(Where(select)))
    }
}

impl<Select: Operators + Copy + std::fmt::Debug> Adaptor for Where<Select> {
    fn sign(&self, to: &mut String) {
        to.push_str(" at ");
        self.0.sign(to);
    }

    fn check(&self) -> Result<(), Error> {
        self.0.check()
    }
}

impl<Select, Op: OpSpec> Adapts<Where<Select>> for Op {
    type Adapted = At<Select, Op>;

    fn adapted(self, how: Where<Select>) -> Self::Adapted {
        Adapted { op: self, how }
    }
}

/// The steps of an operator over the elements whose last input is extreme.
#[derive(Debug)]
pub struct AtSteps<Select, Op, T>(PhantomData<fn(Select, Op, T)>);

type SelectSteps<Select, T> = StepsOf<Select, <T as BeforeLast>::Last>;
type OfSelected<Op, T> = StepsOf<Op, <T as BeforeLast>::Before>;

/// What is selected among some elements, the accumulator of the elements that have it, and their number.
impl<Select, Op, T> Steps for AtSteps<Select, Op, T>
where
    T: BeforeLast,
    Select: OnePass<T::Last> + Copy + std::fmt::Debug,
    AccOf<Select, T::Last>: PartialEq,
    Op: OnePass<T::Before>,
{
    type Op = At<Select, Op>;
    type Stored = T;
    type Acc = (AccOf<Select, T::Last>, AccOf<Op, T::Before>, u64);

    const POSITIONED: bool = OfSelected::<Op, T>::POSITIONED;
    const ORDERED: bool = OfSelected::<Op, T>::ORDERED || SelectSteps::<Select, T>::ORDERED;

    #[inline(always)]
    fn none(adapted: &Self::Op) -> Self::Acc {
        let none = SelectSteps::<Select, T>::none(&adapted.how.0);
        (none, OfSelected::<Op, T>::none(&adapted.op), 0)
    }

    #[inline(always)]
    fn first(Adapted { op, how }: &Self::Op, x: Wide<Self>, position: u64) -> Self::Acc {
        let (x, key) = T::split(x);
        let key = SelectSteps::<Select, T>::first(&how.0, key, position);
        (key, OfSelected::<Op, T>::first(op, x, position), 1)
    }

    #[inline(always)]
    fn next(adapted: &Self::Op, acc: Self::Acc, x: Wide<Self>, position: u64) -> Self::Acc {
        Self::combine(adapted, acc, Self::first(adapted, x, position))
    }

    #[inline(always)]
    fn combine(Adapted { op, how }: &Self::Op, a: Self::Acc, b: Self::Acc) -> Self::Acc {
        if a.2 == 0 || b.2 == 0 {
            return if a.2 == 0 { b } else { a };
        }
        let key = SelectSteps::<Select, T>::combine(&how.0, a.0, b.0);
        match (is_same(key, a.0), is_same(key, b.0)) {
            (true, false) => a,
            (false, true) => b,
            _ => (key, OfSelected::<Op, T>::combine(op, a.1, b.1), a.2.saturating_add(b.2)),
        }
    }
}

/// Whether two are equal, or both NaN.
#[inline(always)]
#[allow(clippy::eq_op, reason = "NaN alone is not equal to itself")]
fn is_same<A: PartialEq + Copy>(a: A, b: A) -> bool {
    a == b || (a != a && b != b)
}

/// What the operator writes of the elements whose last input is extreme.
#[derive(Debug)]
pub struct OfExtreme<Op, T>(PhantomData<fn(Op, T)>);

impl<Select, Op, T> Ending<AtSteps<Select, Op, T>> for OfExtreme<Op, T>
where
    T: BeforeLast,
    AtSteps<Select, Op, T>:
        Steps<Op = At<Select, Op>, Acc = (AccOf<Select, T::Last>, AccOf<Op, T::Before>, u64)>,
    Select: OnePass<T::Last>,
    Op: OnePass<T::Before>,
{
    type Output = Op::Result;

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "a number of elements in memory")]
    fn store(
        adapted: &At<Select, Op>,
        (_, acc, count): (AccOf<Select, T::Last>, AccOf<Op, T::Before>, u64),
        _count: usize,
    ) -> Op::Result {
        Op::Ending::store(&adapted.op, acc, count as usize)
    }
}

impl<Select, Op, T> OnePass<T> for At<Select, Op>
where
    T: BeforeLast + Stored,
    Select: OnePass<T::Last> + Copy + std::fmt::Debug,
    AccOf<Select, T::Last>: PartialEq,
    Op: OnePass<T::Before>,
{
    type Result = Op::Result;
    type Fold = Combine<AtSteps<Select, Op, T>>;
    type Ending = OfExtreme<Op, T>;
    const LANES: usize = Op::LANES;
    const EMPTY: Empty = Op::EMPTY;
}
