//! AVX-512: four pieces per vector.

use std::arch::x86_64::{
    __m512i, _mm512_broadcast_i32x4, _mm512_castsi128_si512, _mm512_inserti32x4,
    _mm512_mask_mov_epi16, _mm512_mask_mov_epi32, _mm512_mask_mov_epi64, _mm512_permutex2var_epi16,
    _mm512_permutex2var_epi32, _mm512_permutex2var_epi64, _mm512_permutexvar_epi16,
    _mm512_permutexvar_epi32, _mm512_permutexvar_epi64, _mm512_shuffle_epi8, _mm512_unpackhi_epi8,
    _mm512_unpackhi_epi16, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi8,
    _mm512_unpacklo_epi16, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
};

use crate::machine::bits::Bits;
use crate::machine::code::Work;
use crate::machine::level::avx512::Proof;
use crate::machine::transpose::dense::{self, MOST_BYTES, Whole};
use crate::machine::transpose::vectors::{PIECE, Vectors, piece};
use crate::machine::transpose::{Rectangle, Transposes, tiles};

impl Transposes for Proof {
    #[inline(always)]
    fn transpose<T: Bits>(self, block: &mut Rectangle<'_, T>) -> usize {
        let done = match block.columns() {
            0..=8 => dense::transpose(self, block),
            // With more columns, 64 bytes at a time come slower from memory than 32.
            _ => dense::transpose(self.narrow(), block),
        };
        match done {
            0 if prefers_narrow(block) => tiles::transpose(self.narrow(), block),
            0 => tiles::transpose(self, block),
            _ => done,
        }
    }
}

/// Whether AVX2's vectors are as good as wider ones, or better. They hold two rows' pieces and not four, and to
/// bring pieces together takes more than what is then done with them. It was measured on Zen 4: with elements
/// of 4 bytes, rows of 8 to 24 are read 10 to 17 % faster. Elements of 8 bytes gain a quarter or more in rows
/// from memory that are longer than a line. They lose in shorter ones, and so do the shortest rows, which share
/// a piece.
fn prefers_narrow<T>(block: &Rectangle<'_, T>) -> bool {
    match size_of::<T>() {
        4 => tiles::rows_per_piece(block) == 1,
        8 => block.columns() > 8,
        _ => false,
    }
}

impl Vectors for Proof {
    type Vector = __m512i;
    const BYTES: usize = 4 * PIECE;

    fn run<W: Work>(self, work: W) {
        Proof::run(self, work);
    }

    #[inline(always)]
    unsafe fn load(self, first: *const u8, step: usize) -> __m512i {
        // SAFETY: *level*: `self` proves AVX-512 F. *pieces*: the caller keeps that all four can be read.
        unsafe { load(first, step) }
    }

    #[inline(always)]
    unsafe fn store(self, vector: __m512i, target: *mut u8) {
        // SAFETY: *pieces*, which the caller keeps: a whole vector can be written there.
        unsafe { target.cast::<__m512i>().write_unaligned(vector) };
    }

    #[inline(always)]
    fn interleave<const UNIT: usize>(self, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        // SAFETY: *level*: `self` proves AVX-512 F and BW.
        unsafe { interleave::<UNIT>(a, b) }
    }

    #[inline(always)]
    fn shuffle(self, vector: __m512i, order: &[u8; PIECE]) -> __m512i {
        // SAFETY: *level*: `self` proves AVX-512 F and BW.
        unsafe { shuffle(vector, order) }
    }
}

impl Whole for Proof {
    const LEAST: usize = 2;
    const MOST: usize = 8;

    #[inline(always)]
    unsafe fn load_whole(self, source: *const u8) -> __m512i {
        // SAFETY: *pieces*, which the caller keeps: a whole vector can be read. *bytes*: any are one.
        unsafe { source.cast::<__m512i>().read_unaligned() }
    }

    #[inline(always)]
    fn halves<const SIZE: usize>(self, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        // SAFETY: *pieces*: the array has as many bytes as a vector.
        let even = unsafe { self.load_whole(Halves::<SIZE>::ORDERS[0].as_ptr()) };
        // SAFETY: *pieces*: the array has as many bytes as a vector.
        let odd = unsafe { self.load_whole(Halves::<SIZE>::ORDERS[1].as_ptr()) };
        // SAFETY: *level*: `self` proves AVX-512 F and BW.
        let even = unsafe { pick::<SIZE>(a, b, even) };
        // SAFETY: *level*: `self` proves AVX-512 F and BW.
        (even, unsafe { pick::<SIZE>(a, b, odd) })
    }

