//! How code is compiled: the interface between kernels and the instructions of a CPU level.
//!
//! A kernel is generic over a [`Code`]: the proof that the CPU has a level, or none at all. It asks the
//! code for the few steps that the compiler does not make of a loop by itself. [`Work`] is what is
//! compiled once per level.

use std::mem::MaybeUninit;

use half::f16;

use super::bits::Bits;
use super::half_bits::f16_to_f32;

/// The rows of the block that [`Code::turn`] turns: at least as many as an AVX2 or NEON vector has elements of
/// two bytes.
pub(crate) const TURNED_ROWS: usize = 16;

/// Its columns: they fill pieces of 16 bytes if elements have two bytes or more.
pub(crate) const TURNED_COLUMNS: usize = 8;

/// Its elements.
pub(crate) const TURNED: usize = TURNED_ROWS * TURNED_COLUMNS;

/// How code is compiled: proof of a level's features, or none at all.
pub trait Code: Copy {
    /// Whether lanes are kept in vectors.
    const VECTORS: bool;

    /// The bytes of all vector registers.
    const REGISTERS: usize;

    /// Widens the values of some lanes exactly. A NaN stays a NaN; which one depends
    /// on the level.
    #[inline(always)]
    fn widen_f16<const L: usize>(self, values: &[f16; L]) -> [f32; L] {
        std::array::from_fn(|lane| f16_to_f32(values[lane]))
    }

    /// Copies some values into the first lanes of a step, and says whether it did. It does if the step
    /// consists of vectors that the level can load in part.
    #[inline(always)]
    fn stage<T: Bits>(self, _values: &[T], _step: &mut [MaybeUninit<T>]) -> bool {
        false
    }

    /// Turns rows of lanes into columns: of elements of two to eight bytes.
    fn turn<T: Bits>(self, from: &[T; TURNED], to: &mut [T; TURNED]);

    /// Does work in a function of its own. In a large one, the compiler finds no registers for
    /// constants, and loads them again and again.
    #[inline(always)]
    fn apart<W: Work>(self, work: W) {
        work.run(self);
    }
}

/// Work to be compiled once per level.
pub trait Work {
    /// Does the work. Implementations are `#[inline(always)]`, and so is all
    /// that they call, or it would be compiled without the level's features.
    fn run<C: Code>(self, code: C);
}

/// For what the build targets: every CPU has it. Where there are no vector
/// instructions to speak of, little code matters more than fast code.
#[derive(Clone, Copy, Debug)]
pub struct Simple;
