//! The walk of an emission: groups of results, reduced and sent back one after another.

use std::ops::Range;

use super::{Emits, Group};
use crate::facts::axes::AxisSet;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::{Dims, Shape};
use crate::facts::threads::Threads;
use crate::front::reduction::Reduction;
use crate::front::settings::Settings;
use crate::kernel::{EachRow, Last, Row, Rows, SMALL};
use crate::machine::code::Code;
use crate::machine::level::Available;
use crate::machine::team::{Crew, Team};
use crate::values::input::Input;
use crate::values::stored::Stored;
use crate::values::tensor::Tensor;
use crate::values::tensor::allocate;

/// Bytes of elements that are reduced before they are emitted: they, and what is emitted,
/// stay in cache meanwhile.
const GROUP_BYTES: usize = 1 << 16;

/// Elements that are not split among threads.
const GRAIN: usize = 1 << 16;

impl<Op> Reduction<Op> {
    /// What each element becomes, once the result over its set is known: a tensor of the
    /// input's shape, in the type of the first input. Reads the data twice, the second
    /// time from cache where slices along the axes in front of the first reduced one fit
    /// there.
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
        let Settings { axes, level, threads, .. } = &self.settings;
        let axes = &axes.resolve(shape.rank())?;
        let level = level.check()?;
        if shape.count() == 0 {
            return Ok(());
        }
        let views = &input.views(shape)?;
        let groups = Groups::new(views, shape, axes);
        let emitter = Emitter { op: &self.op, axes, level, groups: &groups };
        if groups.count() == 1 {
            return emitter.run(0..1, threads, output);
        }
        let mut result = Ok(());
        Crew::from(threads).enter(shape.count(), SMALL, |team| {
            result = emitter.split(team, output);
        });
        result
    }
}

/// Slices of the input, neighbours in row-major order, that are emitted one after
/// another: some indices of one axis, for each index of the axes outside of it. All
/// these axes are kept, so that each result is that of one group.
struct Groups<'a, V> {
    views: &'a V,
    shape: &'a Shape,
    /// The strides of each view.
    strides: Vec<Dims<isize>>,
    /// The axis; none if nothing can be cut.
    axis: Option<usize>,
    /// Indices of the axis in a group, but for the last.
    size: usize,
    /// Groups for each index of the outer axes.
    per_index: usize,
}

impl<'a, V: Input> Groups<'a, V> {
    fn new(views: &'a V, shape: &'a Shape, axes: &AxisSet) -> Self {
        let bytes =
            |axis: usize| size_of::<V::Stored>() * shape[axis + 1..].iter().product::<usize>();
        let kept = (0..shape.rank()).take_while(|&axis| !axes.contains(axis) || shape[axis] == 1);
        // The outermost axis of which an index fits, or else the innermost.
        let mut axis = None;
        for kept in kept {
            axis = Some(kept);
            if bytes(kept) <= GROUP_BYTES {
                break;
            }
        }
        let strides = views.layouts().into_iter().map(|layout| layout.strides).collect();
        let (size, per_index) = axis.map_or((1, 1), |axis| {
            let size = (GROUP_BYTES / bytes(axis).max(1)).clamp(1, shape[axis]);
            (size, shape[axis].div_ceil(size))
        });
        Groups { views, shape, strides, axis, size, per_index }
    }

    fn count(&self) -> usize {
        let outer = self.axis.map_or(1, |axis| self.shape[..axis].iter().product());
        outer * self.per_index
    }

    /// Indices of the axis in a group.
    fn size(&self, number: usize) -> usize {
        let last = self.axis.map_or(1, |axis| self.shape[axis]);
        self.size.min(last - number % self.per_index * self.size)
    }

    /// The elements of all groups before one.
    fn elements_before(&self, number: usize) -> usize {
        let Some(axis) = self.axis else { return number * self.shape.count() };
        let inner: usize = self.shape[axis + 1..].iter().product();
        let (outer, groups) = (number / self.per_index, number % self.per_index);
        // The last group of an index may be smaller; the next one is behind all of them.
        (outer * self.shape[axis] + groups * self.size) * inner
    }

    /// The stages for groups of some indices of the axis.
    fn stages<Op: Emits<V::Stored>>(
        &self,
        op: &Op,
        axes: &AxisSet,
        size: usize,
    ) -> Result<Op::Stages, Error> {
        let Some(axis) = self.axis else { return op.stages(self.views, self.shape, axes) };
        let mut dims = Dims::from_slice(self.shape);
        dims[..axis].fill(1);
        dims[axis] = size;
        let mut first = self.views.part(axis, 0, size)?;
        for outer in 0..axis {
            first = first.part(outer, 0, 1)?;
        }
        op.stages(&first, &Shape::new(&dims)?, axes)
    }

