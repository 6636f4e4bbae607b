//! The vectors of a level, and the few instructions that transposition needs.

#![allow(unsafe_code, reason = "vector instructions, loads and stores are unsafe")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

use crate::machine::code::Work;

/// Bytes of a piece: those of a 128-bit lane.
pub(super) const PIECE: usize = 16;

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
    /// The pieces can be read.
    unsafe fn load(self, first: *const u8, step: usize) -> Self::Vector;

    /// Writes a whole vector.
    ///
    /// # Safety
    /// It can be written to.
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

/// Bytes of the largest vector.
#[cfg(target_arch = "x86_64")]
pub(in crate::machine) const MOST_BYTES: usize = 64;

/// The instructions that pick elements out of whole vectors. Elements have `SIZE` bytes, which is
/// [`Whole::LEAST`] or more.
#[cfg(target_arch = "x86_64")]
pub(in crate::machine) trait Whole: Vectors {
    /// Bytes of the smallest element.
    const LEAST: usize;

    /// Bytes of the largest one that is moved as a whole, not in parts.
    const MOST: usize;

    /// A whole vector.
    ///
    /// # Safety
    /// It can be read.
    unsafe fn load_whole(self, source: *const u8) -> Self::Vector;

    /// The elements with an even number, and the others, of `a` and then `b`.
    fn halves<const SIZE: usize>(
        self,
        a: Self::Vector,
        b: Self::Vector,
    ) -> (Self::Vector, Self::Vector);

    /// Elements of `b` where a bit of the mask says so, those of `a` elsewhere.
    fn replace<const SIZE: usize>(
        self,
        a: Self::Vector,
        b: Self::Vector,
        mask: u32,
    ) -> Self::Vector;

    /// The elements, or their parts, that `order` names: numbers as wide as those.
    fn permute<const SIZE: usize>(self, a: Self::Vector, order: &[u8; MOST_BYTES]) -> Self::Vector;
}

/// The 16 bytes at a place, as a vector of 128 bits.
///
/// # Safety
/// They can be read.
#[inline(always)]
unsafe fn piece<P: Copy>(place: *const u8) -> P {
    const { assert!(size_of::<P>() == PIECE) };
    // SAFETY: as above; every pattern of bits is a vector.
    unsafe { place.cast::<P>().read_unaligned() }
}
