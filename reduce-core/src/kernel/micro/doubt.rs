//! Doubts: microkernels note the results that an operator doubts.
//!
//! An operator that doubts results ([`Ending::DOUBTS`]) is handed to its microkernels *watched*: the pointer
//! leads to it and to the notes. So microkernels of other operators, and all drivers, know
//! nothing of this. What becomes of the results is said in [`mend`](super::super::mend).

use std::sync::{Mutex, PoisonError};

use super::super::ending::Ending;
use super::super::fold::Fold;

/// Doubtful results: where each is stored, and which operators of a tuple doubt it.
#[derive(Debug, Default)]
pub(crate) struct Notes(Mutex<Vec<(usize, u32)>>);

impl Notes {
    pub(crate) const fn new() -> Self {
        Notes(Mutex::new(Vec::new()))
    }

    /// Whether there is a note.
    pub(crate) fn has_any(&mut self) -> bool {
        !self.0.get_mut().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// All notes, in the order of memory.
    pub(crate) fn sorted(&self) -> Vec<(usize, u32)> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        all.sort_unstable();
        all
    }
}

/// An operator that doubts results, as its microkernels are given it.
#[derive(Debug)]
pub(crate) struct Watched<'a> {
    pub(crate) op: *const (),
    /// None if doubtful results stay as they are.
    pub(crate) notes: Option<&'a Notes>,
}

/// The operator that a microkernel was given.
///
/// # Safety
/// *operator*: it is that of the fold, watched if it doubts results, for as long as the call takes.
#[inline(always)]
pub(super) unsafe fn operator<'a, F: Fold, E: Ending<F::Steps>>(given: *const ()) -> &'a F::Op {
    let op = match E::DOUBTS {
        // SAFETY: *operator*, which the caller keeps: one that doubts results is given watched.
        true => unsafe { &*given.cast::<Watched<'_>>() }.op,
        false => given,
    };
    // SAFETY: *operator*, which the caller keeps: it has the type of the fold, and lives as long as the call.
    unsafe { &*op.cast::<F::Op>() }
}

/// Stores a result.
///
/// # Safety
/// *operator*: `given` is what the microkernel was given. *places*: `out` is one.
#[inline(always)]
pub(super) unsafe fn put<F: Fold, E: Ending<F::Steps>>(
    given: *const (),
    out: *mut E::Output,
    acc: F::Acc,
    count: usize,
) {
    // SAFETY: *operator*, which the caller keeps for this function, too.
    let op = unsafe { operator::<F, E>(given) };
    // SAFETY: *places*, which the caller keeps: there is one for this result.
    unsafe { out.write(E::store(op, acc, count)) };
    if E::DOUBTS {
        let doubts = E::doubts(op, &acc, count);
        if doubts != 0 {
            // SAFETY: *operator*, which the caller keeps: it is watched, since it doubts results.
            unsafe { note(given, (out.cast(), size_of::<E::Output>()), &[doubts]) };
        }
    }
}

/// Notes which of some results, stored one behind the other from `first` on, are doubtful, and which operators of a tuple
/// doubt each.
///
/// # Safety
/// *operator*: `given` is what the microkernel was given, and watched.
#[cold]
#[inline(never)]
pub(super) unsafe fn note(given: *const (), (first, apart): (*const u8, usize), doubts: &[u32]) {
    // SAFETY: *operator*, which the caller keeps: it is watched.
    let watched = unsafe { &*given.cast::<Watched<'_>>() };
    let Some(notes) = watched.notes else { return };
    let mut notes = notes.0.lock().unwrap_or_else(PoisonError::into_inner);
    let all = doubts.iter().enumerate().filter(|&(_, &doubts)| doubts != 0);
    notes.extend(all.map(|(number, &doubts)| (first.wrapping_add(number * apart).addr(), doubts)));
}
