//! Doubtful results, one by one.

#![allow(unsafe_code, reason = "operators and buffers have their types erased")]

use std::cell::RefCell;

use smallvec::SmallVec;

use super::super::ending::Ending;
use super::super::fold::Fold;
use super::super::micro::{Sizes, Table, again};
use super::super::needs;
use super::super::walk::KernelCall;
use super::run_alone;
use crate::facts::order::{LANES_AGAIN, ORDERED};
use crate::machine::level::Available;
use crate::machine::team::Team;
use crate::plan::{Needs, Plan};
use crate::values::stored::Buffers;

/// A result of a plan over some buffers.
#[allow(missing_debug_implementations, reason = "named by hidden items alone")]
pub struct Doubtful<'a> {
    pub(in super::super) plan: &'a Plan,
    pub(in super::super) buffers: Buffers,
    pub(in super::super) number: usize,
    pub(in super::super) level: Available,
    /// Plans that are kept from one doubtful result of the plan to the next.
    pub(in super::super) kept: &'a KeptPlans,
}

/// Plans of single results, each for what it is needed for. To move one to the next result takes a fraction of the time that
/// planning does.
#[derive(Default)]
pub(in super::super) struct KeptPlans(RefCell<SmallVec<[KeptPlan; 2]>>);

struct KeptPlan {
    needs: Needs,
    /// The place of the first element of its result in the plan of all.
    first: usize,
    plan: Plan,
}

impl KeptPlans {
    /// Does something with the plan of a doubtful result, over all inputs or over one of them. Only plans over one input
    /// are kept.
    pub(super) fn with<R>(
        &self,
        result: &Doubtful<'_>,
        input: Option<usize>,
        needs: Needs,
        then: impl FnOnce(&Plan) -> R,
    ) -> R {
        let Doubtful { plan: all, number, .. } = *result;
        if !all.inputs.is_empty() {
            return then(&all.one(number, input, needs));
        }
        let (mut kept, first) = (self.0.borrow_mut(), all.place(number));
        let place = kept.iter().position(|kept| kept.needs == needs).unwrap_or_else(|| {
            kept.push(KeptPlan { needs, first, plan: all.one(number, input, needs) });
            kept.len() - 1
        });
        let KeptPlan { first: before, plan, .. } = &mut kept[place];
        plan.offset = plan.offset.wrapping_add(first).wrapping_sub(*before);
        *before = first;
        then(plan)
    }
}

/// The number of lanes in which results are made again: one, if it takes one to keep elements in order.
const fn lanes_again<F: Fold>() -> usize {
    match F::WANTS.lanes {
        ORDERED => ORDERED,
        _ => LANES_AGAIN,
    }
}

impl Doubtful<'_> {
    /// Folds the elements of all inputs in as many lanes as their order allows, and stores the result.
    ///
    /// # Safety
    /// *operator*, *types*, *buffers*, *sharing* and *places*, of the fold and its ending: `out` is nobody else's.
    pub(super) unsafe fn fold_in_lanes<F: Fold, E: Ending<F::Steps>>(
        &self,
        op: *const (),
        out: *mut u8,
    ) {
        // Only the chosen functions are compiled.
        let (tables, sizes) = const {
            &match lanes_again::<F>() {
                ORDERED => (again::<F, E, ORDERED>(), Sizes::of::<F, E, ORDERED>()),
                _ => (again::<F, E, LANES_AGAIN>(), Sizes::of::<F, E, LANES_AGAIN>()),
            }
        };
        let needs = needs::<F>(lanes_again::<F>());
        // SAFETY: *operator* and *types*, which the caller keeps: the table is that of the fold. *level*: it is the one
        // of the result.
        unsafe { self.fold((tables.of(self.level), sizes), needs, op, out) };
    }

    /// Folds the elements of all inputs, and stores the result.
    ///
    /// # Safety
    /// *operator*, *types*, *buffers*, *sharing* and *places*, of the table and the sizes: `out` is nobody else's.
    #[inline(never)]
    unsafe fn fold(
        &self,
        (table, sizes): (&Table, &Sizes),
        needs: Needs,
        op: *const (),
        out: *mut u8,
    ) {
        let Doubtful { buffers, level, .. } = *self;
        self.kept.with(self, None, needs, |plan| {
            let call = KernelCall { table, sizes, op, buffers, plan, level };
            // SAFETY: *operator*, *types*, *buffers* and *places*, which the caller keeps for this one result. The plan
            // is over its elements.
            let _nobody_watches = unsafe { run_alone(call, out, Team::ALONE, None) };
        });
    }
}
