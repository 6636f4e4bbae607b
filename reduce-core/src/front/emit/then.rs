//! Operators one after another, each over what the one before it emitted.

use super::stage::Stage;
use super::{Emits, EmitsEach, Emitting, Group};
use crate::facts::axes::AxisSet;
use crate::facts::error::Error;
use crate::facts::shape::Shape;
use crate::facts::threads::Threads;
use crate::front::reduction::Reduction;
use crate::front::spec::{OpSpec, Reduces};
use crate::kernel::{
    Folding, Follow, ORDERED, Results, Row, emit_rows_in_place, emit_rows_of, follow_rows,
};
use crate::machine::code::Code;
use crate::machine::level::Available;
use crate::plan::Plan;
use crate::values::element::{Element, Store};
use crate::values::input::Input;
use crate::values::stored::Stored;
use crate::values::tensor::allocate;
use crate::values::view::View;

/// An operator that reduces what another one emitted; made by [`Reduction::then`].
#[derive(Clone, Copy, Debug)]
pub struct Then<First, Next> {
    first: First,
    next: Next,
}

impl<Op> Reduction<Op> {
    /// What the operator emits, reduced over the same axes by another one, which emits in
    /// its turn.
    ///
    /// All stages are done for some results before the others, so that what is emitted in
    /// between stays in cache and in the type it is computed in. It is never rounded to
    /// half precision, say.
    ///
    /// ```
    /// # use reduce_core::{Emit, Real, ReduceOp, Reduction, View, reduce_op};
    /// /// Subtracts the mean.
    /// #[derive(Clone, Copy, Debug, Default)]
    /// struct Centre;
    /// # #[reduce_op(dtypes = [f32, f64])]
    /// # impl<A: Real> ReduceOp<A> for Centre {
    /// #     type Acc = A;
    /// #     type Output = A;
    /// #     fn identity(&self) -> A { A::ZERO }
    /// #     fn map(&self, x: A) -> A { x }
    /// #     fn combine(&self, a: A, b: A) -> A { a + b }
    /// #     fn finalize(&self, sum: A, count: usize) -> A { sum.div_count(count) }
    /// # }
    /// #
    /// # impl<A: Real> Emit<A> for Centre {
    /// #     type Emitted = A;
    /// #     #[inline(always)]
    /// #     fn emit(&self, x: A, mean: &A) -> A { x - *mean }
    /// # }
    ///
    /// /// Divides by the root of the mean square.
    /// #[derive(Clone, Copy, Debug, Default)]
    /// struct ToUnit;
    ///
    /// #[reduce_op(dtypes = [f32, f64])]
    /// impl<A: Real> ReduceOp<A> for ToUnit {
    ///     type Acc = A;
    ///     type Output = A;
    ///     fn identity(&self) -> A { A::ZERO }
    ///     fn map(&self, x: A) -> A { x * x }
    ///     fn combine(&self, a: A, b: A) -> A { a + b }
    ///     fn finalize(&self, sum: A, count: usize) -> A { sum.div_count(count).sqrt() }
    /// }
    ///
    /// impl<A: Real> Emit<A> for ToUnit {
    ///     type Emitted = A;
    ///     #[inline(always)]
    ///     fn emit(&self, x: A, length: &A) -> A { x / *length }
    /// }
    ///
    /// // Layer norm: the squares are those of distances from the mean, as they should be.
    /// let rows = View::new(&[1.0f32, 3.0, 1e6, 1e6 + 4.0], &[2, 2])?;
    /// let norm = Reduction::new(Centre).then(ToUnit).axes([1]).emit(&rows)?;
    /// assert_eq!(norm.data(), [-1.0, 1.0, -1.0, 1.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn then<Next: OpSpec>(self, next: Next) -> Reduction<Then<Op, Next>> {
        self.map_op(|first| Then { first, next })
    }
}

impl<T, First, Next> Emitting<T> for Then<First, Next>
where
    T: Stored,
    First: Emitting<T, Emitted: Element>,
    Next: Emitting<First::Emitted>,
{
    type Emitted = Next::Emitted;
}

/// The stages of two operators, and room for what the first emits where it is not stored
/// as it is computed.
#[derive(Debug)]
#[allow(unreachable_pub, reason = "named by a hidden type of a public trait")]
pub struct Stages<First, E, K> {
    first: First,
    between: Vec<E>,
    shape: Shape,
    next: Box<Stage<K>>,
}

#[allow(private_interfaces, reason = "in hidden functions")]
impl<T, O, First, Next, E> Emits<T, O> for Then<First, Next>
where
    T: Stored,
    O: Store<E>,
    E: Element,
    First: Emitting<T, Emitted = E> + Emits<T, E>,
    Next: OpSpec + EmitsEach<E, O> + EmitsEach<E, E>,
{
    type Stages = Stages<First::Stages, E, Next::Kept>;
    type Between = (First::Between, Vec<E>);

    fn stages<V>(&self, views: &V, shape: &Shape, axes: &AxisSet) -> Result<Self::Stages, Error>
    where
        V: Input<Stored = T>,
    {
        let between = match O::unrounded(&mut []) {
            Some(_) => Vec::new(),
            None => allocate(shape.count())?,
        };
        let next = Stage::in_order::<Next, E>(shape, axes)?;
        let first = self.first.stages(views, shape, axes)?;
        Ok(Stages { first, between, shape: shape.clone(), next })
    }

    fn rows<'s>(stages: &'s mut Self::Stages, ways: &[isize]) -> Option<&'s Plan> {
        let is_ordered = <Next as Reduces<E>>::LANES == ORDERED;
        if is_ordered { None } else { First::rows(&mut stages.first, ways) }
    }

    #[inline(always)]
    fn emit_rows<C: Code, N: Follow<O>>(
        &self,
        code: C,
        (before, between): &mut Self::Between,
        (rows, size): (&[Row<'_, T>], usize),
        output: &mut [O],
        next: N,
    ) -> Results<N::Result> {
        let folding = Folding(&self.next);
        if let Some(elements) = O::unrounded(output) {
            let results = self.first.emit_rows(code, before, (rows, size), elements, folding);
            emit_rows_in_place(&self.next, size, &results, elements);
            return follow_rows(code, size, output, next);
        }
        between.resize(output.len(), E::default());
        let results = self.first.emit_rows(code, before, (rows, size), between, folding);
        emit_rows_of(code, &self.next, (between, size), &results, output, next)
    }

    fn emit_group<V>(
        &self,
        stages: &mut Self::Stages,
        group: Group<'_, V>,
        crew: (Available, &Threads),
        output: &mut [O],
    ) -> Result<(), Error>
    where
        V: Input<Stored = T>,
    {
        let Stages { first, between, shape, next } = stages;
        if let Some(output) = O::unrounded(output) {
            self.first.emit_group(first, group, crew, output)?;
            return next.run_in_place(&self.next, shape, crew, output);
        }
        self.first.emit_group(first, group, crew, between)?;
        let views = &View::new(between, shape)?;
        next.run(&self.next, Group { views, ways: &[0] }, crew, output)
    }
}
