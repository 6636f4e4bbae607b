//! NEON: vectors of 16 bytes.

mod transpose;

use crate::machine::bits::Bits;
use crate::machine::code::{Code, TURNED, Work};
use crate::machine::level::neon::Proof;
use crate::machine::transpose::turn_by;

impl Code for Proof {
    const VECTORS: bool = true;
    const REGISTERS: usize = 32 * 16;

    #[inline(always)]
    fn apart<W: Work>(self, work: W) {
        self.run_apart(work);
    }

    #[inline(always)]
    fn turn<T: Bits>(self, from: &[T; TURNED], to: &mut [T; TURNED]) {
        turn_by(self, from, to);
    }
}
