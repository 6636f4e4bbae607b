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
use super::super::micro::INPUTS;
use super::Kept;
use crate::values::stored::Stored;

/// The most inputs that are read beside those of the fold.
pub(crate) const BESIDE: usize = INPUTS - 1;

/// An operator that emits over elements which reader `R` makes of storage type `T`. It does so in one of two ways, `W`:
/// over these alone, or with numbers of other inputs beside them.
pub trait EmitsAgain<T: Stored, R, W>: Sized + Sync + 'static {
    /// The result over a set.
    type Kept: Copy + Send + Sync + 'static;

    /// The fold of such elements.
    type Fold: Fold<Op = Self, Stored = T>;

    /// Keeps its results as they are computed.
    type Ending: Ending<<Self::Fold as Fold>::Steps, Output = Kept<Self::Kept>>;

    /// The number that an element becomes, with those beside it.
    fn emitted_again(&self, x: T::Wide, beside: [f64; BESIDE], result: &Self::Kept) -> f64;
}

/// Emits over a doubtful set, whose elements are a list, if its result does not stand. Each list beside it has a number
/// for each element.
#[derive(Clone, Copy, Debug)]
pub struct Again(pub(super) EmitList);

/// Emits over a list, with numbers beside its elements, and says whether it did.
type EmitList = unsafe fn(*const (), &Doubtful<'_>, beside: &[Vec<f64>], out: &mut [f64]) -> bool;

impl Again {
    /// The function for an operator, a storage type, a reader of its elements, and a way of emitting.
    pub(crate) const fn of<Op: EmitsAgain<T, R, W>, T: Stored, R, W>() -> Self {
        Again(emit_again::<Op, T, R, W>)
    }
}

/// The functions that emit over doubtful sets, if the operator emits: over the elements alone, and with numbers of other
/// inputs beside them.
#[derive(Clone, Copy, Debug)]
pub struct EmittedAgain {
    /// Over the elements alone.
    pub alone: Option<Again>,
    /// With numbers of other inputs beside them.
    pub beside: Option<Again>,
}

impl EmittedAgain {
    /// What is emitted is never mended.
    pub const NEVER: Self = EmittedAgain { alone: None, beside: None };
}

/// Emits over a set, and says whether it did.
///
/// # Safety
/// *operator* and *types*: operator and list are of these types. *elements*: the list has one for each place of `out`.
unsafe fn emit_again<Op: EmitsAgain<T, R, W>, T: Stored, R, W>(
    op: *const (),
    list: &Doubtful<'_>,
    beside: &[Vec<f64>],
    out: &mut [f64],
) -> bool {
    let mut kept: Kept<Op::Kept> = Kept(MaybeUninit::uninit());
    let result = std::ptr::from_mut(&mut kept).cast();
    // SAFETY: *operator* and *types*, which the caller keeps: they are those of the fold. *room*: `kept` is a result of
    // its ending.
    if !unsafe { fold_again::<Op::Fold, Op::Ending>(op, list, result) } {
        return false;
    }
    // SAFETY: *operator*, which the caller keeps: it is an `Op`.
    let op = unsafe { &*op.cast::<Op>() };
    // SAFETY: *written*: `fold_again` says that it stored the result.
    let kept = unsafe { kept.0.assume_init() };
    for (place, out) in out.iter_mut().enumerate() {
        // SAFETY: *elements*, which the caller keeps: the list has one for each place of `out`.
        let x = unsafe { T::at(&list.buffers.0, place) };
        let mut numbers = [0.0; BESIDE];
        for (number, list) in numbers.iter_mut().zip(beside) {
            *number = list[place];
        }
        *out = op.emitted_again(x.wide(), numbers, &kept);
    }
    true
}
