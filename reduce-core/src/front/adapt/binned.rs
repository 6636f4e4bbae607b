//! Operators for each bin of another input.

use std::marker::PhantomData;

use super::{Adapted, Adaptor, Adapts};
use crate::facts::schema::Empty;
use crate::front::groups::Key;
use crate::front::one_pass::{AccOf, OnePass, StepsOf};
use crate::front::reduction::Reduction;
use crate::front::spec::OpSpec;
use crate::kernel::{Combine, Ending};
use crate::values::element::Element;
use crate::values::steps::{Steps, Wide};
use crate::values::stored::{BeforeLast, Stored};
use crate::values::written::Written;

/// In this many bins.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bins<const N: usize>;

/// An operator for each of `N` bins; made by [`Reduction::binned`].
pub type Binned<Op, const N: usize> = Adapted<Op, Bins<N>>;

impl<Op> Reduction<Op> {
    /// Reduces the elements of each bin by themselves. The last input, one more than the operator has, is the number of
    /// an element's bin, from 0 on; an element of any other number is left out. A result is an array with an entry for
    /// each bin. Doubtful results are not computed again.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::ReduceMean;
    ///
    /// let heights = View::new(&[1.0f32, 2.0, 5.0, 4.0, 9.0], &[5])?;
    /// let classes = View::new(&[0u8, 2, 0, 2, 7], &[5])?;
    /// let means = Reduction::new(ReduceMean).binned::<3>().run(&(heights, classes))?;
    /// assert_eq!(means.shape().dims(), [3]);
    /// assert_eq!((means.data()[0], means.data()[2]), (3.0, 3.0));
    /// assert!(means.data()[1].is_nan());
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn binned<const N: usize>(self) -> Reduction<Op::Adapted>
    where
        Op: Adapts<Bins<N>>,
    {
        self.map_op(|op| op.adapted(Bins))
    }
}

impl<const N: usize> Adaptor for Bins<N> {
    fn sign(&self, to: &mut String) {
        to.push_str(&format!(" in {N} bins"));
    }

    fn length(_: Option<usize>) -> Option<usize> {
        Some(N)
    }
}

impl<Op: OpSpec, const N: usize> Adapts<Bins<N>> for Op {
    type Adapted = Binned<Op, N>;

    fn adapted(self, how: Bins<N>) -> Self::Adapted {
        Adapted { op: self, how }
    }
}

/// The steps of an operator for each bin. Beside the accumulator of a bin stands the number of its elements.
#[derive(Debug)]
pub struct BinSteps<Op, T, const N: usize>(PhantomData<fn(Op, T)>);

type OfBin<Op, T> = StepsOf<Op, <T as BeforeLast>::Before>;
type BinAcc<Op, T> = (AccOf<Op, <T as BeforeLast>::Before>, u64);

impl<Op, T, const N: usize> Steps for BinSteps<Op, T, N>
where
    T: BeforeLast,
    <T::Last as Stored>::Wide: Key,
    Op: OnePass<T::Before>,
{
    type Op = Binned<Op, N>;
    type Stored = T;
    type Acc = [BinAcc<Op, T>; N];

    const POSITIONED: bool = OfBin::<Op, T>::POSITIONED;
    const IN_PLACE: bool = true;

    #[inline(always)]
    fn none(binned: &Self::Op) -> Self::Acc {
        [(OfBin::<Op, T>::none(&binned.op), 0); N]
    }

    #[inline(always)]
    fn first(binned: &Self::Op, x: Wide<Self>, position: u64) -> Self::Acc {
        Self::next(binned, Self::none(binned), x, position)
    }

    #[inline(always)]
    fn next(binned: &Self::Op, mut acc: Self::Acc, x: Wide<Self>, position: u64) -> Self::Acc {
        Self::next_into(binned, &mut acc, x, position);
        acc
    }

    #[inline(always)]
    fn next_into(binned: &Self::Op, acc: &mut Self::Acc, x: Wide<Self>, position: u64) {
        let (x, bin) = T::split(x);
        let bin = usize::try_from(bin.number()).unwrap_or(usize::MAX);
        if let Some((acc, count)) = acc.get_mut(bin) {
            *acc = OfBin::<Op, T>::next(&binned.op, *acc, x, position);
            *count += 1;
        }
    }

    #[inline(always)]
    fn combine(binned: &Self::Op, mut a: Self::Acc, b: Self::Acc) -> Self::Acc {
        for ((a, of_a), (b, of_b)) in a.iter_mut().zip(b) {
            *a = OfBin::<Op, T>::combine(&binned.op, *a, b);
            *of_a += of_b;
        }
        a
    }
}

/// What the operator writes for each bin.
#[derive(Debug)]
pub struct EachBin<Op, T>(PhantomData<fn(Op, T)>);

impl<Op, T, const N: usize> Ending<BinSteps<Op, T, N>> for EachBin<Op, T>
where
    BinSteps<Op, T, N>: Steps<Op = Binned<Op, N>, Acc = [BinAcc<Op, T>; N]>,
    T: BeforeLast,
    Op: OnePass<T::Before, Result: Element>,
    [Op::Result; N]: Written,
{
    type Output = [Op::Result; N];

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "a number of elements in memory")]
    fn store(binned: &Binned<Op, N>, acc: [BinAcc<Op, T>; N], _: usize) -> [Op::Result; N] {
        acc.map(|(acc, count)| Op::Ending::store(&binned.op, acc, count as usize))
    }
}

impl<Op, T, const N: usize> OnePass<T> for Binned<Op, N>
where
    T: BeforeLast,
    <T::Last as Stored>::Wide: Key,
    Op: OnePass<T::Before, Result: Element>,
    [Op::Result; N]: Written,
{
    type Result = [Op::Result; N];
    type Fold = Combine<BinSteps<Op, T, N>>;
    type Ending = EachBin<Op, T>;
    const LANES: usize = 1;
    const EMPTY: Empty = Empty::Identity;
}
