//! Elementary functions as graphs: those of the CPU, called with symbols.

use std::num::Wrapping;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use reduce_core::backend::functions::{self, Exponent, Float, FloatBits};

use super::arena::{Arena, arena, node};
use super::symbol::{Scalar, Symbol};
use crate::graph::{
    Argument, Binary, Body, Compare, Function, Id, Int, Operation, Shift, Type, Unary,
};

/// A flag that records what is done with it.
#[derive(Clone, Copy, Debug)]
pub struct FlagSymbol(Id);

impl FlagSymbol {
    fn binary(self, op: Binary, other: Self) -> Self {
        FlagSymbol(node(Operation::Binary(op, self.0, other.0), Type::Flag))
    }
}

impl BitAnd for FlagSymbol {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.binary(Binary::And, other)
    }
}

impl BitOr for FlagSymbol {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.binary(Binary::Or, other)
    }
}

impl Not for FlagSymbol {
    type Output = Self;

    fn not(self) -> Self {
        FlagSymbol(node(Operation::Unary(Unary::Not, self.0), Type::Flag))
    }
}

fn compared<T: Scalar>(compare: Compare, a: Symbol<T>, b: Symbol<T>) -> FlagSymbol {
    FlagSymbol(node(Operation::Compare(compare, a.id(), b.id()), Type::Flag))
}

fn selected<T: Scalar>(flag: FlagSymbol, yes: Symbol<T>, no: Symbol<T>) -> Symbol<T> {
    Symbol::node(node(Operation::Select(flag.0, yes.id(), no.id()), T::TYPE))
}

fn converted<T: Scalar, U: Scalar>(x: Symbol<T>) -> Symbol<U> {
    Symbol::node(node(Operation::Unary(Unary::Convert, x.id()), U::TYPE))
}

macro_rules! bits {
    ($($operator:ident $function:ident $op:ident),*) => {$(
        impl<T: Scalar> $operator for Symbol<T> {
            type Output = Self;

            fn $function(self, other: Self) -> Self {
                self.binary(Binary::$op, other)
            }
        }
    )*};
}

bits! { BitAnd bitand And, BitOr bitor Or, BitXor bitxor Xor }

impl<T: Scalar> Symbol<T> {
    fn shifted(self, shift: Shift, by: u32) -> Self {
        let by = u8::try_from(by).unwrap_or(u8::MAX);
        Symbol::node(node(Operation::Shift(shift, self.id(), by), T::TYPE))
    }
}

impl<T: Scalar> Shl<u32> for Symbol<T> {
    type Output = Self;

    fn shl(self, by: u32) -> Self {
        self.shifted(Shift::Left, by)
    }
}

impl<T: Scalar> Shr<u32> for Symbol<T> {
    type Output = Self;

    fn shr(self, by: u32) -> Self {
        self.shifted(Shift::Right, by)
    }
}

/// A float, and the integer of its bits.
macro_rules! floats {
    ($($float:ident: $bits:ident;)*) => {$(
        impl FloatBits for Symbol<Wrapping<$bits>> {
            type Concrete = $bits;
            type Flag = FlagSymbol;

            fn of(bits: $bits) -> Self {
                Symbol::constant(bits.into())
            }

            fn plus(self, other: Self) -> Self {
                self + other
            }

            fn minus(self, other: Self) -> Self {
                self - other
            }

            fn is_equal(self, other: Self) -> FlagSymbol {
                compared(Compare::Equal, self, other)
            }

            fn select(flag: FlagSymbol, yes: Self, no: Self) -> Self {
                selected(flag, yes, no)
            }
        }

        impl Float for Symbol<$float> {
            type Concrete = $float;
            type Flag = FlagSymbol;
            type Bits = Symbol<Wrapping<$bits>>;
            type Wide = Symbol<f64>;

            fn of(x: $float) -> Self {
                Symbol::constant(x.bits())
            }

            fn pattern(self) -> Symbol<Wrapping<$bits>> {
                let ty = <$float as Scalar>::TYPE.pattern();
                Symbol::node(node(Operation::Unary(Unary::ToBits, self.id()), ty))
            }

            fn of_pattern(bits: Symbol<Wrapping<$bits>>) -> Self {
                let ty = <$float as Scalar>::TYPE;
                Symbol::node(node(Operation::Unary(Unary::FromBits, bits.id()), ty))
            }

            fn widen(self) -> Symbol<f64> {
                converted(self)
            }

            fn narrow(wide: Symbol<f64>) -> Self {
                converted(wide)
            }

            fn is_less(self, other: Self) -> FlagSymbol {
                compared(Compare::Less, self, other)
            }

            fn is_at_most(self, other: Self) -> FlagSymbol {
                compared(Compare::LessOrEqual, self, other)
            }

            fn is_equal(self, other: Self) -> FlagSymbol {
                compared(Compare::Equal, self, other)
            }

            fn select(flag: FlagSymbol, yes: Self, no: Self) -> Self {
                selected(flag, yes, no)
            }

            fn magnitude(self) -> Self {
                self.unary(Unary::Abs)
            }

            fn square_root(self) -> Self {
                self.unary(Unary::Sqrt)
            }

            fn round_down(self) -> Self {
                self.unary(Unary::Floor)
            }

            fn with_sign_of(self, sign: Self) -> Self {
                self.binary(Binary::Copysign, sign)
            }

            fn times_plus(self, factor: Self, addend: Self) -> Self {
                let operation = Operation::MulAdd(self.id(), factor.id(), addend.id());
                Symbol::node(node(operation, <$float as Scalar>::TYPE))
            }
        }
    )*};
}

