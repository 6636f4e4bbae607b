//! Chunks of a sum: where a fraction is added, and when carries go up.

/// The distance of chunks, in bits. Each has twice as many.
pub(super) const WIDTH: u32 = 64;

/// A chunk from `-ROOM` up to `ROOM` may wait with its carries: two such chunks and a carry from below can be
/// added.
const ROOM: i128 = 1 << (2 * WIDTH - 3);

/// Adds a fraction with its sign, `place` bits above the lowest bit of the first chunk.
#[inline(always)]
pub(super) fn add<const N: usize>(chunks: &mut [i128; N], fraction: i64, place: u32) {
    let (index, shift) = ((place / WIDTH) as usize, place % WIDTH);
    // The fraction is shifted by halves, which takes less than to shift what lies in two registers.
    let low = fraction.cast_unsigned() << shift;
    let high = (fraction >> 1) >> (WIDTH - 1 - shift);
    let shifted = i128::from(high) << WIDTH | i128::from(low);
    let chunk = chunks[index].wrapping_add(shifted);
    chunks[index] = chunk;
    if is_full(chunk) {
        carry_from(chunks, index);
    }
}

/// Adds the chunks of another sum.
#[inline(always)]
pub(super) fn merge<const N: usize>(chunks: &mut [i128; N], others: &[i128; N]) {
    let mut any_full = false;
    for (chunk, other) in chunks.iter_mut().zip(others) {
        *chunk = chunk.wrapping_add(*other);
        any_full |= is_full(*chunk);
    }
    if any_full {
        carry_from(chunks, 0);
    }
}

/// The magnitude of a sum, and whether the sum is negative. The magnitude has chunks after all carries: all are
/// from 0 up, and all but the last are less than 2^64.
pub(super) fn magnitude<const N: usize>(chunks: &[i128; N]) -> ([i128; N], bool) {
    let carried = carried(chunks);
    let is_negative = carried[N - 1] < 0;
    match is_negative {
        true => (self::carried(&carried.map(i128::wrapping_neg)), true),
        false => (carried, false),
    }
}

/// The chunks after all carries. All but the last are from 0 up and less than 2^64, and no other chunks of the
/// same sum are.
pub(super) fn carried<const N: usize>(chunks: &[i128; N]) -> [i128; N] {
    let mut chunks = *chunks;
    carry_from(&mut chunks, 0);
    chunks
}

#[inline(always)]
fn is_full(chunk: i128) -> bool {
    chunk.wrapping_add(ROOM) >> (2 * WIDTH - 2) != 0
}

/// Lets carries go up from a chunk, and from those above it. Each keeps the lower half of its bits, as a number from 0 up; the
/// last one keeps all.
#[cold]
#[inline(never)]
fn carry_from<const N: usize>(chunks: &mut [i128; N], first: usize) {
    for index in first..N - 1 {
        let up = chunks[index] >> WIDTH;
        chunks[index] &= (1 << WIDTH) - 1;
        chunks[index + 1] = chunks[index + 1].wrapping_add(up);
    }
}
