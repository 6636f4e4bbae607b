//! Numbers of Rust as the types of graphs, and back.

use reduce_gpu::graph::{Bits, Int, Type};

use crate::cases::Random;

/// A number of Rust.
pub(crate) trait Number: Copy + PartialOrd + 'static {
    const TYPE: Type;

    fn of(bits: Bits) -> Self;
    fn bits(self) -> Bits;
}

macro_rules! floats {
    ($($float:ident: $ty:expr, $bits:ident;)*) => {$(
        impl Number for $float {
            const TYPE: Type = $ty;

            fn of(bits: Bits) -> Self {
                $float::from_bits(bits as $bits)
            }

            fn bits(self) -> Bits {
                self.to_bits().into()
            }
        }
    )*};
}

macro_rules! integers {
    ($($int:ident, $signed:expr;)*) => {$(
        impl Number for $int {
            const TYPE: Type = Type::Int(Int { bits: $int::BITS as u8, signed: $signed });

            fn of(bits: Bits) -> Self {
                bits as $int
            }

            fn bits(self) -> Bits {
                self as Bits & (Bits::MAX >> (128 - $int::BITS))
            }
        }
    )*};
}

floats! { f32: Type::F32, u32; f64: Type::F64, u64; }
integers! { i8, true; i16, true; i32, true; i64, true; i128, true; u8, false; u16, false; u32, false; u64, false; u128, false; }

/// Values of a type that are special to integers: few bits, all of them, one alone, one less.
pub(crate) fn special_integers(ty: Type) -> Vec<Bits> {
    let bits = ty.bits();
    let all = Bits::MAX >> (128 - bits);
    let mut special = vec![0, 1, 2, 3, 7, 10, all, all - 1, all - 9];
    for place in [7, 8, 15, 16, 24, 31, 32, 33, 53, 63, 64, 65, 96, 127] {
        if place < bits {
            special.extend([1 << place, (1 << place) - 1, (1 << place) + 1, all ^ (1 << place)]);
        }
    }
    special
}

/// Random bits of a type, of any length, also in the complement.
pub(crate) fn random_integer(random: &mut Random, ty: Type) -> Bits {
    let all = Bits::MAX >> (128 - ty.bits());
    let value = random.any_length(ty.bits());
    if random.bits() & 1 == 0 { value } else { all ^ value }
}
