//! AVX-512: vectors of 64 bytes.

mod transpose;

use std::arch::x86_64::{
    __m256i, __m512, __m512i, _mm512_cvtph_ps, _mm512_maskz_loadu_epi8, _mm512_maskz_loadu_epi16,
    _mm512_maskz_loadu_epi32, _mm512_maskz_loadu_epi64,
};
use std::mem::MaybeUninit;

use half::f16;

use super::avx2::one_by_one;
use crate::machine::bits::Bits;
use crate::machine::code::{Code, TURNED, Work};
use crate::machine::incomplete::{LoadsSome, stage_by};
use crate::machine::level::avx512::Proof;
use crate::machine::transpose::turn_by;

impl Code for Proof {
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
            // SAFETY: *level*: the proof is of AVX-512 F.
            unsafe { widen_16(part, target) };
        }
        one_by_one(rest, target_rest);
        wide
    }

    #[inline(always)]
    fn stage<T: Bits>(self, values: &[T], step: &mut [MaybeUninit<T>]) -> bool {
        stage_by(self, values, step)
    }

    /// Turns by AVX2's vectors, which the rows fill.
    #[inline(always)]
    fn turn<T: Bits>(self, from: &[T; TURNED], to: &mut [T; TURNED]) {
        turn_by(self.narrow(), from, to);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn widen_16(values: &[f16; 16], target: &mut [f32; 16]) {
    // SAFETY: *bytes*: the thirty-two of an array, and any are a vector.
    let narrow = unsafe { values.as_ptr().cast::<__m256i>().read_unaligned() };
    let wide = _mm512_cvtph_ps(narrow);
    // SAFETY: *bytes*: the sixty-four of an array, for which any are values.
    unsafe { target.as_mut_ptr().cast::<__m512>().write_unaligned(wide) };
}

impl LoadsSome for Proof {
    type Vector = __m512i;

    const LEAST: usize = 1;

    #[inline(always)]
    unsafe fn load(self, from: *const u8, count: usize, size: usize) -> __m512i {
        // SAFETY: *level*: `self` proves AVX-512 F and BW. The caller keeps that the elements are there.
        unsafe { load_512(from, up_to(count), size) }
    }
}

/// The lowest `bits` bits, or all.
#[inline(always)]
fn up_to(bits: usize) -> u64 {
    if bits < 64 { (1 << bits) - 1 } else { u64::MAX }
}

/// Loads those elements of a vector that have a bit in `some`, of `size` bytes each.
///
/// # Safety
/// *pieces*: those elements can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
#[expect(clippy::cast_possible_truncation, reason = "a vector has no more elements")]
unsafe fn load_512(from: *const u8, some: u64, size: usize) -> __m512i {
    match size {
        // SAFETY: *pieces*, which the caller keeps for elements that have a bit in `some`: no other is read.
        1 => unsafe { _mm512_maskz_loadu_epi8(some, from.cast()) },
        // SAFETY: *pieces*, as above, for elements of two bytes.
        2 => unsafe { _mm512_maskz_loadu_epi16(some as u32, from.cast()) },
        // SAFETY: *pieces*, as above, for elements of four bytes.
        4 => unsafe { _mm512_maskz_loadu_epi32(some as u16, from.cast()) },
        // SAFETY: *pieces*, as above, for elements of eight bytes.
        _ => unsafe { _mm512_maskz_loadu_epi64(some as u8, from.cast()) },
    }
}
