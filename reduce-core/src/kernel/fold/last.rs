//! Rows abreast: the last lanes of sixteen rows combined at once.
//!
//! The lanes of a row are combined until one is left, half of them with the other half: 64, 32, 16 and so on. The last
//! halvings are less work than the first, but take as long or longer. Few lanes fill only a part of a vector, and what
//! the compiler makes of them depends on the operator. So a row is left with [`LAST`] lanes, which wait in memory. When
//! there are [`ROWS`] rows of them, they are turned, that is transposed: lane `i` of all rows becomes one vector. It is
//! combined with lane `i + LAST / 2`, and so on. Each row combines the same lanes in the same order as alone. Scalars
//! of eight bytes are not turned.

use super::lanes::{halve, join_all};
use super::{Fold, Lanes};
use crate::machine::code::Code;
use crate::machine::{TURNED_COLUMNS, TURNED_ROWS, barrier, settle};
use crate::values::element::accumulator::Accumulator;

/// The last lanes of this many rows are combined at once.
pub(in super::super) const ROWS: usize = TURNED_ROWS;

/// The lanes that a row is left with.
pub(in super::super) const LAST: usize = TURNED_COLUMNS;

/// The last lanes of all rows: lane `i` of row `r` has number `r * LAST + i`, and after turning `i * ROWS + r`.
pub const KEPT: usize = ROWS * LAST;

/// From this many rows on, they are worth turning, which always takes the time of [`ROWS`].
pub(in super::super) const TURNED_FROM: usize = ROWS / 2;

/// This many rows are combined in one vector where that is little work. A wider vector would be read before the
/// narrower ones that turning wrote are in the cache, and all would wait for that.
const VECTOR: usize = 8;

/// Lanes that begin with a line of the cache when they are in memory: a vector across two
/// lines takes twice as long.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(in super::super) struct InLines<A>(pub(in super::super) A);

/// The last lanes of a row: the upper half is joined to the lower one until they are left.
///
/// This is done by value, in pieces of [`PIECE`] lanes. Halved in place, all lanes would go to memory after the loop
/// that formed them.
#[inline(always)]
pub(in super::super) fn last_lanes<C: Code, F: Fold, const L: usize>(
    op: &F::Op,
    mut lanes: Lanes<F::Moving, L>,
) -> Lanes<F::Moving, LAST> {
    if !C::VECTORS || L < PIECE {
        halve::<C, F, L>(op, &mut lanes, LAST);
        return some_lanes::<F::Moving, L, LAST>(&lanes, 0);
    }
    let mut piece = match L {
        16 => some_lanes::<F::Moving, L, PIECE>(&lanes, 0),
        32 => two::<F, L>(op, &lanes, 0, 1),
        64 => four::<F, L>(op, &lanes, 0, 1),
        128 => eight::<F, L>(op, &lanes, 0, 1),
        _ => {
            let lower = eight::<F, L>(op, &lanes, 0, 2);
            both::<F>(op, &lower, &eight::<F, L>(op, &lanes, 1, 2))
        }
    };
    halve::<C, F, PIECE>(op, &mut piece, LAST);
    some_lanes::<F::Moving, PIECE, LAST>(&piece, 0)
}

/// Writes a function that joins several pieces, each `apart` pieces behind the one before it. It joins every second
/// piece, then the others, and then both.
macro_rules! pieces {
    ($name:ident, $half:ident) => {
        #[inline(always)]
        fn $name<F: Fold, const L: usize>(
            op: &F::Op,
            lanes: &Lanes<F::Moving, L>,
            first: usize,
            apart: usize,
        ) -> Lanes<F::Moving, PIECE> {
            let lower = $half::<F, L>(op, lanes, first, 2 * apart);
            let upper = $half::<F, L>(op, lanes, first + apart, 2 * apart);
            both::<F>(op, &lower, &upper)
        }
    };
}

pieces!(two, one);
pieces!(four, two);
pieces!(eight, four);

#[inline(always)]
fn one<F: Fold, const L: usize>(
    _op: &F::Op,
    lanes: &Lanes<F::Moving, L>,
    first: usize,
    _apart: usize,
) -> Lanes<F::Moving, PIECE> {
    some_lanes::<F::Moving, L, PIECE>(lanes, first * PIECE % L)
}

/// Two pieces as one.
#[inline(always)]
fn both<F: Fold>(
    op: &F::Op,
    a: &Lanes<F::Moving, PIECE>,
    b: &Lanes<F::Moving, PIECE>,
) -> Lanes<F::Moving, PIECE> {
    let mut both = *a;
    for lane in 0..PIECE {
        let joined = F::join(op, F::Moving::get(a, lane), F::Moving::get(b, lane));
        F::Moving::set(&mut both, lane, joined);
    }
    both
}

