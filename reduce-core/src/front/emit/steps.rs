//! Emission as a step of an operator: the kernel that keeps results for it, and what an element becomes.

use super::{Emit, EmitBeside};
use crate::facts::schema::Empty;
use crate::front::adapt::ComputedIn;
use crate::front::chosen::{ChosenSteps, chosen};
use crate::front::one_pass::{OnePass, StepsOf};
use crate::kernel::{Ending, Finished, Fold, Kept, Kernel, Untyped};
use crate::values::chooser::Chooser;
use crate::values::element::{Element, Slot, Store};
use crate::values::leading::Loads;
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
use crate::values::steps::{Holds, NoSteps, OpSteps, Steps, Through, Wide};
use crate::values::stored::Stored;

/// Steps of operators whose results can be kept as they are computed.
pub trait KeepSteps: Steps {
    /// The result over a set, as it is computed.
    type Kept: Copy + Send + Sync + 'static;

    /// The result over a set of `count` elements.
    fn kept(op: &Self::Op, acc: Self::Acc, count: usize) -> Self::Kept;

    /// The kernel of operator `Op`, whose fold has these steps. It keeps results as they are computed. Over an empty
    /// set an operator without a value there may have any result, since nothing is emitted.
    fn keeping<F, Op>() -> &'static Untyped
    where
        F: Fold<Op = Self::Op, Stored = Self::Stored, Steps = Self>,
        Op: OnePass<Self::Stored>;
}

/// Steps of operators that emit.
pub trait EmittingSteps: Steps {
    /// The type that is computed, before it is stored.
    type Emitted;
}

/// Steps of operators that emit elements stored as `O`.
pub trait EmitSteps<O>: KeepSteps {
    /// What an element becomes.
    fn emitted(op: &Self::Op, x: Wide<Self>, result: &Self::Kept) -> O;
}

/// Steps of operators that emit elements stored as `O`, with elements of other inputs, stored as `W`, beside them.
pub trait EmitBesideSteps<W: Stored, O>: KeepSteps {
    /// What an element becomes.
    fn emitted_beside(op: &Self::Op, x: Wide<Self>, beside: W::Wide, result: &Self::Kept) -> O;
}

impl<R, Op, T, K, const SELECTS: bool> KeepSteps for OpSteps<R, Op, T, SELECTS>
where
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element, Output = K> + Sync + 'static,
    T: Stored,
    K: Copy + Send + Sync + 'static,
{
    type Kept = K;

    #[inline(always)]
    fn kept(op: &Op, acc: Op::Acc, count: usize) -> K {
        op.finalize(acc, count)
    }

    fn keeping<F, Whole>() -> &'static Untyped
    where
        F: Fold<Op = Op, Stored = T, Steps = Self>,
        Whole: OnePass<T>,
    {
        const { &Kernel::with::<F, Finished<Kept<K>>>(Whole::LANES, Empty::Identity).into_untyped() }
    }
}

impl<R, Op, T, const SELECTS: bool> EmittingSteps for OpSteps<R, Op, T, SELECTS>
where
    R: Reader<T::Wide>,
    Op: Emit<R::Element> + 'static,
    T: Stored,
{
    type Emitted = Op::Emitted;
}

impl<R, Op, T, O, const SELECTS: bool> EmitSteps<O> for OpSteps<R, Op, T, SELECTS>
where
    R: Reader<T::Wide>,
    Op: Emit<R::Element> + Sync + 'static,
    T: Stored,
    O: Store<Op::Emitted>,
    Op::Output: Copy + Send + Sync + 'static,
{
    #[inline(always)]
    fn emitted(op: &Op, x: T::Wide, result: &Op::Output) -> O {
        Store::store(op.emit(R::read(x, 0), result))
    }
}

impl<R, Op, T, W, O, const SELECTS: bool> EmitBesideSteps<W, O> for OpSteps<R, Op, T, SELECTS>
where
    R: Reader<T::Wide>,
    Op: EmitBeside<R::Element> + Sync + 'static,
    T: Stored,
    W: Stored,
    W::Wide: Loads<Op::Beside>,
    O: Store<Op::Emitted>,
    Op::Output: Copy + Send + Sync + 'static,
{
    #[inline(always)]
    fn emitted_beside(op: &Op, x: T::Wide, beside: W::Wide, result: &Op::Output) -> O {
        Store::store(op.emit_beside(R::read(x, 0), beside.loads(), result))
    }
}

impl<Op, A, S> EmittingSteps for Through<ComputedIn<Op, A>, S>
where
    ComputedIn<Op, A>: Holds<S::Op>,
    S: EmittingSteps,
{
    type Emitted = S::Emitted;
}

impl<Op, A, S> KeepSteps for Through<ComputedIn<Op, A>, S>
where
    ComputedIn<Op, A>: Holds<S::Op> + Sync,
    S: KeepSteps,
    Finished<Kept<S::Kept>>: Ending<Self, Output = Kept<S::Kept>>,
{
    type Kept = S::Kept;

    #[inline(always)]
    fn kept(op: &ComputedIn<Op, A>, acc: S::Acc, count: usize) -> S::Kept {
        S::kept(op.held(), acc, count)
    }

    fn keeping<F, Whole>() -> &'static Untyped
    where
        F: Fold<Op = ComputedIn<Op, A>, Stored = S::Stored, Steps = Self>,
        Whole: OnePass<S::Stored>,
    {
        const {
            &Kernel::with::<F, Finished<Kept<S::Kept>>>(Whole::LANES, Empty::Identity)
                .into_untyped()
        }
    }
}

