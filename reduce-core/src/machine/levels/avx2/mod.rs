//! AVX2: vectors of 32 bytes.

mod transpose;

use std::arch::x86_64::{
    __m128i, __m256, __m256i, _mm256_cmpgt_epi32, _mm256_cmpgt_epi64, _mm256_cvtph_ps,
    _mm256_maskload_epi32, _mm256_maskload_epi64, _mm256_set1_epi32, _mm256_set1_epi64x,
    _mm256_setr_epi32, _mm256_setr_epi64x,
};
use std::mem::MaybeUninit;

use half::f16;

use crate::machine::bits::Bits;
use crate::machine::code::{Code, TURNED, Work};
use crate::machine::half_bits::f16_to_f32;
use crate::machine::incomplete::{LoadsSome, stage_by};
use crate::machine::level::avx2::Proof;
use crate::machine::transpose::turn_by;

impl Code for Proof {
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
            // SAFETY: *level*: the proof is of F16C too.
            unsafe { widen_8(part, target) };
        }
        one_by_one(rest, target_rest);
        wide
    }

    #[inline(always)]
    fn stage<T: Bits>(self, values: &[T], step: &mut [MaybeUninit<T>]) -> bool {
        stage_by(self, values, step)
    }

    #[inline(always)]
    fn turn<T: Bits>(self, from: &[T; TURNED], to: &mut [T; TURNED]) {
        turn_by(self, from, to);
    }
}

/// Widens what is left where vectors of values end.
#[inline(always)]
pub(super) fn one_by_one(values: &[f16], wide: &mut [f32]) {
    for (wide, &value) in wide.iter_mut().zip(values) {
        *wide = f16_to_f32(value);
    }
}

#[inline]
#[target_feature(enable = "f16c")]
fn widen_8(values: &[f16; 8], target: &mut [f32; 8]) {
    // SAFETY: *bytes*: the sixteen of an array, and any are a vector.
    let narrow = unsafe { values.as_ptr().cast::<__m128i>().read_unaligned() };
    let wide = _mm256_cvtph_ps(narrow);
    // SAFETY: *bytes*: the thirty-two of an array, for which any are values.
    unsafe { target.as_mut_ptr().cast::<__m256>().write_unaligned(wide) };
}

impl LoadsSome for Proof {
    type Vector = __m256i;

    const LEAST: usize = 4;

    #[inline(always)]
    unsafe fn load(self, from: *const u8, count: usize, size: usize) -> __m256i {
        // SAFETY: *level*: `self` proves AVX2. The caller keeps that the elements are there.
        unsafe { load_256(from, count, size) }
    }
}

/// Loads the first `count` elements of a vector, of four or eight bytes each.
///
/// # Safety
/// *pieces*: the first `count` elements can be read.
#[inline]
#[target_feature(enable = "avx2")]
#[expect(clippy::cast_possible_wrap, reason = "a step has few lanes")]
#[expect(clippy::cast_possible_truncation, reason = "a step has few lanes")]
unsafe fn load_256(from: *const u8, count: usize, size: usize) -> __m256i {
    if size == 4 {
        let places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), places);
        // SAFETY: *pieces*, which the caller keeps for the first `count` elements: the mask leaves out all others,
        // which are not read.
        return unsafe { _mm256_maskload_epi32(from.cast(), mask) };
    }
    let places = _mm256_setr_epi64x(0, 1, 2, 3);
    let mask = _mm256_cmpgt_epi64(_mm256_set1_epi64x(count as i64), places);
    // SAFETY: *pieces*, which the caller keeps for the first `count` elements: the mask leaves out all others, which
    // are not read.
    unsafe { _mm256_maskload_epi64(from.cast(), mask) }
}
