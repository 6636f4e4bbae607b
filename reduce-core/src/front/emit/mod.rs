//! Emission: the result of a reduction sent back over the elements it was made of.
//!
//! Softmax, layer norm and scaling to a range reduce some axes and then give each
//! element a new value that depends on the result. What is emitted may be reduced again, and so on.
//! Here is what operators must be, and how they follow one another; how it is carried out is in
//! `kernel::emission`.

mod again;
mod beside;
mod like_input;
mod planned;
mod reduction;
mod row;
mod steps;
mod then;
mod with_others;

pub use again::{DoesNotEmit, EmitsBesideExtended, EmitsExtended, Probe};
pub use beside::Beside;
pub use like_input::LikeInput;
pub use planned::PlannedEmission;
pub use row::{Ahead, EachEmits, EmitsNoRow, EmitsRow, each_emits};
pub use steps::{EmitBesideSteps, EmitSteps, EmittingSteps, KeepSteps};
pub use then::Then;
pub use with_others::EmitBeside;

use crate::facts::error::Error;
use crate::front::one_pass::{OnePass, Operators, StepsOf};
use crate::kernel::{Again, EmitsEach, Fold, Keeps, StageOps, Stages, Untyped};
use crate::values::element::Slot;
use crate::values::op::ReduceOp;
use crate::values::stored::Stored;

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
/// Write `#[inline(always)]` on `emit`: it is then compiled for the kernel's CPU level. Write `emits = alone` into the spec,
/// if the operator is found by name: a [`Call`](crate::nodes::Call::emit) emits then, too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` emits nothing over elements of type `{X}`",
    label = "no `Emit<{X}>` for this operator",
    note = "write `impl<A: Real> Emit<A>` beside its `ReduceOp` block"
)]
pub trait Emit<X>: ReduceOp<X> {
    /// The type that an element becomes.
    type Emitted;

    /// Returns what element `x` becomes, given the result over the set that it belongs to.
    fn emit(&self, x: X, result: &Self::Output) -> Self::Emitted;
}

/// Operators that emit over tensors of storage type `T`: one, or several one after another. Each element becomes one of
/// type `O`, which is that of the first input if it is not named.
///
/// Every operator with [`Emit`] for the elements it reads is one, if what it emits can be stored. So is such an
/// operator inside [`Masked`](crate::Masked) or [`SkipNan`](crate::SkipNan), and what
/// [`Reduction::then`](crate::Reduction::then) makes of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` emits nothing over tensors of `{T}` that is stored as `{O}`",
    label = "no emission over `{T}`",
    note = "it needs a row for `{T}` in its `#[reduce_op(..)]`, and `impl<A: Real> Emit<A>` beside the block"
)]
pub trait Emits<T: Stored, O = <T as Stored>::First>: Send + Sync + 'static {
    /// What is known of all operators, one after another.
    #[doc(hidden)]
    fn stages() -> Stages<T, O>;

    /// All operators, one after another.
    #[doc(hidden)]
    fn ops(&self) -> StageOps<'_>;

    /// Checks that the operators take their parameters.
    ///
    /// # Errors
    /// If one does not.
    #[doc(hidden)]
    fn check_all(&self) -> Result<(), Error>;
}

impl<T: Stored, O: Slot, Op: Operators + Keeps<T, O>> Emits<T, O> for Op {
    fn stages() -> Stages<T, O> {
        Stages::of::<Op>()
    }

    fn ops(&self) -> StageOps<'_> {
        StageOps::of(self)
    }

    fn check_all(&self) -> Result<(), Error> {
        self.check()
    }
}

/// Operators that emit over a storage type. If there are several one after another, the last one says what.
pub trait Emitting<T: Stored> {
    /// The type that is computed, before it is stored.
    type Emitted;
}

impl<T: Stored, Op: OnePass<T, Fold: Fold<Steps: EmittingSteps>>> Emitting<T> for Op {
    type Emitted = <StepsOf<Op, T> as EmittingSteps>::Emitted;
}

impl<T, O, Op> EmitsEach<T, O> for Op
where
    T: Stored,
    Op: OnePass<T, Fold: Fold<Steps: EmitSteps<O>>>,
{
    type Kept = <StepsOf<Op, T> as KeepSteps>::Kept;

    #[inline(always)]
    fn emitted(&self, x: T::Wide, result: &Self::Kept) -> O {
        StepsOf::<Op, T>::emitted(self, x, result)
    }
}

impl<T, O, Op> Keeps<T, O> for Op
where
    T: Stored,
    Op: OnePass<T, Fold: Fold<Steps: EmitSteps<O>>>,
{
    fn keeping() -> &'static Untyped {
        StepsOf::<Op, T>::keeping::<Op::Fold, Op>()
    }

    fn again() -> Option<Again> {
        <Op as OnePass<T>>::again().alone
    }
}