    #[inline(always)]
    fn replace<const SIZE: usize>(self, a: __m512i, b: __m512i, mask: u32) -> __m512i {
        // SAFETY: *level*: `self` proves AVX-512 F and BW.
        unsafe { replace::<SIZE>(a, b, mask) }
    }

    #[inline(always)]
    fn permute<const SIZE: usize>(self, a: __m512i, order: &[u8; MOST_BYTES]) -> __m512i {
        // SAFETY: *pieces*: the array has as many bytes as a vector.
        let order = unsafe { self.load_whole(order.as_ptr()) };
        // SAFETY: *level*: `self` proves AVX-512 F and BW.
        unsafe { permute::<SIZE>(a, order) }
    }
}

/// The elements of two vectors with an even number, and the others.
struct Halves<const SIZE: usize>;

impl<const SIZE: usize> Halves<SIZE> {
    const ORDERS: [[u8; MOST_BYTES]; 2] = {
        let mut orders = [[0; MOST_BYTES]; 2];
        let mut number = 0;
        while number < 2 * (MOST_BYTES / SIZE) {
            // Numbers are below 256: their other bytes are 0.
            orders[number % 2][number / 2 * SIZE] = number.to_le_bytes()[0];
            number += 1;
        }
        orders
    };
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn permute<const SIZE: usize>(a: __m512i, order: __m512i) -> __m512i {
    match SIZE {
        2 => _mm512_permutexvar_epi16(order, a),
        4 => _mm512_permutexvar_epi32(order, a),
        8 => _mm512_permutexvar_epi64(order, a),
        _ => unreachable!("elements have 2, 4 or 8 bytes"),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
#[allow(clippy::cast_possible_truncation, reason = "as many bits as elements")]
fn replace<const SIZE: usize>(a: __m512i, b: __m512i, mask: u32) -> __m512i {
    match SIZE {
        2 => _mm512_mask_mov_epi16(a, mask, b),
        4 => _mm512_mask_mov_epi32(a, mask as u16, b),
        8 => _mm512_mask_mov_epi64(a, mask as u8, b),
        _ => unreachable!("elements have 2, 4 or 8 bytes"),
    }
}

/// Elements out of two vectors: those that `order` names, by numbers as wide as elements; `b`'s
/// are counted on from `a`'s.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn pick<const SIZE: usize>(a: __m512i, b: __m512i, order: __m512i) -> __m512i {
    match SIZE {
        2 => _mm512_permutex2var_epi16(a, order, b),
        4 => _mm512_permutex2var_epi32(a, order, b),
        8 => _mm512_permutex2var_epi64(a, order, b),
        _ => unreachable!("elements have 2, 4 or 8 bytes"),
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn load(first: *const u8, step: usize) -> __m512i {
    // SAFETY: *pieces*, which the caller keeps: the first of the four can be read.
    let vector = _mm512_castsi128_si512(unsafe { piece(first) });
    // SAFETY: *pieces*, which the caller keeps: the second lies `step` bytes further on.
    let vector = _mm512_inserti32x4::<1>(vector, unsafe { piece(first.wrapping_add(step)) });
    // SAFETY: *pieces*, which the caller keeps: the third lies two steps further on.
    let vector = _mm512_inserti32x4::<2>(vector, unsafe { piece(first.wrapping_add(2 * step)) });
    // SAFETY: *pieces*, which the caller keeps: the fourth lies three steps further on.
    _mm512_inserti32x4::<3>(vector, unsafe { piece(first.wrapping_add(3 * step)) })
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn interleave<const UNIT: usize>(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    match UNIT {
        1 => (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)),
        2 => (_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)),
        4 => (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b)),
        8 => (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)),
        _ => unreachable!("units have 1, 2, 4 or 8 bytes"),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn shuffle(vector: __m512i, order: &[u8; PIECE]) -> __m512i {
    // SAFETY: *pieces*: the array has the sixteen bytes of one.
    let order = unsafe { piece(order.as_ptr()) };
    _mm512_shuffle_epi8(vector, _mm512_broadcast_i32x4(order))
}
