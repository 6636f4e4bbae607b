//! Planned emission: the plan made once, run many times.

use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use super::Emits;
use super::reduction::{PlanOver, check_length};
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::front::reduction::Reduction;
use crate::machine::team::KeptCrew;
use crate::values::element::Element;
use crate::values::input::{Input, same_layout};
use crate::values::layout::Layout;
use crate::values::layouts::HasLayouts;
use crate::values::leading::Leading;
use crate::values::stored::Stored;

/// An emission over views of one layout, which is their shape, strides and offset; made by
/// [`Reduction::planned_emission`](crate::Reduction::planned_emission).
///
/// ```
/// use reduce_core::{Threads, View};
/// use reduce_gallery::softmax;
///
/// // Once, with any view of the layout.
/// let sample = View::new(&[0.0f32; 6], &[2, 3])?;
/// let shares = softmax().axes([1]).threads(Threads::One).planned_emission(&sample)?;
/// let mut buffer = vec![0.0; shares.shape().count()];
///
/// // Often.
/// for logit in [1.0, 2.0] {
///     shares.emit_into(&View::new(&[logit; 6], &[2, 3])?, &mut buffer)?;
///     assert_eq!(buffer, [1.0 / 3.0; 6]);
/// }
/// // Or over the elements themselves.
/// shares.emit_in_place(&mut buffer)?;
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// Running it takes no lock. A thread keeps the memory that a call needs beside its buffers. So after the first call it
/// allocates nothing, if the input has up to 64 kB and lies in row-major order. To mend a result that the operator
/// [doubts](crate::ReduceOp::doubts) takes memory, too.
pub struct PlannedEmission<Op, T: Stored> {
    op: Op,
    layouts: Vec<Layout>,
    planned: Option<PlanOver<T>>,
    shape: Shape,
    crew: KeptCrew,
    types: PhantomData<fn(T)>,
}

impl<Op> Reduction<Op> {
    /// Plans an emission over views of one layout, so that calls on views of that layout begin at once. The layout is that of
    /// a view, of several, or without any elements: [`HasLayouts`]. [`PlannedEmission`] has an example.
    ///
    /// # Errors
    /// If an axis does not fit the input, several views do not broadcast to one shape, the CPU lacks the level asked
    /// for, or the operator refuses its parameters.
    pub fn planned_emission<T: Stored>(
        &self,
        input: &(impl HasLayouts<T> + ?Sized),
    ) -> Result<PlannedEmission<Op, T>, Error>
    where
        Op: Emits<T> + Clone,
    {
        let (shape, prepared) = self.prepared(input)?;
        let (op, crew) = (self.op.clone(), self.settings.kept_crew());
        Ok(PlannedEmission::new(op, input.all_layouts(), prepared, shape, crew))
    }
}

impl<Op, T: Stored> PlannedEmission<Op, T> {
    pub(super) fn new(
        op: Op,
        layouts: Vec<Layout>,
        planned: Option<PlanOver<T>>,
        shape: Shape,
        crew: KeptCrew,
    ) -> Self {
        PlannedEmission { op, layouts, planned, shape, crew, types: PhantomData }
    }

    /// The shape of the input, which is that of the output.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }
}

impl<Op: Emits<T>, T: Stored> PlannedEmission<Op, T> {
    /// Writes what each element becomes into a buffer, in row-major order.
    ///
    /// # Errors
    /// If a view's shape, strides or offset differ from the plan's, if the buffer has fewer or more elements than the
    /// input, if there is not enough memory, or if the emission is [stopped](crate::Progress::stop). After the last two of
    /// these the buffer may hold some emitted elements.
    pub fn emit_into<I: Input<Stored = T>>(
        &self,
        input: &I,
        output: &mut [T::First],
    ) -> Result<(), Error> {
        same_layout(input, &self.layouts)?;
        check_length(output.len(), &self.shape)?;
        let Some((plan, level)) = &self.planned else { return Ok(()) };
        let crew = (*level, self.crew.crew());
        plan.emit_to(&self.op.ops(), input.data(), crew, output)
    }

