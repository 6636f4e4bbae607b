//! Emission into a tensor that lies in memory as its input does.

use super::Emits;
use crate::facts::error::Error;
use crate::front::reduction::Reduction;
use crate::plan::leader;
use crate::values::input::Input;
use crate::values::permuted::Permuted;
use crate::values::stored::Stored;
use crate::values::tensor::{Tensor, allocate};

/// A reduction whose emission lies in memory as its input does; made by [`Reduction::like_input`].
#[derive(Clone, Debug)]
pub struct LikeInput<Op> {
    reduction: Reduction<Op>,
}

impl<Op> Reduction<Op> {
    /// Emits in the order in which the input lies in memory, and not in row-major order: several times as fast
    /// where the input is transposed. It is the last setting before [`emit`](LikeInput::emit), which then returns a
    /// [`Permuted`].
    ///
    /// ```
    /// # use reduce_core::{Emit, Real, ReduceOp, Reduction, View, reduce_op};
    /// # /// Subtracts the mean.
    /// # #[derive(Clone, Copy, Debug, Default)]
    /// # struct Centre;
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
    /// // A matrix of two rows, which lies in memory column by column.
    /// let columns = View::new(&[1.0f32, 10.0, 2.0, 20.0, 3.0, 30.0], &[3, 2])?;
    /// let matrix = columns.permute(&[1, 0])?;
    ///
    /// // Each row less its mean.
    /// let centred = Reduction::new(Centre).axes([1]).like_input().emit(&matrix)?;
    /// assert_eq!(centred.shape().dims(), [2, 3]);
    /// assert_eq!(centred.tensor().data(), [-1.0, -10.0, 0.0, 0.0, 1.0, 10.0]);
    ///
    /// // A view of it is an input like any other.
    /// let rows = Reduction::new(Centre).axes([1]).emit(&centred.view())?;
    /// assert_eq!(rows.data(), [-1.0, 0.0, 1.0, -10.0, 0.0, 10.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn like_input(self) -> LikeInput<Op> {
        LikeInput { reduction: self }
    }
}

impl<Op> LikeInput<Op> {
    /// Emits the same elements as [`Reduction::emit`], to the last bit, in a tensor of the input's shape. But its axes
    /// lie in memory as those of the input do, without gaps: the axis of the largest stride is the outermost. Axes that
    /// are walked backwards are turned forward, and repeated ones (stride 0) are in front. If there are several inputs,
    /// it lies as the one with the most elements does, or as the first of these.
    ///
    /// # Errors
    /// As [`Reduction::emit`].
    pub fn emit<I: Input>(&self, input: &I) -> Result<Permuted<<I::Stored as Stored>::First>, Error>
    where
        Op: Emits<I::Stored>,
    {
        let shape = input.shape()?;
        let order = input.strided(&shape, |inputs| {
            let (strides, _) = inputs[leader(&shape, inputs)];
            shape.order_in_memory(strides)
        })?;
        let in_memory = shape.subset(order.iter().map(|&axis| shape[axis]));
        let blank = Tensor::from_parts(allocate(shape.count())?, in_memory);
        let mut emitted = Permuted::new(blank, &order)?;
        self.reduction.emit_into_view(input, &mut emitted.view_mut())?;
        Ok(emitted)
    }
}
