//! Reductions whose results saturate where their type has no room.

use std::marker::PhantomData;

use crate::facts::error::Error;
use crate::facts::schema::Empty;
use crate::front::one_pass::{OnePass, Operators};
use crate::front::reduction::Reduction;
use crate::front::spec::{OpSpec, Reduces};
use crate::kernel::{Ending, Fold};
use crate::values::element::Store;
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
use crate::values::steps::{Holds, OpSteps, Through};
use crate::values::stored::Stored;
use crate::values::tuples::for_tuples;

/// An operator whose results are clamped to the greatest number of their type; made by [`Reduction::saturating`].
#[derive(Clone, Copy, Debug)]
pub struct Saturating<Op>(Op);

impl<Op> Reduction<Op> {
    /// Clamps results that are beyond the greatest number of a float of eight bits, as where ONNX saturates. Without this they
    /// become infinite, or NaN in a format without infinities, as in `ml_dtypes`. Results of other types are as before. Doubtful
    /// results are not computed again.
    ///
    /// ```
    /// use reduce_core::{Reduction, View, f8e4m3fn};
    /// use reduce_gallery::Variance;
    ///
    /// let view = View::new(&[f8e4m3fn::MAX, f8e4m3fn::MIN], &[2])?;
    /// let variance = Reduction::new(Variance::default());
    /// assert!(variance.run(&view)?.data()[0].is_nan());
    /// assert_eq!(variance.saturating().run(&view)?.data(), [f8e4m3fn::MAX]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn saturating(self) -> Reduction<Op::Saturated>
    where
        Op: Saturates,
    {
        self.map_op(Saturates::saturated)
    }
}

/// That the results of an operator, or of each of a tuple, can be clamped.
#[diagnostic::on_unimplemented(
    message = "the results of `{Self}` cannot saturate",
    label = "not an operator with a spec, or a tuple of such",
    note = "say `saturating()` before what else changes the operator"
)]
pub trait Saturates {
    /// The operator, or operators, with clamped results.
    type Saturated;

    #[doc(hidden)]
    fn saturated(self) -> Self::Saturated;
}

impl<Op: OpSpec> Saturates for Op {
    type Saturated = Saturating<Op>;

    fn saturated(self) -> Saturating<Op> {
        Saturating(self)
    }
}

macro_rules! tuples {
    ($(($($Op:ident . $index:tt),+))*) => {$(
        impl<$($Op: Saturates),+> Saturates for ($($Op,)+) {
            type Saturated = ($($Op::Saturated,)+);

            fn saturated(self) -> Self::Saturated {
                ($(self.$index.saturated(),)+)
            }
        }
    )*};
}

for_tuples!(tuples);

impl<Op: OpSpec> Operators for Saturating<Op> {
    fn sign(&self, to: &mut String) {
        self.0.sign(to);
    }

    fn length() -> Option<usize> {
        Op::length()
    }

    #[inline(always)]
    fn check(&self) -> Result<(), Error> {
        self.0.check()
    }
}

impl<Op: 'static> Holds<Op> for Saturating<Op> {
    #[inline(always)]
    fn held(&self) -> &Op {
        &self.0
    }
}

/// The operator's result, clamped to what `O` can hold.
#[derive(Debug)]
pub struct Clamped<O>(PhantomData<fn() -> O>);

impl<R, Op, T, O, const SELECTS: bool> Ending<Through<Saturating<Op>, OpSteps<R, Op, T, SELECTS>>>
    for Clamped<O>
where
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element> + 'static,
    T: Stored,
    O: Store<Op::Output>,
{
    type Output = O;

    #[inline(always)]
    fn store(op: &Saturating<Op>, acc: Op::Acc, count: usize) -> O {
        O::clamped(op.0.finalize(acc, count))
    }
}

impl<Op, T> OnePass<T> for Saturating<Op>
where
    T: Stored,
    Op: Reduces<T>,
    Clamped<Op::Output>:
        Ending<<<Op::Fold as Fold>::Through<Self> as Fold>::Steps, Output = Op::Output>,
{
    type Result = Op::Output;
    type Folded = Op;
    type Fold = <<Op as Reduces<T>>::Fold as Fold>::Through<Self>;
    type Ending = Clamped<Op::Output>;
    const LANES: usize = <Op as Reduces<T>>::LANES;
    const EMPTY: Empty = <Op as Reduces<T>>::EMPTY;

    #[inline(always)]
    fn folded(&self) -> &Op {
        &self.0
    }
}
