//! Emission: the result of a reduction sent back over the elements it was made of.
//!
//! Softmax, layer norm and scaling to a range reduce some axes and then give each
//! element a new value that depends on the result. Both are done for a group of
//! results at a time, small enough that the elements are still in cache when they are
//! read the second time. What is emitted may be reduced again, and so on: all stages
//! are done for one group before the next.

mod groups;
mod stage;
mod then;

pub use then::Then;

use crate::facts::axes::AxisSet;
use crate::facts::error::Error;
use crate::facts::shape::Shape;
use crate::facts::threads::Threads;
use crate::front::spec::{OpSpec, Reduces};
use crate::kernel::composed;
use crate::kernel::{Fold, Folds, Follow, Kernel, Results, Row, emit_rows};
use crate::machine::code::Code;
use crate::machine::level::Available;
use crate::plan::Plan;
use crate::values::element::{Slot, Store, Unrounded};
use crate::values::input::Input;
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
use crate::values::stored::Stored;

use stage::Stage;

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

/// That an operator, or several one after another, emit over tensors of a storage type:
/// each element becomes one of type `O`, that of the first input unless named.
///
/// Every operator with [`Emit`] for the elements it reads does, if what it emits can be
/// stored. So does what [`Reduction::then`](crate::Reduction::then) makes of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` emits nothing over tensors of `{T}` that is stored as `{O}`",
    label = "no emission over `{T}`",
    note = "it needs a row for `{T}` in its `#[reduce_op(..)]`, and `impl<A: Real> Emit<A>` beside the block"
)]
#[allow(private_interfaces, reason = "in hidden functions")]
pub trait Emits<T: Stored, O = <T as Stored>::First>: Send + Sync + 'static {
    /// What is planned once for groups of one shape.
    #[doc(hidden)]
    type Stages: Send;

    /// Room for some rows of what is emitted in between.
    #[doc(hidden)]
    type Between: Default;

    /// Plans for groups of a shape, of which the views are the first.
    #[doc(hidden)]
    fn stages<V>(&self, views: &V, shape: &Shape, axes: &AxisSet) -> Result<Self::Stages, Error>
    where
        V: Input<Stored = T>;

    /// The walk over the group that lies some way, for each of the views, behind the first,
    /// if it is to be emitted row by row.
    #[doc(hidden)]
    fn rows<'s>(stages: &'s mut Self::Stages, ways: &[isize]) -> Option<&'s Plan>;

    /// Emits over some rows of a size; the results of what follows.
    #[doc(hidden)]
    fn emit_rows<C: Code, N: Follow<O>>(
        &self,
        code: C,
        between: &mut Self::Between,
        rows: (&[Row<'_, T>], usize),
        output: &mut [O],
        next: N,
    ) -> Results<N::Result>;

    /// Emits the group that lies some way, for each of the views, behind the first.
    #[doc(hidden)]
    fn emit_group<V>(
        &self,
        stages: &mut Self::Stages,
        group: Group<'_, V>,
        crew: (Available, &Threads),
        output: &mut [O],
    ) -> Result<(), Error>
    where
        V: Input<Stored = T>;
}

/// One of the groups of an emission.
#[derive(Debug)]
#[allow(unreachable_pub, reason = "named by a hidden function of a public trait")]
pub struct Group<'a, V> {
    views: &'a V,
    /// The way to it from the first group, for each view.
    ways: &'a [isize],
}

impl<V> Clone for Group<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Group<'_, V> {}

/// What an operator, or the last of several, emits over a storage type.
pub trait Emitting<T: Stored> {
    /// As computed, before it is stored.
    type Emitted;
}

impl<T, Op> Emitting<T> for Op
where
    T: Stored,
    Op: OpSpec + Reduces<T> + Emit<ElementOf<Op, T>>,
{
    type Emitted = <Op as Emit<ElementOf<Op, T>>>::Emitted;
}

/// That results of one operator can be kept as they are computed.
pub trait Keeps<T: Stored>: Reduces<T> {
    /// The result over a set.
    type Kept: Copy + Send + Sync + 'static;

    /// How it folds a row.
    type RowFold: Fold<Op = Self, Stored = T, Output = Unrounded<Self::Kept>>;

    /// The kernel that does not round results.
    fn keeping() -> &'static Kernel<Self, T, Unrounded<Self::Kept>>;
}

/// That one operator emits elements of a type.
pub trait EmitsEach<T: Stored, O>: Keeps<T> {
    /// What becomes of an element.
    fn emitted(&self, x: T::Wide, result: &Self::Kept) -> O;
}

impl<T, Op, K> Keeps<T> for Op
where
    T: Stored,
    Op: Reduces<T> + ReduceOp<ElementOf<Op, T>, Output = K>,
    <Op as Reduces<T>>::Fold: Folds<Op, T, Unrounded<K>>,
    K: Copy + Send + Sync + 'static,
{
    type Kept = K;
    type RowFold = <<Op as Reduces<T>>::Fold as Folds<Op, T, Unrounded<K>>>::Fold;

    fn keeping() -> &'static Kernel<Op, T, Unrounded<K>> {
        const {
            let (lanes, empty) = (<Op as Reduces<T>>::LANES, <Op as Reduces<T>>::EMPTY);
            &composed::<<Op as Reduces<T>>::Fold, Op, T, Unrounded<K>>(lanes, empty)
        }
    }
}

impl<T, O, Op, E, K> EmitsEach<T, O> for Op
where
    T: Stored,
    Op: Keeps<T, Kept = K> + Emit<E, Output = K>,
    <Op as Reduces<T>>::Reader: Reader<T, Element = E> + Reader<T::Wide, Element = E>,
    O: Store<Op::Emitted>,
{
    #[inline(always)]
    fn emitted(&self, x: T::Wide, result: &K) -> O {
        let element = <<Op as Reduces<T>>::Reader as Reader<T::Wide>>::read(x, 0);
        Store::store(self.emit(element, result))
    }
}

#[allow(private_interfaces, reason = "in hidden functions")]
impl<T: Stored, O: Slot, Op: OpSpec + EmitsEach<T, O>> Emits<T, O> for Op {
    type Stages = Box<Stage<Op::Kept>>;
    type Between = ();

    fn stages<V>(&self, views: &V, shape: &Shape, axes: &AxisSet) -> Result<Self::Stages, Error>
    where
        V: Input<Stored = T>,
    {
        Stage::new::<Op, V>(views, shape, axes)
    }

    fn rows<'s>(stage: &'s mut Self::Stages, ways: &[isize]) -> Option<&'s Plan> {
        stage.rows(ways)
    }

    #[inline(always)]
    fn emit_rows<C: Code, N: Follow<O>>(
        &self,
        code: C,
        _between: &mut (),
        (rows, _size): (&[Row<'_, T>], usize),
        output: &mut [O],
        next: N,
    ) -> Results<N::Result> {
        emit_rows(code, self, rows, output, next)
    }

    fn emit_group<V>(
        &self,
        stage: &mut Self::Stages,
        group: Group<'_, V>,
        crew: (Available, &Threads),
        output: &mut [O],
    ) -> Result<(), Error>
    where
        V: Input<Stored = T>,
    {
        stage.run(self, group, crew, output)
    }
}
