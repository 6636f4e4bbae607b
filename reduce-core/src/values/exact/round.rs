//! The result: an integer divided and rounded.
//!
//! Integers are digits of 64 bits here, the lowest first. In front of the integer stands one more digit, 0, so that the quotient
//! has 64 bits behind its point:
//!
//! ```text
//! quotient = floor(integer * 2^64 / divisor)        by long division, from the highest digit down
//! ```
//!
//! The float takes the upper bits of the quotient, as many as it has, but none behind the point: the integer
//! counts the least subnormal numbers. Of the bits below, the upper one is worth a half. The others, and the
//! rest of the division, say whether there is more than that.
//!
//! The bits of a float follow one another as floats do, over all exponents. Take an integer `m * 2^k`, where
//! the fraction `m` includes the bit that is not stored, and let `s` bits be stored. The bits of its float are
//! `m + k * 2^s`. This holds for subnormal numbers, too, for which `k` is 0, and where rounding up led to the
//! next power of two.

#![allow(clippy::cast_possible_truncation, reason = "integers are cut into digits of 64 bits")]

use super::chunks::WIDTH;

/// Digits of the longest quotient: 33 chunks have 34, since the last has two, and one more stands in front.
const DIGITS: usize = 35;

/// The bits of the float nearest to an integer over a divisor, ties to even. The integer is that of chunks
/// after all carries, from 0 up. It counts the least numbers of a float that stores `stored` bits of its
/// fraction.
pub(super) fn rounded(magnitude: &[i128], divisor: u64, stored: u32) -> u64 {
    let mut digits = [0; DIGITS];
    for (place, chunk) in (1..).zip(magnitude) {
        let chunk = chunk.cast_unsigned();
        digits[place] = chunk as u64;
        digits[place + 1] = (chunk >> WIDTH) as u64;
    }
    let rest = divide(&mut digits, divisor);
    let Some(top) = digits.iter().rposition(|&digit| digit != 0) else { return 0 };
    let length = (top as u32 + 1) * WIDTH - digits[top].leading_zeros();
    let dropped = length.saturating_sub(stored + 1).max(WIDTH);
    let kept = digit_at(&digits, dropped);
    let below = digit_at(&digits, dropped - WIDTH);
    let (half, more) = (below >> (WIDTH - 1) != 0, below << 1 != 0 || rest != 0);
    let more = more || any_below(&digits, dropped - WIDTH);
    let up = half && (more || kept & 1 != 0);
    kept + (u64::from(dropped - WIDTH) << stored) + u64::from(up)
}

/// Divides digits, and gives the rest.
fn divide(digits: &mut [u64; DIGITS], divisor: u64) -> u64 {
    if divisor == 1 {
        return 0;
    }
    let divisor = u128::from(divisor);
    digits.iter_mut().rev().fold(0, |rest, digit| {
        let part = u128::from(rest) << WIDTH | u128::from(*digit);
        *digit = (part / divisor) as u64;
        (part % divisor) as u64
    })
}

/// The digit whose lowest bit is this one.
fn digit_at(digits: &[u64; DIGITS], bit: u32) -> u64 {
    let (place, shift) = ((bit / WIDTH) as usize, bit % WIDTH);
    let above = digits.get(place + 1).copied().unwrap_or(0);
    let both = u128::from(above) << WIDTH | u128::from(digits[place]);
    (both >> shift) as u64
}

/// Whether any bit below this one is 1.
fn any_below(digits: &[u64; DIGITS], bit: u32) -> bool {
    let (place, shift) = ((bit / WIDTH) as usize, bit % WIDTH);
    digits[..place].iter().any(|&digit| digit != 0) || digits[place] & ((1 << shift) - 1) != 0
}
