//! Rows: results of one block each, lanes along them.
//!
//! A row's lanes are joined until [`LAST`] are left, and these wait for those of other rows:
//! see [`last`](super::super::fold::last).

use super::super::ending::Ending;
use super::super::fold::last::{
    InLines, KEPT, LAST, ROWS, TURNED_FROM, all_rows, keep, last_lanes, one_row,
};
use super::super::fold::{Fold, Lanes, folds_parts, none_kept};
use super::doubt::{note, operator, put};
use super::{Block, Data, OneBlock, ResultElements, Ways, by};
use crate::machine::barrier;
use crate::machine::code::Code;
use crate::values::element::Slot;
use crate::values::element::accumulator::Accumulator;
use crate::values::stored::Stored;

/// Rows that have the same number of elements, at equal distances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
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

impl Rows {
    /// The row that begins at `data`, as a block.
    #[inline(always)]
    fn block<F: Fold, const L: usize>(&self, data: &Data) -> Block {
        let Rows { count, position, ahead, .. } = *self;
        let mut block = Block { data: *data, position, ahead, ..Block::NONE };
        block.cut(count, L, &F::Stored::SIZES);
        block
    }
}

/// The last lanes of all rows have up to this many bytes, since they stand on the stack.
const MOST_KEPT: usize = 1 << 15;

/// Whether rows are folded abreast: there are at least [`LAST`] lanes, and accumulators are small enough.
pub(crate) const fn has_rows<F: Fold, const L: usize>() -> bool {
    L >= LAST && !folds_parts::<F, L>() && size_of::<Lanes<F::Moving, KEPT>>() <= MOST_KEPT
}

/// Folds rows, and stores the results of [`ROWS`] at a time.
///
/// # Safety
/// The contract of microkernels.
#[inline(always)]
pub(crate) unsafe fn rows<C: Code, F: Fold, E: Ending<F::Steps>, const L: usize>(
    code: C,
    given: *const (),
    rows: &Rows,
) {
    if !has_rows::<F, L>() {
        return;
    }
    // SAFETY: *operator*, which the driver keeps: it is that of this table.
    let op = unsafe { operator::<F, E>(given) };
    let Rows { mut data, next, rows: mut left, count, position, .. } = *rows;
    let mut out = rows.out.cast::<E::Output>();
    let (mut last, mut turned) = (none_kept::<F>(op), none_kept::<F>(op));
    // If rows are searched, all their lanes are kept.
    let none: InLines<Lanes<F::Moving, L>> = InLines(F::begin(op).splat());
    let mut kept = F::SEARCHED.then_some([none; ROWS]);
    while left > 0 {
        let some = left.min(ROWS);
        let first = data;
        for row in 0..some {
            barrier();
            // SAFETY: *steps*, which the driver keeps: each step of the row may be read.
            let lanes = unsafe { F::along::<C, L>(code, op, &rows.block::<F, L>(&data)) };
            let moving = F::moving::<L>(&lanes);
            if let Some(kept) = &mut kept {
                kept[row % ROWS] = InLines(moving);
            }
            keep::<F::Moving>(&mut last.0, row, last_lanes::<C, F, L>(op, moving));
            data = by(&data, &next);
        }
        if let Some(kept) = &kept {
            all_rows::<C, F>(code, op, &last.0, &mut turned.0);
            let mut row_data = first;
            for row in 0..some {
                barrier();
                let (best, lanes) = (F::Moving::get(&turned.0, row % ROWS), &kept[row % ROWS].0);
                // SAFETY: *elements*, which the driver keeps: the `count` of this row, which are used in this turn
                // alone.
                let mut blocks =
                    OneBlock(unsafe { ResultElements::new(row_data, count, position) });
                // SAFETY: *elements*: the block is of the fold's storage type, and its lanes were folded from it above.
                let acc = unsafe { F::found::<C, L>(code, op, best, lanes, None, &mut blocks) };
                // SAFETY: *operator* and *places*, which the driver keeps: there is one for each row.
                unsafe { put::<F, E>(given, out.wrapping_add(row), acc, count) };
                row_data = by(&row_data, &next);
            }
        } else {
            // SAFETY: *operator* and *places*, which the driver keeps: `some` of the rows left are of this turn.
            unsafe { finish::<C, F, E>(code, given, (&last, &mut turned), some, (out, count)) };
        }
        out = out.wrapping_add(some);
        left -= some;
    }
}

/// The last lanes of rows.
type LastLanes<F> = InLines<Lanes<<F as Fold>::Moving, KEPT>>;

/// Stores the results of some rows whose last lanes were kept.
///
/// # Safety
/// *operator*: `given` is what the microkernel was given. *places*: there are `rows` from `out` on.
#[inline(always)]
unsafe fn finish<C: Code, F: Fold, E: Ending<F::Steps>>(
    code: C,
    given: *const (),
    (last, turned): (&LastLanes<F>, &mut LastLanes<F>),
    rows: usize,
    (out, count): (*mut E::Output, usize),
) {
    // SAFETY: *operator*, which the caller keeps for this function, too.
    let op = unsafe { operator::<F, E>(given) };
    if rows < TURNED_FROM {
        for row in 0..rows {
            barrier();
            let acc = F::end(one_row::<C, F>(op, &last.0, row), 0, false);
            // SAFETY: *operator* and *places*, which the caller keeps: `row` is less than `rows`.
            unsafe { put::<F, E>(given, out.wrapping_add(row), acc, count) };
        }
        return;
    }
    all_rows::<C, F>(code, op, &last.0, &mut turned.0);
    // Aside, where they cannot overlap with the lanes.
    let acc = |row| F::end(F::Moving::get(&turned.0, row), 0, false);
    let mut all = [E::Output::blank(); ROWS];
    let mut any = false;
    for row in 0..ROWS {
        all[row] = E::store(op, acc(row), count);
        any |= E::DOUBTS && E::doubts(op, &acc(row), count) != 0;
    }
    if E::DOUBTS && any {
        let mut doubts = [0; ROWS];
        for row in 0..rows {
            doubts[row] = E::doubts(op, &acc(row), count);
        }
        // SAFETY: *operator*, which the caller keeps: it is watched, since it doubts results.
        unsafe { note(given, (out.cast(), size_of::<E::Output>()), &doubts) };
    }
    if rows == ROWS {
        // SAFETY: *places*, which the caller keeps: there are `ROWS` of them.
        return unsafe { out.cast::<[E::Output; ROWS]>().write(all) };
    }
    for row in 0..rows {
        // SAFETY: *places*, which the caller keeps: `row` is less than `rows`.
        unsafe { out.wrapping_add(row).write(all[row]) };
    }
}
