//! What the levels do with instructions of their own: half-precision floats of some lanes are
//! widened to single precision, rows of lanes turned into columns, and incomplete steps read.

#![allow(unsafe_code, reason = "conversion instructions, loads and stores are unsafe")]

use super::bits::Bits;
use super::code::{Code, Simple, TURNED};
use super::transpose::turn_plainly;

impl Code for Simple {
    const VECTORS: bool = false;
    const REGISTERS: usize = 0;

    #[inline(always)]
    fn turn<T: Bits>(self, from: &[T; TURNED], to: &mut [T; TURNED]) {
        turn_plainly(from, to);
    }
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    use super::super::bits::Bits;
    use super::super::code::{Code, TURNED, Work};
    use super::super::level::neon;
    use super::super::transpose::turn_by;

    impl Code for neon::Proof {
        const VECTORS: bool = true;
        const REGISTERS: usize = 32 * 16;

        #[inline(always)]
        fn apart<W: Work>(self, work: W) {
            self.run_apart(work);
        }

        #[inline(always)]
        fn turn<T: Bits>(self, from: &[T; TURNED], to: &mut [T; TURNED]) {
            turn_by(self, from, to);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::mem::MaybeUninit;

    use std::arch::x86_64::{__m128i, __m256, __m256i, __m512, _mm256_cvtph_ps, _mm512_cvtph_ps};

    use half::f16;

    use super::super::bits::Bits;
    use super::super::code::{Code, TURNED, Work};
    use super::super::half_bits::f16_to_f32;
    use super::super::incomplete::x86::stage;
    use super::super::level::{avx2, avx512};
    use super::super::transpose::turn_by;

    impl Code for avx2::Proof {
        const VECTORS: bool = true;
        const REGISTERS: usize = 16 * 32;

        #[inline(always)]
        fn apart<W: Work>(self, work: W) {
            self.run_apart(work);
        }

        #[inline(always)]
        fn widen_f16<const L: usize>(self, values: &[f16; L]) -> [f32; L] {
            let mut wide = [0.0; L];
            let (parts, rest) = values.as_chunks::<8>();
            let (targets, target_rest) = wide.as_chunks_mut::<8>();
            for (target, part) in targets.iter_mut().zip(parts) {
                // SAFETY: the proof is of F16C too.
                unsafe { widen_8(part, target) };
            }
            one_by_one(rest, target_rest);
            wide
        }

        #[inline(always)]
        fn stage<T: Bits>(self, values: &[T], step: &mut [MaybeUninit<T>]) -> bool {
            stage(self, values, step)
        }

        #[inline(always)]
        fn turn<T: Bits>(self, from: &[T; TURNED], to: &mut [T; TURNED]) {
            turn_by(self, from, to);
        }
    }

    impl Code for avx512::Proof {
        const VECTORS: bool = true;
        const REGISTERS: usize = 32 * 64;

        #[inline(always)]
        fn apart<W: Work>(self, work: W) {
            self.run_apart(work);
        }

        #[inline(always)]
        fn widen_f16<const L: usize>(self, values: &[f16; L]) -> [f32; L] {
            let mut wide = [0.0; L];
            let (parts, rest) = values.as_chunks::<16>();
            let (targets, target_rest) = wide.as_chunks_mut::<16>();
            for (target, part) in targets.iter_mut().zip(parts) {
                // SAFETY: the proof is of AVX-512 F.
                unsafe { widen_16(part, target) };
            }
            one_by_one(rest, target_rest);
            wide
        }

        #[inline(always)]
        fn stage<T: Bits>(self, values: &[T], step: &mut [MaybeUninit<T>]) -> bool {
            stage(self, values, step)
        }

        /// By AVX2's vectors, which the rows fill.
        #[inline(always)]
        fn turn<T: Bits>(self, from: &[T; TURNED], to: &mut [T; TURNED]) {
            turn_by(avx2::Proof::from(self), from, to);
        }
    }

    #[inline(always)]
    fn one_by_one(values: &[f16], wide: &mut [f32]) {
        for (wide, &value) in wide.iter_mut().zip(values) {
            *wide = f16_to_f32(value);
        }
    }

    #[inline]
    #[target_feature(enable = "f16c")]
    fn widen_8(values: &[f16; 8], target: &mut [f32; 8]) {
        // SAFETY: 16 bytes of an array; every pattern of bits is a vector.
        let narrow = unsafe { values.as_ptr().cast::<__m128i>().read_unaligned() };
        let wide = _mm256_cvtph_ps(narrow);
        // SAFETY: 32 bytes of an array, for any pattern of bits.
        unsafe { target.as_mut_ptr().cast::<__m256>().write_unaligned(wide) };
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn widen_16(values: &[f16; 16], target: &mut [f32; 16]) {
        // SAFETY: 32 bytes of an array; every pattern of bits is a vector.
        let narrow = unsafe { values.as_ptr().cast::<__m256i>().read_unaligned() };
        let wide = _mm512_cvtph_ps(narrow);
        // SAFETY: 64 bytes of an array, for any pattern of bits.
        unsafe { target.as_mut_ptr().cast::<__m512>().write_unaligned(wide) };
    }
}
