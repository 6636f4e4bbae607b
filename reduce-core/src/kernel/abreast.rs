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
use crate::level::Code;
use crate::simd::{TURNED_COLUMNS, TURNED_ROWS, barrier, settle};

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

/// The last lanes of a row: the upper half is combined into the lower one until they are left.
///
/// In pieces of as many lanes as a vector, and by value: halved in place, all lanes would go to memory
/// after the loop that formed them.
#[inline(always)]
pub(super) fn last_lanes<S, T, const L: usize>(
    steps: S,
    mut lanes: Lanes<S::Acc, L>,
) -> Lanes<S::Acc, LAST>
where
    S: Steps<T>,
    T: Stored,
{
    if !S::Code::VECTORS || L < PIECE {
        halve::<_, T, L>(steps, &mut lanes, LAST);
        return some_lanes::<S::Acc, L, LAST>(&lanes, 0);
    }
    let mut piece = match L {
        16 => some_lanes::<S::Acc, L, PIECE>(&lanes, 0),
        32 => two::<_, T, L>(steps, &lanes, 0, 1),
        64 => four::<_, T, L>(steps, &lanes, 0, 1),
        128 => eight::<_, T, L>(steps, &lanes, 0, 1),
        _ => {
            let lower = eight::<_, T, L>(steps, &lanes, 0, 2);
            both::<_, T>(steps, &lower, &eight::<_, T, L>(steps, &lanes, 1, 2))
        }
    };
    halve::<_, T, PIECE>(steps, &mut piece, LAST);
    some_lanes::<S::Acc, PIECE, LAST>(&piece, 0)
}

/// Writes a function that combines a number of pieces, each so many behind the one before it: as it
/// combines half as many twice.
macro_rules! pieces {
    ($name:ident, $half:ident) => {
        #[inline(always)]
        fn $name<S: Steps<T>, T: Stored, const L: usize>(
            steps: S,
            lanes: &Lanes<S::Acc, L>,
            first: usize,
            apart: usize,
        ) -> Lanes<S::Acc, PIECE> {
            let lower = $half::<_, T, L>(steps, lanes, first, 2 * apart);
            let upper = $half::<_, T, L>(steps, lanes, first + apart, 2 * apart);
            both::<_, T>(steps, &lower, &upper)
        }
    };
}

pieces!(two, one);
pieces!(four, two);
pieces!(eight, four);

#[inline(always)]
fn one<S: Steps<T>, T: Stored, const L: usize>(
    _steps: S,
    lanes: &Lanes<S::Acc, L>,
    first: usize,
    _apart: usize,
) -> Lanes<S::Acc, PIECE> {
    some_lanes::<S::Acc, L, PIECE>(lanes, first * PIECE % L)
}

/// Two pieces as one.
#[inline(always)]
fn both<S: Steps<T>, T: Stored>(
    steps: S,
    a: &Lanes<S::Acc, PIECE>,
    b: &Lanes<S::Acc, PIECE>,
) -> Lanes<S::Acc, PIECE> {
    let mut both = *a;
    for lane in 0..PIECE {
        let acc = steps.combine(S::Acc::get(a, lane), S::Acc::get(b, lane));
        S::Acc::set(&mut both, lane, acc);
    }
    both
}

/// The accumulator of all lanes, which are in memory: the upper half is combined into the lower one
/// until one is left.
///
/// Between the halves they are in memory again, or the compiler would combine them in pieces of two.
#[inline(always)]
pub(super) fn combine_in_memory<S, T, const L: usize>(
    steps: S,
    lanes: &Lanes<S::Acc, L>,
) -> S::Acc
where
    S: Steps<T>,
    T: Stored,
{
    if !S::Code::VECTORS || L <= LAST {
        return combine_across::<_, T, L>(steps, *lanes);
    }
    let mut room = InLines(*lanes);
    let room = &mut room.0;
    half::<_, T, L, 128>(steps, room);
    half::<_, T, L, 64>(steps, room);
    half::<_, T, L, 32>(steps, room);
    half::<_, T, L, 16>(steps, room);
    half::<_, T, L, 8>(steps, room);
    combine_across::<_, T, LAST>(steps, some_lanes::<S::Acc, L, LAST>(room, 0))
}

/// Combines lanes with those so many behind them, if there are so many.
#[inline(always)]
fn half<S, T, const L: usize, const HALF: usize>(steps: S, lanes: &mut Lanes<S::Acc, L>)
where
    S: Steps<T>,
    T: Stored,
{
    if L < 2 * HALF {
        return;
    }
    // A vector at a time, or they would be cut anywhere.
    let at_once = if HALF < PIECE { HALF } else { PIECE };
    for part in 0..HALF / at_once {
        for lane in part * at_once..(part + 1) * at_once {
            let upper = S::Acc::get(lanes, lane + HALF);
            let acc = steps.combine(S::Acc::get(lanes, lane), upper);
            S::Acc::set(lanes, lane, acc);
        }
        settle(lanes);
    }
}

/// Lanes that are combined at once: a vector of most scalars.
const PIECE: usize = 16;

/// Some lanes, from one on.
#[inline(always)]
fn some_lanes<A: Accumulator, const L: usize, const N: usize>(
    lanes: &Lanes<A, L>,
    first: usize,
) -> Lanes<A, N> {
    let mut some = A::get(lanes, first).splat();
    for lane in 1..N.min(L) {
        A::set(&mut some, lane, A::get(lanes, first + lane));
    }
    some
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
