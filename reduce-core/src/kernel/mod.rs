//! Kernels: the loops that carry a reduction out.
//!
//! What depends on an operator is split from what does not. `#[reduce_op]` names a kernel for each storage type, with
//! concrete types and a number of lanes. [`micro`] is what is compiled for it, once per CPU level: a table of a few
//! functions over raw memory. All else is compiled once:
//!
//! - [`walk`] has the drivers: they decide on the order of elements, the threads, and the places of results,
//! - [`read`] brings values to where lanes can read them; [`block`] says where that is.
//!
//! What a microkernel does is said by a [`fold`], and what it writes by an [`ending`]. [`emission`] sends results back
//! over the elements, and [`chosen`] folds those of them that count. [`slices`] is for accumulators whose length is known when the
//! program runs: it has microkernels and a driver of its own.

mod block;
mod bound;
mod chosen;
mod emission;
mod ending;
mod fold;
mod mend;
mod micro;
mod planned;
mod read;
mod scan;
mod slices;
mod walk;

pub use block::{Block, Blocks, EvenRows, ResultElements};
pub(crate) use bound::{Bound, ErasedKernel};
pub use chosen::{ChosenMember, Filter, Others};
pub use emission::{
    Again, Emissions, EmitsAgain, EmittedAgain, Keeps, Kept, OpEmission, StageOps, Stages,
};
pub(crate) use emission::{AnyEmission, AnyEmissionPlan, BESIDE, EmissionPlan};
pub use ending::{Ending, Finished, Finishes, Unfinished};
pub use fold::{Combine, Combining, Fold, Inert, KEPT, Select, Selecting};
pub use mend::{Doubtful, Mend, MendedMember, Mends};
pub use micro::EmitsEach;
pub(crate) use planned::{
    AnyKernel, AnyResults, LaidOut, OpKernel, PlannedKernel, PlannedKernelEmission, Settled,
};
pub use scan::ScanMends;
pub(crate) use scan::{DOUBTFUL, Going, LACKING, LineState, Passing, ScanKernel, Scanning};
pub use slices::SliceKernel;

use std::marker::PhantomData;

use crate::facts::dtype::DType;
use crate::facts::order::ORDERED;
use crate::facts::schema::Empty;
use crate::machine::Machine;
use crate::machine::level::PerLevel;
use crate::plan::Needs;
use crate::values::element::Slot;
use crate::values::element::accumulator::Lanes;
use crate::values::stored::Stored;

use fold::{Wants, last::InLines};
use micro::{Sizes, Table, tables};

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
#[allow(missing_debug_implementations, reason = "named by hidden items alone")]
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
    /// The kernel of a fold and an ending, in this many lanes.
    const fn in_lanes<F, E, const L: usize>(empty: Empty) -> Self
    where
        F: Fold<Op = Op, Stored = T>,
        E: Ending<F::Steps, Output = O>,
    {
        const { assert!(L.is_power_of_two(), "the number of lanes must be a power of two") };
        // Functions hold some dozen accumulators, and the lanes of a few states, on the stack of whichever
        // thread runs them. The error appears when a kernel is made; a step of the operator is compiled before that.
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
            size_of::<O>() <= MOST_BYTES,
            "a result has more than 8192 bytes; give less, or reduce in several operators"
        );
        // States lie in memory that is aligned for any such type.
        assert!(
            align_of::<F::Acc>() <= ALIGNED
                && align_of::<Lanes<F::Acc, L>>() <= ALIGNED
                && align_of::<Lanes<F::Moving, L>>() <= ALIGNED,
            "an accumulator or its lanes are aligned to more than 64 bytes; ask for no alignment"
        );
        let made_of = MadeOf::Tables(tables::<F, E, L>(), Sizes::of::<F, E, L>());
        Self::new(made_of, empty, needs::<F>(L))
    }

    /// The kernel of a fold and an ending, its number of lanes known when all types are.
    pub(crate) const fn with<F, E>(lanes: usize, empty: Empty) -> Self
    where
        F: Fold<Op = Op, Stored = T>,
        E: Ending<F::Steps, Output = O>,
    {
        match lanes {
            1 => Self::in_lanes::<F, E, 1>(empty),
            2 => Self::in_lanes::<F, E, 2>(empty),
            4 => Self::in_lanes::<F, E, 4>(empty),
            8 => Self::in_lanes::<F, E, 8>(empty),
            16 => Self::in_lanes::<F, E, 16>(empty),
            32 => Self::in_lanes::<F, E, 32>(empty),
            64 => Self::in_lanes::<F, E, 64>(empty),
            128 => Self::in_lanes::<F, E, 128>(empty),
            _ => Self::in_lanes::<F, E, 256>(empty),
        }
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

    /// The kernel, its types erased.
    pub(crate) const fn untyped(&self) -> &Untyped {
        &self.untyped
    }

    /// The kernel, its types erased.
    pub(crate) const fn into_untyped(self) -> Untyped {
        self.untyped
    }

    /// What the kernel needs of a plan, on this machine.
    pub(crate) fn needs(&self) -> Needs {
        self.untyped.needs()
    }
}

impl Untyped {
    /// What the kernel needs of a plan, on this machine.
    fn needs(&self) -> Needs {
        Needs { machine: Machine::this(), ..self.needs }
    }
}

/// What a fold in this many lanes needs of a plan, whatever the machine.
const fn needs<F: Fold>(lanes: usize) -> Needs {
    let Wants { ordered, in_parts, few, short, blocks, any_order, spreads, light, .. } = F::WANTS;
    Needs {
        lanes,
        few,
        short: short.rows.of(lanes),
        short_from_memory: short.from_memory.of(lanes),
        ordered: ordered || lanes == ORDERED,
        in_parts: in_parts && lanes > 1,
        any_order,
        spreads,
        light,
        blocks,
        element: size_of::<F::Stored>(),
        machine: Machine::UNKNOWN,
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
