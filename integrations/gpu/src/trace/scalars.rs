//! The scalars of accumulators and results, handed over one by one.

#![allow(clippy::cast_possible_truncation, reason = "bits of numbers of their width")]

use std::any::{Any, type_name};

use reduce_core::Element;
use reduce_core::backend::Scalars;

use super::arena::{arena, decide, fail, node};
use super::error::Reason;
use super::explore::Scalar;
use super::places;
use crate::graph::{Argument, Bits, Id, Operation, Type};

/// A symbol whose type is erased.
pub(super) struct Erased {
    pub(super) id: Id,
    pub(super) ty: Type,
}

/// Replaces each scalar by one of an argument.
pub(super) struct Fresh {
    pub(super) argument: Argument,
    pub(super) next: u16,
}

impl Fresh {
    fn slot(&mut self) -> u16 {
        self.next += 1;
        self.next - 1
    }
}

impl Scalars for Fresh {
    fn scalar<E: Element>(&mut self, x: &mut E) {
        let (argument, slot) = (self.argument, self.slot());
        let any: &mut dyn Any = x;
        if let Some(counter) = any.downcast_mut::<u64>() {
            *counter = places::counter(argument, slot);
        } else if let Some(flag) = any.downcast_mut::<bool>() {
            *flag = decide(Operation::Argument(argument, slot));
        } else {
            fail(Reason::Field(type_name::<E>()));
        }
    }

    fn position(&mut self, x: &mut u64) {
        *x = places::position(self.argument, self.slot());
    }

    fn symbol(&mut self, x: &mut dyn Any) {
        let slot = self.slot();
        if let Some(symbol) = x.downcast_mut::<Erased>() {
            symbol.id = node(Operation::Argument(self.argument, slot), symbol.ty);
        }
    }
}

/// Collects what each scalar became, and its type.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) scalars: Vec<Scalar>,
    pub(super) types: Vec<Type>,
}

impl Collected {
    fn add(&mut self, scalar: Scalar, ty: Type) {
        self.scalars.push(scalar);
        self.types.push(ty);
    }
}

impl Scalars for Collected {
    fn scalar<E: Element>(&mut self, x: &mut E) {
        let any: &mut dyn Any = x;
        if let Some(&mut counter) = any.downcast_mut::<u64>() {
            self.add(Scalar::Place(counter), Type::Place);
        } else if let Some(&mut flag) = any.downcast_mut::<bool>() {
            let id = node(Operation::Constant(flag.into()), Type::Flag);
            self.add(Scalar::Value(id), Type::Flag);
        } else {
            fail(Reason::Field(type_name::<E>()));
        }
    }

    fn position(&mut self, x: &mut u64) {
        self.add(Scalar::Place(*x), Type::Place);
    }

    fn symbol(&mut self, x: &mut dyn Any) {
        if let Some(symbol) = x.downcast_ref::<Erased>() {
            self.add(Scalar::Value(symbol.id), symbol.ty);
        }
    }
}

/// The bits of the scalars of a number that is no symbol.
#[derive(Default)]
pub(super) struct Bare {
    pub(super) bits: Vec<Bits>,
}

impl Scalars for Bare {
    fn scalar<E: Element>(&mut self, x: &mut E) {
        self.bits.push(super::results::bits_of(x));
    }
}

/// What the stored elements of a result stand for.
#[derive(Default)]
pub(super) struct Stored {
    pub(super) scalars: Vec<Scalar>,
    pub(super) outputs: Vec<super::steps::Output>,
}

impl Scalars for Stored {
    fn scalar<E: Element>(&mut self, x: &mut E) {
        let (bits, dtype) = (super::results::bits_of(x), E::DTYPE);
        let kept =
            arena(|arena| super::results::find(&arena.stored, bits, size_of::<E>()).copied());
        let (scalar, ty, convert) = match kept {
            Some(kept) => (Scalar::Value(kept.id), kept.ty, kept.convert),
            None if size_of::<E>() == 8 => {
                (Scalar::Place(bits as u64), Type::Place, super::results::same as fn(Bits) -> Bits)
            }
            None if dtype == reduce_core::DType::Bool => {
                let id = node(Operation::Constant(bits), Type::Flag);
                (Scalar::Value(id), Type::Flag, super::results::same as fn(Bits) -> Bits)
            }
            None => fail(Reason::Field(type_name::<E>())),
        };
        self.scalars.push(scalar);
        self.outputs.push(super::steps::Output { ty, dtype, convert });
    }
}