/// Joins all lanes of a result, which are in memory: the upper half is joined to the lower one until one lane is left.
///
/// After each halving they are stored again. Otherwise the compiler would join them in pieces of two.
#[inline(always)]
pub(in super::super) fn join_in_memory<C: Code, F: Fold, const L: usize>(
    op: &F::Op,
    lanes: &Lanes<F::Moving, L>,
) -> F::Moving {
    if !C::VECTORS || L <= LAST {
        return join_all::<C, F, L>(op, *lanes);
    }
    let mut room = InLines(*lanes);
    let room = &mut room.0;
    half::<F, L, 128>(op, room);
    half::<F, L, 64>(op, room);
    half::<F, L, 32>(op, room);
    half::<F, L, 16>(op, room);
    half::<F, L, 8>(op, room);
    join_all::<C, F, LAST>(op, some_lanes::<F::Moving, L, LAST>(room, 0))
}

/// Joins each of the first `HALF` lanes with the one `HALF` behind it, if there are enough lanes.
#[inline(always)]
fn half<F: Fold, const L: usize, const HALF: usize>(op: &F::Op, lanes: &mut Lanes<F::Moving, L>) {
    if L < 2 * HALF {
        return;
    }
    // A vector is joined at a time. Otherwise the compiler would cut them anywhere.
    let at_once = if HALF < PIECE { HALF } else { PIECE };
    for part in 0..HALF / at_once {
        for lane in part * at_once..(part + 1) * at_once {
            let upper = F::Moving::get(lanes, lane + HALF);
            let joined = F::join(op, F::Moving::get(lanes, lane), upper);
            F::Moving::set(lanes, lane, joined);
        }
        settle(lanes);
    }
}

/// This many lanes are joined at once: a vector of most scalars.
const PIECE: usize = 16;

/// `N` lanes, from `first` on.
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
pub(in super::super) fn keep<A: Accumulator>(
    kept: &mut Lanes<A, KEPT>,
    row: usize,
    last: Lanes<A, LAST>,
) {
    for lane in 0..LAST {
        A::set(kept, first_of(row) + lane, A::get(&last, lane));
    }
}

/// The last lanes of a row joined to one, as they were kept.
#[inline(always)]
pub(in super::super) fn one_row<C: Code, F: Fold>(
    op: &F::Op,
    kept: &Lanes<F::Moving, KEPT>,
    row: usize,
) -> F::Moving {
    join_all::<C, F, LAST>(op, some_lanes::<F::Moving, KEPT, LAST>(kept, first_of(row)))
}

/// The place of a row's first lane. The remainder changes nothing, but tells the compiler
/// that lanes are in range.
#[inline(always)]
fn first_of(row: usize) -> usize {
    row % ROWS * LAST
}

/// Whether the last lanes of rows are turned. If scalars have eight bytes, there are as many vectors as rows, turned or
/// not, and each row is combined sooner as it is in memory.
#[inline(always)]
const fn is_turning_worthwhile<A: Accumulator>() -> bool {
    A::SCALARS > 1 || size_of::<A>() < 8
}

/// Joins the last lanes of all rows. The first [`ROWS`] lanes of `turned` become what each row is joined to.
#[inline(always)]
pub(in super::super) fn all_rows<C: Code, F: Fold>(
    code: C,
    op: &F::Op,
    kept: &Lanes<F::Moving, KEPT>,
    turned: &mut Lanes<F::Moving, KEPT>,
) {
    if !is_turning_worthwhile::<F::Moving>() {
        for row in 0..ROWS {
            barrier();
            F::Moving::set(turned, row, one_row::<C, F>(op, kept, row));
        }
        return;
    }
    F::Moving::turn(kept, turned, code);
    if F::Moving::SCALARS > 1 {
        join_turned::<F, ROWS>(op, turned);
    } else {
        join_turned::<F, VECTOR>(op, turned);
    }
}

/// Joins the turned last lanes of all rows, `AT_ONCE` rows at a time.
#[inline(always)]
fn join_turned<F: Fold, const AT_ONCE: usize>(op: &F::Op, turned: &mut Lanes<F::Moving, KEPT>) {
    let mut half = KEPT / 2;
    while half >= ROWS {
        for part in 0..half / AT_ONCE {
            barrier();
            let first = part * AT_ONCE % (KEPT / 2);
            for lane in 0..AT_ONCE {
                let upper = F::Moving::get(turned, (first + half + lane) % KEPT);
                let joined = F::join(op, F::Moving::get(turned, first + lane), upper);
                F::Moving::set(turned, first + lane, joined);
            }
        }
        half /= 2;
    }
}
