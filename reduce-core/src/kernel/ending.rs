//! Endings: what is written of an accumulator.
//!
//! A fold says how elements become an accumulator. An ending says what is stored: the operator's result ([`Finished`]),
//! the accumulator itself ([`Unfinished`]), or what an adaptor makes of either (`front/adapt/`). A tuple of endings is
//! the ending of a tuple of operators.

use std::marker::PhantomData;

use super::fold::Fold;
use crate::values::chooser::Counted;
use crate::values::element::{Slot, Store, Unrounded};
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
use crate::values::steps::{Holds, NoSteps, OpSteps, Steps, Through};
use crate::values::stored::Stored;

/// What is written of an accumulator of some steps.
pub trait Ending<S: Steps>: 'static {
    /// What is written.
    type Output: Slot;

    /// Whether results may be doubted.
    const DOUBTS: bool = false;

    /// The number of operators. Each may doubt its result.
    const MEMBERS: u32 = 1;

    /// What is written of an accumulator of `count` elements.
    fn store(op: &S::Op, acc: S::Acc, count: usize) -> Self::Output;

    /// Which of the operators doubt their results: a bit for each.
    #[inline(always)]
    fn doubts(_op: &S::Op, _acc: &S::Acc, _count: usize) -> u32 {
        0
    }

    /// A result that follows from the least and the greatest magnitude of its elements.
    #[inline(always)]
    fn of_extremes(_op: &S::Op, _least: f64, _greatest: f64) -> Option<Self::Output> {
        None
    }
}

/// The operator's result, stored as `O`.
#[derive(Debug)]
pub struct Finished<O>(PhantomData<fn() -> O>);

/// Folds whose results can be stored as `O`.
pub trait Finishes<O>: Fold {
    /// What stores them.
    type Ending: Ending<Self::Steps, Output = O>;
}

impl<F: Fold, O: 'static> Finishes<O> for F
where
    Finished<O>: Ending<F::Steps, Output = O>,
{
    type Ending = Finished<O>;
}

impl<R, Op, T, O, const SELECTS: bool> Ending<OpSteps<R, Op, T, SELECTS>> for Finished<O>
where
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element> + 'static,
    T: Stored,
    O: Store<Op::Output>,
{
    type Output = O;

    const DOUBTS: bool = Op::DOUBTS && !SELECTS;

    #[inline(always)]
    fn store(op: &Op, acc: Op::Acc, count: usize) -> O {
        O::store(op.finalize(acc, count))
    }

    #[inline(always)]
    fn doubts(op: &Op, acc: &Op::Acc, count: usize) -> u32 {
        u32::from(!SELECTS && op.doubts(acc, count))
    }

    #[inline(always)]
    fn of_extremes(op: &Op, least: f64, greatest: f64) -> Option<O> {
        op.of_extremes(least, greatest).map(O::store)
    }
}

impl<Op: 'static, T: Stored, O: Slot> Ending<NoSteps<Op, T>> for Finished<O> {
    type Output = O;

    fn store(_: &Op, _: bool, _: usize) -> O {
        O::blank()
    }
}

impl<Outer, R, Op, T, O, const SELECTS: bool> Ending<Through<Outer, OpSteps<R, Op, T, SELECTS>>>
    for Finished<O>
where
    Outer: Holds<Op>,
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element> + 'static,
    T: Stored,
    O: Store<Op::Output>,
{
    type Output = O;

    const DOUBTS: bool = Op::DOUBTS && !SELECTS;

    #[inline(always)]
    fn store(op: &Outer, acc: Op::Acc, count: usize) -> O {
        O::store(op.held().finalize(acc, count))
    }

    #[inline(always)]
    fn doubts(op: &Outer, acc: &Op::Acc, count: usize) -> u32 {
        u32::from(!SELECTS && op.held().doubts(acc, count))
    }
}

/// The accumulator as it is, which is combined and finished later, counted as `C` says.
#[derive(Debug)]
pub struct Unfinished<C>(PhantomData<fn() -> C>);

impl<S: Steps, C: Counted<S::Acc>> Ending<S> for Unfinished<C> {
    type Output = Unrounded<C::Acc>;

    #[inline(always)]
    fn store(_op: &S::Op, acc: S::Acc, count: usize) -> Unrounded<C::Acc> {
        Unrounded::of(C::counted(acc, count as u64))
    }
}

/// Writes the endings of tuples.
macro_rules! tuples {
    ($(($($E:ident $S:ident . $index:tt),+))*) => {$(
        impl<T: Stored, $($E, $S),+> Ending<($($S,)+)> for ($($E,)+)
        where
            $($E: Ending<$S>, $S: Steps<Stored = T>,)+
        {
            type Output = ($($E::Output,)+);

            const DOUBTS: bool = false $(|| $E::DOUBTS)+;
            const MEMBERS: u32 = 0 $(+ $E::MEMBERS)+;

            #[inline(always)]
            fn store(op: &($($S::Op,)+), acc: ($($S::Acc,)+), count: usize) -> Self::Output {
                ($($E::store(&op.$index, acc.$index, count),)+)
            }

            #[inline(always)]
            fn doubts(op: &($($S::Op,)+), acc: &($($S::Acc,)+), count: usize) -> u32 {
                let (mut doubts, mut first) = (0, 0);
                $(
                    let of_member = $E::doubts(&op.$index, &acc.$index, count);
                    doubts |= of_member.checked_shl(first).unwrap_or(0);
                    first += $E::MEMBERS;
                )+
                let _ = first;
                doubts
            }
        }
    )*};
}

tuples! {
    (A P.0)
    (A P.0, B Q.1)
    (A P.0, B Q.1, C R.2)
    (A P.0, B Q.1, C R.2, D U.3)
    (A P.0, B Q.1, C R.2, D U.3, E V.4)
    (A P.0, B Q.1, C R.2, D U.3, E V.4, F W.5)
    (A P.0, B Q.1, C R.2, D U.3, E V.4, F W.5, G X.6)
    (A P.0, B Q.1, C R.2, D U.3, E V.4, F W.5, G X.6, H Y.7)
}
