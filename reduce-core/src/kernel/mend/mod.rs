//! Mending: results that an operator doubts are made again, with numbers that neither overflow nor
//! underflow.
//!
//! Microkernels note which results are doubtful ([`Notes`]). After a job each of those is looked at by
//! itself: it stands if an element is not finite, or all are zero ([`extremes`]); or it
//! follows from the least and the greatest magnitude of its elements; or else its elements are
//! folded once more in [`Extended`](crate::Extended), at the level without vectors, so that an operator costs
//! no more than five small loops for it. What is done depends on the elements of the one
//! result alone.

#![allow(unsafe_code, reason = "operators and buffers have their types erased")]

mod extremes;

use super::fold::Fold;
use super::micro::{Notes, Sizes, Table, Watched, plain};
use super::needs;
use super::walk::Call;
use crate::facts::dtype::DType;
use crate::facts::error::Error;
use crate::machine::level::Available;
use crate::machine::team::Team;
use crate::plan::{Needs, Plan};
use crate::values::stored::{Buffers, Stored};

use extremes::Extremes;

/// The operators of a tuple, or the one operator, and how the doubtful results of each are mended.
#[derive(Clone, Copy, Debug)]
pub struct Mends {
    members: [Member; MOST],
    count: usize,
}

/// The operators of a tuple whose results are mended; those of further ones stay as they are.
const MOST: usize = 32;

/// An operator of a tuple: how far behind the first byte of the tuple it is, and its results behind that
/// of the tuple's.
#[derive(Clone, Copy, Debug)]
struct Member {
    op: usize,
    out: usize,
    mend: Option<Mend>,
}

/// Makes a result again, if it does not stand.
type Mend = unsafe fn(op: *const (), result: &Doubtful<'_>, out: *mut u8);

/// A result: of a plan over some buffers.
pub(super) struct Doubtful<'a> {
    pub(super) plan: &'a Plan,
    pub(super) buffers: Buffers,
    pub(super) number: usize,
    pub(super) level: Available,
}

/// The lanes of what is folded again.
const LANES: usize = 8;

impl Mends {
    /// An operator whose results stay as they are.
    pub(crate) const NONE: &'static Mends =
        &Mends { members: [Member { op: 0, out: 0, mend: None }; MOST], count: 1 };

    /// Those, or that results stay as they are.
    pub(crate) const fn or_none(mends: Option<&'static Mends>) -> &'static Mends {
        match mends {
            Some(mends) => mends,
            None => Mends::NONE,
        }
    }

    /// An operator whose doubtful results are those of another fold.
    pub(crate) const fn with_fold<F: Fold>() -> Self {
        let mut mends = *Self::NONE;
        mends.members[0].mend = Some(mend::<F>);
        mends
    }

    /// The operators of a tuple: how far each and its result are behind the first byte of the tuple.
    pub(crate) const fn together(members: &[(usize, usize, &Mends)]) -> Self {
        let mut all = Mends { count: 0, ..*Self::NONE };
        let mut next = 0;
        while next < members.len() {
            let (op, out, of_member) = members[next];
            let mut inner = 0;
            while inner < of_member.count {
                let Member { op: op_inside, out: out_inside, mend } = of_member.members[inner];
                if all.count < MOST {
                    let member = Member { op: op + op_inside, out: out + out_inside, mend };
                    all.members[all.count] = member;
                    all.count += 1;
                }
                inner += 1;
            }
            next += 1;
        }
        all
    }

    /// Mends a result that some operators doubt.
    ///
    /// # Safety
    /// The operators, the types of the buffers and the result are those of the mends.
    pub(super) unsafe fn mend(
        &self,
        op: *const (),
        result: &Doubtful<'_>,
        doubts: u32,
        out: *mut u8,
    ) {
        for (number, member) in self.members[..self.count].iter().enumerate() {
            if let Some(mend) = member.mend.filter(|_| doubts >> number & 1 == 1) {
                let (op, out) = (op.wrapping_byte_add(member.op), out.wrapping_add(member.out));
                // SAFETY: a member, and its result.
                unsafe { mend(op, result, out) };
            }
        }
    }
}

/// Writes the results of a call; those that the operator doubts are mended.
///
/// # Errors
/// If there is not enough memory. Then some results may be written.
///
/// # Safety
/// As [`Call::run`], but that the operator is not watched; the mends are of the operator and its types.
pub(super) unsafe fn run(
    mut call: Call<'_>,
    output: *mut u8,
    team: Team<'_>,
    mends: Option<&Mends>,
) -> Result<(), Error> {
    if !call.sizes.doubts {
        // SAFETY: the caller's.
        return unsafe { call.run_or_error(output, team) };
    }
    let mut notes = Notes::new();
    let mends = mends.filter(|_| call.plan.count > 0);
    let watched = Watched { op: call.op, notes: mends.map(|_| &notes) };
    call.op = std::ptr::from_ref(&watched).cast();
    // SAFETY: the caller's; the operator is watched for as long as the call takes.
    unsafe { call.run_or_error(output, team) }?;
    call.op = watched.op;
    if let Some(mends) = mends
        && notes.has_any()
    {
        // SAFETY: the results that were just written.
        unsafe { mend_noted(&call, mends, notes, output) };
    }
    Ok(())
}

/// Writes the results of a call; those that the operator doubts stay as they are.
///
/// # Safety
/// As [`run`].
pub(super) unsafe fn run_alone(mut call: Call<'_>, output: *mut u8, team: Team<'_>) {
    let watched = Watched { op: call.op, notes: None };
    if call.sizes.doubts {
        call.op = std::ptr::from_ref(&watched).cast();
    }
    // SAFETY: the caller's; the operator is watched for as long as the call takes.
    unsafe { call.run(output, team) };
}

/// Mends the results that were noted.
///
/// # Safety
/// The results of the plan were written; mends and operator are those of the call.
#[cold]
#[inline(never)]
unsafe fn mend_noted(call: &Call<'_>, mends: &Mends, notes: Notes, output: *mut u8) {
    let Call { op, sizes, buffers, plan, level, .. } = *call;
    for (place, doubts) in notes.sorted() {
        let number = (place - output.addr()) / sizes.result;
        let result = Doubtful { plan, buffers, number, level };
        // SAFETY: one of the results.
        unsafe { mends.mend(op, &result, doubts, output.wrapping_add(number * sizes.result)) };
    }
}

/// Makes a result again by a fold, if it does not stand.
///
/// # Safety
/// The operator, the types of the buffers and the result are those of the fold.
unsafe fn mend<F: Fold>(op: *const (), result: &Doubtful<'_>, out: *mut u8) {
    // SAFETY: the operator of the fold.
    let operator = unsafe { &*op.cast::<F::Op>() };
    if let Some((first, stands)) = result.extremes_of_all(F::Stored::DTYPES) {
        if stands {
            return;
        }
        if let Some(known) = F::of_extremes(operator, first.least, first.greatest) {
            // SAFETY: the result.
            return unsafe { out.cast::<F::Output>().write(known) };
        }
    }
    let (table, sizes) = (plain::<F, LANES>(), Sizes::of::<F, LANES>());
    // SAFETY: the table of the fold, which is of any level.
    unsafe { result.fold((&table, &sizes), needs::<F, LANES>(), op, out) };
}

impl Doubtful<'_> {
    /// The extremes of the elements of the first input, and whether the result stands for what is in
    /// all of them. None if an input is not of floats.
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
        let call = Call { table, sizes, op, buffers: self.buffers, plan, level };
        // SAFETY: the caller's.
        unsafe { run_alone(call, out, Team::ALONE) };
    }
}
