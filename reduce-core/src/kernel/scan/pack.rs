//! Packing: elements of lanes that lie apart are brought side by side, and results to their places.

use crate::machine::bits::Bits;
use crate::machine::level::Available;
use crate::machine::transpose;

/// Where the elements of lanes lie in a buffer, or their results: places and distances are counted in elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanePlaces<'a> {
    /// The first of each lane.
    pub(super) first: &'a [usize],
    /// The way from step to step, and how many there are.
    pub(super) way: isize,
    pub(super) steps: usize,
}

impl LanePlaces<'_> {
    /// Whether lanes lie side by side, so that steps need not be packed.
    pub(super) fn are_neighbours(&self) -> bool {
        self.distance() == Some(1)
    }

    /// The distance from lane to lane, if it is the same for all, and forward.
    fn distance(&self) -> Option<usize> {
        let distance = match self.first {
            [first, second, ..] => second.checked_sub(*first)?,
            _ => self.steps,
        };
        let is_even =
            self.first.windows(2).all(|pair| pair[1].checked_sub(pair[0]) == Some(distance));
        is_even.then_some(distance)
    }

    /// The place of a step of a lane.
    #[inline(always)]
    fn at(&self, lane: usize, step: usize) -> usize {
        self.first[lane].wrapping_add_signed(self.way.wrapping_mul(step.cast_signed()))
    }
}

/// Calls a function for elements of some bytes, and another one if no number has so many.
macro_rules! by_size {
    ($size:expr, $name:ident($($arg:expr),*), else $other:expr) => {
        match $size {
            1 => $name::<u8>($($arg),*),
            2 => $name::<u16>($($arg),*),
            4 => $name::<u32>($($arg),*),
            8 => $name::<u64>($($arg),*),
            _ => $other,
        }
    };
}

/// Packs elements of `size` bytes: those of a step side by side, steps `width` elements apart.
///
/// # Safety
/// *elements*: the buffer has `length` of them, which nobody writes meanwhile, and all places are in it. *room*: all steps
/// fit.
pub(super) unsafe fn pack(
    level: Available,
    (buffer, length, size): (*const u8, usize, usize),
    from: LanePlaces<'_>,
    (room, width): (*mut u8, usize),
) {
    // SAFETY: *elements* and *room*, which the caller keeps.
    unsafe {
        by_size!(size, pack_of(level, (buffer.cast(), length), from, (room.cast(), width)), else {})
    }
}

/// # Safety
/// As for [`pack`].
unsafe fn pack_of<N: Bits>(
    level: Available,
    (buffer, length): (*const N, usize),
    from: LanePlaces<'_>,
    (room, width): (*mut N, usize),
) {
    let LanePlaces { first, way, steps } = from;
    // SAFETY: *elements*, which the caller keeps: they are numbers of this size.
    let buffer = unsafe { std::slice::from_raw_parts(buffer, length) };
    // SAFETY: *room*, which the caller keeps: it holds bytes of any numbers.
    let room = unsafe { std::slice::from_raw_parts_mut(room, steps * width) };
    if let (1, Some(distance)) = (way, from.distance())
        && distance > 0
    {
        let rows = &buffer[first[0]..];
        return transpose(level, rows, distance, first.len(), steps, room, width, 0);
    }
    for (step, room) in room.chunks_exact_mut(width).enumerate() {
        for (lane, to) in room.iter_mut().enumerate().take(first.len()) {
            *to = buffer[from.at(lane, step)];
        }
    }
}

/// Brings packed results of `size` bytes to their places.
///
/// # Safety
/// *places*: the buffer has all of them, and nobody else reads or writes them meanwhile. *room*: it holds all steps, `width`
/// results apart, and `turned` has room for one result for each place.
pub(super) unsafe fn unpack(
    level: Available,
    (room, width, size): (*const u8, usize, usize),
    to: LanePlaces<'_>,
    buffer: *mut u8,
    turned: impl FnOnce(usize) -> *mut u8,
) {
    if to.way == 1 && matches!(size, 1 | 2 | 4 | 8) {
        let turned = turned(to.first.len() * to.steps * size);
        // SAFETY: *room*, which the caller keeps: results of this size are numbers of as many bytes.
        unsafe {
            by_size!(size, turn(level, (room.cast(), width), to.steps, (turned.cast(), to.first.len())), else {});
        }
        let bytes = to.steps * size;
        for (lane, &first) in to.first.iter().enumerate() {
            let place = buffer.wrapping_add(first * size);
            // SAFETY: *places*, which the caller keeps. *room*: the results of each lane were turned.
            unsafe { place.copy_from_nonoverlapping(turned.wrapping_add(lane * bytes), bytes) };
        }
        return;
    }
    for step in 0..to.steps {
        for lane in 0..to.first.len() {
            let place = buffer.wrapping_add(to.at(lane, step).wrapping_mul(size));
            let result = room.wrapping_add((step * width + lane) * size);
            // SAFETY: *places* and *room*, which the caller keeps.
            unsafe { place.copy_from_nonoverlapping(result, size) };
        }
    }
}

/// Turns steps of lanes into lanes of steps.
///
/// # Safety
/// *room*: both hold as many numbers, and no two overlap.
unsafe fn turn<N: Bits>(
    level: Available,
    (room, width): (*const N, usize),
    steps: usize,
    (turned, lanes): (*mut N, usize),
) {
    // SAFETY: *room*, which the caller keeps: all steps were written.
    let room = unsafe { std::slice::from_raw_parts(room, (steps - 1) * width + lanes) };
    // SAFETY: *room*, which the caller keeps, of bytes that may be any numbers.
    let turned = unsafe { std::slice::from_raw_parts_mut(turned, steps * lanes) };
    transpose(level, room, width, steps, lanes, turned, steps, 0);
}
