//! Emission over sets whose result is doubtful: once more, in numbers that neither overflow nor
//! underflow.
//!
//! Doubtful results by which an operator emits are noted as those of a run are ([`mend`](super::super::mend)). They are
//! looked at before anything is emitted, since what is emitted may overwrite the elements. The elements of a doubtful
//! result are packed, folded in [`Extended`](crate::numbers::Extended), and emitted in it, as `f64`. These numbers take
//! their places after all others. This is compiled for the scalar level alone, and only for operators that doubt
//! results and emit over any type.

#![allow(unsafe_code, reason = "elements are copied with their types erased")]

use std::mem::MaybeUninit;

use super::super::ending::Ending;
use super::super::fold::Fold;
use super::super::mend::{Doubtful, fold_again};
use super::Kept;
use crate::values::stored::Stored;

/// An operator that emits over elements which reader `R` makes of storage type `T`.
pub trait EmitsAgain<T: Stored, R>: Sized + Sync + 'static {
    /// The result over a set.
    type Kept: Copy + Send + Sync + 'static;

    /// The fold of such elements.
    type Fold: Fold<Op = Self, Stored = T>;

    /// Keeps its results as they are computed.
    type Ending: Ending<<Self::Fold as Fold>::Steps, Output = Kept<Self::Kept>>;

    /// The number that an element becomes.
    fn emitted_again(&self, x: T::Wide, result: &Self::Kept) -> f64;
}

/// Emits over a doubtful set, whose elements are a list, if its result does not stand.
#[derive(Clone, Copy, Debug)]
pub struct Again(pub(super) unsafe fn(op: *const (), list: &Doubtful<'_>, out: &mut [f64]) -> bool);

impl Again {
    /// The function for an operator, a storage type, and a reader of its elements.
    pub(crate) const fn of<Op: EmitsAgain<T, R>, T: Stored, R>() -> Self {
        Again(emit_again::<Op, T, R>)
    }
}

/// Emits over a set, and says whether it did.
///
/// # Safety
/// The operator and the elements of the list are of these types; there is a number for each element.
unsafe fn emit_again<Op: EmitsAgain<T, R>, T: Stored, R>(
    op: *const (),
    list: &Doubtful<'_>,
    out: &mut [f64],
) -> bool {
    let mut kept: Kept<Op::Kept> = Kept(MaybeUninit::uninit());
    let result = std::ptr::from_mut(&mut kept).cast();
    // SAFETY: the caller's, and room for a result.
    if !unsafe { fold_again::<Op::Fold, Op::Ending>(op, list, result) } {
        return false;
    }
    // SAFETY: the operator of the fold.
    let op = unsafe { &*op.cast::<Op>() };
    // SAFETY: it was just written.
    let kept = unsafe { kept.0.assume_init() };
    for (place, out) in out.iter_mut().enumerate() {
        // SAFETY: one of the list.
        let x = unsafe { T::at(&list.buffers.0, place) };
        *out = op.emitted_again(x.wide(), &kept);
    }
    true
}
