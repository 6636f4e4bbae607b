//! Reductions whose results saturate where their type has no room.

use std::marker::PhantomData;

use super::{Adapted, Adaptor, Adapts, as_the_operator};
use crate::facts::schema::Empty;
use crate::front::one_pass::OnePass;
use crate::front::reduction::Reduction;
use crate::front::spec::{OpSpec, Reduces};
use crate::kernel::{Ending, Fold};
use crate::values::element::Store;
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
use crate::values::steps::{OpSteps, Through};
use crate::values::stored::Stored;

/// With results clamped to the greatest number of their type.
#[derive(Clone, Copy, Debug)]
pub struct Clamping;

/// An operator whose results are clamped to the greatest number of their type; made by [`Reduction::saturating`].
pub type Saturating<Op> = Adapted<Op, Clamping>;

impl<Op> Reduction<Op> {
    /// Clamps results that are beyond the greatest number of a float of eight bits, as ONNX does where it saturates.
    /// Without this they become infinite, or NaN in a format without infinities, as in `ml_dtypes`. Results of other
    /// types are as before. Doubtful results are not computed again.
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
    pub fn saturating(self) -> Reduction<Op::Adapted>
    where
        Op: Adapts<Clamping>,
    {
        self.map_op(|op| op.adapted(Clamping))
    }
}

impl Adaptor for Clamping {}

impl<Op: OpSpec> Adapts<Clamping> for Op {
    type Adapted = Saturating<Op>;

    fn adapted(self, how: Clamping) -> Saturating<Op> {
        Adapted { op: self, how }
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
    fn store(adapted: &Saturating<Op>, acc: Op::Acc, count: usize) -> O {
        O::clamped(adapted.op.finalize(acc, count))
    }
}

impl<Op, T> OnePass<T> for Saturating<Op>
where
    T: Stored,
    Op: Reduces<T>,
    Clamped<Op::Output>: Ending<Through<Self, <Op::Fold as Fold>::Steps>, Output = Op::Output>,
{
    type Fold = <<Op as Reduces<T>>::Fold as Fold>::Through<Self>;
    type Ending = Clamped<Op::Output>;
    const EMPTY: Empty = <Op as Reduces<T>>::EMPTY;

    as_the_operator!(Op, T);
}
