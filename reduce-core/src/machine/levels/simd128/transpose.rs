//! WebAssembly: one piece per vector.

use std::arch::wasm32::{
    i8x16_shuffle, i8x16_swizzle, i16x8_shuffle, i32x4_shuffle, i64x2_shuffle, v128,
};

use crate::machine::bits::Bits;
use crate::machine::code::Work;
use crate::machine::level::simd128::Proof;
use crate::machine::transpose::vectors::{PIECE, Vectors, piece};
use crate::machine::transpose::{Rectangle, Transposes, tiles};

impl Transposes for Proof {
    #[inline(always)]
    fn transpose<T: Bits>(self, block: &mut Rectangle<'_, T>) -> usize {
        tiles::transpose(self, block)
    }
}

impl Vectors for Proof {
    type Vector = v128;
    const BYTES: usize = PIECE;

    fn run<W: Work>(self, work: W) {
        Proof::run(self, work);
    }

    #[inline(always)]
    unsafe fn load(self, first: *const u8, _step: usize) -> v128 {
        // SAFETY: *pieces*, which the caller keeps: the bytes lie within the block.
        unsafe { piece(first) }
    }

    #[inline(always)]
    unsafe fn store(self, vector: v128, target: *mut u8) {
        // SAFETY: *pieces*, which the caller keeps: the bytes lie within the block.
        unsafe { target.cast::<v128>().write_unaligned(vector) };
    }

    #[inline(always)]
    fn interleave<const UNIT: usize>(self, a: v128, b: v128) -> (v128, v128) {
        interleave::<UNIT>(a, b)
    }

    #[inline(always)]
    fn shuffle(self, vector: v128, order: &[u8; PIECE]) -> v128 {
        shuffle(vector, order)
    }
}

#[inline]
#[target_feature(enable = "simd128")]
fn interleave<const UNIT: usize>(a: v128, b: v128) -> (v128, v128) {
    match UNIT {
        1 => (
            i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
            i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
        ),
        2 => (
            i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b),
            i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b),
        ),
        4 => (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b)),
        8 => (i64x2_shuffle::<0, 2>(a, b), i64x2_shuffle::<1, 3>(a, b)),
        _ => unreachable!("units have 1, 2, 4 or 8 bytes"),
    }
}

#[inline]
#[target_feature(enable = "simd128")]
fn shuffle(vector: v128, order: &[u8; PIECE]) -> v128 {
    // SAFETY: *pieces*: the array has as many bytes.
    i8x16_swizzle(vector, unsafe { piece(order.as_ptr()) })
}
