//! Mending: results that an operator doubts are made again, with numbers that neither overflow nor
//! underflow.
//!
//! Microkernels note which results are doubtful ([`Notes`]). After a job each of those is looked at by itself. It
//! stands if an element is not finite, or if all are zero ([`extremes`]). Otherwise it may follow from the least and
//! the greatest magnitude of its elements. If it does not, its elements are folded once more in
//! [`Extended`](crate::numbers::Extended). They are folded in eight lanes. Along a result these are
//! narrow vectors; elsewhere the loops of the scalar level do, which cost an operator little. What is done depends on the elements of the one result alone.

#![allow(unsafe_code, reason = "operators and buffers have their types erased")]

mod extremes;

use super::ending::Ending;
use super::fold::Fold;
use super::micro::{Notes, Sizes, Table, Watched, again};
use super::needs;
use super::walk::KernelCall;
use crate::facts::dtype::DType;
use crate::facts::error::Error;
use crate::facts::order::{LANES_AGAIN, ORDERED};
use crate::machine::level::Available;
use crate::machine::team::Team;
use crate::plan::{Needs, Plan};
use crate::values::stored::{Buffers, Stored};

use extremes::Extremes;

/// How the doubtful results of an operator are mended, or those of each operator of a tuple.
#[derive(Clone, Copy, Debug)]
pub enum Mends {
    /// They stay as they are.
    Never,
    /// By another fold.
    By(Mend),
    /// Each operator of a tuple has mends of its own.
    Together(&'static [MendedMember]),
}

/// An operator of a tuple: its offset in the tuple of operators, that of its result in the tuple of results, both in
/// bytes, and how its results are mended.
pub type MendedMember = (usize, usize, &'static Mends);

/// Makes a result again, if it does not stand.
pub type Mend = unsafe fn(op: *const (), result: &Doubtful<'_>, out: *mut u8);

/// A result of a plan over some buffers.
#[allow(missing_debug_implementations, reason = "named by hidden items alone")]
pub struct Doubtful<'a> {
    pub(super) plan: &'a Plan,
    pub(super) buffers: Buffers,
    pub(super) number: usize,
    pub(super) level: Available,
}

impl Mends {
    /// Doubtful results become those of fold `F` and ending `E`.
    pub(crate) const fn with_fold<F: Fold, E: Ending<F::Steps>>() -> Self {
        Mends::By(mend::<F, E>)
    }

    /// How many operators there are.
    fn count(&self) -> u32 {
        match self {
            Mends::Never | Mends::By(_) => 1,
            Mends::Together(members) => members.iter().map(|(.., mends)| mends.count()).sum(),
        }
    }

    /// Mends the result of a list. Each of `inputs` buffers holds the elements of one input, and nothing else.
    ///
    /// # Safety
    /// As [`Mends::mend`].
    pub(super) unsafe fn mend_list(
        &self,
        op: *const (),
        (buffers, inputs): (Buffers, usize),
        (level, doubts): (Available, u32),
        out: *mut u8,
    ) {
        let plan = &Plan::of_lists(0, buffers.1[0], inputs, Needs::IN_ORDER);
        // SAFETY: the caller's.
        unsafe { self.mend(op, &Doubtful { plan, buffers, number: 0, level }, doubts, out) };
    }

    /// Mends a result of a plan over buffers, counted in the order of the plan.
    ///
    /// # Safety
    /// As [`Mends::mend`]; the plan has elements, and such a result.
    pub(super) unsafe fn mend_one(
        &self,
        op: *const (),
        (buffers, plan, number): (Buffers, &Plan, usize),
        (level, doubts): (Available, u32),
        out: *mut u8,
    ) {
        // SAFETY: the caller's.
        unsafe { self.mend(op, &Doubtful { plan, buffers, number, level }, doubts, out) };
    }

    /// Mends a result that some operators doubt: those whose bits are set in `doubts`.
    ///
    /// # Safety
    /// The operators, the types of the buffers and the result are those of the mends.
    unsafe fn mend(&self, op: *const (), result: &Doubtful<'_>, doubts: u32, out: *mut u8) {
        match *self {
            Mends::By(mend) if doubts & 1 == 1 => {
                // SAFETY: the caller's.
                unsafe { mend(op, result, out) }
            }
            Mends::Never | Mends::By(_) => {}
            Mends::Together(members) => {
                let mut first = 0;
                for &(op_at, out_at, mends) in members {
                    let doubts = doubts.checked_shr(first).unwrap_or(0);
                    let (op, out) = (op.wrapping_byte_add(op_at), out.wrapping_add(out_at));
                    // SAFETY: a member, and its result.
                    unsafe { mends.mend(op, result, doubts, out) };
                    first += mends.count();
                }
            }
        }
    }
}

/// Writes the results of a call; those that the operator doubts are mended. The call is changed on the way, so that it
/// need not be copied.
///
/// # Errors
/// If there is not enough memory. Then some results may be written.
///
/// # Safety
/// As for [`KernelCall::with_inputs`], but the operator, which doubts results, is not watched. The mends are of the
/// operator and its types.
#[inline(never)]
pub(super) unsafe fn watched(
    call: &mut KernelCall<'_>,
    output: *mut u8,
    team: Team<'_>,
    mends: &Mends,
) -> Result<(), Error> {
    let mut notes = Notes::new();
    let are_mended = call.plan.count > 0 && !matches!(mends, Mends::Never);
    let watched = Watched { op: call.op, notes: are_mended.then_some(&notes) };
    call.op = std::ptr::from_ref(&watched).cast();
    // SAFETY: the caller's; the operator is watched for as long as the call takes.
    unsafe { call.guarded(output, team) }?;
    call.op = watched.op;
    if are_mended && notes.has_any() {
        // SAFETY: the results that were just written.
        unsafe { mend_noted(call, mends, &notes, output) };
    }
    Ok(())
}

/// Writes the results of a call; those that the operator doubts stay as they are, and are noted if
/// there are notes.
///
/// # Safety
/// As for [`KernelCall::with_inputs`], but the operator is not watched.
pub(super) unsafe fn run_alone(
    mut call: KernelCall<'_>,
    output: *mut u8,
    team: Team<'_>,
    notes: Option<&Notes>,
) {
    let watched = Watched { op: call.op, notes };
    if call.sizes.doubts {
        call.op = std::ptr::from_ref(&watched).cast();
    }
    // SAFETY: the caller's; the operator is watched for as long as the call takes.
    unsafe { call.with_inputs(output, team) };
}

/// Mends the results that were noted.
///
/// # Safety
/// The results of the plan were written; mends and operator are those of the call.
#[cold]
#[inline(never)]
unsafe fn mend_noted(call: &KernelCall<'_>, mends: &Mends, notes: &Notes, output: *mut u8) {
    let KernelCall { op, sizes, buffers, plan, level, .. } = *call;
    for (place, doubts) in notes.sorted() {
        let number = (place - output.addr()) / sizes.result;
        let result = Doubtful { plan, buffers, number, level };
        // SAFETY: one of the results.
        unsafe { mends.mend(op, &result, doubts, output.wrapping_add(number * sizes.result)) };
    }
}

/// Makes a result again by a fold if it does not stand, and returns whether it did.
///
/// # Safety
/// The operator, the types of the buffers and the result are those of the fold.
pub(super) unsafe fn fold_again<F: Fold, E: Ending<F::Steps>>(
    op: *const (),
    result: &Doubtful<'_>,
    out: *mut u8,
) -> bool {
    if let Some((_, true)) = result.extremes_of_all(F::Stored::DTYPES) {
        return false;
    }
    // SAFETY: the caller's.
    unsafe { result.fold_in_lanes::<F, E>(op, out) };
    true
}

/// Makes a result again by a fold, if it does not stand.
///
/// # Safety
/// The operator, the types of the buffers and the result are those of the fold.
unsafe fn mend<F: Fold, E: Ending<F::Steps>>(op: *const (), result: &Doubtful<'_>, out: *mut u8) {
    // SAFETY: the operator of the fold.
    let operator = unsafe { &*op.cast::<F::Op>() };
    if let Some((first, stands)) = result.extremes_of_all(F::Stored::DTYPES) {
        if stands {
            return;
        }
        if let Some(known) = E::of_extremes(operator, first.least, first.greatest) {
            // SAFETY: the result.
            return unsafe { out.cast::<E::Output>().write(known) };
        }
    }
    // SAFETY: the caller's.
    unsafe { result.fold_in_lanes::<F, E>(op, out) };
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
    /// As [`Doubtful::fold`].
    unsafe fn fold_in_lanes<F: Fold, E: Ending<F::Steps>>(&self, op: *const (), out: *mut u8) {
        // Only the chosen functions are compiled.
        let (tables, sizes) = const {
            &match lanes_again::<F>() {
                ORDERED => (again::<F, E, ORDERED>(), Sizes::of::<F, E, ORDERED>()),
                _ => (again::<F, E, LANES_AGAIN>(), Sizes::of::<F, E, LANES_AGAIN>()),
            }
        };
        let needs = needs::<F>(lanes_again::<F>());
        // SAFETY: the caller's. The table is that of the fold, and of any level.
        unsafe { self.fold((tables.of(self.level), sizes), needs, op, out) };
    }

    /// The extremes of the elements of the first input, and whether the elements of all inputs say that the result
    /// stands. None if an input is not of floats.
    #[inline(never)]
    fn extremes_of_all(&self, dtypes: &[DType]) -> Option<(Extremes, bool)> {
        let (mut first, mut are_finite, mut are_zero) = (None, true, true);
        for (input, &dtype) in dtypes.iter().enumerate() {
            let of_input = Extremes::of(dtype, self, input)?;
            are_finite &= of_input.greatest.is_finite();
            are_zero &= of_input.greatest == 0.0;
            first.get_or_insert(of_input);
        }
        first.map(|first| (first, !are_finite || are_zero))
    }

    /// Folds the elements of all inputs, and stores the result.
    ///
    /// # Safety
    /// The table and the sizes are of the operator, the types of the buffers and the result.
    #[inline(never)]
    unsafe fn fold(
        &self,
        (table, sizes): (&Table, &Sizes),
        needs: Needs,
        op: *const (),
        out: *mut u8,
    ) {
        let plan = &self.plan.one(self.number, None, needs);
        let level = self.level;
        let call = KernelCall { table, sizes, op, buffers: self.buffers, plan, level };
        // SAFETY: the caller's.
        unsafe { run_alone(call, out, Team::ALONE, None) };
    }
}
