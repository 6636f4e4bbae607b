//! Elements one after another: results over one element each, or over so few that lanes do not
//! pay.

use super::super::ending::Ending;
use super::super::fold::Fold;
use super::doubt::{operator, put};
use super::{Data, Ways, by};
use crate::machine::code::Code;
use crate::values::steps::Steps;
use crate::values::stored::Stored;

/// Results that have the same number of elements, and lie alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Few {
    /// The first element of the first result, and the way from result to result.
    pub(crate) data: Data,
    pub(crate) next: Ways,
    pub(crate) results: usize,
    /// The ways from the first element of a result to each of the others.
    pub(crate) ways: *const Ways,
    /// How many elements a result has. If it has none, it is the operator's value over none.
    pub(crate) elements: usize,
    pub(crate) position: u64,
    pub(crate) out: *mut u8,
}

/// Stores the results.
///
/// # Safety
/// The contract of microkernels; there is one way fewer than there are elements.
#[inline(always)]
pub(crate) unsafe fn few<C: Code, F: Fold, E: Ending<F::Steps>, const L: usize>(
    _code: C,
    given: *const (),
    few: &Few,
) {
    // SAFETY: *operator*, which the driver keeps: it is that of this table.
    let op = unsafe { operator::<F, E>(given) };
    let Few { mut data, next, results, ways, elements, position, out } = *few;
    let out = out.cast::<E::Output>();
    if elements == 0 {
        for result in 0..results {
            // SAFETY: *operator* and *places*, which the driver keeps: `result` is less than `results`.
            unsafe { put::<F, E>(given, out.wrapping_add(result), F::Steps::none(op), 0) };
        }
        return;
    }
    if elements == 1 && next == neighbours::<F::Stored>() {
        for result in 0..results {
            // SAFETY: *elements*, which the driver keeps: results have one each, and these lie side by side.
            let x = unsafe { F::Stored::at(&data, result) };
            let acc = F::Steps::first(op, x.wide(), position);
            // SAFETY: *operator* and *places*, which the driver keeps: `result` is less than `results`.
            unsafe { put::<F, E>(given, out.wrapping_add(result), acc, 1) };
        }
        return;
    }
    for result in 0..results {
        // SAFETY: *elements*, which the driver keeps: this is the first of the result.
        let x = unsafe { F::Stored::at(&data, 0) };
        let mut acc = F::Steps::first(op, x.wide(), position);
        for element in 1..elements {
            // SAFETY: *elements*, which the driver keeps: there is a way to each of them but the first.
            let way = unsafe { &*ways.wrapping_add(element - 1) };
            // SAFETY: *elements*, which the driver keeps: this is where the way leads.
            let x = unsafe { F::Stored::at(&by(&data, way), 0) };
            acc = F::Steps::next(op, acc, x.wide(), position + element as u64);
        }
        // SAFETY: *operator* and *places*, which the driver keeps: `result` is less than `results`.
        unsafe { put::<F, E>(given, out.wrapping_add(result), acc, elements) };
        data = by(&data, &next);
    }
}

/// The ways to the next element where elements are neighbours.
#[inline(always)]
#[allow(clippy::cast_possible_wrap, reason = "at most eight bytes")]
pub(super) fn neighbours<T: Stored>() -> Ways {
    T::SIZES.map(|size| size as isize)
}
