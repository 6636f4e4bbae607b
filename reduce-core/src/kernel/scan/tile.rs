//! The microkernels of a scan: a few steps of several lanes, with a result for each element.
//!
//! A lane holds three accumulators: `within` its block, of the `blocks` before that in the group, and of the `groups` before
//! that. An element's result is made of `combine(groups, combine(blocks, within))`, where what holds no element is left
//! out.
//!
//! Lanes lie *across lines*, each with a line of its own ([`lines`]). Or each has a block of one line, of neighbouring ones
//! ([`blocks`]). Then they take two passes, since what is before a block is known when those before it were folded.

use super::super::block::{Data, Ways, by};
use super::super::fold::lanes::each;
use super::super::fold::last::InLines;
use super::Passing;
use crate::facts::order::STEPS;
use crate::machine::barrier;
use crate::machine::code::Code;
use crate::values::element::accumulator::{Accumulator, Lanes};
use crate::values::steps::{Steps, Wide};
use crate::values::stored::Stored;

/// Some steps of lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScanTile {
    /// The elements of the first step, those of all lanes side by side, and the way to the next step.
    pub(super) data: Data,
    pub(super) ways: Ways,
    pub(super) steps: usize,
    /// How many of the lanes have elements.
    pub(super) lanes: usize,
    /// The position of the first element of the first lane, and the ways to the next step, and to the next lane.
    pub(super) position: u64,
    pub(super) next_position: u64,
    pub(super) next_lane: u64,
    /// How many elements of its line are before the first one of the first lane.
    pub(super) count: usize,
    /// Whether blocks begin here, and whether they end here, or also groups.
    pub(super) begins: bool,
    pub(super) ends: Ends,
    /// Whether there are blocks before these in their group, and groups before that.
    pub(super) has_blocks: bool,
    pub(super) has_groups: bool,
    /// Where the results of the first step go, side by side, and the way to those of the next. If it is null, none are
    /// written.
    pub(super) out: *mut u8,
    pub(super) out_way: isize,
}

/// What ends behind a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    Nothing,
    Blocks,
    Groups,
}

/// What lanes hold from tile to tile.
#[derive(Clone, Copy)]
pub(super) struct LanesAlong<A: Accumulator, const L: usize> {
    pub(super) within: Lanes<A, L>,
    pub(super) blocks: Lanes<A, L>,
    pub(super) groups: Lanes<A, L>,
}

/// The state of a single lane.
pub(super) type OneLane<A> = InLines<LanesAlong<A, 1>>;

/// A state, as drivers keep it.
pub(super) type ScanState<S, const L: usize> = InLines<LanesAlong<<S as Steps>::Acc, L>>;

/// What was found among the results of a tile: some are doubtful, or lack a value.
pub(crate) const DOUBTFUL: u8 = 1;
pub(crate) const LACKING: u8 = 2;

/// The accumulators of all lanes, without elements.
#[inline(always)]
pub(super) fn empty<S: Steps, const L: usize>(op: &S::Op) -> ScanState<S, L> {
    let none = S::none(op).splat();
    InLines(LanesAlong { within: none, blocks: none, groups: none })
}

/// Lanes across lines.
///
/// # Safety
/// *elements* and *places*: all lanes of each step may be read, and written if results are.
#[inline(always)]
pub(super) unsafe fn lines<C: Code, S: Steps, W: Passing<S>, const L: usize>(
    code: C,
    op: &S::Op,
    tile: &ScanTile,
    state: &mut ScanState<S, L>,
) -> u8 {
    let LanesAlong { mut within, mut blocks, mut groups } = state.0;
    let before = Before { blocks: &blocks, groups: &groups, without: 0, next_count: 0 };
    let found = match tile.out.is_null() {
        // SAFETY: *elements*, which the caller keeps: there is one in each input.
        true => unsafe { pass::<C, S, W, L, false>(code, op, tile, &mut within, before) },
        // SAFETY: *elements* and *places*, which the caller keeps.
        false => unsafe { pass::<C, S, W, L, true>(code, op, tile, &mut within, before) },
    };
    if tile.ends != Ends::Nothing {
        blocks = both::<C, S, L>(op, tile.has_blocks, &blocks, &within);
    }
    if tile.ends == Ends::Groups {
        groups = both::<C, S, L>(op, tile.has_groups, &groups, &blocks);
    }
    state.0 = LanesAlong { within, blocks, groups };
    found
}

