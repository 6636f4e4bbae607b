//! The vectors of a level, and the few instructions that transposition needs.

#![allow(unsafe_code, reason = "vector instructions, loads and stores are unsafe")]

use crate::machine::code::Work;

/// Bytes of a piece: those of a 128-bit lane.
pub(in crate::machine) const PIECE: usize = 16;

/// The vectors of a level; implemented by the proof that the CPU has it.
pub(in crate::machine) trait Vectors: Copy {
    /// Bytes in one or more 128-bit lanes.
    type Vector: Copy;

    /// Bytes of a vector.
    const BYTES: usize;

    /// Does the work with the instructions of the level.
    fn run<W: Work>(self, work: W);

    /// One piece per lane, `step` bytes apart.
    ///
    /// # Safety
    /// *pieces*: all of them can be read.
    unsafe fn load(self, first: *const u8, step: usize) -> Self::Vector;

    /// Writes a whole vector.
    ///
    /// # Safety
    /// *pieces*: a whole vector can be written there.
    unsafe fn store(self, vector: Self::Vector, target: *mut u8);

    /// In each lane: the lower halves of `a` and `b`, then their upper halves,
    /// units of `UNIT` bytes alternating.
    fn interleave<const UNIT: usize>(
        self,
        a: Self::Vector,
        b: Self::Vector,
    ) -> (Self::Vector, Self::Vector);

    /// In each lane: the bytes that `order` names. One that is not below
    /// [`PIECE`] names any byte.
    fn shuffle(self, vector: Self::Vector, order: &[u8; PIECE]) -> Self::Vector;
}

/// The 16 bytes at a place, as a vector of 128 bits.
///
/// # Safety
/// *pieces*: sixteen bytes can be read.
#[inline(always)]
pub(in crate::machine) unsafe fn piece<P: Copy>(place: *const u8) -> P {
    const { assert!(size_of::<P>() == PIECE) };
    // SAFETY: *pieces*, which the caller keeps: the sixteen bytes can be read. *bytes*: any are a vector.
    unsafe { place.cast::<P>().read_unaligned() }
}
