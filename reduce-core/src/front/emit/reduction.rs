//! The run of an emission, as users ask for it.

use std::mem::MaybeUninit;

use smallvec::{SmallVec, smallvec};

use super::Emits;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::{Dims, Shape};
use crate::front::reduction::Reduction;
use crate::front::settings::Settings;
use crate::kernel::EmissionPlan;
use crate::machine::level::Available;
use crate::values::element::Element;
use crate::values::input::Input;
use crate::values::layout::Strided;
use crate::values::layouts::HasLayouts;
use crate::values::leading::{Behind, Leading};
use crate::values::stored::{INPUTS, Stored};
use crate::values::tensor::Tensor;
use crate::values::view_mut::ViewMut;

impl<Op> Reduction<Op> {
    /// What each element becomes, once the result over its set is known: a tensor of the
    /// input's shape, in the type of the first input. The data is read twice, the second time from cache where slices
    /// along the axes in front of the first reduced one fit there.
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
        let (shape, prepared) = self.prepared(input)?;
        let ops = self.op.ops();
        let emitted = match prepared {
            Some((plan, level)) => {
                let crew = (level, self.settings.crew());
                plan.emit_new(&ops, input.data(), crew, shape.count())?
            }
            None => Vec::new(),
        };
        Ok(Tensor::from_parts(emitted, shape))
    }

    /// Emits as [`Reduction::emit`] does, into a buffer, in row-major order.
    ///
    /// ```
    /// use reduce_core::View;
    /// use reduce_gallery::softmax;
    ///
    /// let mut shares = [0.0f32; 4];
    /// softmax().axes([1]).emit_into(&View::new(&[1.0f32, 1.0, 2.0, 2.0], &[2, 2])?, &mut shares)?;
    /// assert_eq!(shares, [0.5; 4]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reduction::emit`], and if the buffer has fewer or more elements than the input. After an error the buffer
    /// may hold some emitted elements.
    pub fn emit_into<I: Input>(
        &self,
        input: &I,
        output: &mut [<I::Stored as Stored>::First],
    ) -> Result<(), Error>
    where
        Op: Emits<I::Stored>,
    {
        let shape = input.shape()?;
        check_length(output.len(), &shape)?;
        self.emit_over(input, &mut ViewMut::new(output, &shape)?)
    }

    /// Emits as [`Reduction::emit`] does, into a view of the input's shape. In the buffer of the view, only the places
    /// that it names are written. What is emitted is the same, to the last bit.
    ///
    /// ```
    /// use reduce_core::{View, ViewMut};
    /// use reduce_gallery::softmax;
    ///
    /// // The last two columns of a matrix of three.
    /// let mut matrix = [9.0f32; 6];
    /// let mut columns = ViewMut::new(&mut matrix, &[2, 3])?.slice(1, 1, 3, 1)?;
    /// let logits = View::new(&[1.0f32, 1.0, 2.0, 2.0], &[2, 2])?;
    /// softmax().axes([1]).emit_into_view(&logits, &mut columns)?;
    /// assert_eq!(matrix, [9.0, 0.5, 0.5, 9.0, 0.5, 0.5]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reduction::emit`], and if the view is of another shape. After an error the view may hold some emitted
    /// elements.
    pub fn emit_into_view<I: Input>(
        &self,
        input: &I,
        output: &mut ViewMut<'_, <I::Stored as Stored>::First>,
    ) -> Result<(), Error>
    where
        Op: Emits<I::Stored>,
    {
        output.check(&input.shape()?)?;
        self.emit_over(input, output)
    }

    /// Emits as [`Reduction::emit_into`] does, into a buffer that need not be initialised. It returns the elements
    /// in that buffer.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// use reduce_core::View;
    /// use reduce_gallery::softmax;
    ///
    /// let mut pool = [MaybeUninit::<f32>::uninit(); 4];
    /// let logits = View::new(&[1.0f32, 1.0, 2.0, 2.0], &[2, 2])?;
    /// let shares = softmax().axes([1]).emit_into_uninit(&logits, &mut pool)?;
    /// assert_eq!(shares, [0.5; 4]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reduction::emit_into`].
    pub fn emit_into_uninit<'o, I: Input>(
        &self,
        input: &I,
        output: &'o mut [MaybeUninit<<I::Stored as Stored>::First>],
    ) -> Result<&'o mut [<I::Stored as Stored>::First], Error>
    where
        Op: Emits<I::Stored>,
    {
        let (shape, prepared) = self.prepared(input)?;
        check_length(output.len(), &shape)?;
        let Some((plan, level)) = prepared else { return Ok(&mut []) };
        let crew = (level, self.settings.crew());
        plan.emit_to_places(&self.op.ops(), input.data(), crew, output)
    }

    /// Emits in place: each element of a tensor in row-major order is replaced by what it becomes. What is emitted is
    /// the same, to the last bit, as that of [`Reduction::emit`].
    ///
    /// ```
    /// use reduce_core::Shape;
    /// use reduce_gallery::softmax;
    ///
    /// let mut logits = [1.0f32, 1.0, 2.0, 2.0];
    /// softmax().axes([1]).emit_in_place(&mut logits, &Shape::new(&[2, 2])?)?;
    /// assert_eq!(logits, [0.5; 4]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reduction::emit`], and if there are fewer or more elements than the shape has. After an error the elements
    /// may be in any state.
    pub fn emit_in_place<T: Element>(&self, elements: &mut [T], shape: &Shape) -> Result<(), Error>
    where
        Op: Emits<T>,
    {
        check_length(elements.len(), shape)?;
        let strides = shape.row_major_strides();
        let in_order = (strides.as_slice(), 0);
        let Some((plan, level)) = self.emission_plan(shape, &[in_order], in_order)? else {
            return Ok(());
        };
        let crew = (level, self.settings.crew());
        plan.emit_over(&self.op.ops(), crew, elements)
    }

    /// Emits in place as [`Reduction::emit_in_place`] does, with other inputs [beside](Reduction::beside) the elements.
    ///
    /// ```
    /// use reduce_core::{Shape, View};
    /// use reduce_gallery::rms_norm;
    ///
    /// let mut rows = [3.0f32, -3.0, 0.5, 0.5];
    /// let scale = View::new(&[1.0f32, 10.0], &[2])?;
    /// rms_norm(0.0).axes([1]).emit_in_place_beside(&mut rows, &Shape::new(&[2, 2])?, &scale)?;
    /// assert_eq!(rows, [1.0, -10.0, 1.0, 10.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reduction::emit_in_place`], and if an input does not broadcast to the shape.
    pub fn emit_in_place_beside<T, I, E>(
        &self,
        elements: &mut [E],
        shape: &Shape,
        beside: &I,
    ) -> Result<(), Error>
    where
        E: Element,
        I: Input<Stored: Behind<E, All = T>>,
        T: Leading<1, Front = E, First = E, Rest = I::Stored>,
        Op: Emits<T>,
    {
        check_length(elements.len(), shape)?;
        let strides = shape.row_major_strides();
        let in_order = (strides.as_slice(), 0);
        let planned = beside.strided(shape, |others| {
            let mut inputs: SmallVec<[Strided<'_>; INPUTS]> = smallvec![in_order];
            inputs.extend_from_slice(others);
            self.emission_plan(shape, &inputs, in_order)
        })??;
        let Some((plan, level)) = planned else { return Ok(()) };
        let crew = (level, self.settings.crew());
        plan.emit_over_beside(&self.op.ops(), crew, elements, beside.data())
    }

    fn emit_over<I: Input>(
        &self,
        input: &I,
        output: &mut ViewMut<'_, <I::Stored as Stored>::First>,
    ) -> Result<(), Error>
    where
        Op: Emits<I::Stored>,
    {
        let shape = output.shape().clone();
        let strides = Dims::from_slice(output.strides());
        let out = (strides.as_slice(), output.offset());
        let planned = input.strided(&shape, |inputs| self.emission_plan(&shape, inputs, out))??;
        let Some((plan, level)) = planned else { return Ok(()) };
        let crew = (level, self.settings.crew());
        plan.emit_to(&self.op.ops(), input.data(), crew, output.data_mut())
    }

    /// The shape of inputs that lie so, and the plan of an emission in row-major order.
    pub(super) fn prepared<T: Stored, I: HasLayouts<T> + ?Sized>(
        &self,
        inputs: &I,
    ) -> Result<Prepared<T>, Error>
    where
        Op: Emits<T>,
    {
        inputs.lying(|shape, inputs| {
            let strides = shape.row_major_strides();
            Ok((shape.clone(), self.emission_plan(shape, inputs, (strides.as_slice(), 0))?))
        })?
    }

    /// The plan of an emission over inputs of one shape, and the level; none if there are no elements.
    fn emission_plan<T: Stored>(
        &self,
        shape: &Shape,
        inputs: &[Strided<'_>],
        out: Strided<'_>,
    ) -> Result<Option<PlanOver<T>>, Error>
    where
        Op: Emits<T>,
    {
        self.op.check_all()?;
        let Settings { axes, level, mends, .. } = &self.settings;
        let axes = axes.resolve(shape.rank())?;
        let level = level.check()?;
        let plan = || (Op::stages().mending(*mends).plan((shape, &axes), inputs, out), level);
        Ok((shape.count() > 0).then(plan))
    }
}

/// The plan of an emission over a storage type, and the level at which it runs.
pub(super) type PlanOver<T> = (EmissionPlan<T, <T as Stored>::First>, Available);

/// The shape of inputs, and the plan over them, if they have elements.
pub(super) type Prepared<T> = (Shape, Option<PlanOver<T>>);

/// Checks that a buffer has a place for each element of a shape.
///
/// # Errors
/// If it has fewer or more.
pub(super) fn check_length(found: usize, shape: &Shape) -> Result<(), Error> {
    let expected = shape.count();
    match found == expected {
        true => Ok(()),
        false => Err(ErrorKind::LengthMismatch { what: "the output", expected, found }.into()),
    }
}
