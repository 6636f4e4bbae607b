//! The search for a selected element. Lanes along a result know the best value and the block
//! that it came from; in that block, the lanes that hold it are searched for it.

#![allow(unsafe_code, reason = "elements are read through pointers")]

use std::hint::black_box;

use super::super::lanes::{Lanes, Steps, each};
use super::super::micro::{Blocks, Elements};
use super::super::reader::{Indexed, Reader};
use super::super::stored::Stored;
use super::state::{NONE, State};
use super::values::Values;
use crate::accumulator::Accumulator;
use crate::level::Code;
use crate::op::ReduceOp;

/// The selected element of the blocks of a result: the first that is as good as the best, or the
/// last, as the operator has it.
///
/// # Safety
/// The blocks are of this storage type.
#[inline(always)]
pub(super) unsafe fn find_in_blocks<R, Op, T, K, C: Code, const L: usize>(
    values: Values<'_, R, Op, C>,
    best: K,
    state: &State<K, L>,
    shift: usize,
    blocks: &mut dyn Blocks,
) -> Indexed<K>
where
    K: Accumulator,
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element, Acc = Indexed<K>>,
    T: Stored,
{
    let last = values.choose::<T, K>(best, best).1;
    let mut ties = ties::<R, Op, T, K, C, L>(values, best, &state.values, last);
    let mut number = 0;
    if blocks.count() > 1 {
        number = block_of(&ties, &state.tags, last);
        for lane in each::<L>(C::VECTORS) {
            ties[lane] = if state.tags[lane] == number { ties[lane] } else { 0 };
        }
    }
    let elements = blocks.block(number);
    let lanes = Tied { ties: &ties, shift, last };
    // SAFETY: the caller's.
    unsafe { search::<R, Op, T, K, C, L>(values, best, lanes, &elements) }
}

/// The selected element of a row, of one block. `lanes` are those of the row.
///
/// # Safety
/// The elements are of this storage type.
#[inline(always)]
pub(super) unsafe fn find_in_row<R, Op, T, K, C: Code, const L: usize>(
    values: Values<'_, R, Op, C>,
    best: K,
    lanes: &Lanes<K, L>,
    elements: &Elements,
) -> Indexed<K>
where
    K: Accumulator,
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element, Acc = Indexed<K>>,
    T: Stored,
{
    let last = values.choose::<T, K>(best, best).1;
    let ties = ties::<R, Op, T, K, C, L>(values, best, lanes, last);
    let lanes = Tied { ties: &ties, shift: 0, last };
    // SAFETY: the caller's.
    unsafe { search::<R, Op, T, K, C, L>(values, best, lanes, elements) }
}

/// Lanes of which some are as good as the best.
#[derive(Clone, Copy)]
struct Tied<'a, const L: usize> {
    ties: &'a [u32; L],
    /// How far they are shifted: see [`block`](super::super::block).
    shift: usize,
    /// Whether the last element wins that is as good as the best.
    last: bool,
}

/// The lanes that are as good as the best.
#[inline(always)]
fn ties<R, Op, T, K, C: Code, const L: usize>(
    values: Values<'_, R, Op, C>,
    best: K,
    lanes: &Lanes<K, L>,
    last: bool,
) -> [u32; L]
where
    K: Accumulator,
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element, Acc = Indexed<K>>,
    T: Stored,
{
    let mut ties = [0; L];
    // The order of the two is known in each loop.
    if last {
        for lane in each::<L>(C::VECTORS) {
            ties[lane] = u32::from(values.ties::<T, K>(best, K::get(lanes, lane), true));
        }
    } else {
        for lane in each::<L>(C::VECTORS) {
            ties[lane] = u32::from(values.ties::<T, K>(best, K::get(lanes, lane), false));
        }
    }
    // Or those of 8 bytes would be masks, which are taken apart bit by bit.
    if size_of::<K>() == size_of::<u64>() { black_box(ties) } else { ties }
}

