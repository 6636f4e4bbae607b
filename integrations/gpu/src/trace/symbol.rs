//! A number that records what is done with it.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    trivial_numeric_casts,
    reason = "bits of numbers of any width"
)]

use std::cmp::Ordering;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::num::Wrapping;
use std::ops::{Add, Div, Mul, Neg, Sub};

use reduce_core::Accumulator;
use reduce_core::backend::Scalars;
use reduce_core::numbers::{ConstOne, ConstZero};

use super::arena::{decide, node};
use crate::graph::{Binary, Bits, Compare, Id, Int, Operation, Type, Unary};

/// A number that operators compute in: `f32`, `f64`, or `Wrapping` of an integer of 8 to 128 bits.
pub trait Scalar: Copy + Debug + Send + Sync + 'static {
    /// Its type in graphs.
    const TYPE: Type;
    /// The bits of 0, of 1, of the least and of the greatest value.
    #[doc(hidden)]
    const ZERO: Bits;
    #[doc(hidden)]
    const ONE: Bits;
    #[doc(hidden)]
    const LOWEST: Bits;
    #[doc(hidden)]
    const HIGHEST: Bits;

    /// The bits of a value.
    fn bits(self) -> Bits;

    /// The value of bits.
    fn from_bits(bits: Bits) -> Self;
}

macro_rules! scalars {
    ($($scalar:ty: $ty:expr, $zero:expr, $one:expr, $lowest:expr, $highest:expr,
        |$x:ident| $bits:expr, |$from:ident| $value:expr;)*) => {$(
        impl Scalar for $scalar {
            const TYPE: Type = $ty;
            const ZERO: Bits = $zero;
            const ONE: Bits = $one;
            const LOWEST: Bits = $lowest;
            const HIGHEST: Bits = $highest;

            fn bits(self) -> Bits {
                let $x = self;
                $bits
            }

            fn from_bits($from: Bits) -> Self {
                $value
            }
        }
    )*};
}

macro_rules! integers {
    ($($signed:ident, $unsigned:ident;)*) => { scalars! { $(
        Wrapping<$signed>: Type::Int(Int { bits: $signed::BITS as u8, signed: true }), 0, 1,
            $signed::MIN as $unsigned as Bits, $signed::MAX as $unsigned as Bits,
            |x| x.0.cast_unsigned() as Bits, |bits| Wrapping(bits as $signed);
        Wrapping<$unsigned>: Type::Int(Int { bits: $unsigned::BITS as u8, signed: false }), 0, 1,
            0, $unsigned::MAX as Bits,
            |x| x.0 as Bits, |bits| Wrapping(bits as $unsigned);
    )* } };
}

scalars! {
    f32: Type::F32, 0, 0x3f80_0000, 0xff80_0000, 0x7f80_0000,
        |x| x.to_bits().into(), |bits| f32::from_bits(bits as u32);
    f64: Type::F64, 0, 0x3ff << 52, 0xfff << 52, 0x7ff << 52,
        |x| x.to_bits().into(), |bits| f64::from_bits(bits as u64);
}

integers! { i8, u8; i16, u16; i32, u32; i64, u64; i128, u128; }

/// A number of type `T` that is a node of the graph of this thread, or a constant.
#[derive(Clone, Copy, Debug)]
pub struct Symbol<T> {
    value: Value,
    of: PhantomData<T>,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Constant(Bits),
    Node(Id),
}

impl<T: Scalar> Symbol<T> {
    /// A constant, which becomes a node where it meets one.
    pub(super) const fn constant(bits: Bits) -> Self {
        Symbol { value: Value::Constant(bits), of: PhantomData }
    }

    /// The number that a node has.
    pub(super) fn node(id: Id) -> Self {
        Symbol { value: Value::Node(id), of: PhantomData }
    }

    /// Its node.
    pub(super) fn id(self) -> Id {
        match self.value {
            Value::Constant(bits) => node(Operation::Constant(bits), T::TYPE),
            Value::Node(id) => id,
        }
    }

    pub(super) fn unary(self, op: Unary) -> Self {
        Symbol::node(node(Operation::Unary(op, self.id()), T::TYPE))
    }

    pub(super) fn binary(self, op: Binary, other: Self) -> Self {
        Symbol::node(node(Operation::Binary(op, self.id(), other.id()), T::TYPE))
    }

    fn compare(self, compare: Compare, other: Self) -> bool {
        decide(Operation::Compare(compare, self.id(), other.id()))
    }
}

macro_rules! operators {
    ($($operator:ident $function:ident)*) => {$(
        impl<T: Scalar> $operator for Symbol<T> {
            type Output = Self;

            fn $function(self, other: Self) -> Self {
                self.binary(Binary::$operator, other)
            }
        }
    )*};
}

operators! { Add add  Sub sub  Mul mul  Div div }

impl<T: Scalar> Neg for Symbol<T> {
    type Output = Self;

    fn neg(self) -> Self {
        self.unary(Unary::Neg)
    }
}

impl<T: Scalar> PartialEq for Symbol<T> {
    fn eq(&self, other: &Self) -> bool {
        // One order of both, so that `a == b` and `b == a` are one question.
        let (a, b) = (self.id(), other.id());
        decide(Operation::Compare(Compare::Equal, a.min(b), a.max(b)))
    }
}

impl<T: Scalar> PartialOrd for Symbol<T> {
    fn lt(&self, other: &Self) -> bool {
        self.compare(Compare::Less, *other)
    }

    fn le(&self, other: &Self) -> bool {
        self.compare(Compare::LessOrEqual, *other)
    }

    fn gt(&self, other: &Self) -> bool {
        other.compare(Compare::Less, *self)
    }

    fn ge(&self, other: &Self) -> bool {
        other.compare(Compare::LessOrEqual, *self)
    }

    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self < other {
            Some(Ordering::Less)
        } else if self == other {
            Some(Ordering::Equal)
        } else if self > other {
            Some(Ordering::Greater)
        } else {
            None
        }
    }
}

impl<T: Scalar> num_traits::Zero for Symbol<T> {
    fn zero() -> Self {
        Self::ZERO
    }

    fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }
}

impl<T: Scalar> num_traits::One for Symbol<T> {
    fn one() -> Self {
        Self::ONE
    }
}

impl<T: Scalar> ConstZero for Symbol<T> {
    const ZERO: Self = Symbol::constant(T::ZERO);
}

impl<T: Scalar> ConstOne for Symbol<T> {
    const ONE: Self = Symbol::constant(T::ONE);
}

impl<T: Scalar> Accumulator for Symbol<T> {
    type Lanes<const L: usize> = [Self; L];

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
        let mut symbol = super::scalars::Erased { id: self.id(), ty: T::TYPE };
        to.symbol(&mut symbol);
        *self = Symbol::node(symbol.id);
    }
}
