//! Results stored: what an operator makes becomes the type that tensors hold.
//!
//! Storing a symbol gives a stored value whose bits name the symbol: a mark, and its place in a list. So results of any shape
//! can be looked through for the symbols that they hold.

#![allow(
    clippy::cast_possible_truncation,
    trivial_numeric_casts,
    reason = "marks fit the types that they are for"
)]

use std::any::Any;

use reduce_core::bounds::Store;
use reduce_core::{Element, bf16, f8e4m3fn, f8e5m2, f16};

use super::arena::arena;
use super::symbol::{Scalar, Symbol};
use crate::graph::{Bits, Id, Type};

/// A symbol that was stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    pub(super) id: Id,
    pub(super) ty: Type,
    /// The bits of the stored value, from those of the value.
    pub(super) convert: fn(Bits) -> Bits,
}

/// The mark in values of `bytes` bytes. Numbers of places never have it, and neither do floats that operators make.
fn mark(bytes: usize) -> u64 {
    match bytes {
        1 => 0x80,
        2 => 0x7d00,
        4 => 0x7fa5_0000,
        _ => 0x7ff5_a5a5_0000_0000,
    }
}

/// The symbol that stored bits name.
pub(super) fn find(stored: &[Kept], bits: Bits, bytes: usize) -> Option<&Kept> {
    let place = u64::try_from(bits).ok()?.checked_sub(mark(bytes))?;
    stored.get(usize::try_from(place).ok()?)
}

/// Notes a symbol, and gives the bits that name it.
fn keep(id: Id, ty: Type, convert: fn(Bits) -> Bits, bytes: usize) -> u64 {
    arena(|arena| {
        arena.stored.push(Kept { id, ty, convert });
        mark(bytes) + arena.stored.len() as u64 - 1
    })
}

/// The bits as they are.
pub(super) fn same(bits: Bits) -> Bits {
    bits
}

macro_rules! stored {
    ($($element:ty: $bits:ident, |$x:ident| $of:expr, |$from:ident| $make:expr;)*) => {
        $(
            impl<T: Scalar> Store<Symbol<T>> for $element
            where
                $element: Store<T>,
            {
                fn store(result: Symbol<T>) -> $element {
                    let convert = |bits: Bits| {
                        let $x = <$element as Store<T>>::store(T::from_bits(bits));
                        Bits::from($of)
                    };
                    let bits = keep(result.id(), T::TYPE, convert, size_of::<$element>());
                    let $from = bits as $bits;
                    $make
                }
            }
        )*

        /// The bits of an element.
        pub(super) fn bits_of<E: Element>(element: &mut E) -> Bits {
            let any: &dyn Any = element;
            $(if let Some(&$x) = any.downcast_ref::<$element>() { return Bits::from($of); })*
            any.downcast_ref::<bool>().map_or(0, |&flag| flag.into())
        }
    };
}

stored! {
    f16: u16, |x| x.to_bits(), |bits| f16::from_bits(bits);
    bf16: u16, |x| x.to_bits(), |bits| bf16::from_bits(bits);
    f8e4m3fn: u8, |x| x.to_bits(), |bits| f8e4m3fn::from_bits(bits);
    f8e5m2: u8, |x| x.to_bits(), |bits| f8e5m2::from_bits(bits);
    f32: u32, |x| x.to_bits(), |bits| f32::from_bits(bits);
    f64: u64, |x| x.to_bits(), |bits| f64::from_bits(bits);
    i8: u8, |x| x.cast_unsigned(), |bits| bits.cast_signed();
    i16: u16, |x| x.cast_unsigned(), |bits| bits.cast_signed();
    i32: u32, |x| x.cast_unsigned(), |bits| bits.cast_signed();
    i64: u64, |x| x.cast_unsigned(), |bits| bits.cast_signed();
    u8: u8, |x| x, |bits| bits;
    u16: u16, |x| x, |bits| bits;
    u32: u32, |x| x, |bits| bits;
    u64: u64, |x| x, |bits| bits;
}
