//! Half-precision floats widened without branches, so that a lane loop
//! vectorises at every CPU level.

use half::{bf16, f16};

/// A bf16 is the upper half of the f32 of the same value.
#[inline(always)]
pub(super) fn bf16_to_f32(x: bf16) -> f32 {
    f32::from_bits(u32::from(x.to_bits()) << 16)
}

/// Widens a binary16 exactly; a NaN stays a NaN.
///
/// Exponent and fraction move to their place in an f32 by a shift. The exponent
/// bias differs by 112, which a multiplication by 2^112 corrects; it also
/// normalises subnormals, since the f32 product is exact. An exponent of all
/// ones (infinity, NaN) is set to all ones afterwards.
#[inline(always)]
pub(super) fn f16_to_f32(x: f16) -> f32 {
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

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

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
