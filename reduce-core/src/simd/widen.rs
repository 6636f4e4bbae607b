//! Blocks of half-precision floats, widened to single precision.
//!
//! The same values as by [`Load`], which reads a single element without the
//! conversion instructions of x86-64. A NaN stays a NaN; which one depends on the
//! level.

#![allow(unsafe_code, reason = "conversion instructions, loads and stores are unsafe")]

use half::{bf16, f16};

use crate::element::Load;
use crate::level::{Available, Work};

/// Widens a block to one of the same length.
///
/// # Panics
/// If the lengths differ.
pub(crate) fn widen_f16(level: Available, src: &[f16], out: &mut [f32]) {
    assert_eq!(src.len(), out.len(), "a block is widened to one of the same length");
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = crate::level::avx512::Proof::of(level) {
        return avx512.run(x86::ByAvx512(avx512, src, out));
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = crate::level::avx2::Proof::of(level) {
        return avx2.run(x86::ByAvx2(avx2, src, out));
    }
    level.run(OneByOne(src, out));
}

/// Widens a block to one of the same length.
///
/// # Panics
/// If the lengths differ.
pub(crate) fn widen_bf16(level: Available, src: &[bf16], out: &mut [f32]) {
    assert_eq!(src.len(), out.len(), "a block is widened to one of the same length");
    level.run(OneByOne(src, out));
}

struct OneByOne<'a, T>(&'a [T], &'a mut [f32]);

impl<T: Load<f32>> Work for OneByOne<'_, T> {
    #[inline(always)]
    fn run(self) {
        for (wide, &narrow) in self.1.iter_mut().zip(self.0) {
            *wide = narrow.load();
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m128i, __m256, __m256i, __m512, _mm256_cvtph_ps, _mm512_cvtph_ps};

    use half::f16;

    use super::OneByOne;
    use crate::level::{Work, avx2, avx512};

    pub(super) struct ByAvx2<'a>(pub avx2::Proof, pub &'a [f16], pub &'a mut [f32]);

    impl Work for ByAvx2<'_> {
        #[inline(always)]
        fn run(self) {
            let (blocks, rest) = self.1.as_chunks::<8>();
            let (targets, rest_target) = self.2.as_chunks_mut::<8>();
            for (target, block) in targets.iter_mut().zip(blocks) {
                // SAFETY: the proof is of F16C too.
                unsafe { widen_8(block, target) };
            }
            OneByOne(rest, rest_target).run();
        }
    }

    #[inline]
    #[target_feature(enable = "f16c")]
    fn widen_8(block: &[f16; 8], target: &mut [f32; 8]) {
        // SAFETY: 16 bytes of an array; every pattern of bits is a vector.
        let narrow = unsafe { block.as_ptr().cast::<__m128i>().read_unaligned() };
        let wide = _mm256_cvtph_ps(narrow);
        // SAFETY: 32 bytes of an array, for any pattern of bits.
        unsafe { target.as_mut_ptr().cast::<__m256>().write_unaligned(wide) };
    }

    pub(super) struct ByAvx512<'a>(pub avx512::Proof, pub &'a [f16], pub &'a mut [f32]);

    impl Work for ByAvx512<'_> {
        #[inline(always)]
        fn run(self) {
            let (blocks, rest) = self.1.as_chunks::<16>();
            let (targets, rest_target) = self.2.as_chunks_mut::<16>();
            for (target, block) in targets.iter_mut().zip(blocks) {
                // SAFETY: the proof is of AVX-512 F.
                unsafe { widen_16(block, target) };
            }
            OneByOne(rest, rest_target).run();
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn widen_16(block: &[f16; 16], target: &mut [f32; 16]) {
        // SAFETY: 32 bytes of an array; every pattern of bits is a vector.
        let narrow = unsafe { block.as_ptr().cast::<__m256i>().read_unaligned() };
        let wide = _mm512_cvtph_ps(narrow);
        // SAFETY: 64 bytes of an array, for any pattern of bits.
        unsafe { target.as_mut_ptr().cast::<__m512>().write_unaligned(wide) };
    }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::{widen_bf16, widen_f16};
    use crate::element::Load;
    use crate::level::{Available, Level};

    /// Widens all 65536 patterns in blocks of a length.
    fn check<T: Load<f32>>(
        widen: fn(Available, &[T], &mut [f32]),
        from_bits: fn(u16) -> T,
        len: usize,
    ) {
        let all: Vec<T> = (0..=u16::MAX).map(from_bits).collect();
        for level in Level::available() {
            let available = level.check().expect("available");
            let mut wide = vec![-1.0; all.len()];
            for (block, target) in all.chunks(len).zip(wide.chunks_mut(len)) {
                widen(available, block, target);
            }
            for (&narrow, wide) in all.iter().zip(wide) {
                let expected = narrow.load();
                let same = wide.to_bits() == expected.to_bits();
                assert!(same || wide.is_nan() && expected.is_nan(), "{level}: {narrow:?}");
            }
        }
    }

    #[test]
    fn every_half_widens_in_blocks_of_any_length() {
        for len in [1, 7, 8, 15, 16, 17, 31, 65, 1023, 65536] {
            check(widen_f16, f16::from_bits, len);
            check(widen_bf16, bf16::from_bits, len);
        }
    }
}
