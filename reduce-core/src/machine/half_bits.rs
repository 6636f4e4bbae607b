//! Half-precision floats widened and rounded without branches, so that a loop over lanes
//! vectorises at every CPU level.

use half::{bf16, f16};

/// A bf16 is the upper half of the f32 of the same value.
#[inline(always)]
pub(crate) fn bf16_to_f32(x: bf16) -> f32 {
    f32::from_bits(u32::from(x.to_bits()) << 16)
}

/// Widens a binary16 exactly; a NaN stays a NaN.
///
/// Exponent and fraction move to their place in an f32 by a shift. The exponent
/// bias differs by 112, which a multiplication by 2^112 corrects; it also
/// normalises subnormals, since the f32 product is exact. An exponent of all
/// ones (infinity, NaN) is set to all ones afterwards.
#[inline(always)]
pub(crate) fn f16_to_f32(x: f16) -> f32 {
    const MAGNITUDE: u32 = 0x7fff;
    const FIRST_INFINITE: u32 = 0x7c00;
    const F32_EXPONENT: u32 = 0x7f80_0000;
    const TWO_POW_112: f32 = f32::from_bits((127 + 112) << 23);
    let bits = u32::from(x.to_bits());
    let magnitude = bits & MAGNITUDE;
    let finite = (f32::from_bits(magnitude << 13) * TWO_POW_112).to_bits();
    let special = (magnitude << 13) | F32_EXPONENT;
    let widened = if magnitude >= FIRST_INFINITE { special } else { finite };
    f32::from_bits(widened | ((bits & !MAGNITUDE) << 16))
}

/// Rounds to the nearest binary16, or to the even one of two; a NaN stays a NaN, and is quiet.
///
/// The exponent bias differs by 112, which an addition to the exponent corrects. To round, half of the last bit
/// that is kept is added, or one less if that bit is 0. The sum may carry into the exponent, up to infinity. A
/// result below the smallest normal number is rounded by the CPU. Its last bit is worth 2^-24, and it is added
/// to a number whose last bit is worth as much.
#[inline(always)]
pub(crate) fn f32_to_f16(x: f32) -> f16 {
    const SIGN: u32 = 1 << 31;
    const SMALLEST_NORMAL: u32 = (127 - 14) << 23;
    const FIRST_INFINITE: u32 = (127 + 16) << 23;
    const F32_INFINITE: u32 = 0x7f80_0000;
    const REBIAS: u32 = 112 << 23;
    const HALF: f32 = 0.5;
    let bits = x.to_bits();
    let magnitude = bits & !SIGN;
    let bounded = magnitude.min(FIRST_INFINITE);
    let to_even = 0xfff + ((bounded >> 13) & 1);
    let normal = bounded.wrapping_sub(REBIAS).wrapping_add(to_even) >> 13;
    let subnormal = (f32::from_bits(magnitude) + HALF).to_bits().wrapping_sub(HALF.to_bits());
    let nan = 0x7e00 | ((magnitude >> 13) & 0x3ff);
    // Masks select: of two values that take several steps, the compiler would compute one, and branch.
    let is_subnormal = 0u32.wrapping_sub(u32::from(magnitude < SMALLEST_NORMAL));
    let is_nan = 0u32.wrapping_sub(u32::from(magnitude > F32_INFINITE));
    let rounded = (subnormal & is_subnormal) | (normal & !is_subnormal) | (nan & is_nan);
    #[allow(clippy::cast_possible_truncation, reason = "at most 15 bits and the sign")]
    let rounded = (rounded | ((bits & SIGN) >> 16)) as u16;
    f16::from_bits(rounded)
}

/// Rounds to the nearest bf16, or to the even one of two; a NaN stays a NaN, and is quiet. This is done as in
/// [`f32_to_f16`], with one bias and no smaller range.
#[inline(always)]
pub(crate) fn f32_to_bf16(x: f32) -> bf16 {
    const F32_INFINITE: u32 = 0x7f80_0000;
    const QUIET: u32 = 0x40;
    let bits = x.to_bits();
    let to_even = 0x7fff + ((bits >> 16) & 1);
    let finite = bits.wrapping_add(to_even) >> 16;
    let is_nan = 0u32.wrapping_sub(u32::from(bits & (u32::MAX >> 1) > F32_INFINITE));
    let rounded = (finite & !is_nan) | ((bits >> 16 | QUIET) & is_nan);
    #[allow(clippy::cast_possible_truncation, reason = "the upper half")]
    bf16::from_bits(rounded as u16)
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    #[test]
    fn every_single_rounds_to_the_same_half() {
        // All that is kept and the next bit, with what may follow it.
        for high in 0..=u32::MAX >> 12 {
            for low in [0, 1, 0x7ff, 0x800, 0x801, 0xffe, 0xfff] {
                let wide = f32::from_bits(high << 12 | low);
                let (got, expected) = (super::f32_to_f16(wide), f16::from_f32_const(wide));
                assert_eq!(got.to_bits(), expected.to_bits(), "f32 {wide:e} {:#x}", wide.to_bits());
            }
        }
        for high in 0..=u32::MAX >> 15 {
            for low in [0, 1, 0x3fff, 0x4000, 0x4001, 0x7fff] {
                let wide = f32::from_bits(high << 15 | low);
                let (got, expected) = (super::f32_to_bf16(wide), bf16::from_f32_const(wide));
                assert_eq!(got.to_bits(), expected.to_bits(), "f32 {wide:e} {:#x}", wide.to_bits());
            }
        }
    }

    #[test]
    fn every_half_widens_to_the_same_value() {
        for bits in 0..=u16::MAX {
            let narrow = f16::from_bits(bits);
            let wide = super::f16_to_f32(narrow);
            assert!(same(wide, narrow.to_f32()), "f16 {bits:#06x}");
            let narrow = bf16::from_bits(bits);
            let wide = super::bf16_to_f32(narrow);
            assert!(same(wide, narrow.to_f32()), "bf16 {bits:#06x}");
        }
    }

    fn same(a: f32, b: f32) -> bool {
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
    }
}
