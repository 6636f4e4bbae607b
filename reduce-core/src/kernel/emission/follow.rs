//! What becomes of rows as they are emitted: the next operator of a chain folds each step
//! while it is still in registers, so that it need not read the row again.

use super::super::fold::lanes::{take, take_part};
use super::super::fold::{Fold, Lanes, end_of_block};
use super::rows::{LANES, Results, Row, State, TOGETHER, results};
use crate::front::emit::Keeps;
use crate::machine::code::Code;
use crate::values::accumulator::Accumulator;
use crate::values::element::{Element, Unrounded};
use crate::values::stored::Stored;

/// What takes the elements of rows, step by step, and makes a result of each row.
#[allow(unreachable_pub, reason = "named by a hidden function of a public trait")]
pub trait Follow<E>: Copy {
    /// What is carried from step to step.
    type Moving: Copy;

    /// What a row was folded into.
    type State: Copy;

    /// The result over a row.
    type Result: Copy;

    /// The state of no row.
    fn none(self) -> Self::State;

    /// Before the first step of a row.
    fn begin(self) -> Self::Moving;

    /// After one more step, the first element of which is at `index` of its row.
    fn step<C: Code>(self, code: C, moving: &mut Self::Moving, step: &[E; LANES], index: usize);

    /// As [`Follow::step`], of fewer elements.
    fn part<C: Code>(self, code: C, moving: &mut Self::Moving, part: &[E], index: usize);

    /// The state of a row of which all steps were taken.
    fn end<C: Code>(self, code: C, moving: Self::Moving, row: &[E]) -> Self::State;

    /// The state of a row of which no step was taken.
    fn over<C: Code>(self, code: C, row: &[E]) -> Self::State;

    /// The results over rows of a size, one behind the other, by their states.
    fn results<C: Code>(
        self,
        code: C,
        states: &[Self::State; TOGETHER],
        rows: &[E],
        size: usize,
    ) -> Results<Self::Result>;
}

/// Nothing follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last;

impl<E> Follow<E> for Last {
    type Moving = ();
    type State = ();
    type Result = ();

    #[inline(always)]
    fn none(self) {}

    #[inline(always)]
    fn begin(self) {}

    #[inline(always)]
    fn step<C: Code>(self, _code: C, _moving: &mut (), _step: &[E; LANES], _index: usize) {}

    #[inline(always)]
    fn part<C: Code>(self, _code: C, _moving: &mut (), _part: &[E], _index: usize) {}

    #[inline(always)]
    fn end<C: Code>(self, _code: C, _moving: (), _row: &[E]) {}

    #[inline(always)]
    fn over<C: Code>(self, _code: C, _row: &[E]) {}

    #[inline(always)]
    fn results<C: Code>(
        self,
        _code: C,
        _states: &[(); TOGETHER],
        _rows: &[E],
        _size: usize,
    ) -> Results<()> {
        [None; TOGETHER]
    }
}

/// An operator over what is emitted.
#[derive(Debug)]
pub(crate) struct Folding<'a, Op>(pub(crate) &'a Op);

impl<Op> Clone for Folding<'_, Op> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<Op> Copy for Folding<'_, Op> {}

impl<E: Element, Op: Keeps<E>> Follow<E> for Folding<'_, Op> {
    type Moving = Lanes<<Op::RowFold as Fold>::Moving, LANES>;
    type State = State<E, Op>;
    type Result = Unrounded<Op::Kept>;

    #[inline(always)]
    fn none(self) -> Self::State {
        Op::RowFold::identity(self.0).splat()
    }

    #[inline(always)]
    fn begin(self) -> Self::Moving {
        Op::RowFold::begin(self.0).splat()
    }

    #[inline(always)]
    fn step<C: Code>(self, code: C, moving: &mut Self::Moving, step: &[E; LANES], index: usize) {
        let values = <E as Stored>::widen::<C, LANES>(code, step);
        take::<C, Op::RowFold, LANES>(self.0, moving, &values, index as u64, 1);
    }

    #[inline(always)]
    fn part<C: Code>(self, code: C, moving: &mut Self::Moving, part: &[E], index: usize) {
        let values = E::rest::<C, LANES>(code, part);
        let taken = 0..part.len();
        take_part::<C, Op::RowFold, LANES>(self.0, moving, &values, index as u64, taken);
    }

    #[inline(always)]
    fn end<C: Code>(self, _code: C, moving: Self::Moving, row: &[E]) -> Self::State {
        end_of_block::<C, Op::RowFold, LANES>(self.0, &moving, (0, 0, row.len()))
    }

    #[inline(always)]
    fn over<C: Code>(self, code: C, row: &[E]) -> Self::State {
        Row::of(row, row.len()).folded(code, self.0)
    }

    #[inline(always)]
    fn results<C: Code>(
        self,
        code: C,
        states: &[Self::State; TOGETHER],
        rows: &[E],
        size: usize,
    ) -> Results<Self::Result> {
        let rows = rows.chunks_exact(size).map(|data| Row::of(data, size));
        results::<C, Op, E>(code, self.0, states, rows)
    }
}
