//! Steps: what a way of running needs of an operator.
//!
//! A few functions are enough to run any operator: one has a value of no elements, one takes an element, and one
//! combines what two sets gave. So it can be run over axes, along them, by key, and piece by piece. [`Steps`] has these
//! functions for a storage type. An operator's steps are [`OpSteps`]; a tuple of steps is the steps of a tuple; and an
//! adaptor that runs another operator has its steps [`Through`] itself. How lanes take steps side by side is said one
//! floor further up, by a fold.

use std::marker::PhantomData;

use crate::facts::order::{Entry, STEPS, blocks, lanes};
use crate::values::element::accumulator::Accumulator;
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
use crate::values::stored::Stored;
use crate::values::tuples::for_tuples;

/// What is computed on when an element of a storage type was read.
pub(crate) type Wide<S> = <<S as Steps>::Stored as Stored>::Wide;

/// The steps of an operator over elements of a storage type.
///
/// A position is that of an element among all elements of its result. Steps that ask for none may be given any.
pub trait Steps: Sized + 'static {
    /// The operator, with its parameters.
    type Op;

    /// What is read at each index.
    type Stored: Stored;

    /// What is carried from element to element.
    type Acc: Accumulator;

    /// Whether the positions of elements are used.
    const POSITIONED: bool;

    /// Whether the order of elements matters to the operator.
    const ORDERED: bool = false;

    /// Whether results are the same in whichever order elements are combined.
    const ANY_ORDER: bool = false;

    /// Whether elements can be taken out of an accumulator again.
    const REMOVES: bool = false;

    /// Whether `next_two` is less work than `next` twice.
    const PUSHES_TWO: bool = false;

    /// Whether a part of an accumulator is changed by an element, in memory.
    const IN_PLACE: bool = false;

    /// Whether an accumulator is left as it is by most elements.
    const ENTERS: bool = false;

    /// The accumulator of no element.
    fn none(op: &Self::Op) -> Self::Acc;

    /// The accumulator of one element.
    fn first(op: &Self::Op, x: Wide<Self>, position: u64) -> Self::Acc;

    /// The accumulator of one more element.
    fn next(op: &Self::Op, acc: Self::Acc, x: Wide<Self>, position: u64) -> Self::Acc;

    /// The accumulator of two more elements, with the same bits as that of one after the other.
    #[inline(always)]
    fn next_two(
        op: &Self::Op,
        acc: Self::Acc,
        [x, y]: [Wide<Self>; 2],
        positions: [u64; 2],
    ) -> Self::Acc {
        Self::next(op, Self::next(op, acc, x, positions[0]), y, positions[1])
    }

    /// Makes the accumulator that of one more element, where it is.
    #[inline(always)]
    fn next_into(op: &Self::Op, acc: &mut Self::Acc, x: Wide<Self>, position: u64) {
        *acc = Self::next(op, *acc, x, position);
    }

    /// Whether an element may change the accumulator.
    #[inline(always)]
    fn enters(_op: &Self::Op, _acc: &Self::Acc, _x: Wide<Self>, _position: u64) -> bool {
        true
    }

    /// The accumulator of two sets of elements, `a` before `b`.
    fn combine(op: &Self::Op, a: Self::Acc, b: Self::Acc) -> Self::Acc;

    /// The accumulator without an element that was taken before.
    #[inline(always)]
    fn remove(_op: &Self::Op, acc: Self::Acc, _x: Wide<Self>) -> Self::Acc {
        acc
    }
}

/// The way in which elements come into an accumulator.
pub(crate) const fn entry<S: Steps>() -> Entry {
    match () {
        () if S::ENTERS => Entry::Rare,
        () if S::IN_PLACE => Entry::InPlace,
        () => Entry::Pushed,
    }
}

/// The number of lanes that suits accumulators.
pub(crate) const fn suited<S: Steps>() -> usize {
    lanes(entry::<S>(), size_of::<S::Acc>(), S::Acc::SCALARS)
}

