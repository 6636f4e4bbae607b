//! Elements that count: reductions of some elements of each set, as masks or their own values say.
//!
//! No operator is compiled for this anew. Its microkernels fold elements that lie one behind the other, and those that
//! count are made to lie so:
//!
//! ```text
//! for each result:
//!     for each chunk of its elements, in row-major order:
//!         which of them count?                       (flags)
//!         pack those behind the ones before them     (pack)
//!         fold each block that is full               (result)
//!     fold what is left, and store the result over as many elements as counted
//! ```
//!
//! So a result has the same bits as the reduction of a list of the elements that count. Positions are counted among all
//! elements. A selection is told them when it searches the block that its element came from. Any other operator that
//! takes positions gets a block for each run of neighbours that count. In a tuple with such an operator, blocks of the
//! other members end there too, and even few elements are folded in lanes. So the last bits of those members may differ
//! from those of a list.
//!
//! A kernel may be made of other kernels ([`Others`]): of one, over the elements that it chooses; or of one for each
//! member of a tuple, if some of them choose. [`Untyped::run_chosen`] goes down to kernels that are made of tables, and
//! collects what is chosen on the way.

#![allow(unsafe_code, reason = "operators and buffers have their types erased")]

mod flags;
mod pack;
mod pass;
mod result;
mod run;

use super::{MadeOf, Untyped};
use crate::facts::error::Error;
use crate::machine::level::Available;
use crate::machine::team::Team;
use crate::plan::Plan;
use crate::values::stored::Buffers;

use pass::ChoosingPass;

/// Which elements count.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// The number of masks: inputs behind those of the operator. An element counts if all of them are true.
    pub(crate) masks: usize,
    /// If this is true, elements with a NaN in any input are left out.
    pub(crate) skips_nan: bool,
}

impl Filter {
    /// Elements that two choices agree on.
    fn and(self, other: Filter) -> Filter {
        let masks = self.masks + other.masks;
        Filter { masks, skips_nan: self.skips_nan || other.skips_nan }
    }
}

/// Kernels that another one is made of.
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations, reason = "named by hidden items alone")]
pub enum Others {
    /// One kernel, over the elements that count. Its operator is the only field of the operator that chooses.
    Chosen(Filter, fn() -> &'static Untyped),
    /// A kernel for each member of a tuple. They run one after another.
    Each(&'static [ChosenMember]),
}

/// A member of a tuple: the offset of its operator in the tuple of operators, that of its result in the tuple of
/// results, both in bytes, and its kernel.
pub type ChosenMember = (usize, usize, fn() -> &'static Untyped);

/// What a kernel is given.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) op: *const (),
    /// The inputs of the operator, and the masks behind them.
    pub(super) buffers: Buffers,
    /// A plan that takes elements in row-major order.
    pub(super) plan: &'a Plan,
    pub(super) level: Available,
}

/// Where results go: the place of the first, and how many bytes each lies behind the one before.
#[derive(Clone, Copy)]
pub(super) struct Results {
    pub(super) first: *mut u8,
    pub(super) apart: usize,
}

impl Untyped {
    /// Writes the results of a plan over the elements that count, in its order.
    ///
    /// # Errors
    /// If there is not enough memory, or if all elements of a result are left out and the operator has no value over
    /// none. Some results may be written then.
    ///
    /// # Safety
    /// The operator is that of the kernel, and threads may share it. The buffers hold elements of the kernel's types,
    /// and behind them the masks of `filter` and of the kernel's own filters. There is room for the results.
    pub(super) unsafe fn run_chosen(
        &self,
        filter: Filter,
        given: Given<'_>,
        results: Results,
        team: Team<'_>,
    ) -> Result<(), Error> {
        match &self.made_of {
            MadeOf::Nothing => Ok(()),
            MadeOf::Others(Others::Chosen(more, inner)) => {
                // SAFETY: the caller's; the inner operator is where the outer one is.
                unsafe { inner().run_chosen(filter.and(*more), given, results, team) }
            }
            MadeOf::Others(Others::Each(members)) => {
                for (op_at, result_at, member) in *members {
                    let given = Given { op: given.op.wrapping_byte_add(*op_at), ..given };
                    let first = results.first.wrapping_add(*result_at);
                    // SAFETY: the caller's; a member, and its results.
                    unsafe {
                        member().run_chosen(filter, given, Results { first, ..results }, team)
                    }?;
                }
                Ok(())
            }
            MadeOf::Tables(tables, sizes) => {
                let table = tables.of(given.level);
                // SAFETY: the caller's.
                unsafe { ChoosingPass::run(self, (table, sizes), filter, given, results, team) }
            }
        }
    }
}