    /// Emits as [`PlannedEmission::emit_into`] does, into a buffer that need not be initialised. It returns the elements
    /// in that buffer.
    ///
    /// # Errors
    /// As [`PlannedEmission::emit_into`].
    pub fn emit_into_uninit<'o, I: Input<Stored = T>>(
        &self,
        input: &I,
        output: &'o mut [MaybeUninit<T::First>],
    ) -> Result<&'o mut [T::First], Error> {
        same_layout(input, &self.layouts)?;
        check_length(output.len(), &self.shape)?;
        let Some((plan, level)) = &self.planned else { return Ok(&mut []) };
        let crew = (*level, self.crew.crew());
        plan.emit_to_places(&self.op.ops(), input.data(), crew, output)
    }
}

impl<Op: Emits<T>, T: Element> PlannedEmission<Op, T> {
    /// Emits in place: each element is replaced by what it becomes. The plan has to be for a view in row-major order.
    ///
    /// # Errors
    /// If the plan is for another layout, or as [`PlannedEmission::emit_into`].
    pub fn emit_in_place(&self, elements: &mut [T]) -> Result<(), Error> {
        self.check_in_place(elements.len())?;
        let Some((plan, level)) = &self.planned else { return Ok(()) };
        plan.emit_over(&self.op.ops(), (*level, self.crew.crew()), elements)
    }
}

impl<Op: Emits<T, E>, T: Leading<1, Front = E, First = E>, E: Element> PlannedEmission<Op, T> {
    /// Emits in place, with other inputs [beside](Reduction::beside) the elements: each element of the first input is
    /// replaced by what it becomes.
    ///
    /// ```
    /// use reduce_core::View;
    /// use reduce_gallery::rms_norm;
    ///
    /// let scale = View::new(&[1.0f32, 10.0], &[2])?;
    /// let sample = View::new(&[0.0; 4], &[2, 2])?;
    /// let norm = rms_norm(0.0).axes([1]).planned_emission(&(sample, scale.clone()))?;
    ///
    /// let mut rows = [3.0f32, -3.0, 0.5, 0.5];
    /// norm.emit_in_place_beside(&mut rows, &scale)?;
    /// assert_eq!(rows, [1.0, -10.0, 1.0, 10.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the plan is for an input in another order, or as [`PlannedEmission::emit_into`].
    pub fn emit_in_place_beside<I: Input<Stored = T::Rest>>(
        &self,
        elements: &mut [E],
        beside: &I,
    ) -> Result<(), Error> {
        self.check_in_place(elements.len())?;
        same_layout(beside, self.layouts.get(1..).unwrap_or_default())?;
        let Some((plan, level)) = &self.planned else { return Ok(()) };
        plan.emit_over_beside(&self.op.ops(), (*level, self.crew.crew()), elements, beside.data())
    }
}

impl<Op, T: Stored> PlannedEmission<Op, T> {
    /// Checks that the plan is for a first input of so many elements, in row-major order.
    fn check_in_place(&self, elements: usize) -> Result<(), Error> {
        check_length(elements, &self.shape)?;
        let Some(Layout { shape, strides, offset, .. }) = self.layouts.first() else {
            return Ok(());
        };
        if *offset == 0 && *shape == self.shape && shape.is_row_major(strides) {
            return Ok(());
        }
        let planned = (shape.to_vec(), strides.to_vec());
        let found = (self.shape.to_vec(), self.shape.row_major_strides().to_vec());
        Err(ErrorKind::OtherLayout { planned, found }.into())
    }
}

impl<Op: fmt::Debug, T: Stored> fmt::Debug for PlannedEmission<Op, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlannedEmission")
            .field("op", &self.op)
            .field("layouts", &self.layouts)
            .finish_non_exhaustive()
    }
}
