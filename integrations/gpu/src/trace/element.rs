//! Elements of operators, as symbols.

#![allow(clippy::cast_possible_truncation, reason = "bits of numbers of their width")]

use std::num::Wrapping;

use reduce_core::numbers::{Compensated, Int128, Uint128};
use reduce_core::{Indexed, Real};

use super::arena::{decide, node};
use super::places;
use super::symbol::{Scalar, Symbol};
use crate::graph::{Argument, Bits, Operation, Type};

/// What an operator takes, `f32` or `(f32, bool)` or `Indexed<f64>`, and what stands for it in a trace.
pub trait Symbolic: Sized {
    /// The element with symbols in place of numbers.
    type Symbol: Copy;

    /// What each of its scalars is: its type, and whether it is read from an input, or is the position.
    #[doc(hidden)]
    fn scalars(to: &mut Vec<(Type, bool)>);

    /// The element whose scalars are those of the argument, from a slot on.
    #[doc(hidden)]
    fn fresh(next: &mut u16) -> Self::Symbol;

    /// The element of these bits, one for each of its scalars.
    #[doc(hidden)]
    fn of_bits(bits: &mut impl Iterator<Item = Bits>) -> Self;
}

fn next_of(next: &mut u16) -> u16 {
    *next += 1;
    *next - 1
}

macro_rules! symbolic {
    ($($scalar:ty),*) => {$(
        impl Symbolic for $scalar {
            type Symbol = Symbol<$scalar>;

            fn scalars(to: &mut Vec<(Type, bool)>) {
                to.push((<$scalar as Scalar>::TYPE, true));
            }

            fn fresh(next: &mut u16) -> Symbol<$scalar> {
                let argument = Operation::Argument(Argument::Element, next_of(next));
                Symbol::node(node(argument, <$scalar as Scalar>::TYPE))
            }

            fn of_bits(bits: &mut impl Iterator<Item = Bits>) -> Self {
                Scalar::from_bits(bits.next().unwrap_or_default())
            }
        }
    )*};
}

symbolic! {
    f32, f64, Wrapping<i8>, Wrapping<i16>, Wrapping<i32>, Wrapping<i64>, Wrapping<i128>,
    Wrapping<u8>, Wrapping<u16>, Wrapping<u32>, Wrapping<u64>, Wrapping<u128>
}

/// Integers in halves, whose symbol is that of an integer of the language.
macro_rules! halves {
    ($($halves:ident: $int:ident;)*) => {$(
        impl Symbolic for $halves {
            type Symbol = Symbol<Wrapping<$int>>;

            fn scalars(to: &mut Vec<(Type, bool)>) {
                Wrapping::<$int>::scalars(to);
            }

            fn fresh(next: &mut u16) -> Self::Symbol {
                Wrapping::<$int>::fresh(next)
            }

            fn of_bits(bits: &mut impl Iterator<Item = Bits>) -> Self {
                Wrapping::<$int>::of_bits(bits).0.into()
            }
        }
    )*};
}

halves! { Int128: i128; Uint128: u128; }

impl Symbolic for bool {
    type Symbol = bool;

    fn scalars(to: &mut Vec<(Type, bool)>) {
        to.push((Type::Flag, true));
    }

    fn fresh(next: &mut u16) -> bool {
        decide(Operation::Argument(Argument::Element, next_of(next)))
    }

    fn of_bits(bits: &mut impl Iterator<Item = Bits>) -> Self {
        bits.next().unwrap_or_default() != 0
    }
}

impl<E: Symbolic> Symbolic for Indexed<E> {
    type Symbol = Indexed<E::Symbol>;

    fn scalars(to: &mut Vec<(Type, bool)>) {
        E::scalars(to);
        to.push((Type::Place, false));
    }

    fn fresh(next: &mut u16) -> Indexed<E::Symbol> {
        let value = E::fresh(next);
        Indexed { value, index: places::position(Argument::Element, next_of(next)) }
    }

    fn of_bits(bits: &mut impl Iterator<Item = Bits>) -> Self {
        let value = E::of_bits(bits);
        Indexed { value, index: bits.next().unwrap_or_default() as u64 }
    }
}

impl<A> Symbolic for Compensated<A>
where
    A: Real + Symbolic<Symbol: Real>,
{
    type Symbol = Compensated<A::Symbol>;

    fn scalars(to: &mut Vec<(Type, bool)>) {
        A::scalars(to);
    }

    fn fresh(next: &mut u16) -> Compensated<A::Symbol> {
        A::fresh(next).into()
    }

    fn of_bits(bits: &mut impl Iterator<Item = Bits>) -> Self {
        A::of_bits(bits).into()
    }
}

macro_rules! tuples {
    ($(($($name:ident),+))*) => {$(
        impl<$($name: Symbolic),+> Symbolic for ($($name,)+) {
            type Symbol = ($($name::Symbol,)+);

            fn scalars(to: &mut Vec<(Type, bool)>) {
                $($name::scalars(to);)+
            }

            fn fresh(next: &mut u16) -> Self::Symbol {
                ($($name::fresh(next),)+)
            }

            fn of_bits(bits: &mut impl Iterator<Item = Bits>) -> Self {
                ($($name::of_bits(bits),)+)
            }
        }
    )*};
}

tuples! { (A, B) (A, B, C) (A, B, C, D) }
