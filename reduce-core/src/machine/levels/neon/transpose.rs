//! NEON: one piece per vector.

use std::arch::aarch64::{
    uint8x16_t, vqtbl1q_u8, vreinterpretq_u8_u16, vreinterpretq_u8_u32, vreinterpretq_u8_u64,
    vreinterpretq_u16_u8, vreinterpretq_u32_u8, vreinterpretq_u64_u8, vzip1q_u8, vzip1q_u16,
    vzip1q_u32, vzip1q_u64, vzip2q_u8, vzip2q_u16, vzip2q_u32, vzip2q_u64,
};

use crate::machine::bits::Bits;
use crate::machine::code::Work;
use crate::machine::level::neon::Proof;
use crate::machine::transpose::vectors::{PIECE, Vectors, piece};
use crate::machine::transpose::{Rectangle, Transposes, tiles};

impl Transposes for Proof {
    #[inline(always)]
    fn transpose<T: Bits>(self, block: &mut Rectangle<'_, T>) -> usize {
        tiles::transpose(self, block)
    }
}

impl Vectors for Proof {
    type Vector = uint8x16_t;
    const BYTES: usize = PIECE;

    fn run<W: Work>(self, work: W) {
        Proof::run(self, work);
    }

    #[inline(always)]
    unsafe fn load(self, first: *const u8, _step: usize) -> uint8x16_t {
        // SAFETY: *pieces*, which the caller keeps: the only one can be read.
        unsafe { piece(first) }
    }

    #[inline(always)]
    unsafe fn store(self, vector: uint8x16_t, target: *mut u8) {
        // SAFETY: *pieces*, which the caller keeps: a whole vector can be written there.
        unsafe { target.cast::<uint8x16_t>().write_unaligned(vector) };
    }

    #[inline(always)]
    fn interleave<const UNIT: usize>(
        self,
        a: uint8x16_t,
        b: uint8x16_t,
    ) -> (uint8x16_t, uint8x16_t) {
        // SAFETY: *level*: `self` proves NEON, which is all that this needs.
        unsafe { interleave::<UNIT>(a, b) }
    }

    #[inline(always)]
    fn shuffle(self, vector: uint8x16_t, order: &[u8; PIECE]) -> uint8x16_t {
        // SAFETY: *level*: `self` proves NEON, which is all that this needs.
        unsafe { shuffle(vector, order) }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn interleave<const UNIT: usize>(a: uint8x16_t, b: uint8x16_t) -> (uint8x16_t, uint8x16_t) {
    match UNIT {
        1 => (vzip1q_u8(a, b), vzip2q_u8(a, b)),
        2 => {
            let (a, b) = (vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b));
            (vreinterpretq_u8_u16(vzip1q_u16(a, b)), vreinterpretq_u8_u16(vzip2q_u16(a, b)))
        }
        4 => {
            let (a, b) = (vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b));
            (vreinterpretq_u8_u32(vzip1q_u32(a, b)), vreinterpretq_u8_u32(vzip2q_u32(a, b)))
        }
        8 => {
            let (a, b) = (vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b));
            (vreinterpretq_u8_u64(vzip1q_u64(a, b)), vreinterpretq_u8_u64(vzip2q_u64(a, b)))
        }
        _ => unreachable!("units have 1, 2, 4 or 8 bytes"),
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn shuffle(vector: uint8x16_t, order: &[u8; PIECE]) -> uint8x16_t {
    // SAFETY: *pieces*: the array has the sixteen bytes of one.
    vqtbl1q_u8(vector, unsafe { piece(order.as_ptr()) })
}