/// An operator emits as it does elsewhere if it computes in another type. All other adaptors say something of results
/// that are stored, and here none is.
impl<Op, A, S, O> EmitSteps<O> for Through<ComputedIn<Op, A>, S>
where
    Self: KeepSteps<Kept = S::Kept, Op = ComputedIn<Op, A>, Stored = S::Stored>,
    ComputedIn<Op, A>: Holds<S::Op>,
    S: EmitSteps<O>,
{
    #[inline(always)]
    fn emitted(op: &ComputedIn<Op, A>, x: Wide<S>, result: &S::Kept) -> O {
        S::emitted(op.held(), x, result)
    }
}

impl<Op, A, S, W, O> EmitBesideSteps<W, O> for Through<ComputedIn<Op, A>, S>
where
    Self: KeepSteps<Kept = S::Kept, Op = ComputedIn<Op, A>, Stored = S::Stored>,
    ComputedIn<Op, A>: Holds<S::Op>,
    S: EmitBesideSteps<W, O>,
    W: Stored,
{
    #[inline(always)]
    fn emitted_beside(op: &ComputedIn<Op, A>, x: Wide<S>, beside: W::Wide, result: &S::Kept) -> O {
        S::emitted_beside(op.held(), x, beside, result)
    }
}

impl<Outer, Op, C, T> EmittingSteps for ChosenSteps<Outer, Op, C, T>
where
    Outer: Holds<Op>,
    Op: OnePass<C::Given, Fold: Fold<Steps: EmittingSteps>>,
    C: Chooser<T>,
    T: Stored,
{
    type Emitted = <StepsOf<Op, C::Given> as EmittingSteps>::Emitted;
}

impl<Outer, Op, C, T> KeepSteps for ChosenSteps<Outer, Op, C, T>
where
    Outer: Holds<Op> + Sync,
    Op: OnePass<C::Given, Fold: Fold<Steps: KeepSteps>>,
    C: Chooser<T>,
    T: Stored,
{
    type Kept = <StepsOf<Op, C::Given> as KeepSteps>::Kept;

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "a number of elements in memory")]
    fn kept(op: &Outer, (acc, count): Self::Acc, _count: usize) -> Self::Kept {
        StepsOf::<Op, C::Given>::kept(op.held(), acc, count as usize)
    }

    fn keeping<F, Whole>() -> &'static Untyped
    where
        F: Fold<Op = Outer, Stored = T, Steps = Self>,
        Whole: OnePass<T>,
    {
        const {
            &chosen::<Outer, T, Kept<Self::Kept>, C>(
                || StepsOf::<Op, C::Given>::keeping::<Op::Fold, Op>(),
                Empty::Identity,
            )
            .into_untyped()
        }
    }
}

/// Where an element does not count, 0 is emitted.
impl<Outer, Op, C, T, O> EmitSteps<O> for ChosenSteps<Outer, Op, C, T>
where
    Outer: Holds<Op> + Sync,
    Op: OnePass<C::Given, Fold: Fold<Steps: EmitSteps<O>>>,
    C: Chooser<T>,
    T: Stored,
    O: Element,
{
    #[inline(always)]
    fn emitted(op: &Outer, x: T::Wide, result: &Self::Kept) -> O {
        match C::given(x) {
            (x, true) => StepsOf::<Op, C::Given>::emitted(op.held(), x, result),
            (_, false) => O::default(),
        }
    }
}

impl<Outer, Op, C, T, W, O> EmitBesideSteps<W, O> for ChosenSteps<Outer, Op, C, T>
where
    Outer: Holds<Op> + Sync,
    Op: OnePass<C::Given, Fold: Fold<Steps: EmitBesideSteps<W, O>>>,
    C: Chooser<T>,
    T: Stored,
    W: Stored,
    O: Element,
{
    #[inline(always)]
    fn emitted_beside(op: &Outer, x: T::Wide, beside: W::Wide, result: &Self::Kept) -> O {
        match C::given(x) {
            (x, true) => StepsOf::<Op, C::Given>::emitted_beside(op.held(), x, beside, result),
            (_, false) => O::default(),
        }
    }
}

impl<Op: 'static, T: Stored> EmittingSteps for NoSteps<Op, T> {
    type Emitted = T::First;
}

impl<Op: Sync + 'static, T: Stored> KeepSteps for NoSteps<Op, T> {
    type Kept = ();

    fn kept(_: &Op, _: bool, _: usize) {}

    fn keeping<F, Whole>() -> &'static Untyped
    where
        F: Fold<Op = Op, Stored = T, Steps = Self>,
        Whole: OnePass<T>,
    {
        const { Kernel::<Op, T, Kept<()>>::INERT.untyped() }
    }
}

/// A spec with mistakes emits nothing: no program compiles with it.
impl<Op: Sync + 'static, T: Stored, O: Slot> EmitSteps<O> for NoSteps<Op, T> {
    fn emitted(_: &Op, _: T::Wide, (): &()) -> O {
        O::blank()
    }
}

impl<Op: Sync + 'static, T: Stored, W: Stored, O: Slot> EmitBesideSteps<W, O> for NoSteps<Op, T> {
    fn emitted_beside(_: &Op, _: T::Wide, _: W::Wide, (): &()) -> O {
        O::blank()
    }
}