/// How many elements an accumulator takes one after another before it is combined with others.
pub(crate) const fn one_by_one<S: Steps>() -> usize {
    STEPS * blocks(entry::<S>(), suited::<S>())
}

/// The steps of an operator whose elements reader `R` makes of storage type `T`. If it selects one of its elements, each is
/// combined as an accumulator of its own, in any order.
#[derive(Debug)]
pub struct OpSteps<R, Op, T, const SELECTS: bool>(PhantomData<fn(R, Op, T)>);

impl<R, Op, T, const SELECTS: bool> Steps for OpSteps<R, Op, T, SELECTS>
where
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element> + 'static,
    T: Stored,
{
    type Op = Op;
    type Stored = T;
    type Acc = Op::Acc;

    const POSITIONED: bool = R::POSITIONED;
    const ORDERED: bool = Op::ORDERED;
    const ANY_ORDER: bool = SELECTS;
    const REMOVES: bool = Op::REMOVES && !R::POSITIONED;
    const PUSHES_TWO: bool = Op::PUSHES_TWO;
    const IN_PLACE: bool = Op::IN_PLACE;
    const ENTERS: bool = Op::ENTERS;

    #[inline(always)]
    fn none(op: &Op) -> Op::Acc {
        op.identity()
    }

    #[inline(always)]
    fn first(op: &Op, x: T::Wide, position: u64) -> Op::Acc {
        op.map(R::read(x, position))
    }

    #[inline(always)]
    fn next(op: &Op, acc: Op::Acc, x: T::Wide, position: u64) -> Op::Acc {
        match SELECTS {
            true => op.combine(acc, Self::first(op, x, position)),
            false => op.push(acc, R::read(x, position)),
        }
    }

    #[inline(always)]
    fn next_two(op: &Op, acc: Op::Acc, [x, y]: [T::Wide; 2], positions: [u64; 2]) -> Op::Acc {
        op.push_two(acc, R::read(x, positions[0]), R::read(y, positions[1]))
    }

    #[inline(always)]
    fn next_into(op: &Op, acc: &mut Op::Acc, x: T::Wide, position: u64) {
        match SELECTS {
            true => *acc = Self::next(op, *acc, x, position),
            false => op.push_into(acc, R::read(x, position)),
        }
    }

    #[inline(always)]
    fn enters(op: &Op, acc: &Op::Acc, x: T::Wide, position: u64) -> bool {
        op.enters(acc, R::read(x, position))
    }

    #[inline(always)]
    fn combine(op: &Op, a: Op::Acc, b: Op::Acc) -> Op::Acc {
        op.combine(a, b)
    }

    #[inline(always)]
    fn remove(op: &Op, acc: Op::Acc, x: T::Wide) -> Op::Acc {
        op.remove(acc, R::read(x, 0))
    }
}

/// An adaptor that holds an operator, and takes its steps.
pub trait Holds<Op>: 'static {
    /// The operator.
    fn held(&self) -> &Op;
}

/// The steps `S` of the operator that an `Outer` one holds.
#[derive(Debug)]
pub struct Through<Outer, S>(PhantomData<fn(Outer, S)>);

impl<Outer: Holds<S::Op>, S: Steps> Steps for Through<Outer, S> {
    type Op = Outer;
    type Stored = S::Stored;
    type Acc = S::Acc;

    const POSITIONED: bool = S::POSITIONED;
    const ORDERED: bool = S::ORDERED;
    const ANY_ORDER: bool = S::ANY_ORDER;
    const REMOVES: bool = S::REMOVES;
    const PUSHES_TWO: bool = S::PUSHES_TWO;
    const IN_PLACE: bool = S::IN_PLACE;
    const ENTERS: bool = S::ENTERS;

    #[inline(always)]
    fn none(op: &Outer) -> S::Acc {
        S::none(op.held())
    }

    #[inline(always)]
    fn first(op: &Outer, x: Wide<S>, position: u64) -> S::Acc {
        S::first(op.held(), x, position)
    }

