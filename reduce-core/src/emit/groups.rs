//! The walk of an emission: groups of results, reduced and sent back one after another.

use std::ops::Range;

use super::Emits;
use crate::axes::AxisSet;
use crate::element::Unrounded;
use crate::error::{Error, ErrorKind};
use crate::input::Input;
use crate::kernel::{Emission, SMALL, Stored, allocate};
use crate::level::Available;
use crate::one_pass::Operators;
use crate::reduction::Reduction;
use crate::shape::{Dims, Shape};
use crate::tensor::Tensor;
use crate::threads::{Crew, Team, Threads};

/// Bytes of elements that are reduced before they are emitted: they stay in the second
/// level of cache meanwhile.
const GROUP_BYTES: usize = 1 << 18;

impl<Op: Operators> Reduction<Op> {
    /// What each element becomes, once the result over its set is known: a tensor of the
    /// input's shape, in the type of the first input. Reads the data twice, the second
    /// time from cache where a slice along the first axis fits there.
    ///
    /// ```
    /// # use reduce_core::{Emit, Real, ReduceOp, Reduction, View, reduce_op};
    /// /// Subtracts the mean.
    /// #[derive(Clone, Copy, Debug, Default)]
    /// struct Centre;
    ///
    /// #[reduce_op(dtypes = [f32, f64])]
    /// impl<A: Real> ReduceOp<A> for Centre {
    ///     type Acc = A;
    ///     type Output = A;
    ///     fn identity(&self) -> A { A::ZERO }
    ///     fn map(&self, x: A) -> A { x }
    ///     fn combine(&self, a: A, b: A) -> A { a + b }
    ///     fn finalize(&self, sum: A, count: usize) -> A { sum.div_count(count) }
    /// }
    ///
    /// impl<A: Real> Emit<A> for Centre {
    ///     type Emitted = A;
    ///     #[inline(always)]
    ///     fn emit(&self, x: A, mean: &A) -> A { x - *mean }
    /// }
    ///
    /// let columns = View::new(&[1.0f32, 2.0, 3.0, 6.0], &[2, 2])?;
    /// let centred = Reduction::new(Centre).axes([0]).emit(&columns)?;
    /// assert_eq!(centred.data(), [-1.0, -2.0, 1.0, 2.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reduction::run`].
    pub fn emit<I: Input>(&self, input: &I) -> Result<Tensor<<I::Stored as Stored>::First>, Error>
    where
        Op: Emits<I::Stored>,
    {
        let shape = input.shape()?;
        let mut output = allocate(shape.count())?;
        self.emit_over(input, &shape, &mut output)?;
        Ok(Tensor::from_parts(output, shape))
    }

    /// As [`Reduction::emit`], into a buffer, in row-major order.
    ///
    /// # Errors
    /// As [`Reduction::emit`], and if the buffer does not have as many elements as the
    /// input. After an error the buffer may hold some of what is emitted.
    pub fn emit_into<I: Input>(
        &self,
        input: &I,
        output: &mut [<I::Stored as Stored>::First],
    ) -> Result<(), Error>
    where
        Op: Emits<I::Stored>,
    {
        let shape = input.shape()?;
        if output.len() != shape.count() {
            let (expected, found) = (shape.count(), output.len());
            return Err(ErrorKind::LengthMismatch { what: "the output", expected, found }.into());
        }
        self.emit_over(input, &shape, output)
    }

    fn emit_over<I: Input>(
        &self,
        input: &I,
        shape: &Shape,
        output: &mut [<I::Stored as Stored>::First],
    ) -> Result<(), Error>
    where
        Op: Emits<I::Stored>,
    {
        let axes = self.axes.resolve(shape.rank())?;
        let level = self.level.check()?;
        if shape.count() == 0 {
            return Ok(());
        }
        let views = input.views(shape)?;
        let emitter = Emitter { op: &self.op, axes: &axes, level };
        let leading = (0..shape.rank()).find(|&axis| shape[axis] > 1);
        let Some(leading) = leading.filter(|&axis| !axes.contains(axis)) else {
            return emitter.together(&views, shape, &self.threads, output);
        };
        let bytes = size_of::<I::Stored>() * (shape.count() / shape[leading]);
        let per_group = (GROUP_BYTES / bytes.max(1)).clamp(1, shape[leading]);
        let groups = Groups { views: &views, shape, axis: leading, size: per_group };
        let mut result = Ok(());
        Crew::from(&self.threads).enter(shape.count(), SMALL, |team| {
            let count = shape[leading].div_ceil(per_group);
            result = emitter.groups(groups, 0..count, team, output);
        });
        result
    }
}