floats! { f32: u32; f64: u64; }

impl Exponent<Symbol<f64>> for Symbol<Wrapping<i32>> {
    fn to_float(self) -> Symbol<f64> {
        converted(self)
    }

    fn is_odd(self) -> FlagSymbol {
        let one = Symbol::constant(1);
        compared(Compare::Equal, self & one, one)
    }

    fn is_zero(self) -> FlagSymbol {
        compared(Compare::Equal, self, Symbol::constant(0))
    }
}

/// A function of floats of a type, as it is computed on the CPU.
pub fn body(function: Function, ty: Type) -> Body {
    let before = arena(std::mem::take);
    let second = match function {
        Function::Powi => Some(Type::Int(Int { bits: 32, signed: true })),
        Function::Powf | Function::Hypot => Some(ty),
        _ => None,
    };
    let result = match ty {
        Type::F64 => of_f64(function),
        _ => of_f32(function),
    };
    let Arena { graph, .. } = arena(|arena| std::mem::replace(arena, before));
    Body { graph, result, parameters: [ty].into_iter().chain(second).collect() }
}

/// An argument of a function.
fn argument<T: Scalar>(slot: u16) -> Symbol<T> {
    Symbol::node(node(Operation::Argument(Argument::Element, slot), T::TYPE))
}

macro_rules! calls {
    ($($of:ident: $float:ident, $exp:ident, $exp_nonpositive:ident, $exp_m1:ident, $exp2:ident, $ln:ident, $ln_1p:ident,
        $log2:ident, $powi:ident, $powf:ident, $hypot:ident, $tanh:ident, $sin:ident, $cos:ident;)*) => {$(
        fn $of(function: Function) -> Id {
            let x = argument::<$float>(0);
            let result = match function {
                Function::Exp => functions::$exp(x),
                Function::ExpNonpositive => functions::$exp_nonpositive(x),
                Function::ExpM1 => functions::$exp_m1(x),
                Function::Exp2 => functions::$exp2(x),
                Function::Ln => functions::$ln(x),
                Function::Ln1p => functions::$ln_1p(x),
                Function::Log2 => functions::$log2(x),
                Function::Powi => functions::$powi(x, argument::<Wrapping<i32>>(1)),
                Function::Powf => functions::$powf(x, argument(1)),
                Function::Hypot => functions::$hypot(x, argument(1)),
                Function::Tanh => functions::$tanh(x),
                Function::Sin => functions::$sin(x),
                Function::Cos => functions::$cos(x),
            };
            result.id()
        }
    )*};
}

calls! {
    of_f32: f32, exp_f32, exp_nonpositive_f32, exp_m1_f32, exp2_f32, ln_f32, ln_1p_f32, log2_f32, powi_f32, powf_f32,
        hypot_f32, tanh_f32, sin_f32, cos_f32;
    of_f64: f64, exp_f64, exp_nonpositive_f64, exp_m1_f64, exp2_f64, ln_f64, ln_1p_f64, log2_f64, powi_f64, powf_f64,
        hypot_f64, tanh_f64, sin_f64, cos_f64;
}
