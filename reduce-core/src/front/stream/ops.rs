//! Operators as streams need them: their results are accumulators, which are combined and
//! finalised later.

use std::fmt::Debug;

use crate::facts::schema::Empty;
use crate::front::one_pass::OnePass;
use crate::front::spec::{OpSpec, Reduces};
use crate::kernel::composed;
use crate::kernel::{Folds, Kernel};
use crate::values::accumulator::Accumulator;
use crate::values::element::{Slot, Store, Unrounded};
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
use crate::values::stored::Stored;
use crate::values::tuples::for_tuples;

/// An operator whose results are its accumulators.
#[derive(Clone, Copy, Debug)]
pub struct Accumulating<Op>(Op);

impl<X, Op: ReduceOp<X>> ReduceOp<X> for Accumulating<Op> {
    type Acc = Op::Acc;
    type Output = Op::Acc;

    #[inline(always)]
    fn identity(&self) -> Op::Acc {
        self.0.identity()
    }

    #[inline(always)]
    fn map(&self, x: X) -> Op::Acc {
        self.0.map(x)
    }

    #[inline(always)]
    fn combine(&self, a: Op::Acc, b: Op::Acc) -> Op::Acc {
        self.0.combine(a, b)
    }

    #[inline(always)]
    fn push(&self, acc: Op::Acc, x: X) -> Op::Acc {
        self.0.push(acc, x)
    }

    #[inline(always)]
    fn push_two(&self, acc: Op::Acc, x: X, y: X) -> Op::Acc {
        self.0.push_two(acc, x, y)
    }

    #[inline(always)]
    fn push_into(&self, acc: &mut Op::Acc, x: X) {
        self.0.push_into(acc, x);
    }

    #[inline(always)]
    fn enters(&self, acc: &Op::Acc, x: X) -> bool {
        self.0.enters(acc, x)
    }

    #[inline(always)]
    fn remove(&self, acc: Op::Acc, x: X) -> Op::Acc {
        self.0.remove(acc, x)
    }

    const PUSHES_TWO: bool = Op::PUSHES_TWO;
    const IN_PLACE: bool = Op::IN_PLACE;
    const ENTERS: bool = Op::ENTERS;
    const REMOVES: bool = Op::REMOVES;

    #[inline(always)]
    fn finalize(&self, acc: Op::Acc, _count: usize) -> Op::Acc {
        acc
    }
}

/// That an operator, or a tuple of operators, can take tensors of a storage type piece by
/// piece: every operator that reduces them can.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce tensors of `{T}` piece by piece",
    label = "no row for `{T}`",
    note = "if the type is missing, add it to `dtypes` in the operator's `#[reduce_op(..)]`",
    note = "an operator of several inputs takes a tuple of views, `run(&(a, b))`, and one of a single input takes a view"
)]
pub trait Streams<T: Stored>: OnePass<T> {
    /// The operator's accumulator for the type it computes in; a tuple of those of several.
    type Acc: Accumulator;

    /// What results in accumulators.
    #[doc(hidden)]
    type Accumulating: Send + Sync + 'static;

    /// An accumulator as a kernel writes it.
    #[doc(hidden)]
    type Kept: Slot;

    /// How the kernel folds.
    #[doc(hidden)]
    type Accumulates: Folds<Self::Accumulating, T, Self::Kept>;

    #[doc(hidden)]
    fn accumulating(self) -> Self::Accumulating;

    #[doc(hidden)]
    fn kernel_of_accumulators() -> &'static Kernel<Self::Accumulating, T, Self::Kept> {
        const { &composed::<Self::Accumulates, _, T, _>(Self::LANES, Empty::Identity) }
    }

    /// An accumulator; nothing if none was written.
    #[doc(hidden)]
    fn kept(kept: &Self::Kept) -> Option<Self::Acc>;

    #[doc(hidden)]
    fn combined(op: &Self::Accumulating, a: Self::Acc, b: Self::Acc) -> Self::Acc;

    #[doc(hidden)]
    fn result(op: &Self::Accumulating, acc: Self::Acc, count: usize) -> Self::Result;

    #[doc(hidden)]
    fn none(op: &Self::Accumulating) -> Self::Acc;
}

impl<T, Op, E, R, Acc> Streams<T> for Op
where
    T: Stored,
    Op: OpSpec + Reduces<T> + ReduceOp<E, Output = R, Acc = Acc>,
    <Op as Reduces<T>>::Reader: Reader<T, Element = E>,
    <Op as Reduces<T>>::Fold: Folds<Accumulating<Op>, T, Unrounded<Acc>>,
    <Op as Reduces<T>>::Output: Store<R>,
    Acc: Accumulator,
{
    type Acc = Acc;
    type Accumulating = Accumulating<Op>;
    type Kept = Unrounded<Acc>;
    type Accumulates = <Op as Reduces<T>>::Fold;

    fn accumulating(self) -> Accumulating<Op> {
        Accumulating(self)
    }

    fn kept(kept: &Unrounded<Acc>) -> Option<Acc> {
        kept.get().copied()
    }

    fn combined(op: &Accumulating<Op>, a: Acc, b: Acc) -> Acc {
        op.0.combine(a, b)
    }

    fn result(op: &Accumulating<Op>, acc: Acc, count: usize) -> <Op as Reduces<T>>::Output {
        Store::store(op.0.finalize(acc, count))
    }

    fn none(op: &Accumulating<Op>) -> Acc {
        op.0.identity()
    }
}

macro_rules! tuples {
    ($(($($Op:ident . $index:tt),+))*) => {$(
        impl<T: Stored, $($Op: Streams<T>),+> Streams<T> for ($($Op,)+) {
            type Acc = ($($Op::Acc,)+);
            type Accumulating = ($($Op::Accumulating,)+);
            type Kept = ($($Op::Kept,)+);
            type Accumulates = ($($Op::Accumulates,)+);

            fn accumulating(self) -> Self::Accumulating {
                ($(self.$index.accumulating(),)+)
            }

            fn kept(kept: &Self::Kept) -> Option<Self::Acc> {
                Some(($($Op::kept(&kept.$index)?,)+))
            }

            fn combined(op: &Self::Accumulating, a: Self::Acc, b: Self::Acc) -> Self::Acc {
                ($($Op::combined(&op.$index, a.$index, b.$index),)+)
            }

            fn result(op: &Self::Accumulating, acc: Self::Acc, count: usize) -> Self::Result {
                ($($Op::result(&op.$index, acc.$index, count),)+)
            }

            fn none(op: &Self::Accumulating) -> Self::Acc {
                ($($Op::none(&op.$index),)+)
            }
        }
    )*};
}

for_tuples!(tuples);
