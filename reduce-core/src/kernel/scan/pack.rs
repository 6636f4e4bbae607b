//! Packing: elements of lanes that lie apart are brought side by side, and results to their places.

use crate::machine::bits::Bits;
use crate::machine::level::Available;
use crate::machine::{prefetch, transpose};
use crate::plan::{OUT, ScanPlaces};

/// Where lanes begin: the places of the first element of each, and the distance from lane to lane in each tensor, if it is
/// the same for all, and forward.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanesFrom<'a> {
    pub(super) first: &'a [ScanPlaces],
    pub(super) distances: Distances,
}

/// The distance from lane to lane in each tensor.
pub(super) type Distances = [Option<usize>; OUT + 1];

/// The distances between lanes that begin at these places. A lane alone is at any distance; 0 is said.
pub(super) fn distances(first: &[ScanPlaces]) -> Distances {
    std::array::from_fn(|tensor| {
        let between = |pair: &[ScanPlaces]| pair[1][tensor].checked_sub(pair[0][tensor]);
        let mut all = first.windows(2).map(between);
        let distance = all.next().unwrap_or(Some(0))?;
        all.all(|other| other == Some(distance)).then_some(distance)
    })
}

/// Where the elements of lanes lie in a buffer, or their results: places and distances are counted in elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanePlaces<'a> {
    pub(super) lanes: LanesFrom<'a>,
    /// The buffer's number among the tensors, and how far the first step is behind where lanes begin.
    pub(super) tensor: usize,
    pub(super) behind: usize,
    /// The way from step to step, and how many there are.
    pub(super) way: isize,
    pub(super) steps: usize,
}

impl LanePlaces<'_> {
    /// How many lanes there are.
    fn count(&self) -> usize {
        self.lanes.first.len()
    }

    /// The distance from lane to lane, if it is the same for all.
    pub(super) fn distance(&self) -> Option<usize> {
        self.lanes.distances[self.tensor]
    }

    /// The place of the first step of a lane.
    #[inline(always)]
    pub(super) fn first(&self, lane: usize) -> usize {
        self.lanes.first[lane][self.tensor].wrapping_add(self.behind)
    }

    /// The place of a step of a lane.
    #[inline(always)]
    fn at(&self, lane: usize, step: usize) -> usize {
        self.first(lane).wrapping_add_signed(self.way.wrapping_mul(step.cast_signed()))
    }

    /// How many elements further on the next tile has what this one has of a lane.
    fn ahead(&self) -> usize {
        let is_list = self.distance() == Some(self.steps);
        if is_list { self.count() * self.steps } else { self.steps }
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
        by_size!(size, pack_of(level, (buffer.cast(), length), from, (room.cast(), width)), else {});
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
    let LanePlaces { way, steps, .. } = from;
    // SAFETY: *elements*, which the caller keeps: they are numbers of this size.
    let buffer = unsafe { std::slice::from_raw_parts(buffer, length) };
    // SAFETY: *room*, which the caller keeps: it holds bytes of any numbers.
    let room = unsafe { std::slice::from_raw_parts_mut(room, steps * width) };
    if let (1, Some(distance)) = (way, from.distance())
        && (distance > 0 || from.count() == 1)
    {
        let rows = &buffer[from.first(0)..];
        let bytes = steps * size_of::<N>();
        for lane in 0..from.count() {
            prefetch(
                buffer.as_ptr().wrapping_add(from.first(lane)).cast(),
                from.ahead() * size_of::<N>(),
                bytes,
            );
        }
        return transpose(level, rows, distance, from.count(), steps, room, width, 0);
    }
    for (step, room) in room.chunks_exact_mut(width).enumerate() {
        for (lane, to) in room.iter_mut().enumerate().take(from.count()) {
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
        let turned = turned(to.count() * to.steps * size);
        // SAFETY: *room*, which the caller keeps: results of this size are numbers of as many bytes.
        unsafe {
            by_size!(size, turn(level, (room.cast(), width), to.steps, (turned.cast(), to.count())), else {});
        }
        let bytes = to.steps * size;
        for lane in 0..to.count() {
            let place = buffer.wrapping_add(to.first(lane) * size);
            prefetch(place, to.ahead() * size, bytes);
            // SAFETY: *places*, which the caller keeps. *room*: the results of each lane were turned.
            unsafe { place.copy_from_nonoverlapping(turned.wrapping_add(lane * bytes), bytes) };
        }
        return;
    }
    for step in 0..to.steps {
        for lane in 0..to.count() {
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
