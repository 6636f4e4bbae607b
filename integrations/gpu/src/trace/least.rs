//! How small symbols became: the least magnitude as bits of a float, which have the order of magnitudes.

use std::marker::PhantomData;
use std::num::Wrapping;

use reduce_core::Accumulator;
use reduce_core::backend::Scalars;
use reduce_core::numbers::Least;

use super::arena::node;
use super::symbol::{Scalar, Symbol};
use crate::graph::{Binary, Operation, Unary};

/// The least magnitude of symbols of `T`, whose bits are integers `B`.
#[derive(Clone, Copy, Debug)]
pub struct LeastSymbol<T, B> {
    bits: Symbol<B>,
    of: PhantomData<T>,
}

impl<T: Scalar, B: Scalar> Accumulator for LeastSymbol<T, B> {
    type Lanes<const L: usize> = [Self; L];

    const SCALARS: usize = 0;

    fn splat<const L: usize>(self) -> [Self; L] {
        [self; L]
    }

    fn get<const L: usize>(lanes: &[Self; L], lane: usize) -> Self {
        lanes[lane]
    }

    fn set<const L: usize>(lanes: &mut [Self; L], lane: usize, value: Self) {
        lanes[lane] = value;
    }

    fn each_scalar(&mut self, to: &mut impl Scalars) {
        self.bits.each_scalar(to);
    }
}

macro_rules! floats {
    ($($float:ident: $signed:ident;)*) => {$(
        impl Least<Symbol<$float>> for LeastSymbol<$float, Wrapping<$signed>> {
            fn of(x: Symbol<$float>) -> Self {
                let magnitude = x.unary(Unary::Abs).id();
                let pattern = node(Operation::Unary(Unary::ToBits, magnitude), <$float as Scalar>::TYPE.pattern());
                let signed = <Wrapping<$signed> as Scalar>::TYPE;
                let bits = Symbol::node(node(Operation::Unary(Unary::Convert, pattern), signed));
                LeastSymbol { bits, of: PhantomData }
            }

            fn or(self, other: Self) -> Self {
                LeastSymbol { bits: self.bits.binary(Binary::Minimum, other.bits), ..self }
            }

            fn is_normal(self) -> bool {
                let least = Wrapping($float::MIN_POSITIVE.to_bits().cast_signed());
                self.bits >= Symbol::constant(least.bits())
            }
        }
    )*};
}

floats! { f32: i32; f64: i64; }
