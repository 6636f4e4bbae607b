//! The microkernels of a scan for an operator and its types, which are erased.

use std::marker::PhantomData;

use super::super::{ALIGNED, MOST_BYTES};
use super::Passing;
use super::mend::{MendedLine, ScanMends, mend_line};
use super::tile::{LanesAlong, ScanState, ScanTile, blocks, empty, lines};
use crate::facts::order::{GROUP, SCAN_BLOCKS, STEPS};
use crate::machine::code::{Code, Work};
use crate::machine::level::Available;
use crate::values::element::accumulator::Accumulator;
use crate::values::steps::{Steps, suited};
use crate::values::stored::{INPUTS, Stored};

/// Takes the steps of a tile at a level, and says what was found among the results.
pub(super) type TakeTile =
    unsafe fn(level: Available, op: *const (), tile: &ScanTile, state: *mut u8) -> u8;

/// The microkernels of an operator, and all that a driver knows of its types.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScanKernel {
    /// Lanes across lines, and a single lane.
    pub(super) lines: TakeTile,
    pub(super) line: TakeTile,
    /// Lanes over whole blocks of a line, with the state of a single lane.
    pub(super) blocks: TakeTile,
    /// Writes states without elements.
    pub(super) begin_lines: unsafe fn(op: *const (), state: *mut u8),
    pub(super) begin_line: unsafe fn(op: *const (), state: *mut u8),
    /// Adds what a state has of blocks to what the one before it has of groups, and makes that its own groups.
    pub(super) chain: unsafe fn(op: *const (), states: *mut u8, count: usize),
    /// Writes the result of a line after `count` elements, of the state of a single lane, and says what was found of it.
    pub(super) standing:
        unsafe fn(op: *const (), state: *const u8, count: usize, out: *mut u8) -> u8,
    /// Brings the states of single lanes into the first of all lanes, and back.
    pub(super) gather: unsafe fn(each: *const u8, count: usize, lanes: *mut u8),
    pub(super) scatter: unsafe fn(lanes: *const u8, count: usize, each: *mut u8),
    /// Mends the doubtful results of a line.
    pub(super) mend: unsafe fn(op: *const (), mends: &ScanMends, line: &MendedLine<'_>),
    /// The number of lanes.
    pub(super) lanes: usize,
    /// Bytes of the states of all lanes, and of one.
    pub(super) lines_state: usize,
    pub(super) line_state: usize,
    /// Bytes of an element of each input, and of a result.
    pub(super) elements: [usize; INPUTS],
    pub(super) inputs: usize,
    pub(super) result: usize,
}

/// The most lanes. More would not be in registers, since each has three accumulators.
const MOST_LANES: usize = 32;

/// Accumulators of more bytes have one lane, and so have results: tiles have to stay in the nearest cache.
const MOST_ACCUMULATOR: usize = 64;
const MOST_RESULT: usize = 16;

impl ScanKernel {
    /// The microkernels of steps, and of what is written of their accumulators.
    pub(crate) const fn of<S: Steps, W: Passing<S>>() -> Self {
        let is_large =
            size_of::<S::Acc>() > MOST_ACCUMULATOR || size_of::<W::Output>() > MOST_RESULT;
        match suited::<S>() {
            _ if is_large => Self::in_lanes::<S, W, 1>(),
            4 => Self::in_lanes::<S, W, 4>(),
            8 => Self::in_lanes::<S, W, 8>(),
            16 => Self::in_lanes::<S, W, 16>(),
            MOST_LANES.. => Self::in_lanes::<S, W, MOST_LANES>(),
            _ => Self::in_lanes::<S, W, 1>(),
        }
    }

