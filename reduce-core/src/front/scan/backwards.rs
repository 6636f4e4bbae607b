//! Steps from the end of a line.

use std::marker::PhantomData;

use crate::values::steps::{Steps, Wide};

/// The steps `S`, each element before those that were taken. An operator that is not commutative is scanned from the end of a
/// line so, since its elements stay in their order.
#[derive(Debug)]
pub(super) struct Backwards<S>(PhantomData<fn(S)>);

impl<S: Steps> Steps for Backwards<S> {
    type Op = S::Op;
    type Stored = S::Stored;
    type Acc = S::Acc;

    const POSITIONED: bool = S::POSITIONED;
    const ORDERED: bool = S::ORDERED;

    #[inline(always)]
    fn none(op: &S::Op) -> S::Acc {
        S::none(op)
    }

    #[inline(always)]
    fn first(op: &S::Op, x: Wide<S>, position: u64) -> S::Acc {
        S::first(op, x, position)
    }

    #[inline(always)]
    fn next(op: &S::Op, acc: S::Acc, x: Wide<S>, position: u64) -> S::Acc {
        S::combine(op, S::first(op, x, position), acc)
    }

    #[inline(always)]
    fn combine(op: &S::Op, a: S::Acc, b: S::Acc) -> S::Acc {
        S::combine(op, b, a)
    }
}
