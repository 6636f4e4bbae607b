//! The run of an emission, as users ask for it.

use super::Emits;
use crate::facts::error::{Error, ErrorKind};
use crate::front::reduction::Reduction;
use crate::front::settings::Settings;
use crate::values::input::Input;
use crate::values::stored::Stored;
use crate::values::tensor::Tensor;
use crate::values::tensor::allocate;
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
        let shape = input.shape()?;
        let mut output = allocate(shape.count())?;
        self.emit_over(input, &mut ViewMut::new(&mut output, &shape)?)?;
        Ok(Tensor::from_parts(output, shape))
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
        if output.len() != shape.count() {
            let (expected, found) = (shape.count(), output.len());
            return Err(ErrorKind::LengthMismatch { what: "the output", expected, found }.into());
        }
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

    fn emit_over<I: Input>(
        &self,
        input: &I,
        output: &mut ViewMut<'_, <I::Stored as Stored>::First>,
    ) -> Result<(), Error>
    where
        Op: Emits<I::Stored>,
    {
        self.op.check_all()?;
        let Settings { axes, level, threads, .. } = &self.settings;
        let shape = &output.shape().clone();
        let axes = &axes.resolve(shape.rank())?;
        let level = level.check()?;
        if shape.count() == 0 {
            return Ok(());
        }
        let views = &input.views(shape)?;
        self.op.stages().run(views, (shape, axes), (level, threads), output)
    }
}
