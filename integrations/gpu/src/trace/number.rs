//! What operators do with numbers, of symbols.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    trivial_numeric_casts,
    reason = "the nearest number, as the traits say"
)]

use std::num::Wrapping;

use num_traits::ToPrimitive;
use reduce_core::{Num, Ordered, Real};

use super::arena::{decide, node, parameter};
use super::least::LeastSymbol;
use super::symbol::{Scalar, Symbol};
use crate::graph::{Binary, Bits, Compare, Function, Int, Operation, Type, Unary};

impl<T: Scalar> Ordered for Symbol<T> {
    const LOWEST: Self = Symbol::constant(T::LOWEST);
    const HIGHEST: Self = Symbol::constant(T::HIGHEST);

    fn is_nan(self) -> bool {
        T::TYPE.is_float() && decide(Operation::IsNan(self.id()))
    }

    fn maximum(self, other: Self) -> Self {
        self.binary(Binary::Maximum, other)
    }

    fn minimum(self, other: Self) -> Self {
        self.binary(Binary::Minimum, other)
    }
}

/// A float that symbols stand for.
macro_rules! floats {
    ($($float:ident: $signed:ident;)*) => {$(
        impl Num for Symbol<$float> {
            type Least = LeastSymbol<$float, Wrapping<$signed>>;

            fn is_finite(self) -> bool {
                self.abs() < Self::INFINITY
            }

            fn abs(self) -> Self {
                self.unary(Unary::Abs)
            }

            fn from_int(x: i64) -> Self {
                Symbol::given((x as $float).bits())
            }

            fn div_count(self, count: usize) -> Self {
                self / Self::from_count(count)
            }
        }

        impl Real for Symbol<$float> {
            const INFINITY: Self = Symbol::constant(<$float as Scalar>::HIGHEST);
            const NEG_INFINITY: Self = Symbol::constant(<$float as Scalar>::LOWEST);
            const NAN: Self = Symbol::constant($float::NAN.to_bits() as Bits);
            const MIN_POSITIVE: Self = Symbol::constant($float::MIN_POSITIVE.to_bits() as Bits);

            fn from_f64(x: f64) -> Self {
                Symbol::given((x as $float).bits())
            }

            fn from_count(count: usize) -> Self {
                Symbol::given((count as $float).bits())
            }

            fn index_below(self, count: usize) -> usize {
                index(self, count)
            }

            fn mul_add(self, factor: Self, addend: Self) -> Self {
                let operation = Operation::MulAdd(self.id(), factor.id(), addend.id());
                Symbol::node(node(operation, <$float as Scalar>::TYPE))
            }

            fn powi(self, exponent: i32) -> Self {
                let ty = Type::Int(Int { bits: 32, signed: true });
                let exponent = parameter(exponent.cast_unsigned().into(), ty);
                let operation = Operation::Call2(Function::Powi, self.id(), exponent);
                Symbol::node(node(operation, <$float as Scalar>::TYPE))
            }

            fn powf(self, exponent: Self) -> Self {
                self.call2(Function::Powf, exponent)
            }

            fn hypot(self, other: Self) -> Self {
                self.call2(Function::Hypot, other)
            }

            fn copysign(self, sign: Self) -> Self {
                self.binary(Binary::Copysign, sign)
            }

            floats! { @unary sqrt Sqrt, floor Floor, round Round }

            floats! { @call exp Exp, exp_nonpositive ExpNonpositive, exp_m1 ExpM1, exp2 Exp2, ln Ln, ln_1p Ln1p,
                log2 Log2, tanh Tanh, sin Sin, cos Cos }
        }
    )*};
    (@unary $($function:ident $op:ident),*) => {$(
        fn $function(self) -> Self {
            self.unary(Unary::$op)
        }
    )*};
    (@call $($function:ident $name:ident),*) => {$(
        fn $function(self) -> Self {
            self.call(Function::$name)
        }
    )*};
}

floats! { f32: i32; f64: i64; }

impl<T: Scalar> Symbol<T> {
    /// A number that follows from parameters or from how many elements there are.
    fn given(bits: Bits) -> Self {
        Symbol::node(parameter(bits, T::TYPE))
    }

    fn call(self, function: Function) -> Self {
        Symbol::node(node(Operation::Call(function, self.id()), T::TYPE))
    }

    fn call2(self, function: Function, other: Self) -> Self {
        Symbol::node(node(Operation::Call2(function, self.id(), other.id()), T::TYPE))
    }
}

/// An index, which is found by asking for halves of all that there are.
fn index<T: Scalar>(of: Symbol<T>, count: usize) -> usize {
    let below = u32::try_from(count).unwrap_or(u32::MAX);
    let index = node(Operation::Unary(Unary::IndexBelow(below), of.id()), Type::U32);
    let (mut from, mut to) = (0, count);
    while to - from > 1 {
        let middle = from + (to - from) / 2;
        let bound = node(Operation::Constant(middle as Bits), Type::U32);
        match decide(Operation::Compare(Compare::Less, index, bound)) {
            true => to = middle,
            false => from = middle,
        }
    }
    from
}

/// An integer that symbols stand for.
macro_rules! integers {
    ($($int:ident),*) => {$(
        impl Num for Symbol<Wrapping<$int>> {
            type Least = ();

            fn is_finite(self) -> bool {
                true
            }

            fn abs(self) -> Self {
                match $int::MIN == 0 {
                    true => self,
                    false => self.unary(Unary::Abs),
                }
            }

            fn from_int(x: i64) -> Self {
                Symbol::given(Wrapping(x as $int).bits())
            }

            fn div_count(self, count: usize) -> Self {
                if let Some(count) = count.to_u128().and_then(|count| $int::try_from(count).ok()) {
                    return self / Symbol::given(Wrapping(count).bits());
                }
                // The count is beyond all values, so that quotients are 0. One alone is -1: the least value, divided by
                // one more than the greatest.
                let beyond = usize::try_from($int::MAX).ok().and_then(|most| most.checked_add(1));
                let is_least = $int::MIN != 0 && beyond == Some(count) && self == Self::LOWEST;
                Symbol::constant(Wrapping(if is_least { !0 } else { 0 as $int }).bits())
            }
        }
    )*};
}

integers! { i8, i16, i32, i64, i128, u8, u16, u32, u64, u128 }
