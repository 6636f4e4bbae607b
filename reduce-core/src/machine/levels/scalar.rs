//! The scalar level: whatever the build targets.

use crate::machine::bits::Bits;
use crate::machine::code::{Code, Simple, TURNED};
use crate::machine::transpose::turn_plainly;

impl Code for Simple {
    const VECTORS: bool = false;
    const REGISTERS: usize = 0;

    #[inline(always)]
    fn turn<T: Bits>(self, from: &[T; TURNED], to: &mut [T; TURNED]) {
        turn_plainly(from, to);
    }
}
