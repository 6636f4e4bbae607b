//! The value of a selection by itself: its steps, and which of two elements is selected.

use std::marker::PhantomData;

use super::super::lanes::Steps;
use super::super::reader::{Indexed, Reader};
use super::super::stored::Stored;
use crate::accumulator::Accumulator;
use crate::level::Code;
use crate::op::ReduceOp;
use crate::simd::barrier;

/// The value of a selection, without its position.
pub(super) struct Values<'a, R, Op, C>(&'a Op, C, PhantomData<R>);

impl<R, Op, C: Copy> Clone for Values<'_, R, Op, C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, Op, C: Copy> Copy for Values<'_, R, Op, C> {}

impl<'a, R, Op, C: Code> Values<'a, R, Op, C> {
    #[inline(always)]
    pub(super) fn new(code: C, op: &'a Op) -> Self {
        Values(op, code, PhantomData)
    }

    /// Of two elements, `a` before `b`, the selected value, and whether it is `b`.
    #[inline(always)]
    pub(super) fn choose<T, K>(self, a: K, b: K) -> (K, bool)
    where
        T: Stored,
        R: Reader<T::Wide>,
        Op: ReduceOp<R::Element, Acc = Indexed<K>>,
    {
        if !C::VECTORS {
            barrier();
        }
        let a = Indexed { value: a, index: 0 };
        let chosen = self.0.combine(a, Indexed { value: b, index: 1 });
        (chosen.value, chosen.index == 1)
    }

    /// Whether a value is as good as the best one: then the order of the two
    /// decides between them, for the `last` or for the first.
    #[inline(always)]
    pub(super) fn ties<T, K>(self, best: K, value: K, last: bool) -> bool
    where
        K: Copy,
        T: Stored,
        R: Reader<T::Wide>,
        Op: ReduceOp<R::Element, Acc = Indexed<K>>,
    {
        let (a, b) = if last { (best, value) } else { (value, best) };
        self.choose::<T, K>(a, b).1 == last
    }
}

impl<R, Op, T, K, C: Code> Steps<T> for Values<'_, R, Op, C>
where
    K: Accumulator,
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element, Acc = Indexed<K>>,
    T: Stored,
{
    type Acc = K;

    type Code = C;

    #[inline(always)]
    fn code(self) -> C {
        self.1
    }

    #[inline(always)]
    fn read(self, x: T::Wide, _position: u64) -> K {
        self.0.map(R::read(x, 0)).value
    }

    #[inline(always)]
    fn combine(self, a: K, b: K) -> K {
        self.choose::<T, K>(a, b).0
    }

    #[inline(always)]
    fn push_two(self, acc: K, x: [T::Wide; 2], _positions: [u64; 2]) -> K {
        if !C::VECTORS {
            barrier();
        }
        let acc = Indexed { value: acc, index: 0 };
        self.0.push_two(acc, R::read(x[0], 1), R::read(x[1], 2)).value
    }
}
