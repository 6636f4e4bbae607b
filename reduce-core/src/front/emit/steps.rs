//! Emission as a step of an operator: what an element becomes, and the kernel that keeps results for that.

use super::Emit;
use crate::facts::schema::Empty;
use crate::front::adapt::ComputedIn;
use crate::front::chosen::{ChosenSteps, chosen};
use crate::front::one_pass::{OnePass, StepsOf};
use crate::kernel::{EmitsEach, Ending, Finished, Fold, Keeps, Kept, Kernel};
use crate::values::chooser::Chooser;
use crate::values::element::{Element, Slot, Store};
use crate::values::reader::Reader;
use crate::values::steps::{Holds, NoSteps, OpSteps, Steps, Through, Wide};
use crate::values::stored::Stored;

/// Steps of operators that emit.
pub trait EmittingSteps: Steps {
    /// The type that is computed, before it is stored.
    type Emitted;
}

/// Steps of operators that emit elements stored as `O`.
pub trait EmitSteps<O>: Steps {
    /// The result over a set, as it is computed.
    type Kept: Copy + Send + Sync + 'static;

    /// What an element becomes.
    fn emitted(op: &Self::Op, x: Wide<Self>, result: &Self::Kept) -> O;

    /// The kernel of operator `Op`, whose fold has these steps. It keeps results as they are computed. Over an empty
    /// set an operator without a value there may have any result, since nothing is emitted.
    fn keeping<F, Op>() -> &'static Kernel<Self::Op, Self::Stored, Kept<Self::Kept>>
    where
        F: Fold<Op = Self::Op, Stored = Self::Stored, Steps = Self>,
        Op: OnePass<Self::Stored>;
}

impl<R, Op, T, const SELECTS: bool> EmittingSteps for OpSteps<R, Op, T, SELECTS>
where
    R: Reader<T::Wide>,
    Op: Emit<R::Element> + 'static,
    T: Stored,
{
    type Emitted = Op::Emitted;
}

impl<R, Op, T, O, K, const SELECTS: bool> EmitSteps<O> for OpSteps<R, Op, T, SELECTS>
where
    R: Reader<T::Wide>,
    Op: Emit<R::Element, Output = K> + Sync + 'static,
    T: Stored,
    O: Store<Op::Emitted>,
    K: Copy + Send + Sync + 'static,
{
    type Kept = K;

    #[inline(always)]
    fn emitted(op: &Op, x: T::Wide, result: &K) -> O {
        Store::store(op.emit(R::read(x, 0), result))
    }

    fn keeping<F, Whole>() -> &'static Kernel<Op, T, Kept<K>>
    where
        F: Fold<Op = Op, Stored = T, Steps = Self>,
        Whole: OnePass<T>,
    {
        const { &Kernel::with::<F, Finished<Kept<K>>>(Whole::LANES, Empty::Identity) }
    }
}

impl<Op, A, S> EmittingSteps for Through<ComputedIn<Op, A>, S>
where
    ComputedIn<Op, A>: Holds<S::Op>,
    S: EmittingSteps,
{
    type Emitted = S::Emitted;
}

/// An operator emits as it does elsewhere if it computes in another type. All other adaptors say something of results
/// that are stored, and here none is.
impl<Op, A, S, O> EmitSteps<O> for Through<ComputedIn<Op, A>, S>
where
    ComputedIn<Op, A>: Holds<S::Op> + Sync,
    S: EmitSteps<O>,
    Finished<Kept<S::Kept>>: Ending<Self, Output = Kept<S::Kept>>,
{
    type Kept = S::Kept;

    #[inline(always)]
    fn emitted(op: &ComputedIn<Op, A>, x: Wide<S>, result: &S::Kept) -> O {
        S::emitted(op.held(), x, result)
    }

    fn keeping<F, Whole>() -> &'static Kernel<ComputedIn<Op, A>, S::Stored, Kept<S::Kept>>
    where
        F: Fold<Op = ComputedIn<Op, A>, Stored = S::Stored, Steps = Self>,
        Whole: OnePass<S::Stored>,
    {
        const { &Kernel::with::<F, Finished<Kept<S::Kept>>>(Whole::LANES, Empty::Identity) }
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

/// Where an element does not count, 0 is emitted.
impl<Outer, Op, C, T, O> EmitSteps<O> for ChosenSteps<Outer, Op, C, T>
where
    Outer: Holds<Op> + Sync,
    Op: OnePass<C::Given> + Keeps<C::Given, O>,
    C: Chooser<T>,
    T: Stored,
    O: Element,
{
    type Kept = <Op as EmitsEach<C::Given, O>>::Kept;

    #[inline(always)]
    fn emitted(op: &Outer, x: T::Wide, result: &Self::Kept) -> O {
        match C::given(x) {
            (x, true) => op.held().emitted(x, result),
            (_, false) => O::default(),
        }
    }

    fn keeping<F, Whole>() -> &'static Kernel<Outer, T, Kept<Self::Kept>>
    where
        F: Fold<Op = Outer, Stored = T, Steps = Self>,
        Whole: OnePass<T>,
    {
        const { &chosen::<_, _, _, C>(|| Op::keeping().untyped(), Empty::Identity) }
    }
}

impl<Op: 'static, T: Stored> EmittingSteps for NoSteps<Op, T> {
    type Emitted = T::First;
}

/// A spec with mistakes emits nothing: no program compiles with it.
impl<Op: Sync + 'static, T: Stored, O: Slot> EmitSteps<O> for NoSteps<Op, T> {
    type Kept = ();

    fn emitted(_: &Op, _: T::Wide, (): &()) -> O {
        O::blank()
    }

    fn keeping<F, Whole>() -> &'static Kernel<Op, T, Kept<()>>
    where
        F: Fold<Op = Op, Stored = T, Steps = Self>,
        Whole: OnePass<T>,
    {
        Kernel::INERT
    }
}
