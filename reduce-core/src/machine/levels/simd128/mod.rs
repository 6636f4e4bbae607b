//! WebAssembly's vectors of 16 bytes. Their instructions give the same bits in every engine; the *relaxed* ones, which need not, are
//! never used.
//!
//! A fused multiply-add is no instruction here. Loops with `f64`'s stay scalar, since it decides between two ways; `f32`'s is
//! arithmetic of `f64` without branches.

mod transpose;

use crate::machine::bits::Bits;
use crate::machine::code::{Code, TURNED, Work};
use crate::machine::level::simd128::Proof;
use crate::machine::transpose::turn_by;

impl Code for Proof {
    const VECTORS: bool = true;
    /// Engines give a program the 16 registers of x86-64 or more.
    const REGISTERS: usize = 16 * 16;

    #[inline(always)]
    fn apart<W: Work>(self, work: W) {
        self.run_apart(work);
    }

    #[inline(always)]
    fn turn<T: Bits>(self, from: &[T; TURNED], to: &mut [T; TURNED]) {
        turn_by(self, from, to);
    }
}
