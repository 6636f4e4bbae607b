//! Rows abreast: the last lanes of sixteen rows combined at once.
//!
//! The lanes of a row are combined until one is left, half of them with the other half: 64,
//! 32, 16 and so on. The last halvings take as long as the first, or longer, though
//! each is less work: a vector is filled by a part, or by a few, and what the compiler makes
//! of a few depends on the operator. So a row is left with [`LAST`] lanes, which wait in
//! memory. When there are [`ROWS`] rows of them they are turned: lane `i` of all rows, which
//! becomes one vector, is combined with lane `i + LAST / 2`, and so on. Each row combines
//! the same lanes in the same order as alone. Scalars of eight bytes are not turned.

use super::lanes::{Lanes, Steps, combine_across, halve};
use super::stored::Stored;
use crate::accumulator::Accumulator;
use crate::simd::{TURNED_COLUMNS, TURNED_ROWS, barrier};

/// Rows whose last lanes are combined at once.
pub(super) const ROWS: usize = TURNED_ROWS;

/// The lanes that a row is left with.
pub(super) const LAST: usize = TURNED_COLUMNS;

/// Those of all rows: of row `r` lane `i` is the `r * LAST + i`th, after turning the
/// `i * ROWS + r`th.
pub const KEPT: usize = ROWS * LAST;

/// Fewer rows are not worth turning, which is done with sixteen however many there are.
pub(super) const FEW_ROWS: usize = ROWS / 2;

/// Rows that are combined in one vector where that is little work. A wider one would be read
/// before the narrower ones that turned it are in the cache, and all would wait for that.
pub(super) const VECTOR: usize = 8;

/// Lanes that begin with a line of the cache when they are in memory: a vector across two
/// lines takes twice as long.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Fold`")]
#[repr(align(64))]
pub struct InLines<A>(pub(super) A);

/// The last lanes of a row.
#[inline(always)]
pub(super) fn last_lanes<S, T, const L: usize>(
    steps: S,
    mut lanes: Lanes<S::Acc, L>,
) -> Lanes<S::Acc, LAST>
where
    S: Steps<T>,
    T: Stored,
{
    halve::<_, T, L>(steps, &mut lanes, LAST);
    let mut last = S::Acc::get(&lanes, 0).splat();
    for lane in 1..LAST.min(L) {
        S::Acc::set(&mut last, lane, S::Acc::get(&lanes, lane));
    }
    last
}

/// Keeps the last lanes of a row.
#[inline(always)]
pub(super) fn keep<A: Accumulator>(kept: &mut Lanes<A, KEPT>, row: usize, last: Lanes<A, LAST>) {
    for lane in 0..LAST {
        A::set(kept, first_of(row) + lane, A::get(&last, lane));
    }
}

/// The last lanes of a row, as they were kept.
#[inline(always)]
pub(super) fn kept<A: Accumulator>(kept: &Lanes<A, KEPT>, row: usize) -> Lanes<A, LAST> {
    let mut last = A::get(kept, first_of(row)).splat();
    for lane in 1..LAST {
        A::set(&mut last, lane, A::get(kept, first_of(row) + lane));
    }
    last
}

/// The place of a row's first lane. The remainder changes nothing, but tells the compiler
/// that lanes are in range.
#[inline(always)]
fn first_of(row: usize) -> usize {
    row % ROWS * LAST
}

/// Whether the last lanes of rows are turned. Those of scalars of eight bytes are as many vectors
/// as rows are, however they lie: out of memory, each row's are combined sooner as they are.
#[inline(always)]
const fn is_turning_worthwhile<A: Accumulator>() -> bool {
    A::SCALARS > 1 || size_of::<A>() < 8
}

/// Combines the last lanes of all rows: the first [`ROWS`] lanes become their accumulators.
#[inline(always)]
pub(super) fn combine_all<S, T>(
    steps: S,
    kept: &Lanes<S::Acc, KEPT>,
    turned: &mut Lanes<S::Acc, KEPT>,
) where
    S: Steps<T>,
    T: Stored,
{
    if is_turning_worthwhile::<S::Acc>() {
        S::Acc::turn(kept, turned, steps.code());
        combine(steps, turned);
        return;
    }
    for row in 0..ROWS {
        barrier();
        let acc = combine_across::<_, T, LAST>(steps, self::kept::<S::Acc>(kept, row));
        S::Acc::set(turned, row, acc);
    }
}

/// Combines the last lanes of all rows, turned: the first [`ROWS`] lanes become their
/// accumulators.
#[inline(always)]
fn combine<S, T>(steps: S, turned: &mut Lanes<S::Acc, KEPT>)
where
    S: Steps<T>,
    T: Stored,
{
    if S::Acc::SCALARS > 1 {
        combine_by::<_, T, ROWS>(steps, turned);
    } else {
        combine_by::<_, T, VECTOR>(steps, turned);
    }
}

/// The same, so many rows at a time.
#[inline(always)]
fn combine_by<S, T, const AT_ONCE: usize>(steps: S, turned: &mut Lanes<S::Acc, KEPT>)
where
    S: Steps<T>,
    T: Stored,
{
    let mut half = KEPT / 2;
    while half >= ROWS {
        for part in 0..half / AT_ONCE {
            barrier();
            let first = part * AT_ONCE % (KEPT / 2);
            for lane in 0..AT_ONCE {
                let upper = S::Acc::get(turned, (first + half + lane) % KEPT);
                let acc = steps.combine(S::Acc::get(turned, first + lane), upper);
                S::Acc::set(turned, first + lane, acc);
            }
        }
        half /= 2;
    }
}
