//! Lanes: many accumulators that take a step at once.
//!
//! ```text
//! for each step:  for each lane i:  lane[i] = combine(lane[i], map(x[i]))
//! ```
//!
//! The inner loop has a fixed length and no branch, so it becomes a few vector
//! instructions; the lanes stay in registers over all steps. That needs every
//! index into the lanes to be a constant: lanes are passed by value, and an
//! incomplete step is a whole one of which some lanes are dropped.

#![allow(unsafe_code, reason = "steps are read through pointers")]

use std::ops::Range;

use super::micro;
use super::stored::Stored;
use crate::accumulator::Accumulator;
use crate::level::Code;
use crate::simd::{barrier, opaque, prefetch};

/// The lanes of accumulators of type `Acc`.
pub(super) type Lanes<Acc, const L: usize> = <Acc as Accumulator>::Lanes<L>;

/// What lanes do with stored values.
pub(super) trait Steps<T: Stored>: Copy {
    /// What each lane holds.
    type Acc: Accumulator;

    /// How the steps are compiled.
    type Code: Code;

    /// How the steps are compiled.
    fn code(self) -> Self::Code;

    /// The accumulator of one value.
    fn read(self, x: T::Wide, position: u64) -> Self::Acc;

    /// The accumulator of two sets of elements, `a` before `b`.
    fn combine(self, a: Self::Acc, b: Self::Acc) -> Self::Acc;

    /// The accumulator of one more value.
    #[inline(always)]
    fn push(self, acc: Self::Acc, x: T::Wide, position: u64) -> Self::Acc {
        self.combine(acc, self.read(x, position))
    }

    /// The accumulator of two more values.
    #[inline(always)]
    fn push_two(self, acc: Self::Acc, x: [T::Wide; 2], positions: [u64; 2]) -> Self::Acc {
        self.push(self.push(acc, x[0], positions[0]), x[1], positions[1])
    }
}

/// The position of the value of step `s` in lane `i`: `start + s * step + i * lane`.
#[derive(Clone, Copy)]
pub(super) struct Positions {
    pub(super) start: u64,
    pub(super) step: u64,
    pub(super) lane: u64,
}

impl Positions {
    /// Of a step along a result.
    #[inline(always)]
    pub(super) fn along(start: u64) -> Self {
        Positions { start, step: 0, lane: 1 }
    }
}

/// Takes steps one after another.
///
/// # Safety
/// They may be read.
#[inline(always)]
pub(super) unsafe fn take_steps<S, T, const L: usize>(
    steps: S,
    mut lanes: Lanes<S::Acc, L>,
    rows: &micro::Steps,
    mut positions: Positions,
) -> Lanes<S::Acc, L>
where
    S: Steps<T>,
    T: Stored,
{
    let micro::Steps { mut data, ways, count, ahead } = *rows;
    // Asked once; the compiler, if it knew, would ask in each step.
    let fetches = ahead > 0 && opaque(1) > 0;
    for _ in 0..count {
        barrier();
        if fetches {
            fetch::<T, L>(&data, ahead);
        }
        // SAFETY: the caller's.
        let values = unsafe { T::read::<S::Code, L>(steps.code(), &data) };
        take_step::<_, T, L>(steps, &mut lanes, &values, positions);
        positions.start += positions.step;
        data = micro::by(&data, &ways);
    }
    lanes
}

/// Fetches as much as a step is, so many bytes ahead of it.
#[inline(always)]
pub(super) fn fetch<T: Stored, const L: usize>(data: &micro::Data, ahead: usize) {
    for input in 0..T::DTYPES.len() {
        prefetch(data[input], ahead, L * T::SIZES[input]);
    }
}

/// Takes a step: of a copy of its values, which cannot overlap with the lanes. Or else the
/// compiler would ask at run time, and the lanes would have to be in memory.
#[inline(always)]
pub(super) fn take_step<S, T, const L: usize>(
    steps: S,
    lanes: &mut Lanes<S::Acc, L>,
    values: &Lanes<T::Wide, L>,
    positions: Positions,
) where
    S: Steps<T>,
    T: Stored,
{
    for lane in each::<L>(S::Code::VECTORS) {
        let (x, place) = (T::Wide::get(values, lane), lane as u64 * positions.lane);
        let acc = steps.push(S::Acc::get(lanes, lane), x, positions.start + place);
        S::Acc::set(lanes, lane, acc);
    }
}

/// Takes two steps along a result at once, the first value of which is at `position`.
#[inline(always)]
pub(super) fn take_two_steps<S, T, const L: usize>(
    steps: S,
    lanes: &mut Lanes<S::Acc, L>,
    values: [&Lanes<T::Wide, L>; 2],
    position: u64,
) where
    S: Steps<T>,
    T: Stored,
{
    for lane in each::<L>(S::Code::VECTORS) {
        let x = values.map(|values| T::Wide::get(values, lane));
        let positions = [lane, L + lane].map(|place| position + place as u64);
        let acc = steps.push_two(S::Acc::get(lanes, lane), x, positions);
        S::Acc::set(lanes, lane, acc);
    }
}

