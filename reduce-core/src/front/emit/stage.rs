//! One operator's part in an emission: a group reduced, then emitted.

use std::ops::Range;

use super::{EmitsEach, Group, Keeps};
use crate::facts::axes::{Axes, AxisSet};
use crate::facts::error::Error;
use crate::facts::shape::{Dims, Shape};
use crate::facts::threads::Threads;
use crate::front::spec::Reduces;
use crate::kernel::{Emission, LONGEST_ROW, ORDERED, SMALL};
use crate::machine::code::{Code, Work};
use crate::machine::level::Available;
use crate::machine::team::{Crew, Team};
use crate::plan::Plan;
use crate::values::element::{Element, Slot, Unrounded};
use crate::values::input::Input;
use crate::values::stored::Stored;
use crate::values::tensor::allocate;
use crate::values::view::View;

/// Reduced elements, lying side by side, up to which each result is repeated for them,
/// so that rows as short are emitted as one.
const SHORT: usize = 31;

/// Copies of a result that are written at once, at most.
const COPIES: usize = 16;

/// Plans for groups of one shape, and room for their results.
#[derive(Debug)]
#[allow(unreachable_pub, reason = "named by a hidden type of a public trait")]
pub struct Stage<K> {
    elements: usize,
    reduction: Plan,
    /// The walk over all views and, behind them, the results.
    emission: Plan,
    /// Whether groups are emitted row by row.
    in_rows: bool,
    /// How often each result is repeated.
    repeats: usize,
    results: Vec<Unrounded<K>>,
    repeated: Vec<K>,
    /// The ways to the group that is planned for.
    ways: Dims<isize>,
}

impl<K: Copy + Send + Sync + 'static> Stage<K> {
    /// Plans for groups of a shape, of which the views are the first.
    pub(super) fn new<Op, V>(views: &V, shape: &Shape, axes: &AxisSet) -> Result<Box<Self>, Error>
    where
        Op: Keeps<V::Stored, Kept = K>,
        V: Input,
    {
        let needs = Op::keeping().needs();
        let results = Results::new(shape, axes);
        let mut reduction = Plan::empty();
        views.strided(shape, |inputs| reduction.make(shape, inputs, axes, needs))?;
        let none = Axes::none().resolve(shape.rank())?;
        let emission = views.strided(shape, |inputs| {
            let all = [inputs, &[(results.strides.as_slice(), 0)]].concat();
            Plan::new(shape, &all, &none, needs)
        })?;
        let mut stage = Self::planned(shape, results.repeats, reduction, emission)?;
        let is_ordered = <Op as Reduces<V::Stored>>::LANES == ORDERED;
        stage.in_rows = !is_ordered && stage.has_short_rows();
        Ok(stage)
    }

    /// Whether the elements of each result are a row that is not long, all of it contiguous
    /// in the inputs as in the output.
    fn has_short_rows(&self) -> bool {
        let is_row = |plan: &Plan, stride: isize| {
            let row = plan.outer.last().map_or((1, 1), |axis| (axis.size, axis.stride));
            row == (self.reduction.count(), stride)
        };
        let count = self.reduction.count();
        let Some((results, inputs)) = self.emission.inputs.split_last() else { return false };
        (2..=LONGEST_ROW).contains(&count)
            && is_row(results, 0)
            && inputs.iter().all(|plan| is_row(plan, 1))
    }

    /// Plans for groups of a shape in row-major order.
    pub(super) fn in_order<Op, E>(shape: &Shape, axes: &AxisSet) -> Result<Box<Self>, Error>
    where
        Op: Keeps<E, Kept = K>,
        E: Element,
    {
        let needs = Op::keeping().needs();
        let results = Results::new(shape, axes);
        let strides = shape.row_major_strides();
        let none = Axes::none().resolve(shape.rank())?;
        let reduction = Plan::new(shape, &[(&strides, 0)], axes, needs);
        let emission = Plan::new(shape, &[(&strides, 0), (&results.strides, 0)], &none, needs);
        Self::planned(shape, results.repeats, reduction, emission)
    }

    fn planned(
        shape: &Shape,
        repeats: usize,
        reduction: Plan,
        emission: Plan,
    ) -> Result<Box<Self>, Error> {
        Ok(Box::new(Stage {
            elements: shape.count(),
            results: allocate(reduction.outputs())?,
            repeated: Vec::new(),
            repeats,
            reduction,
            emission,
            in_rows: false,
            ways: Dims::new(),
        }))
    }

    /// The walk over a group, if it is to be emitted row by row.
    pub(super) fn rows(&mut self, ways: &[isize]) -> Option<&Plan> {
        self.move_to(ways);
        self.in_rows.then_some(&self.emission)
    }

    /// Reduces a group, and emits over it.
    pub(super) fn run<Op, T, O, V>(
        &mut self,
        op: &Op,
        group: Group<'_, V>,
        (level, threads): (Available, &Threads),
        output: &mut [O],
    ) -> Result<(), Error>
    where
        Op: EmitsEach<T, O, Kept = K>,
        T: Stored,
        O: Slot,
        V: Input<Stored = T>,
    {
        self.move_to(group.ways);
        let kernel = Op::keeping();
        kernel.run(op, group.views, &self.reduction, &mut self.results, level, threads.into())?;
        self.repeat(level);
        let (data, results) = (group.views.data(), self.repeated.as_slice());
        let emission = Emission { op, data, plan: &self.emission, results };
        Crew::from(threads).enter(self.elements, SMALL, |team| {
            spread(0..self.elements, team, output, &|range, output: &mut [O]| {
                emission.run(level, range, output);
            });
        });
        Ok(())
    }

    /// Reduces a group that lies in row-major order, and emits over it, in its place.
    pub(super) fn run_in_place<Op, E>(
        &mut self,
        op: &Op,
        shape: &Shape,
        (level, threads): (Available, &Threads),
        elements: &mut [E],
    ) -> Result<(), Error>
    where
        Op: EmitsEach<E, E, Kept = K>,
        E: Element,
    {
        let view = View::new(elements, shape)?;
        let kernel = Op::keeping();
        kernel.run(op, &view, &self.reduction, &mut self.results, level, threads.into())?;
        self.repeat(level);
        let (plan, results) = (&self.emission, self.repeated.as_slice());
        let emission = Emission { op, data: &[], plan, results };
        Crew::from(threads).enter(self.elements, SMALL, |team| {
            spread(0..self.elements, team, elements, &|range, elements: &mut [E]| {
                emission.run_in_place(level, range, elements);
            });
        });
        Ok(())
    }

    /// Moves the plans to another group.
    fn move_to(&mut self, ways: &[isize]) {
        self.ways.resize(ways.len(), 0);
        for (input, (to, from)) in ways.iter().zip(&mut self.ways).enumerate() {
            let way = to.wrapping_sub(*from);
            self.reduction.shift(input, way);
            self.emission.shift(input, way);
            *from = *to;
        }
    }

    /// Repeats results, of which the kernel wrote all.
    fn repeat(&mut self, level: Available) {
        let Stage { results, repeats, repeated, .. } = self;
        if *repeats == 1 {
            repeated.clear();
            return repeated.extend(results.iter().filter_map(Unrounded::get));
        }
        let Some(&first) = results.first().and_then(Unrounded::get) else { return };
        // The same room from group to group, all of which is written again.
        repeated.resize(results.len() * *repeats + COPIES, first);
        level.run_narrow(Repeat { results, repeats: *repeats, repeated });
    }
}