    /// The way to a group from the first one, for each view.
    fn ways(&self, number: usize) -> Dims<isize> {
        let axis = self.axis.unwrap_or(0);
        let way = |strides: &Dims<isize>| {
            let along = |axis: usize, index: usize| {
                // Exact for the sum, although a stride of an axis of size 1 may be anything.
                strides[axis].wrapping_mul(index.cast_signed())
            };
            let index = number % self.per_index * self.size;
            let mut way = if index > 0 { along(axis, index) } else { 0 };
            let mut rest = number / self.per_index;
            for outer in (0..axis).rev() {
                if rest == 0 {
                    break;
                }
                way = way.wrapping_add(along(outer, rest % self.shape[outer]));
                rest /= self.shape[outer];
            }
            way
        };
        self.strides.iter().map(way).collect()
    }
}

/// What does not change from group to group.
struct Emitter<'a, Op, V> {
    op: &'a Op,
    axes: &'a AxisSet,
    level: Available,
    groups: &'a Groups<'a, V>,
}

impl<Op, V> Clone for Emitter<'_, Op, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Op, V> Copy for Emitter<'_, Op, V> {}

impl<Op: Emits<V::Stored>, V: Input> Emitter<'_, Op, V> {
    /// All groups, split among a team.
    fn split(
        self,
        team: Team<'_>,
        output: &mut [<V::Stored as Stored>::First],
    ) -> Result<(), Error> {
        let count = self.groups.count();
        if team.threads() == 1 {
            return self.run(0..count, &Threads::One, output);
        }
        let mut numbers = Vec::new();
        let mut first = 0;
        while first < count {
            let before = self.groups.elements_before(first);
            let fits = |end: &usize| self.groups.elements_before(*end) - before <= GRAIN;
            let end = (first + 2..=count).take_while(fits).last().unwrap_or(first + 1);
            numbers.push(first..end);
            first = end;
        }
        let mut done: Vec<Result<(), Error>> = numbers.iter().map(|_| Ok(())).collect();
        let mut parts = Vec::new();
        let mut rest = output;
        for (numbers, done) in numbers.into_iter().zip(&mut done) {
            let before = self.groups.elements_before(numbers.start);
            let of_part;
            (of_part, rest) = rest.split_at_mut(self.groups.elements_before(numbers.end) - before);
            parts.push((numbers, of_part, done));
        }
        team.each(parts, |(numbers, output, done)| {
            *done = self.run(numbers, &Threads::One, output);
        });
        done.into_iter().collect()
    }

    /// Some groups, one after another.
    fn run(
        self,
        numbers: Range<usize>,
        threads: &Threads,
        output: &mut [<V::Stored as Stored>::First],
    ) -> Result<(), Error> {
        let Emitter { op, axes, level, groups } = self;
        let mut rest = output;
        // There are two sizes at most, so no more is planned than that.
        let mut planned: Vec<(usize, Op::Stages)> = Vec::new();
        let mut between = Op::Between::default();
        for number in numbers {
            let size = groups.size(number);
            let known = planned.iter().position(|(of, _)| *of == size);
            let place = known.unwrap_or(planned.len());
            if known.is_none() {
                planned.push((size, groups.stages(op, axes, size)?));
            }
            let count = groups.elements_before(number + 1) - groups.elements_before(number);
            let output;
            (output, rest) = rest.split_at_mut(count);
            let ways = &groups.ways(number);
            if let Some(plan) = Op::rows(&mut planned[place].1, ways) {
                let stages = RowStages { op, between: &mut between };
                Rows { stages, data: groups.views.data(), plan, output, level }.run();
                continue;
            }
            let group = Group { views: groups.views, ways };
            op.emit_group(&mut planned[place].1, group, (level, threads), output)?;
        }
        Ok(())
    }
}

/// All stages of an operator, for one row after another.
struct RowStages<'a, Op: Emits<T, O>, T: Stored, O> {
    op: &'a Op,
    between: &'a mut Op::Between,
}

impl<Op: Emits<T, O>, T: Stored, O> EachRow<T, O> for RowStages<'_, Op, T, O> {
    #[inline(always)]
    fn emit<C: Code>(&mut self, code: C, size: usize, rows: &[Row<'_, T>], output: &mut [O]) {
        self.op.emit_rows(code, self.between, (rows, size), output, Last);
    }
}