/// Takes an incomplete step: of some lanes only.
#[inline(always)]
pub(super) fn take_part<S, T, const L: usize>(
    steps: S,
    lanes: &mut Lanes<S::Acc, L>,
    values: &Lanes<T::Wide, L>,
    positions: Positions,
    taken: Range<usize>,
) where
    S: Steps<T>,
    T: Stored,
{
    let taken = Taken::of(taken);
    // Into a copy: in place, this would be stores of some lanes, which would be in memory.
    let lanes_before = *lanes;
    let mut lanes_after = lanes_before;
    for lane in each::<L>(S::Code::VECTORS) {
        let (x, place) = (T::Wide::get(values, lane), lane as u64 * positions.lane);
        let before = S::Acc::get(&lanes_before, lane);
        let after = steps.push(before, x, positions.start + place);
        let kept = if taken.has::<S::Acc, L>(lane) { after } else { before };
        S::Acc::set(&mut lanes_after, lane, kept);
    }
    *lanes = lanes_after;
}

/// Some lanes of a step, not all.
#[derive(Clone, Copy)]
struct Taken {
    first: u32,
    count: u32,
}

impl Taken {
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "at most 256 lanes")]
    fn of(lanes: Range<usize>) -> Self {
        Taken { first: lanes.start as u32, count: lanes.len() as u32 }
    }

    /// Whether a lane is one of them. Numbers are compared as wide as what a lane holds if that is
    /// a byte, or 32 bits wide: so they are in as many registers as most lanes.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "not all of at most 256 lanes")]
    fn has<Acc, const L: usize>(self, lane: usize) -> bool {
        if size_of::<Acc>() == 1 {
            let number = Numbers::<L>::BYTES[lane];
            number.wrapping_sub(self.first as u8) < self.count as u8
        } else {
            Numbers::<L>::WORDS[lane].wrapping_sub(self.first) < self.count
        }
    }
}

/// The numbers of lanes.
struct Numbers<const L: usize>;

#[allow(clippy::cast_possible_truncation, reason = "at most 256 lanes")]
impl<const L: usize> Numbers<L> {
    const WORDS: [u32; L] = {
        let mut all = [0; L];
        let mut lane = 0;
        while lane < L {
            all[lane] = lane as u32;
            lane += 1;
        }
        all
    };

    const BYTES: [u8; L] = {
        let mut all = [0; L];
        let mut lane = 0;
        while lane < L {
            all[lane] = lane as u8;
            lane += 1;
        }
        all
    };
}

/// Combines the lanes of two sets of elements, lane by lane: into the earlier ones.
#[inline(always)]
pub(super) fn combine_lanes<S, T, const L: usize>(
    steps: S,
    earlier: &mut Lanes<S::Acc, L>,
    later: &Lanes<S::Acc, L>,
) where
    S: Steps<T>,
    T: Stored,
{
    // A copy, which cannot overlap with the others.
    let later = *later;
    for lane in each::<L>(S::Code::VECTORS) {
        let acc = steps.combine(S::Acc::get(earlier, lane), S::Acc::get(&later, lane));
        S::Acc::set(earlier, lane, acc);
    }
}

/// All lanes. In vectors, the compiler is to unroll the loop; otherwise it must not
/// know how often it runs.
#[inline(always)]
pub(super) fn each<const L: usize>(vectors: bool) -> Each {
    Each { next: 0, end: L, vectors }
}

/// Lanes, one after the other.
pub(super) struct Each {
    next: usize,
    end: usize,
    vectors: bool,
}

impl Iterator for Each {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let lane = if self.vectors { self.next } else { opaque(self.next) };
        (lane < self.end).then(|| {
            self.next = lane + 1;
            lane
        })
    }
}

/// All lanes, a vector at a time: for loops over lanes in memory, which would be
/// unrolled to no use.
#[inline(always)]
pub(super) fn parts<const L: usize>(vectors: bool) -> impl Iterator<Item = Range<usize>> {
    let part = if vectors { L.min(PART) } else { 1 };
    let numbers = Each { next: 0, end: if vectors { opaque(L / part) } else { L }, vectors };
    // The mask changes nothing (both are powers of two) but tells the compiler that
    // lanes are in range: it does not vectorise loops that may panic.
    numbers.map(move |number| {
        let first = (number * part) & (L - 1);
        first..first + part
    })
}

/// Lanes in a vector, more or less.
pub(super) const PART: usize = 16;

/// Combines the lanes into one accumulator.
#[inline(always)]
pub(super) fn combine_across<S, T, const L: usize>(steps: S, mut lanes: Lanes<S::Acc, L>) -> S::Acc
where
    S: Steps<T>,
    T: Stored,
{
    halve::<_, T, L>(steps, &mut lanes, 1);
    S::Acc::get(&lanes, 0)
}

/// Combines the upper half of the lanes into the lower half, until so many are left.
#[inline(always)]
pub(super) fn halve<S, T, const L: usize>(steps: S, lanes: &mut Lanes<S::Acc, L>, left: usize)
where
    S: Steps<T>,
    T: Stored,
{
    let mut width = L / 2;
    while width >= left {
        for lane in (Each { next: 0, end: width, vectors: S::Code::VECTORS }) {
            let upper = S::Acc::get(lanes, lane + width);
            let acc = steps.combine(S::Acc::get(lanes, lane), upper);
            S::Acc::set(lanes, lane, acc);
        }
        width /= 2;
    }
}
