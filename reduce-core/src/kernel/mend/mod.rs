//! Mending: results that an operator doubts are made again, with numbers that neither overflow nor
//! underflow.
//!
//! Microkernels note which results are doubtful ([`Notes`]). After a job each of those is looked at by itself. It
//! stands if an element is not finite, or if all are zero ([`extremes`]). Otherwise it may follow from the least and
//! the greatest magnitude of its elements. If it does not, its elements are folded once more in
//! [`Extended`](crate::numbers::Extended). They are folded in eight lanes. Along a result these are
//! narrow vectors; elsewhere the loops of the scalar level do, which cost an operator little. What is done depends on the
//! elements of the one result alone. So results are spread over the threads of the team as it suits them.

#![allow(unsafe_code, reason = "operators and buffers have their types erased")]

mod doubtful;
mod extremes;

use std::ops::Range;

use super::ending::Ending;
use super::fold::Fold;
use super::micro::{Notes, Watched};
use super::walk::KernelCall;
use crate::facts::error::Error;
use crate::facts::progress::Stopped;
use crate::machine::level::Available;
use crate::machine::team::{GRAIN, Team};
use crate::plan::{Needs, Plan};
use crate::values::stored::{Buffers, Stored};

pub use doubtful::Doubtful;
pub(super) use doubtful::KeptPlans;

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
        // SAFETY: *operator*, *types*, *buffers* and *places*, which the caller keeps; the plan is over the whole list.
        unsafe { self.mend_one(op, (buffers, plan, 0), (level, doubts), out) };
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
        let result = Doubtful { plan, buffers, number, level, kept: &KeptPlans::default() };
        // SAFETY: *operator*, *types*, *buffers* and *places*, which the caller keeps for this result.
        unsafe { self.mend(op, &result, doubts, out) };
    }

    /// Mends a result that some operators doubt: those whose bits are set in `doubts`.
    ///
    /// # Safety
    /// *operator*, *types*, *buffers*, *sharing* and *places*, of these mends: `out` is nobody else's.
    unsafe fn mend(&self, op: *const (), result: &Doubtful<'_>, doubts: u32, out: *mut u8) {
        match *self {
            Mends::By(mend) if doubts & 1 == 1 => {
                // SAFETY: *operator*, *types*, *buffers* and *places*, which the caller keeps: the function is that of
                // the mends.
                unsafe { mend(op, result, out) }
            }
            Mends::Never | Mends::By(_) => {}
            Mends::Together(members) => {
                let mut first = 0;
                for &(op_at, out_at, mends) in members {
                    let doubts = doubts.checked_shr(first).unwrap_or(0);
                    let (op, out) = (op.wrapping_byte_add(op_at), out.wrapping_add(out_at));
                    // SAFETY: *operator* and *places*: `members` says where each one lies in those of the tuple, which
                    // the caller keeps.
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
    // SAFETY: *operator*: it is watched from here on, for as long as the call takes. The caller keeps all else.
    unsafe { call.guarded(output, team) }?;
    call.op = watched.op;
    if are_mended && notes.has_any() {
        // SAFETY: *written*: the call has just stored all results of the plan. *operator*, *types* and *buffers*, which
        // the caller keeps.
        unsafe { mend_noted(call, mends, &notes, output, team) }?;
    }
    Ok(())
}

/// Writes the results of a call; those that the operator doubts stay as they are, and are noted if
/// there are notes.
///
/// # Errors
/// If someone who watches wants the work to stop.
///
/// # Safety
/// As for [`KernelCall::with_inputs`], but the operator is not watched.
pub(super) unsafe fn run_alone(
    mut call: KernelCall<'_>,
    output: *mut u8,
    team: Team<'_>,
    notes: Option<&Notes>,
) -> Result<(), Stopped> {
    let watched = Watched { op: call.op, notes };
    if call.sizes.doubts {
        call.op = std::ptr::from_ref(&watched).cast();
    }
    // SAFETY: *operator*: it is watched if it doubts results, for as long as the call takes. The caller keeps all else.
    unsafe { call.with_inputs(output, team) }
}

/// Mends the results that were noted, split among a team.
///
/// # Errors
/// If someone who watches wants the work to stop. Some results may be mended then.
///
/// # Safety
/// As for [`watched`]. *written*: the call has stored all results of its plan.
#[cold]
#[inline(never)]
unsafe fn mend_noted(
    call: &KernelCall<'_>,
    mends: &Mends,
    notes: &Notes,
    output: *mut u8,
    team: Team<'_>,
) -> Result<(), Stopped> {
    let notes = notes.sorted();
    let noted = Noted { call, mends, notes: &notes, output };
    let grains = notes.len().saturating_mul(call.plan.count) / GRAIN;
    let parts = grains.min(4 * team.threads()).clamp(1, notes.len());
    let first = |part: usize| part * notes.len() / parts;
    team.each_unless_stopped((0..parts).collect(), |part| {
        // SAFETY: *operator*, *types* and *buffers*, which the caller keeps. *places*: no two parts have a note in
        // common.
        unsafe { noted.mend(first(part)..first(part + 1)) };
    })
}

/// Results that were noted: where each is stored, and which operators doubt it.
struct Noted<'a> {
    call: &'a KernelCall<'a>,
    mends: &'a Mends,
    notes: &'a [(usize, u32)],
    output: *mut u8,
}

// SAFETY: *sharing*, which the caller of `mend_noted` keeps; and *places*, since each note is of a result of its own.
unsafe impl Sync for Noted<'_> {}

impl Noted<'_> {
    /// Mends some of them.
    ///
    /// # Safety
    /// As [`mend_noted`]. No other thread mends one of these.
    unsafe fn mend(&self, some: Range<usize>) {
        let KernelCall { op, sizes, buffers, plan, level, .. } = *self.call;
        let kept = &KeptPlans::default();
        for &(place, doubts) in &self.notes[some] {
            let number = (place - self.output.addr()) / sizes.result;
            let result = Doubtful { plan, buffers, number, level, kept };
            let out = self.output.wrapping_add(number * sizes.result);
            // SAFETY: *operator*, *types* and *buffers*, which the caller keeps. *places*: this is one of the results
            // of the plan.
            unsafe { self.mends.mend(op, &result, doubts, out) };
        }
    }
}

/// Makes a result again by a fold if it does not stand, and returns whether it did.
///
/// # Safety
/// *operator*, *types*, *buffers*, *sharing* and *places*, of the fold and its ending: `out` is nobody else's.
pub(super) unsafe fn fold_again<F: Fold, E: Ending<F::Steps>>(
    op: *const (),
    result: &Doubtful<'_>,
    out: *mut u8,
) -> bool {
    if let Some((_, true)) = result.extremes_of_all(F::Stored::DTYPES) {
        return false;
    }
    // SAFETY: *operator*, *types*, *buffers* and *places*, which the caller keeps: they are those of the fold.
    unsafe { result.fold_in_lanes::<F, E>(op, out) };
    true
}

/// Makes a result again by a fold, if it does not stand.
///
/// # Safety
/// *operator*, *types*, *buffers*, *sharing* and *places*, of the fold and its ending: `out` is nobody else's.
unsafe fn mend<F: Fold, E: Ending<F::Steps>>(op: *const (), result: &Doubtful<'_>, out: *mut u8) {
    // SAFETY: *operator*, which the caller keeps: it is that of the fold.
    let operator = unsafe { &*op.cast::<F::Op>() };
    if let Some((first, stands)) = result.extremes_of_all(F::Stored::DTYPES) {
        if stands {
            return;
        }
        if let Some(known) = E::of_extremes(operator, first.least, first.greatest) {
            // SAFETY: *places*, which the caller keeps: the result is of the ending's type, and is nobody else's.
            return unsafe { out.cast::<E::Output>().write(known) };
        }
    }
    // SAFETY: *operator*, *types*, *buffers* and *places*, which the caller keeps: they are those of the fold.
    unsafe { result.fold_in_lanes::<F, E>(op, out) };
}
