//! The steps of an operator over the elements that count.
//!
//! Each accumulator has the number of its elements that count beside it. These steps are for accumulators that live on,
//! in streams and by key. There they combine accumulators, push single rows, and fold tuples in which only some members
//! choose. All other kernels pack the elements that count, and fold those with the steps of the operator inside.

use std::marker::PhantomData;

use crate::front::one_pass::{AccOf, OnePass, StepsOf};
use crate::kernel::Ending;
use crate::values::chooser::Chooser;
use crate::values::steps::{Holds, Steps, Wide};
use crate::values::stored::Stored;

/// The steps of the operator that an `Outer` one holds, over the elements of storage type `T` that count.
#[derive(Debug)]
pub struct ChosenSteps<Outer, Op, C, T>(PhantomData<fn(Outer, Op, C, T)>);

/// The steps of an operator, over the elements that it is given.
type Inner<Op, C, T> = StepsOf<Op, <C as Chooser<T>>::Given>;

impl<Outer, Op, C, T> Steps for ChosenSteps<Outer, Op, C, T>
where
    Outer: Holds<Op>,
    Op: OnePass<C::Given>,
    C: Chooser<T>,
    T: Stored,
{
    type Op = Outer;
    type Stored = T;
    type Acc = (AccOf<Op, C::Given>, u64);

    const POSITIONED: bool = Inner::<Op, C, T>::POSITIONED;
    const ORDERED: bool = Inner::<Op, C, T>::ORDERED;
    const ANY_ORDER: bool = Inner::<Op, C, T>::ANY_ORDER;
    const REMOVES: bool = Inner::<Op, C, T>::REMOVES;

    #[inline(always)]
    fn none(op: &Outer) -> Self::Acc {
        (Inner::<Op, C, T>::none(op.held()), 0)
    }

    #[inline(always)]
    fn first(op: &Outer, x: Wide<Self>, position: u64) -> Self::Acc {
        match C::given(x) {
            (x, true) => (Inner::<Op, C, T>::first(op.held(), x, position), 1),
            (_, false) => Self::none(op),
        }
    }

    #[inline(always)]
    fn next(op: &Outer, (acc, count): Self::Acc, x: Wide<Self>, position: u64) -> Self::Acc {
        match C::given(x) {
            (x, true) => (Inner::<Op, C, T>::next(op.held(), acc, x, position), count + 1),
            (_, false) => (acc, count),
        }
    }

    #[inline(always)]
    fn combine(op: &Outer, a: Self::Acc, b: Self::Acc) -> Self::Acc {
        match (a.1, b.1) {
            (_, 0) => a,
            (0, _) => b,
            _ => (Inner::<Op, C, T>::combine(op.held(), a.0, b.0), a.1.saturating_add(b.1)),
        }
    }

    #[inline(always)]
    fn remove(op: &Outer, (acc, count): Self::Acc, x: Wide<Self>) -> Self::Acc {
        match C::given(x) {
            (_, false) => (acc, count),
            (_, true) if count <= 1 => Self::none(op),
            (x, true) => (Inner::<Op, C, T>::remove(op.held(), acc, x), count - 1),
        }
    }
}

/// What the operator writes of the elements that count.
#[derive(Debug)]
pub struct OfChosen<Op, C, T>(PhantomData<fn(Op, C, T)>);

impl<Outer, Op, C, T> Ending<ChosenSteps<Outer, Op, C, T>> for OfChosen<Op, C, T>
where
    Outer: Holds<Op>,
    Op: OnePass<C::Given>,
    C: Chooser<T>,
    T: Stored,
{
    type Output = Op::Result;

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "a number of elements in memory")]
    fn store(op: &Outer, (acc, count): (AccOf<Op, C::Given>, u64), _count: usize) -> Op::Result {
        Op::Ending::store(op.held(), acc, count as usize)
    }
}
