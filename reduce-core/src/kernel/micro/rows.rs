//! Rows: results of one block each, lanes along them.
//!
//! A row's lanes are combined until [`LAST`] are left, and these wait for those of other rows:
//! see [`abreast`](super::super::abreast).

use super::super::abreast::{FEW_ROWS, LAST, ROWS};
use super::super::fold::Fold;
use super::super::stored::{Stored, behind};
use super::{Block, Data, Elements, Ways, by};
use crate::element::Slot;
use crate::level::Code;
use crate::simd::barrier;

/// Rows of as many elements each, at the same distance.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Block`")]
pub struct Rows {
    /// The first element of the first row, and the way from row to row.
    pub(crate) data: Data,
    pub(crate) next: Ways,
    pub(crate) rows: usize,
    /// Elements of a row; the last step of each may be read as a whole.
    pub(crate) count: usize,
    pub(crate) position: u64,
    /// How many bytes ahead others are fetched; 0 if none are.
    pub(crate) ahead: usize,
    pub(crate) out: *mut u8,
}

/// Stores the results of rows, of [`ROWS`] at a time.
///
/// # Safety
/// The contract of microkernels.
#[inline(always)]
pub(super) unsafe fn rows<C, F, Op, T, O, const L: usize>(code: C, op: *const (), rows: &Rows)
where
    C: Code,
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    // Nobody asks for rows where there are fewer lanes than are left.
    if L < LAST {
        return;
    }
    // SAFETY: the operator of the table.
    let op = unsafe { &*op.cast::<Op>() };
    let Rows { mut data, next, rows: mut left, count, position, ahead, out } = *rows;
    let mut out = out.cast::<O>();
    let block = |data: &Data| {
        let (steps, last_lanes) = (count / L, count % L);
        let last = behind::<T>(data, steps * L);
        let (first, first_lanes) = (*data, (0, 0));
        let data = *data;
        Block { first, first_lanes, data, steps, last, last_lanes, count, number: 0, position, ahead }
    };
    let (mut last, mut turned) = (F::no_last(op), F::no_last(op));
    while left > 0 {
        let some = left.min(ROWS);
        let first = data;
        for row in 0..some {
            barrier();
            // SAFETY: a row, of which each step may be read.
            let state = unsafe { F::along(code, op, &block(&data)) };
            F::keep_last(code, op, &mut last, row, &state);
            data = by(&data, &next);
        }
        if some < FEW_ROWS && !F::SEARCHED {
            for row in 0..some {
                barrier();
                let acc = F::one_row(code, op, &last, row);
                // SAFETY: room for a result.
                unsafe { out.add(row).write(F::store(op, acc, count)) };
            }
        } else {
            F::all_rows(code, op, &last, &mut turned);
            let mut row_data = first;
            let mut acc_of = |row: usize| {
                let acc = F::of_row(op, &turned, row % ROWS);
                if !F::SEARCHED {
                    return acc;
                }
                // SAFETY: the elements of the row.
                let elements = unsafe { Elements::new(row_data, count, position) };
                row_data = by(&row_data, &next);
                // SAFETY: they are those that its lanes are of.
                unsafe { F::searched(code, op, acc, &last, row, &elements) }
            };
            if some == ROWS && !F::SEARCHED {
                // Aside, where they cannot overlap with the lanes.
                let mut all = [O::default(); ROWS];
                for row in 0..ROWS {
                    all[row] = F::store(op, acc_of(row), count);
                }
                // SAFETY: room for so many results.
                unsafe { out.cast::<[O; ROWS]>().write(all) };
            } else {
                for row in 0..some {
                    barrier();
                    // SAFETY: room for a result.
                    unsafe { out.add(row).write(F::store(op, acc_of(row), count)) };
                }
            }
        }
        out = out.wrapping_add(some);
        left -= some;
    }
}