/// Lanes over whole blocks of one line, whose accumulators are in `line`.
///
/// # Safety
/// As for [`lines`].
#[inline(always)]
pub(super) unsafe fn blocks<C: Code, S: Steps, W: Passing<S>, const L: usize>(
    code: C,
    op: &S::Op,
    tile: &ScanTile,
    line: &mut ScanState<S, 1>,
) -> u8 {
    let line = &mut line.0;
    let none: Lanes<S::Acc, L> = S::none(op).splat();
    let nothing = Before { blocks: &none, groups: &none, without: L, next_count: STEPS };
    let (mut totals, mut before) = (none, none);
    // SAFETY: *elements*, which the caller keeps. Nothing is written.
    unsafe { pass::<C, S, W, L, false>(code, op, tile, &mut totals, nothing) };
    let mut all = S::Acc::get(&line.blocks, 0);
    for lane in 0..tile.lanes.min(L) {
        barrier();
        S::Acc::set(&mut before, lane, all);
        let total = S::Acc::get(&totals, lane);
        let is_first = lane == 0 && !tile.has_blocks;
        all = if is_first { total } else { S::combine(op, all, total) };
    }
    S::Acc::set(&mut line.blocks, 0, all);
    let groups = S::Acc::get(&line.groups, 0);
    let mut found = 0;
    if !tile.out.is_null() {
        let lanes = groups.splat();
        let without = usize::from(!tile.has_blocks);
        let before = Before { blocks: &before, groups: &lanes, without, next_count: STEPS };
        let tile = ScanTile { has_blocks: true, ..*tile };
        // SAFETY: *elements* and *places*, which the caller keeps.
        found = unsafe { pass::<C, S, W, L, true>(code, op, &tile, &mut totals, before) };
    }
    if tile.ends == Ends::Groups {
        let all = if tile.has_groups { S::combine(op, groups, all) } else { all };
        S::Acc::set(&mut line.groups, 0, all);
    }
    found
}

/// What is before the blocks of all lanes.
#[derive(Clone, Copy)]
struct Before<'a, A: Accumulator, const L: usize> {
    blocks: &'a Lanes<A, L>,
    groups: &'a Lanes<A, L>,
    /// So many of the first lanes have no blocks before them.
    without: usize,
    /// How many more elements are before each lane than before the last one.
    next_count: usize,
}

/// Takes the steps of a tile, and writes results if they are asked for.
///
/// # Safety
/// As for [`lines`].
#[inline(always)]
unsafe fn pass<C: Code, S: Steps, W: Passing<S>, const L: usize, const WRITES: bool>(
    code: C,
    op: &S::Op,
    tile: &ScanTile,
    within: &mut Lanes<S::Acc, L>,
    before: Before<'_, S::Acc, L>,
) -> u8 {
    let ScanTile { mut data, ways, mut position, mut count, mut out, .. } = *tile;
    let (mut lanes, Before { blocks, groups, without, next_count }) = (*within, before);
    if tile.begins {
        lanes = S::none(op).splat();
    }
    let (blocks, groups) = (*blocks, *groups);
    let mut found = 0;
    for _ in 0..tile.steps {
        barrier();
        // SAFETY: *elements*, which the caller keeps: this is one of the steps.
        let values = unsafe { S::Stored::read::<C, L>(code, &data) };
        take::<C, S, L>(op, &mut lanes, &values, (position, tile.next_lane));
        count += 1;
        if WRITES {
            let mut all = lanes;
            if tile.has_blocks {
                for lane in each::<L>(C::VECTORS) {
                    let acc = S::Acc::get(&lanes, lane);
                    let both = S::combine(op, S::Acc::get(&blocks, lane), acc);
                    S::Acc::set(&mut all, lane, if lane < without { acc } else { both });
                }
            }
            if tile.has_groups {
                all = both::<C, S, L>(op, true, &groups, &all);
            }
            let places: *mut W::Output = out.cast();
            for lane in each::<L>(C::VECTORS) {
                let (x, acc) = (Wide::<S>::get(&values, lane), S::Acc::get(&all, lane));
                let count = count + lane * next_count;
                if W::WATCHES {
                    let flags = if lane < tile.lanes { W::found(op, &acc, count) } else { 0 };
                    found |= flags;
                }
                // SAFETY: *places*, which the caller keeps: each lane has one.
                unsafe { places.wrapping_add(lane).write(W::written(op, x, acc, count)) };
            }
            out = out.wrapping_offset(tile.out_way);
        }
        data = by(&data, &ways);
        position = position.wrapping_add(tile.next_position);
    }
    *within = lanes;
    found
}

/// Takes an element into each lane.
#[inline(always)]
fn take<C: Code, S: Steps, const L: usize>(
    op: &S::Op,
    lanes: &mut Lanes<S::Acc, L>,
    values: &Lanes<Wide<S>, L>,
    (position, way): (u64, u64),
) {
    for lane in each::<L>(C::VECTORS) {
        let x = Wide::<S>::get(values, lane);
        let position = position.wrapping_add(way.wrapping_mul(lane as u64));
        let after = S::next(op, S::Acc::get(lanes, lane), x, position);
        S::Acc::set(lanes, lane, after);
    }
}

/// The lanes of two neighbouring sets of elements; the second ones if the first hold nothing.
#[inline(always)]
fn both<C: Code, S: Steps, const L: usize>(
    op: &S::Op,
    has_first: bool,
    first: &Lanes<S::Acc, L>,
    second: &Lanes<S::Acc, L>,
) -> Lanes<S::Acc, L> {
    let mut all = *second;
    if has_first {
        for lane in each::<L>(C::VECTORS) {
            let (a, b) = (S::Acc::get(first, lane), S::Acc::get(second, lane));
            S::Acc::set(&mut all, lane, S::combine(op, a, b));
        }
    }
    all
}