/// Results, and room in which each is to be repeated.
struct Repeat<'a, K> {
    results: &'a [Unrounded<K>],
    repeats: usize,
    repeated: &'a mut [K],
}

impl<K: Copy> Work for Repeat<'_, K> {
    #[inline(always)]
    fn run<C: Code>(self, _code: C) {
        match self.repeats {
            0..=4 => self.together::<4>(),
            5..=8 => self.together::<8>(),
            _ => self.together::<COPIES>(),
        }
    }
}

impl<K: Copy> Repeat<'_, K> {
    /// So many copies at a time, some more than needed, which the next result overwrites.
    #[inline(always)]
    fn together<const N: usize>(self) {
        let Repeat { results, repeats, repeated: mut rest } = self;
        for &result in results.iter().filter_map(Unrounded::get) {
            let room = rest[..repeats + N].as_chunks_mut::<N>().0;
            for copies in room.iter_mut().take(repeats.div_ceil(N)) {
                *copies = [result; N];
            }
            rest = &mut rest[repeats..];
        }
    }
}

/// How the results of a shape are walked.
struct Results {
    /// How often each result is repeated in memory.
    repeats: usize,
    /// The stride of each axis, 0 where results do not change.
    strides: Dims<isize>,
}

impl Results {
    fn new(shape: &Shape, axes: &AxisSet) -> Self {
        let is_reduced = |&axis: &usize| axes.contains(axis) || shape[axis] == 1;
        let inner = (0..shape.rank()).rev().take_while(is_reduced);
        let side_by_side: usize = inner.clone().map(|axis| shape[axis]).product();
        let repeats = if side_by_side <= SHORT { side_by_side } else { 1 };
        let mut strides: Dims<isize> = smallvec::smallvec![0; shape.rank()];
        let mut step = 1usize;
        if repeats > 1 {
            for axis in inner {
                strides[axis] = step.cast_signed();
                step *= shape[axis];
            }
        }
        for axis in (0..shape.rank()).rev().filter(|&axis| !axes.contains(axis)) {
            if strides[axis] == 0 {
                strides[axis] = step.cast_signed();
                step *= shape[axis];
            }
        }
        Results { repeats, strides }
    }
}

/// Elements below which an emission is not split.
const GRAIN: usize = 1 << 16;

/// Emits over some elements, split among a team.
fn spread<O: Send>(
    elements: Range<usize>,
    team: Team<'_>,
    output: &mut [O],
    emit: &(impl Fn(Range<usize>, &mut [O]) + Sync),
) {
    if team.threads() == 1 || elements.len() <= GRAIN {
        return emit(elements, output);
    }
    let firsts = elements.step_by(GRAIN);
    team.each(firsts.zip(output.chunks_mut(GRAIN)).collect(), |(first, output)| {
        emit(first..first + output.len(), output);
    });
}
