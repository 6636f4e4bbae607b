//! Results repeated for the elements of short rows, which then are emitted as one long line.

#![allow(unsafe_code, reason = "results are copied through pointers")]

use std::mem::MaybeUninit;

use super::super::read::Scratch;
use crate::facts::axes::AxisSet;
use crate::facts::shape::{Dims, Shape};
use crate::machine::code::{Code, Work};
use crate::machine::level::Available;

/// Each of several results is repeated for its elements if up to this many of them lie side by side.
const SHORT: usize = 31;

/// Up to this many copies of a result are written at once.
const COPIES: usize = 16;

/// How the results of a shape are walked, in row-major order of its elements.
pub(super) struct ResultWalk {
    /// How often each result is repeated in memory.
    pub(super) repeats: usize,
    /// The stride of each axis, 0 where results do not change.
    pub(super) strides: Dims<isize>,
}

impl ResultWalk {
    pub(super) fn new(shape: &Shape, axes: &AxisSet) -> Self {
        let is_reduced = |&axis: &usize| axes.contains(axis) || shape[axis] == 1;
        let inner = (0..shape.rank()).rev().take_while(is_reduced);
        let side_by_side: usize = inner.clone().map(|axis| shape[axis]).product();
        let is_short = side_by_side <= SHORT && side_by_side < shape.count();
        let repeats = if is_short { side_by_side } else { 1 };
        let mut strides: Dims<isize> = smallvec::smallvec![0; shape.rank()];
        let mut step = 1usize;
        if repeats > 1 {
            for axis in inner {
                strides[axis] = step.cast_signed();
                step *= shape[axis];
            }
        }
        for axis in (0..shape.rank()).rev().filter(|&axis| !axes.contains(axis)) {
            if strides[axis] == 0 {
                strides[axis] = step.cast_signed();
                step *= shape[axis];
            }
        }
        ResultWalk { repeats, strides }
    }
}

/// Repeats each of `count` results of `size` bytes, and returns where the copies begin.
///
/// # Safety
/// *elements*: there are `count` results, of which the first lies a multiple of `size` behind the beginning of a line
/// of the cache.
pub(super) unsafe fn repeat(
    level: Available,
    results: *const u8,
    (count, size): (usize, usize),
    repeats: usize,
    room: &mut Scratch<'_>,
) -> *const u8 {
    // Some copies more than needed, which the next result overwrites.
    let repeated = room.bytes((count * repeats + COPIES) * size);
    match size {
        // SAFETY: *elements* and *room*: `count` results of four bytes, and copies of all of them with some to spare.
        4 => unsafe { as_numbers::<u32>(level, results, count, repeats, repeated) },
        // SAFETY: *elements* and *room*, as above, of eight bytes.
        8 => unsafe { as_numbers::<u64>(level, results, count, repeats, repeated) },
        // SAFETY: *elements* and *room*, as above, of sixteen bytes.
        16 => unsafe { as_numbers::<u128>(level, results, count, repeats, repeated) },
        _ => {
            for number in 0..count * repeats {
                let from = results.wrapping_add(number / repeats * size);
                let to = repeated.wrapping_add(number * size);
                // SAFETY: *elements* and *room*: one of `count` results, and one of `count * repeats` copies.
                unsafe { from.copy_to_nonoverlapping(to, size) };
            }
        }
    }
    repeated
}

/// Repeats results of the size of a number.
///
/// # Safety
/// As [`repeat`], for results as large as `N`. *room*: all copies fit, and [`COPIES`] more.
unsafe fn as_numbers<N: Copy>(
    level: Available,
    results: *const u8,
    count: usize,
    repeats: usize,
    repeated: *mut u8,
) {
    // SAFETY: *elements*, which the caller keeps, aligned to their size. *bytes*: they need not be initialised.
    let results = unsafe { std::slice::from_raw_parts(results.cast::<MaybeUninit<N>>(), count) };
    let all = count * repeats + COPIES;
    // SAFETY: *room*, which the caller keeps: it begins a line of the cache, and all copies fit.
    let repeated =
        unsafe { std::slice::from_raw_parts_mut(repeated.cast::<MaybeUninit<N>>(), all) };
    level.run_narrow(Repeat { results, repeats, repeated });
}

/// Results, and room in which each is to be repeated.
struct Repeat<'a, N> {
    results: &'a [N],
    repeats: usize,
    repeated: &'a mut [N],
}

impl<N: Copy> Work for Repeat<'_, N> {
    #[inline(always)]
    fn run<C: Code>(self, _code: C) {
        match self.repeats {
            0..=4 => self.together::<4>(),
            5..=8 => self.together::<8>(),
            _ => self.together::<COPIES>(),
        }
    }
}

impl<N: Copy> Repeat<'_, N> {
    /// Writes `AT_ONCE` copies at a time.
    #[inline(always)]
    fn together<const AT_ONCE: usize>(self) {
        let Repeat { results, repeats, repeated: mut rest } = self;
        for &result in results {
            let room = rest[..repeats + AT_ONCE].as_chunks_mut::<AT_ONCE>().0;
            for copies in room.iter_mut().take(repeats.div_ceil(AT_ONCE)) {
                *copies = [result; AT_ONCE];
            }
            rest = &mut rest[repeats..];
        }
    }
}