/// Of some elements the first, or the last, in the lanes that tie that is as good as the best.
///
/// # Safety
/// They are of this storage type.
#[inline(always)]
unsafe fn search<R, Op, T, K, C: Code, const L: usize>(
    values: Values<'_, R, Op, C>,
    best: K,
    Tied { ties, shift, last }: Tied<'_, L>,
    elements: &Elements,
) -> Indexed<K>
where
    K: Accumulator,
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element, Acc = Indexed<K>>,
    T: Stored,
{
    let mut found = None;
    // Mostly one lane has the best value; branches that ask all lanes in turn would be
    // foreseen badly.
    for word in 0..L.div_ceil(WORD) {
        let mut left = bits(ties, word * WORD);
        while left != 0 {
            let lane = word * WORD + left.trailing_zeros() as usize;
            left &= left - 1;
            let first = lane.wrapping_sub(shift) & (L - 1);
            // SAFETY: the caller's.
            found =
                unsafe { find::<R, Op, T, K, C, L>(values, best, elements, first, last, found) };
        }
    }
    // Without any, which breaks the law of selection, any position will do.
    let place = found.unwrap_or(0);
    let index = elements.position + place as u64;
    if place >= elements.count() {
        return Indexed { value: best, index };
    }
    // Of values that tie, lanes may have combined to another one.
    // SAFETY: the caller's.
    let x = unsafe { elements.at::<T>(place) }.wide();
    Indexed { value: Steps::<T>::read(values, x, 0), index }
}

/// Elements of a lane that are compared at once: a branch for each would be foreseen badly.
const GROUP: usize = 8;

/// Lanes in a word of bits.
const WORD: usize = 64;

/// A bit for each of some lanes, from `first` on: whether it is not 0.
#[inline(always)]
fn bits<const L: usize>(lanes: &[u32; L], first: usize) -> u64 {
    let mut low = 0;
    let mut high = 0;
    for bit in 0..WORD / 2 {
        if first + bit < L {
            low |= lanes[first + bit] << bit;
        }
        if first + bit + WORD / 2 < L {
            high |= lanes[first + bit + WORD / 2] << bit;
        }
    }
    u64::from(low) | u64::from(high) << (WORD / 2)
}

/// The first block, or the last, that gave a lane its value, of lanes that are as
/// good as the best.
#[inline(always)]
fn block_of<const L: usize>(ties: &[u32; L], tags: &[u64; L], last: bool) -> u64 {
    let mut first = NONE;
    // One more than the number, so that 0 is none.
    let mut behind_last = 0;
    for (&tie, &tag) in ties.iter().zip(tags) {
        first = first.min(if tie != 0 { tag } else { NONE });
        behind_last = behind_last.max(if tie != 0 { tag.wrapping_add(1) } else { 0 });
    }
    // Without any, which breaks the law of selection, any block will do.
    if last || first == NONE { behind_last.saturating_sub(1) } else { first }
}

/// The first place, or the last, of an element of a lane that is as good as the best, of which the
/// first element is at place `first`; unless `found` in other lanes lies before it, or behind.
///
/// # Safety
/// The elements are of this storage type.
#[inline(always)]
unsafe fn find<R, Op, T, K, C: Code, const L: usize>(
    values: Values<'_, R, Op, C>,
    best: K,
    elements: &Elements,
    first: usize,
    last: bool,
    found: Option<usize>,
) -> Option<usize>
where
    K: Accumulator,
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element, Acc = Indexed<K>>,
    T: Stored,
{
    let is_best = |&place: &usize| {
        // SAFETY: the caller's.
        let x = unsafe { elements.at::<T>(place) }.wide();
        let x = Steps::<T>::read(values, x, 0);
        values.ties::<T, K>(best, x, last)
    };
    if last {
        let begin = found.map_or(0, |place| place + 1);
        let steps = (elements.count() + L - 1 - first) / L;
        let places = (0..steps).rev().map(|step| step * L + first);
        places.take_while(|&place| place >= begin).find(is_best).or(found)
    } else {
        let end = found.unwrap_or(elements.count());
        let mut place = first;
        while place + GROUP * L <= end {
            let mut group = best.splat::<GROUP>();
            for step in 0..GROUP {
                // SAFETY: the caller's.
                let x = unsafe { elements.at::<T>(place + step * L) }.wide();
                K::set(&mut group, step, Steps::<T>::read(values, x, 0));
            }
            let ties = ties::<R, Op, T, K, C, GROUP>(values, best, &group, last);
            let step = bits(&ties, 0).trailing_zeros() as usize;
            if step < GROUP {
                return Some(place + step * L);
            }
            place += GROUP * L;
        }
        (place..end).step_by(L).find(is_best).or(found)
    }
}
