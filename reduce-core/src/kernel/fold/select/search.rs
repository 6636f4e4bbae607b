//! The search for a selected element. Lanes along a result know the best value, and the block that it came from. In
//! this block, the lanes that hold the value are searched for it.

#![allow(unsafe_code, reason = "elements are read through pointers")]

use std::hint::black_box;

use super::super::super::block::{Blocks, ResultElements};
use super::super::Lanes;
use super::super::lanes::each;
use super::{NONE, Selects};
use crate::machine::code::Code;
use crate::values::element::accumulator::Accumulator;
use crate::values::reader::Indexed;
use crate::values::stored::Stored;

/// The selected element of the blocks of a result: the first that is as good as the best, or the
/// last, as the operator has it. Lanes hold values, and if there are several blocks, tags.
///
/// # Safety
/// *elements*: the blocks are of this storage type.
#[inline(always)]
pub(super) unsafe fn find<C: Code, F: Selects, const L: usize>(
    op: &F::Op,
    best: F::Value,
    values: &Lanes<F::Value, L>,
    tags: Option<&[u64; L]>,
    blocks: &mut dyn Blocks,
) -> Indexed<F::Value> {
    let last = F::choose(op, best, best).1;
    let mut ties = ties::<C, F, L>(op, best, values, last);
    let mut number = 0;
    if let Some(tags) = tags
        && blocks.count() > 1
    {
        number = block_of(&ties, tags, last);
        for lane in each::<L>(C::VECTORS) {
            ties[lane] = if tags[lane] == number { ties[lane] } else { 0 };
        }
    }
    let elements = blocks.block(number);
    let lanes = Tied { ties: &ties, last };
    // SAFETY: *elements*, which the caller keeps: the blocks are of this storage type, and no other was asked for
    // meanwhile.
    unsafe { search::<C, F, L>(op, best, lanes, &elements) }
}

/// The lanes that are as good as the best: those with a 1 and not a 0.
#[derive(Clone, Copy)]
struct Tied<'a, const L: usize> {
    ties: &'a [u32; L],
    /// Whether the last of the elements that are as good as the best is selected, or the first.
    last: bool,
}

/// The lanes that are as good as the best.
#[inline(always)]
fn ties<C: Code, F: Selects, const L: usize>(
    op: &F::Op,
    best: F::Value,
    lanes: &Lanes<F::Value, L>,
    last: bool,
) -> [u32; L] {
    let mut ties = [0; L];
    // The order of the two is known in each loop.
    if last {
        for lane in each::<L>(C::VECTORS) {
            ties[lane] = u32::from(F::ties(op, best, F::Value::get(lanes, lane), true));
        }
    } else {
        for lane in each::<L>(C::VECTORS) {
            ties[lane] = u32::from(F::ties(op, best, F::Value::get(lanes, lane), false));
        }
    }
    // Otherwise those of 8 bytes would be masks, which are taken apart bit by bit.
    if size_of::<F::Value>() == size_of::<u64>() { black_box(ties) } else { ties }
}

/// The first of some elements that is as good as the best, or the last. It is searched for in the lanes that tie.
///
/// # Safety
/// *elements*: they are of this storage type.
#[inline(always)]
unsafe fn search<C: Code, F: Selects, const L: usize>(
    op: &F::Op,
    best: F::Value,
    Tied { ties, last }: Tied<'_, L>,
    elements: &ResultElements,
) -> Indexed<F::Value> {
    let mut found = None;
    // Mostly one lane has the best value; branches that ask all lanes in turn would be predicted badly.
    for word in 0..L.div_ceil(WORD) {
        let mut left = bits(ties, word * WORD);
        while left != 0 {
            let lane = word * WORD + left.trailing_zeros() as usize;
            left &= left - 1;
            // SAFETY: *elements*, which the caller keeps: they are of this storage type.
            found = unsafe { find_in_lane::<C, F, L>(op, best, elements, lane, last, found) };
        }
    }
    // Without any, which breaks the law of selection, any position will do.
    let place = found.unwrap_or(0);
    let index = elements.position(place);
    if place >= elements.count() {
        return Indexed { value: best, index };
    }
    // Lanes may have combined to another one of the values that tie.
    // SAFETY: *elements*, which the caller keeps: they are of this storage type.
    Indexed { value: unsafe { value_at::<F>(op, elements, place) }, index }
}

/// What an element is compared by.
///
/// # Safety
/// *elements*: they are of this storage type.
#[inline(always)]
unsafe fn value_at<F: Selects>(op: &F::Op, elements: &ResultElements, place: usize) -> F::Value {
    // SAFETY: *elements*, which the caller keeps: they are of this storage type.
    F::value(op, unsafe { elements.at::<F::Stored>(place) }.wide())
}

/// This many elements of a lane are compared at once: a branch for each would be predicted badly.
const GROUP: usize = 8;

/// The number of lanes in a word of bits.
const WORD: usize = 64;

/// A bit for each of [`WORD`] lanes from `first` on: whether it holds a 1.
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

/// The first block, or the last, that gave its value to a lane that ties.
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

/// Searches a lane, whose first element is at place `first`, for an element that is as good as the best: for the first,
/// or for the last. Returns its place, or the one `found` in other lanes if that comes before it, or for the last
/// behind it.
///
/// # Safety
/// *elements*: they are of this storage type.
#[inline(always)]
unsafe fn find_in_lane<C: Code, F: Selects, const L: usize>(
    op: &F::Op,
    best: F::Value,
    elements: &ResultElements,
    first: usize,
    last: bool,
    found: Option<usize>,
) -> Option<usize> {
    let is_best = |&place: &usize| {
        // SAFETY: *elements*, which the caller keeps: they are of this storage type.
        F::ties(op, best, unsafe { value_at::<F>(op, elements, place) }, last)
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
                // SAFETY: *elements*, which the caller keeps: they are of this storage type.
                let value = unsafe { value_at::<F>(op, elements, place + step * L) };
                F::Value::set(&mut group, step, value);
            }
            let ties = ties::<C, F, GROUP>(op, best, &group, last);
            let step = bits(&ties, 0).trailing_zeros() as usize;
            if step < GROUP {
                return Some(place + step * L);
            }
            place += GROUP * L;
        }
        (place..end).step_by(L).find(is_best).or(found)
    }
}