    const fn in_lanes<S: Steps, W: Passing<S>, const L: usize>() -> Self {
        assert!(
            size_of::<S::Acc>() <= MOST_BYTES,
            "an accumulator has more than 8192 bytes; keep less in it, or scan by several operators"
        );
        assert!(
            align_of::<ScanState<S, L>>() <= ALIGNED,
            "an accumulator or its lanes are aligned to more than 64 bytes; ask for no alignment"
        );
        ScanKernel {
            lines: take_lines::<S, W, L>,
            line: take_lines::<S, W, 1>,
            blocks: take_blocks::<S, W, L>,
            begin_lines: begin::<S, L>,
            begin_line: begin::<S, 1>,
            chain: chain::<S>,
            standing: standing::<S, W>,
            gather: gather::<S, L>,
            scatter: scatter::<S, L>,
            mend: mend_line::<S, W>,
            lanes: L,
            lines_state: size_of::<ScanState<S, L>>(),
            line_state: size_of::<ScanState<S, 1>>(),
            elements: S::Stored::SIZES,
            inputs: S::Stored::DTYPES.len(),
            result: size_of::<W::Output>(),
        }
    }
}

/// Enters a microkernel at a level: [`blocks`] if `BLOCKS` is true, and [`lines`] otherwise.
struct ScanAtLevel<'a, S: Steps, W, const L: usize, const BLOCKS: bool> {
    op: &'a S::Op,
    tile: &'a ScanTile,
    state: *mut u8,
    found: &'a mut u8,
    written: PhantomData<fn() -> W>,
}

impl<S: Steps, W: Passing<S>, const L: usize, const BLOCKS: bool> Work
    for ScanAtLevel<'_, S, W, L, BLOCKS>
{
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let ScanAtLevel { op, tile, state, found, .. } = self;
        *found = match BLOCKS {
            true => {
                // SAFETY: *states*, which the driver keeps: this is that of a single lane, and nobody else's.
                let line = unsafe { &mut *state.cast::<ScanState<S, 1>>() };
                // SAFETY: *elements* and *places*, which the driver keeps.
                unsafe { blocks::<C, S, W, L>(code, op, tile, line) }
            }
            false => {
                // SAFETY: *states*, which the driver keeps: this is one of as many lanes, and nobody else's.
                let lanes = unsafe { &mut *state.cast::<ScanState<S, L>>() };
                // SAFETY: *elements* and *places*, which the driver keeps.
                unsafe { lines::<C, S, W, L>(code, op, tile, lanes) }
            }
        };
    }
}

/// # Safety
/// *operator*, *states*, *elements* and *places*, of these types: a state was begun, and no lane that is read or written
/// is anybody else's.
unsafe fn take_lines<S: Steps, W: Passing<S>, const L: usize>(
    level: Available,
    op: *const (),
    tile: &ScanTile,
    state: *mut u8,
) -> u8 {
    // SAFETY: *operator*, which the driver keeps: it is that of the steps.
    let op = unsafe { &*op.cast::<S::Op>() };
    let mut found = 0;
    let (found, written) = (&mut found, PhantomData);
    level.run(ScanAtLevel::<S, W, L, false> { op, tile, state, found: &mut *found, written });
    *found
}

/// # Safety
/// As for [`take_lines`].
unsafe fn take_blocks<S: Steps, W: Passing<S>, const L: usize>(
    level: Available,
    op: *const (),
    tile: &ScanTile,
    state: *mut u8,
) -> u8 {
    // SAFETY: *operator*, which the driver keeps: it is that of the steps.
    let op = unsafe { &*op.cast::<S::Op>() };
    let mut found = 0;
    let (found, written) = (&mut found, PhantomData);
    level.run(ScanAtLevel::<S, W, L, true> { op, tile, state, found: &mut *found, written });
    *found
}

/// # Safety
/// *operator* and *states*: there is room for one of these types.
unsafe fn begin<S: Steps, const L: usize>(op: *const (), state: *mut u8) {
    // SAFETY: *operator*, which the driver keeps: it is that of the steps.
    let op = unsafe { &*op.cast::<S::Op>() };
    // SAFETY: *states*, which the driver keeps: there is room for this one.
    unsafe { state.cast::<ScanState<S, L>>().write(empty::<S, L>(op)) };
}

