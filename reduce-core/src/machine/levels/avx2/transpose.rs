//! AVX2: two pieces per vector.

use std::arch::x86_64::{
    __m256i, _mm256_blendv_epi8, _mm256_broadcastsi128_si256, _mm256_castps_si256,
    _mm256_castsi128_si256, _mm256_castsi256_ps, _mm256_inserti128_si256, _mm256_permute4x64_epi64,
    _mm256_permutevar8x32_epi32, _mm256_setr_epi32, _mm256_shuffle_epi8, _mm256_shuffle_ps,
    _mm256_unpackhi_epi8, _mm256_unpackhi_epi16, _mm256_unpackhi_epi32, _mm256_unpackhi_epi64,
    _mm256_unpacklo_epi8, _mm256_unpacklo_epi16, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64,
};

use crate::machine::bits::Bits;
use crate::machine::code::Work;
use crate::machine::level::avx2::Proof;
use crate::machine::transpose::dense::{self, MOST_BYTES, Whole};
use crate::machine::transpose::vectors::{PIECE, Vectors, piece};
use crate::machine::transpose::{Rectangle, Transposes, tiles};

impl Transposes for Proof {
    #[inline(always)]
    fn transpose<T: Bits>(self, block: &mut Rectangle<'_, T>) -> usize {
        match dense::transpose(self, block) {
            0 => tiles::transpose(self, block),
            done => done,
        }
    }
}

impl Vectors for Proof {
    type Vector = __m256i;
    const BYTES: usize = 2 * PIECE;

    fn run<W: Work>(self, work: W) {
        Proof::run(self, work);
    }

    #[inline(always)]
    unsafe fn load(self, first: *const u8, step: usize) -> __m256i {
        // SAFETY: *level*: `self` proves AVX2. *pieces*: the caller keeps that both can be read.
        unsafe { load(first, step) }
    }

    #[inline(always)]
    unsafe fn store(self, vector: __m256i, target: *mut u8) {
        // SAFETY: *pieces*, which the caller keeps: a whole vector can be written there.
        unsafe { target.cast::<__m256i>().write_unaligned(vector) };
    }

    #[inline(always)]
    fn interleave<const UNIT: usize>(self, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        // SAFETY: *level*: `self` proves AVX2, which is all that this needs.
        unsafe { interleave::<UNIT>(a, b) }
    }

    #[inline(always)]
    fn shuffle(self, vector: __m256i, order: &[u8; PIECE]) -> __m256i {
        // SAFETY: *level*: `self` proves AVX2, which is all that this needs.
        unsafe { shuffle(vector, order) }
    }
}

impl Whole for Proof {
    const LEAST: usize = 4;
    const MOST: usize = 4;

    #[inline(always)]
    unsafe fn load_whole(self, source: *const u8) -> __m256i {
        // SAFETY: *pieces*, which the caller keeps: a whole vector can be read. *bytes*: any are one.
        unsafe { source.cast::<__m256i>().read_unaligned() }
    }

    #[inline(always)]
    fn halves<const SIZE: usize>(self, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        // SAFETY: *level*: `self` proves AVX2, which is all that this needs.
        unsafe { halves::<SIZE>(a, b) }
    }

    #[inline(always)]
    fn replace<const SIZE: usize>(self, a: __m256i, b: __m256i, mask: u32) -> __m256i {
        // SAFETY: *level*: `self` proves AVX2, which is all that this needs.
        unsafe { replace::<SIZE>(a, b, mask) }
    }

    #[inline(always)]
    fn permute<const SIZE: usize>(self, a: __m256i, order: &[u8; MOST_BYTES]) -> __m256i {
        // SAFETY: *pieces*: the array has twice as many bytes as a vector.
        let order = unsafe { self.load_whole(order.as_ptr()) };
        // SAFETY: *level*: `self` proves AVX2, which is all that this needs.
        unsafe { permute(a, order) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn halves<const SIZE: usize>(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    let (even, odd) = match SIZE {
        4 => {
            let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
            let (even, odd) = (
                _mm256_shuffle_ps::<0b10_00_10_00>(a, b),
                _mm256_shuffle_ps::<0b11_01_11_01>(a, b),
            );
            (_mm256_castps_si256(even), _mm256_castps_si256(odd))
        }
        8 => (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)),
        _ => unreachable!("elements have 4 or 8 bytes"),
    };
    // Within each lane, those of `b` follow those of `a`.
    let order = |vector| _mm256_permute4x64_epi64::<0b11_01_10_00>(vector);
    (order(even), order(odd))
}

/// With a mask that the compiler knows, a single instruction.
#[inline]
#[target_feature(enable = "avx2")]
fn replace<const SIZE: usize>(a: __m256i, b: __m256i, mask: u32) -> __m256i {
    let mut words = [0i32; 8];
    for (word, place) in words.iter_mut().zip(0..) {
        if mask >> (4 * place / SIZE) & 1 == 1 {
            *word = -1;
        }
    }
    let [s, t, u, v, w, x, y, z] = words;
    _mm256_blendv_epi8(a, b, _mm256_setr_epi32(s, t, u, v, w, x, y, z))
}

#[inline]
#[target_feature(enable = "avx2")]
fn permute(a: __m256i, order: __m256i) -> __m256i {
    _mm256_permutevar8x32_epi32(a, order)
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load(first: *const u8, step: usize) -> __m256i {
    // SAFETY: *pieces*, which the caller keeps: the first of the two can be read.
    let lower = unsafe { piece(first) };
    // SAFETY: *pieces*, which the caller keeps: the second lies `step` bytes further on.
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
    // SAFETY: *pieces*: the array has the sixteen bytes of one.
    let order = unsafe { piece(order.as_ptr()) };
    _mm256_shuffle_epi8(vector, _mm256_broadcastsi128_si256(order))
}
