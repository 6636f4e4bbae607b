//! Emission: the result of a reduction sent back over the elements it was made of.
//!
//! Softmax, layer norm and scaling to a range reduce some axes and then give each
//! element a new value that depends on the result. Both are done for a group of
//! results at a time, small enough that the elements are still in cache when they are
//! read the second time.

mod groups;

use crate::element::{Store, Unrounded};
use crate::kernel::{AnyLanes, Kernel, Reader, Stored};
use crate::one_pass::composed;
use crate::op::{ReduceOp, Reduces};

/// The optional fifth step of an operator: what becomes of each element once the result
/// over its set is known.
///
/// ```
/// use reduce_core::{Accumulator, Emit, Real, ReduceOp, Reduction, View, reduce_op};
///
/// /// The largest element, and the sum of `exp(x - max)`.
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Softmax;
///
/// #[derive(Clone, Copy, Debug, Accumulator)]
/// struct MaxSum<A> {
///     max: A,
///     sum: A,
/// }
///
/// #[reduce_op(dtypes = [f32, f64])]
/// impl<A: Real> ReduceOp<A> for Softmax {
///     type Acc = MaxSum<A>;
///     type Output = (A, A);
///
///     fn identity(&self) -> MaxSum<A> {
///         MaxSum { max: A::NEG_INFINITY, sum: A::ZERO }
///     }
///
///     fn map(&self, x: A) -> MaxSum<A> {
///         MaxSum { max: x, sum: A::ONE }
///     }
///
///     fn combine(&self, a: MaxSum<A>, b: MaxSum<A>) -> MaxSum<A> {
///         let (low, high) = if a.max > b.max { (b, a) } else { (a, b) };
///         // Of two empty sets, the distance would be NaN.
///         let apart = if low.max == high.max { A::ZERO } else { low.max - high.max };
///         MaxSum { max: high.max, sum: high.sum + low.sum * apart.exp_nonpositive() }
///     }
///
///     fn finalize(&self, acc: MaxSum<A>, _count: usize) -> (A, A) {
///         // A NaN is in one of the two: let it be in both. Infinity has no shares.
///         let nan = (acc.max + acc.sum) * A::ZERO;
///         (acc.max + nan, acc.sum + nan)
///     }
/// }
///
/// impl<A: Real> Emit<A> for Softmax {
///     type Emitted = A;
///
///     #[inline(always)]
///     fn emit(&self, x: A, &(max, sum): &(A, A)) -> A {
///         (x - max).exp_nonpositive() / sum
///     }
/// }
///
/// let logits = View::new(&[0.0f32, 0.0, 1.0, 1.0, 1.0, 1.0], &[3, 2])?;
/// let shares = Reduction::new(Softmax).axes([1]).emit(&logits)?;
/// assert_eq!(shares.shape().dims(), [3, 2]);
/// assert_eq!(shares.data(), [0.5; 6]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// Write `#[inline(always)]` on `emit`: it is then compiled for the kernel's CPU level.
#[diagnostic::on_unimplemented(
    message = "`{Self}` emits nothing over elements of type `{X}`",
    label = "no `Emit<{X}>` for this operator",
    note = "write `impl<A: Real> Emit<A>` beside its `ReduceOp` block"
)]
pub trait Emit<X>: ReduceOp<X> {
    /// What an element becomes.
    type Emitted;

    /// What the element becomes, by the result over the set that it belongs to.
    fn emit(&self, x: X, result: &Self::Output) -> Self::Emitted;
}

/// The element that an operator reads, of a storage type.
type ElementOf<Op, T> = <<Op as Reduces<T>>::Reader as Reader<T>>::Element;

/// That an operator emits over tensors of a storage type: each element becomes one of
/// the type of the first input.
///
/// Every operator with [`Emit`] for the elements it reads does, if what it emits can be
/// stored.
pub trait Emits<T: Stored>: Reduces<T> + Emit<ElementOf<Self, T>> {
    /// The result over a set, in the type it is computed in.
    #[doc(hidden)]
    type Kept: Copy + Send + Sync + 'static;

    /// The kernel that does not round results.
    #[doc(hidden)]
    fn keeping() -> &'static Kernel<Self, T, Unrounded<Self::Kept>>;

    /// What becomes of an element.
    #[doc(hidden)]
    fn emitted(&self, x: T::Wide, result: &Self::Kept) -> T::First;
}

impl<T, Op, E, K> Emits<T> for Op
where
    T: Stored,
    Op: Reduces<T> + Emit<E, Output = K>,
    <Op as Reduces<T>>::Reader: Reader<T, Element = E> + Reader<T::Wide, Element = E>,
    <Op as Reduces<T>>::Fold: AnyLanes<Op, T, Unrounded<K>>,
    K: Copy + Send + Sync + 'static,
    T::First: Store<Op::Emitted>,
{
    type Kept = K;

    fn keeping() -> &'static Kernel<Op, T, Unrounded<K>> {
        const {
            let (lanes, empty) = (<Op as Reduces<T>>::LANES, <Op as Reduces<T>>::EMPTY);
            &composed::<<Op as Reduces<T>>::Fold, Op, T, Unrounded<K>>(lanes, empty)
        }
    }

    #[inline(always)]
    fn emitted(&self, x: T::Wide, result: &K) -> T::First {
        let element = <<Op as Reduces<T>>::Reader as Reader<T::Wide>>::read(x, 0);
        Store::store(self.emit(element, result))
    }
}
