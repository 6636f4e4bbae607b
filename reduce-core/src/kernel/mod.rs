//! Kernels: the loops that carry a reduction out.
//!
//! What depends on an operator is split from what does not. `#[reduce_op]` names a kernel once per
//! storage type with concrete types and a number of lanes, and [`micro`] is what is compiled for
//! it, once per CPU level: a table of a few functions over raw memory. All else is compiled once:
//!
//! - [`walk`] is the drivers: which elements, in which order, on which thread, and where results go,
//! - [`read`] brings values to where lanes can read them; [`block`] says where that is.
//!
//! What a microkernel does is said by a [`fold`]; [`emission`] sends results back over the
//! elements, and [`chosen`] folds those of them that count.

#![allow(unsafe_code, reason = "kernels are called with their types erased")]

mod block;
mod bound;
mod chosen;
mod emission;
mod fold;
mod mend;
mod micro;
mod read;
mod walk;

pub(crate) use bound::Bound;
#[allow(unreachable_pub, reason = "bounds an implementation of a public trait")]
pub use chosen::{Filter, Member, Others};
#[allow(unreachable_pub, reason = "named by hidden functions of a public trait")]
pub use emission::{Again, EmitsAgain, Keeps, Kept, Stages};
pub use fold::{Combining, Inert, KEPT, ORDERED, Selecting};
#[allow(unreachable_pub, reason = "bound a hidden type of a public trait")]
pub use fold::{Elsewhere, Fold, Folds, Keepable, Unfinished};
#[allow(unreachable_pub, reason = "bounds an implementation of a public trait")]
pub use mend::Mends;
#[allow(unreachable_pub, reason = "bounds an implementation of a public trait")]
pub use micro::EmitsEach;

use std::marker::PhantomData;

use crate::facts::dtype::DType;
use crate::facts::schema::Empty;
use crate::machine::Machine;
use crate::machine::level::PerLevel;
use crate::plan::{Needs, STEPS};
use crate::values::accumulator::Lanes;
use crate::values::element::Slot;
use crate::values::stored::Stored;

use fold::last::InLines;
use micro::{Sizes, Table, tables};

/// Elements up to which a reduction stays on the calling thread.
pub(crate) const SMALL: usize = 1 << 17;

/// Elements that are not split among threads: fewer take no longer than waking one.
const GRAIN: usize = SMALL / 2;

/// Bytes of the largest accumulator.
const MOST_BYTES: usize = 1 << 13;

/// Bytes of all its lanes, at most.
const MOST_LANE_BYTES: usize = 4 * MOST_BYTES;

/// Bytes to whose multiples the memory of states is aligned.
const ALIGNED: usize = align_of::<InLines<()>>();

/// The kernel of operator `Op` from storage type `T` to storage type `O`.
pub struct Kernel<Op, T: Stored, O> {
    untyped: Untyped,
    types: PhantomData<fn(&Op, T) -> O>,
}

/// A kernel whose types are erased.
#[derive(Clone, Copy)]
#[allow(unreachable_pub, missing_debug_implementations, reason = "named by a hidden function")]
pub struct Untyped {
    made_of: MadeOf,
    dtypes: &'static [DType],
    empty: Empty,
    needs: Needs,
    /// How doubtful results are mended.
    mends: &'static Mends,
}

/// What a kernel is made of.
#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant, reason = "kernels are constants")]
enum MadeOf {
    /// Nothing: the output is left as it is.
    Nothing,
    Tables(PerLevel<Table>, Sizes),
    /// Other kernels, for elements that are [`chosen`].
    Others(Others),
}

