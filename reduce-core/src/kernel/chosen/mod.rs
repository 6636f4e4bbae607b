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
//! A kernel may be made of other kernels ([`Others`]). It is one kernel over the elements that it chooses, or it has a
//! kernel for each member of a tuple in which some choose. [`Untyped::run_chosen`] goes down to kernels that are made
//! of tables, and collects what is chosen on the way. These are the *members* of a pass. Each chunk is read once, and
//! every member packs its own elements of it.

#![allow(unsafe_code, reason = "operators and buffers have their types erased")]

mod flags;
mod pack;
mod pass;
mod result;
mod run;

use super::mend::Mends;
use super::micro::{Notes, Sizes, Table, Watched};
use super::{MadeOf, Untyped};
use crate::facts::error::Error;
use crate::facts::progress::Stopped;
use crate::machine::level::Available;
use crate::machine::memory::caught;
use crate::machine::team::Team;
use crate::plan::Plan;
use crate::values::stored::Buffers;

pub(super) use flags::{Flag, choose};
pub(super) use pack::{pack, pack_positions};
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
    /// All elements.
    pub(crate) const ALL: Filter = Filter { masks: 0, skips_nan: false };

    /// Whether all elements count.
    pub(super) fn is_all(self) -> bool {
        self.masks == 0 && !self.skips_nan
    }

    /// Elements that two choices agree on.
    pub(super) fn and(self, other: Filter) -> Filter {
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
    /// A kernel for each member of a tuple.
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
    /// Whether doubtful results are made again.
    pub(super) mends: bool,
}

/// An operator of a pass: one with tables, and the elements that it chooses.
pub(super) struct Member<'a> {
    pub(super) kernel: (&'a Untyped, &'a Table, &'a Sizes),
    pub(super) op: *const (),
    pub(super) filter: Filter,
    /// Where its result lies in that of all members, in bytes.
    pub(super) result_at: usize,
}

/// Where results go: the place of the first, and how many bytes each lies behind the one before.
#[derive(Clone, Copy)]
pub(crate) struct Results {
    pub(crate) first: *mut u8,
    pub(crate) apart: usize,
}

/// Writes the results of a kernel of tables over the elements that count. Those that the operator doubts stay as they
/// are, and are noted if there are notes.
///
/// # Errors
/// If someone who watches wants the work to stop.
///
/// # Safety
/// As for [`Untyped::run_chosen`], for the kernel of the tables; the operator has a value over no elements.
pub(super) unsafe fn run_alone(
    kernel: (&Untyped, &Table, &Sizes),
    filter: Filter,
    (given, results): (Given<'_>, Results),
    notes: Option<&Notes>,
    team: Team<'_>,
) -> Result<(), Stopped> {
    let members = [Member { kernel, op: given.op, filter, result_at: 0 }];
    let watched = [Watched { op: given.op, notes }];
    // SAFETY: *operator*, *types*, *buffers*, *sharing* and *places*, which the caller keeps. `watched` has the only
    // operator.
    unsafe { ChoosingPass::new(&members, &watched, (given, results)) }.split(team)
}

impl Untyped {
    /// Writes the results of a plan over the elements that count, in its order. Doubtful results are mended.
    ///
    /// # Errors
    /// If there is not enough memory, or if all elements of a result are left out and the operator has no value over
    /// none. Some results may be written then.
    ///
    /// # Safety
    /// *operator*, *types*, *buffers*, *sharing* and *places*, for this kernel and this plan. Behind the inputs are the
    /// masks of `filter` and of the kernel's own filters.
    pub(super) unsafe fn run_chosen(
        &self,
        filter: Filter,
        given: Given<'_>,
        results: Results,
        team: Team<'_>,
    ) -> Result<(), Error> {
        let mut members = Vec::new();
        self.add_members((given.op, 0), filter, given.level, &mut members);
        let mut notes: Vec<Notes> = members.iter().map(|_| Notes::new()).collect();
        let watched = |(member, notes): (&Member<'_>, _)| {
            let are_mended = given.mends && !matches!(member.kernel.0.mends, Mends::Never);
            Watched { op: member.op, notes: are_mended.then_some(notes) }
        };
        let watched: Vec<_> = members.iter().zip(&notes).map(watched).collect();
        // SAFETY: *operator*, *types*, *buffers*, *sharing* and *places*, which the caller keeps for each member.
        // `watched` has all operators.
        unsafe { ChoosingPass::new(&members, &watched, (given, results)) }.run(team)?;
        drop(watched);
        for (member, notes) in members.iter().zip(&mut notes) {
            if notes.has_any() {
                // SAFETY: *written*: the pass has just stored the results of the member, each with a place in
                // `results`.
                caught(|| unsafe { member.mend(notes, given, results) })?;
            }
        }
        Ok(())
    }

    /// The kernel of tables that this one is made of, if it is not one of several, and the elements that it is given.
    pub(super) fn with_filter(&'static self) -> (&'static Untyped, Filter) {
        match &self.made_of {
            MadeOf::Others(Others::Chosen(more, inner)) => {
                let (kernel, filter) = inner().with_filter();
                (kernel, filter.and(*more))
            }
            _ => (self, Filter::ALL),
        }
    }

    /// Adds the kernels of tables that this one is made of, each with the elements that it chooses. `op` is where the
    /// operator is, and `result_at` where its result lies in that of all, in bytes.
    fn add_members<'k>(
        &'k self,
        (op, result_at): (*const (), usize),
        filter: Filter,
        level: Available,
        members: &mut Vec<Member<'k>>,
    ) {
        match &self.made_of {
            MadeOf::Nothing => {}
            MadeOf::Others(Others::Chosen(more, inner)) => {
                inner().add_members((op, result_at), filter.and(*more), level, members);
            }
            MadeOf::Others(Others::Each(all)) => {
                for &(op_at, its_result_at, member) in *all {
                    let place = (op.wrapping_byte_add(op_at), result_at + its_result_at);
                    member().add_members(place, filter, level, members);
                }
            }
            MadeOf::Tables(tables, sizes) => {
                let kernel = (self, tables.of(level), sizes);
                members.push(Member { kernel, op, filter, result_at });
            }
        }
    }
}
