//! Kernels: the loops that carry a reduction out.
//!
//! What depends on an operator is split from what does not. `#[reduce_op]` names a kernel once per
//! storage type with concrete types and a number of lanes, and [`micro`] is what is compiled for
//! it, once per CPU level: a table of a few functions over raw memory. All else is compiled once:
//!
//! - [`walk`] is the drivers: which elements, in which order, on which thread, and where results go,
//! - [`read`] brings values to where lanes can read them; [`block`] says where that is.
//!
//! What a microkernel does is said by a [`fold`], and [`emission`] sends results back over the
//! elements.

#![allow(unsafe_code, reason = "kernels are called with their types erased")]

mod block;
mod emission;
mod fold;
mod mend;
mod micro;
mod read;
mod walk;

#[allow(unreachable_pub, reason = "named by hidden functions of a public trait")]
pub use emission::{Keeps, Kept, Stages};
pub use fold::{Combining, Inert, KEPT, ORDERED, Selecting};
#[allow(unreachable_pub, reason = "bound a hidden type of a public trait")]
pub use fold::{Fold, Folds};
#[allow(unreachable_pub, reason = "bounds an implementation of a public trait")]
pub use mend::Mends;
#[allow(unreachable_pub, reason = "bounds an implementation of a public trait")]
pub use micro::EmitsEach;

use std::marker::PhantomData;

use crate::facts::error::Error;
use crate::facts::schema::Empty;
use crate::machine::Machine;
use crate::machine::level::{Available, PerLevel};
use crate::machine::team::Team;
use crate::plan::{Needs, Plan, STEPS};
use crate::values::element::Slot;
use crate::values::stored::Stored;

use micro::{Sizes, Table, tables};
use walk::Call;

/// Elements up to which a reduction stays on the calling thread.
pub(crate) const SMALL: usize = 1 << 17;

/// Elements that are not split among threads: fewer take no longer than waking one.
const GRAIN: usize = SMALL / 2;

/// Bytes of the largest accumulator.
const MOST_BYTES: usize = 1 << 13;

/// Bytes of all its lanes, at most.
const MOST_LANE_BYTES: usize = 4 * MOST_BYTES;

/// The kernel of operator `Op` from storage type `T` to storage type `O`.
pub struct Kernel<Op, T: Stored, O> {
    /// Without, the output is left as it is.
    tables: Option<PerLevel<Table>>,
    sizes: Sizes,
    empty: Empty,
    needs: Needs,
    /// How doubtful results are mended.
    mends: &'static Mends,
    types: PhantomData<fn(&Op, T) -> O>,
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
            L * size_of::<F::Acc>() <= MOST_LANE_BYTES,
            "all lanes have more than 32768 bytes; ask for fewer `lanes`"
        );
        let (tables, sizes) = (Some(tables::<F, L>()), Sizes::of::<F, L>());
        Kernel {
            tables,
            sizes,
            empty,
            needs: needs::<F, L>(),
            mends: &Mends::Never,
            types: PhantomData,
        }
    }

    /// A kernel that leaves its output as it is: what a spec with errors gets.
    pub const INERT: &'static Self = &Kernel {
        tables: None,
        sizes: Sizes::NONE,
        empty: Empty::Error,
        needs: Needs {
            lanes: 1,
            few: 1,
            short: 1,
            short_from_memory: 1,
            ordered: false,
            any_order: true,
            spreads: false,
            light: true,
            steps: STEPS,
            blocks: 1,
            element: size_of::<T>(),
            machine: Machine::UNKNOWN,
        },
        mends: &Mends::Never,
        types: PhantomData,
    };

    /// The kernel of an operator whose doubtful results are mended.
    pub(crate) const fn mending(self, mends: &'static Mends) -> Self {
        Kernel { mends, ..self }
    }

    /// What the kernel needs of a plan, on this machine.
    pub(crate) fn needs(&self) -> Needs {
        Needs { machine: Machine::this(), ..self.needs }
    }

    /// Its value over no elements.
    pub(crate) fn empty(&self) -> Empty {
        self.empty
    }

    /// Writes the results of a plan that may be run, in its order.
    ///
    /// # Errors
    /// If there is not enough memory. Then some results may be written.
    #[inline]
    pub(crate) fn write(
        &self,
        op: &Op,
        data: T::Data<'_>,
        plan: &Plan,
        output: &mut [O],
        level: Available,
        team: Team<'_>,
    ) -> Result<(), Error> {
        assert_eq!(output.len(), plan.outputs, "as many results as the plan has");
        let Some(tables) = &self.tables else { return Ok(()) };
        let mut call = Call {
            table: tables.of(level),
            sizes: &self.sizes,
            op: std::ptr::from_ref(op).cast(),
            buffers: T::buffers(data),
            plan,
            level,
        };
        // SAFETY: a kernel is made of tables for its types, and of their mends. The level is available,
        // operators are shared, and so are elements; plans are made of views, whose elements lie in
        // their buffers.
        unsafe { mend::run(&mut call, output.as_mut_ptr().cast(), team, self.mends) }
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
    match lanes {
        1 => Kernel::with_fold::<F::Fold, 1>(empty),
        2 => Kernel::with_fold::<F::Fold, 2>(empty),
        4 => Kernel::with_fold::<F::Fold, 4>(empty),
        8 => Kernel::with_fold::<F::Fold, 8>(empty),
        16 => Kernel::with_fold::<F::Fold, 16>(empty),
        32 => Kernel::with_fold::<F::Fold, 32>(empty),
        64 => Kernel::with_fold::<F::Fold, 64>(empty),
        128 => Kernel::with_fold::<F::Fold, 128>(empty),
        _ => Kernel::with_fold::<F::Fold, 256>(empty),
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
        write!(f, "Kernel({:?} -> {}, empty: {:?})", T::DTYPES, O::DTYPE, self.empty)
    }
}