/// Slices of the input along its first axis, which are reduced one after another.
struct Groups<'a, V> {
    views: &'a V,
    shape: &'a Shape,
    axis: usize,
    /// Indices of a group, but for the last.
    size: usize,
}

impl<V> Clone for Groups<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Groups<'_, V> {}

/// What does not change from group to group.
struct Emitter<'a, Op> {
    op: &'a Op,
    axes: &'a AxisSet,
    level: Available,
}

impl<Op> Clone for Emitter<'_, Op> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Op> Copy for Emitter<'_, Op> {}

impl<Op: Operators> Emitter<'_, Op> {
    /// Some groups, split among a team. The output is that of these groups.
    fn groups<V: Input>(
        self,
        groups: Groups<'_, V>,
        numbers: Range<usize>,
        team: Team<'_>,
        output: &mut [<V::Stored as Stored>::First],
    ) -> Result<(), Error>
    where
        Op: Emits<V::Stored>,
    {
        let Groups { views, shape, axis, size } = groups;
        let inner = shape.count() / shape[axis];
        if team.threads() > 1 && numbers.len() > 1 {
            let middle = numbers.start + numbers.len() / 2;
            let (left, right) = output.split_at_mut((middle - numbers.start) * size * inner);
            let (left, right) = team.join(
                || self.groups(groups, numbers.start..middle, team, left),
                || self.groups(groups, middle..numbers.end, team, right),
            );
            return left.and(right);
        }
        for (number, output) in numbers.zip(output.chunks_mut(size * inner)) {
            let first = number * size;
            let end = shape[axis].min(first + size);
            let mut dims = Dims::from_slice(shape);
            dims[axis] = end - first;
            let shape = Shape::new(&dims)?;
            self.together(&views.part(axis, first, end)?, &shape, &Threads::One, output)?;
        }
        Ok(())
    }

    /// All of an input: reduced, then emitted.
    fn together<V: Input>(
        self,
        views: &V,
        shape: &Shape,
        threads: &Threads,
        output: &mut [<V::Stored as Stored>::First],
    ) -> Result<(), Error>
    where
        Op: Emits<V::Stored>,
    {
        let kernel = <Op as Emits<V::Stored>>::keeping();
        let plan = views.plan(shape, self.axes, kernel.needs())?;
        let mut results = allocate::<Unrounded<Op::Kept>>(plan.outputs())?;
        kernel.run(self.op, views, &plan, &mut results, self.level, threads.into())?;
        // There are no fewer: the kernel writes them all.
        let results: Vec<Op::Kept> = results.iter().filter_map(Unrounded::get).copied().collect();
        // Results are repeated along the reduced axes.
        let strides = self.axes.output_shape(shape, true)?.row_major_strides();
        let repeated = (0..shape.rank()).map(|axis| match self.axes.contains(axis) {
            true => 0,
            false => strides[axis],
        });
        let strides: Dims<isize> = repeated.collect();
        let plan = views.plan_beside(shape, (&strides, 0), kernel.needs())?;
        let emission = Emission { op: self.op, data: views.data(), plan: &plan, results: &results };
        Crew::from(threads).enter(shape.count(), SMALL, |team| {
            spread(emission, self.level, 0..shape.count(), team, output);
        });
        Ok(())
    }
}

/// Elements below which an emission is not split.
const GRAIN: usize = 1 << 16;

/// Emits over some elements, split among a team.
fn spread<Op: Emits<T>, T: Stored>(
    emission: Emission<'_, Op, T>,
    level: Available,
    elements: Range<usize>,
    team: Team<'_>,
    output: &mut [T::First],
) {
    if team.threads() == 1 || elements.len() <= GRAIN {
        return emission.run(level, elements, output);
    }
    let half = elements.len() / 2;
    let (left, right) = output.split_at_mut(half);
    let middle = elements.start + half;
    team.join(
        || spread(emission, level, elements.start..middle, team, left),
        || spread(emission, level, middle..elements.end, team, right),
    );
}