    #[inline(always)]
    fn next(op: &Outer, acc: S::Acc, x: Wide<S>, position: u64) -> S::Acc {
        S::next(op.held(), acc, x, position)
    }

    #[inline(always)]
    fn next_two(op: &Outer, acc: S::Acc, x: [Wide<S>; 2], positions: [u64; 2]) -> S::Acc {
        S::next_two(op.held(), acc, x, positions)
    }

    #[inline(always)]
    fn next_into(op: &Outer, acc: &mut S::Acc, x: Wide<S>, position: u64) {
        S::next_into(op.held(), acc, x, position);
    }

    #[inline(always)]
    fn enters(op: &Outer, acc: &S::Acc, x: Wide<S>, position: u64) -> bool {
        S::enters(op.held(), acc, x, position)
    }

    #[inline(always)]
    fn combine(op: &Outer, a: S::Acc, b: S::Acc) -> S::Acc {
        S::combine(op.held(), a, b)
    }

    #[inline(always)]
    fn remove(op: &Outer, acc: S::Acc, x: Wide<S>) -> S::Acc {
        S::remove(op.held(), acc, x)
    }
}

/// The steps of an operator whose spec has mistakes. They are never taken.
#[derive(Debug)]
pub struct NoSteps<Op, T>(PhantomData<fn(Op, T)>);

impl<Op: 'static, T: Stored> Steps for NoSteps<Op, T> {
    type Op = Op;
    type Stored = T;
    type Acc = bool;

    const POSITIONED: bool = false;

    fn none(_: &Op) -> bool {
        false
    }

    fn first(_: &Op, _: T::Wide, _: u64) -> bool {
        false
    }

    fn next(_: &Op, acc: bool, _: T::Wide, _: u64) -> bool {
        acc
    }

    fn combine(_: &Op, a: bool, _: bool) -> bool {
        a
    }
}

/// Writes the steps of tuples: each element goes to every member.
macro_rules! tuples {
    ($(($($S:ident . $index:tt),+))*) => {$(
        impl<T: Stored, $($S: Steps<Stored = T>),+> Steps for ($($S,)+) {
            type Op = ($($S::Op,)+);
            type Stored = T;
            type Acc = ($($S::Acc,)+);

            const POSITIONED: bool = false $(|| $S::POSITIONED)+;
            const ORDERED: bool = false $(|| $S::ORDERED)+;
            const ANY_ORDER: bool = true $(&& $S::ANY_ORDER)+;
            const REMOVES: bool = true $(&& $S::REMOVES)+;
            const PUSHES_TWO: bool = true;

            #[inline(always)]
            fn none(op: &Self::Op) -> Self::Acc {
                ($($S::none(&op.$index),)+)
            }

            #[inline(always)]
            fn first(op: &Self::Op, x: T::Wide, position: u64) -> Self::Acc {
                ($($S::first(&op.$index, x, position),)+)
            }

            #[inline(always)]
            fn next(op: &Self::Op, acc: Self::Acc, x: T::Wide, position: u64) -> Self::Acc {
                ($($S::next(&op.$index, acc.$index, x, position),)+)
            }

            #[inline(always)]
            fn next_two(
                op: &Self::Op,
                acc: Self::Acc,
                x: [T::Wide; 2],
                positions: [u64; 2],
            ) -> Self::Acc {
                ($($S::next_two(&op.$index, acc.$index, x, positions),)+)
            }

            #[inline(always)]
            fn next_into(op: &Self::Op, acc: &mut Self::Acc, x: T::Wide, position: u64) {
                $($S::next_into(&op.$index, &mut acc.$index, x, position);)+
            }

            #[inline(always)]
            fn combine(op: &Self::Op, a: Self::Acc, b: Self::Acc) -> Self::Acc {
                ($($S::combine(&op.$index, a.$index, b.$index),)+)
            }

            #[inline(always)]
            fn remove(op: &Self::Op, acc: Self::Acc, x: T::Wide) -> Self::Acc {
                ($($S::remove(&op.$index, acc.$index, x),)+)
            }
        }
    )*};
}

for_tuples!(tuples);