impl<Op: Sync + 'static, T: Stored, O: Slot> Kernel<Op, T, O> {
    /// The kernel of a fold.
    pub(crate) const fn with_fold<F, const L: usize>(empty: Empty) -> Self
    where
        F: Fold<Op = Op, Stored = T, Output = O>,
    {
        const { assert!(L.is_power_of_two(), "the number of lanes must be a power of two") };
        // Functions hold some dozen accumulators, and the lanes of a few states, on the stack of whichever
        // thread runs them. Said when a kernel is made: a step of the operator is compiled before.
        assert!(
            size_of::<F::Acc>() <= MOST_BYTES,
            "an accumulator has more than 8192 bytes; keep less in it, or reduce in several operators"
        );
        assert!(
            L * size_of::<F::Acc>() <= MOST_LANE_BYTES
                && size_of::<Lanes<F::Acc, L>>() <= MOST_LANE_BYTES,
            "all lanes have more than 32768 bytes; ask for fewer `lanes`"
        );
        assert!(
            size_of::<F::Output>() <= MOST_BYTES,
            "a result has more than 8192 bytes; give less, or reduce in several operators"
        );
        // States lie in memory that is aligned for any such type.
        assert!(
            align_of::<F::Acc>() <= ALIGNED
                && align_of::<Lanes<F::Acc, L>>() <= ALIGNED
                && align_of::<Lanes<F::Moving, L>>() <= ALIGNED,
            "an accumulator or its lanes are aligned to more than 64 bytes; ask for no alignment"
        );
        let made_of = MadeOf::Tables(tables::<F, L>(), Sizes::of::<F, L>());
        Self::new(made_of, empty, needs::<F, L>())
    }

    /// A kernel that is made of others, for elements that are chosen.
    pub(crate) const fn with_others(others: Others, empty: Empty) -> Self {
        Self::new(MadeOf::Others(others), empty, Needs::IN_ORDER)
    }

    /// A kernel that leaves its output as it is: what a spec with errors gets.
    pub const INERT: &'static Self = &Self::new(MadeOf::Nothing, Empty::Error, Needs::IN_ORDER);

    const fn new(made_of: MadeOf, empty: Empty, needs: Needs) -> Self {
        let untyped = Untyped { made_of, dtypes: T::DTYPES, empty, needs, mends: &Mends::Never };
        Kernel { untyped, types: PhantomData }
    }

    /// The kernel of an operator whose doubtful results are mended.
    pub(crate) const fn mending(self, mends: &'static Mends) -> Self {
        Kernel { untyped: Untyped { mends, ..self.untyped }, types: PhantomData }
    }

    /// The same, its types erased.
    pub(crate) const fn untyped(&self) -> &Untyped {
        &self.untyped
    }

    /// What the kernel needs of a plan, on this machine.
    pub(crate) fn needs(&self) -> Needs {
        Needs { machine: Machine::this(), ..self.untyped.needs }
    }
}

/// What a fold in so many lanes needs of a plan, whatever the machine.
const fn needs<F: Fold, const L: usize>() -> Needs {
    Needs {
        lanes: L,
        few: F::FEW,
        short: F::SHORT.rows.of(L),
        short_from_memory: F::SHORT.from_memory.of(L),
        ordered: F::ORDERED || L == ORDERED,
        any_order: F::ANY_ORDER,
        spreads: F::SPREADS,
        light: F::LIGHT,
        steps: STEPS,
        blocks: F::BLOCKS,
        element: size_of::<F::Stored>(),
        machine: Machine::UNKNOWN,
    }
}

/// The number of lanes that suits a fold.
pub(crate) const fn suited<F: Folds<Op, T, O>, Op, T: Stored, O: Slot>() -> usize {
    <F::Fold as Fold>::SUITED
}

/// The kernel of a fold, its number of lanes chosen when all types are known.
pub(crate) const fn composed<F, Op, T, O>(lanes: usize, empty: Empty) -> Kernel<Op, T, O>
where
    F: Folds<Op, T, O>,
    Op: Sync + 'static,
    T: Stored,
    O: Slot,
{
    of_fold::<F::Fold, _, T, O>(lanes, empty)
}

/// The kernel of a fold in so many lanes.
pub(crate) const fn of_fold<F, Op, T, O>(lanes: usize, empty: Empty) -> Kernel<Op, T, O>
where
    F: Fold<Op = Op, Stored = T, Output = O>,
    Op: Sync + 'static,
    T: Stored,
    O: Slot,
{
    match lanes {
        1 => Kernel::with_fold::<F, 1>(empty),
        2 => Kernel::with_fold::<F, 2>(empty),
        4 => Kernel::with_fold::<F, 4>(empty),
        8 => Kernel::with_fold::<F, 8>(empty),
        16 => Kernel::with_fold::<F, 16>(empty),
        32 => Kernel::with_fold::<F, 32>(empty),
        64 => Kernel::with_fold::<F, 64>(empty),
        128 => Kernel::with_fold::<F, 128>(empty),
        _ => Kernel::with_fold::<F, 256>(empty),
    }
}

impl<Op, T: Stored, O> Clone for Kernel<Op, T, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Op, T: Stored, O> Copy for Kernel<Op, T, O> {}

impl<Op, T: Stored, O: Slot> std::fmt::Debug for Kernel<Op, T, O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Untyped { dtypes, empty, .. } = self.untyped;
        write!(f, "Kernel({dtypes:?} -> {}, empty: {empty:?})", O::DTYPE)
    }
}