/// # Safety
/// *operator* and *states*: there are `count` of single lanes, one behind the other.
unsafe fn chain<S: Steps>(op: *const (), states: *mut u8, count: usize) {
    // SAFETY: *operator*, which the driver keeps: it is that of the steps.
    let op = unsafe { &*op.cast::<S::Op>() };
    // SAFETY: *states*, which the driver keeps: these were written, and are nobody else's.
    let states = unsafe { std::slice::from_raw_parts_mut(states.cast::<ScanState<S, 1>>(), count) };
    let mut before: Option<S::Acc> = None;
    for state in states {
        let newest = S::Acc::get(&state.0.blocks, 0);
        if let Some(before) = before {
            S::Acc::set(&mut state.0.groups, 0, before);
        }
        before = Some(before.map_or(newest, |before| S::combine(op, before, newest)));
    }
}

/// # Safety
/// *operator*, *states* and *places*: the state is that of a line after `count` elements, and there is a place for a result.
unsafe fn standing<S: Steps, W: Passing<S>>(
    op: *const (),
    state: *const u8,
    count: usize,
    out: *mut u8,
) -> u8 {
    // SAFETY: *operator*, which the driver keeps: it is that of the steps.
    let op = unsafe { &*op.cast::<S::Op>() };
    // SAFETY: *states*, which the driver keeps: these were begun.
    let LanesAlong { within, blocks, groups } = unsafe { &(*state.cast::<ScanState<S, 1>>()).0 };
    let parts = [
        (groups, count >= GROUP),
        (blocks, !(count / STEPS).is_multiple_of(SCAN_BLOCKS)),
        (within, !count.is_multiple_of(STEPS)),
    ];
    let mut parts = parts.iter().rev().filter(|part| part.1).map(|part| S::Acc::get(part.0, 0));
    let last = parts.next().unwrap_or_else(|| S::none(op));
    let all = parts.fold(last, |after, before| S::combine(op, before, after));
    let found = if W::WATCHES { W::found(op, &all, count) } else { 0 };
    let written = W::written(op, S::Stored::default().wide(), all, count);
    // SAFETY: *places*, which the driver keeps: there is one for a result.
    unsafe { out.cast::<W::Output>().write(written) };
    found
}

/// # Safety
/// *states*: `count` of single lanes, one behind the other, and one of at least as many lanes.
unsafe fn gather<S: Steps, const L: usize>(each: *const u8, count: usize, lanes: *mut u8) {
    // SAFETY: *states*, which the driver keeps: these were begun.
    let each = unsafe { std::slice::from_raw_parts(each.cast::<ScanState<S, 1>>(), count) };
    // SAFETY: *states*, which the driver keeps: this one is nobody else's.
    let lanes = unsafe { &mut (*lanes.cast::<ScanState<S, L>>()).0 };
    for (lane, state) in each.iter().enumerate() {
        S::Acc::set(&mut lanes.within, lane, S::Acc::get(&state.0.within, 0));
        S::Acc::set(&mut lanes.blocks, lane, S::Acc::get(&state.0.blocks, 0));
        S::Acc::set(&mut lanes.groups, lane, S::Acc::get(&state.0.groups, 0));
    }
}

/// # Safety
/// As for [`gather`].
unsafe fn scatter<S: Steps, const L: usize>(lanes: *const u8, count: usize, each: *mut u8) {
    // SAFETY: *states*, which the driver keeps: these are nobody else's.
    let each = unsafe { std::slice::from_raw_parts_mut(each.cast::<ScanState<S, 1>>(), count) };
    // SAFETY: *states*, which the driver keeps: these were begun.
    let lanes = unsafe { &(*lanes.cast::<ScanState<S, L>>()).0 };
    for (lane, state) in each.iter_mut().enumerate() {
        S::Acc::set(&mut state.0.within, 0, S::Acc::get(&lanes.within, lane));
        S::Acc::set(&mut state.0.blocks, 0, S::Acc::get(&lanes.blocks, lane));
        S::Acc::set(&mut state.0.groups, 0, S::Acc::get(&lanes.groups, lane));
    }
}
