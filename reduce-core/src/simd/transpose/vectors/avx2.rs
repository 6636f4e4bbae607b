//! AVX2: two pieces per vector.

use std::arch::x86_64::{
    __m256i, _mm256_broadcastsi128_si256, _mm256_castsi128_si256, _mm256_inserti128_si256,
    _mm256_shuffle_epi8, _mm256_unpackhi_epi8, _mm256_unpackhi_epi16, _mm256_unpackhi_epi32,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi8, _mm256_unpacklo_epi16, _mm256_unpacklo_epi32,
    _mm256_unpacklo_epi64,
};

use super::{PIECE, Vectors, piece};
use crate::level::{Work, avx2::Proof};

impl Vectors for Proof {
    type Vector = __m256i;
    const BYTES: usize = 2 * PIECE;

    fn run<W: Work>(self, work: W) {
        Proof::run(self, work);
    }

    #[inline(always)]
    unsafe fn load(self, first: *const u8, step: usize) -> __m256i {
        // SAFETY: the caller's; `self` proves AVX2.
        unsafe { load(first, step) }
    }

    #[inline(always)]
    unsafe fn store(self, vector: __m256i, target: *mut u8) {
        // SAFETY: the caller's.
        unsafe { target.cast::<__m256i>().write_unaligned(vector) };
    }

    #[inline(always)]
    fn interleave<const UNIT: usize>(self, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        // SAFETY: `self` proves AVX2.
        unsafe { interleave::<UNIT>(a, b) }
    }

    #[inline(always)]
    fn shuffle(self, vector: __m256i, order: &[u8; PIECE]) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { shuffle(vector, order) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load(first: *const u8, step: usize) -> __m256i {
    // SAFETY: the caller's.
    let lower = unsafe { piece(first) };
    // SAFETY: the caller's.
    let upper = unsafe { piece(first.wrapping_add(step)) };
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(lower), upper)
}

#[inline]
#[target_feature(enable = "avx2")]
fn interleave<const UNIT: usize>(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    match UNIT {
        1 => (_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)),
        2 => (_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)),
        4 => (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)),
        8 => (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)),
        _ => unreachable!("units have 1, 2, 4 or 8 bytes"),
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn shuffle(vector: __m256i, order: &[u8; PIECE]) -> __m256i {
    // SAFETY: an array of as many bytes.
    let order = unsafe { piece(order.as_ptr()) };
    _mm256_shuffle_epi8(vector, _mm256_broadcastsi128_si256(order))
}
