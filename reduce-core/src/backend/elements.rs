//! Where the elements of an emission lie, and to which result each belongs.

use super::order::OrderAxis;
use super::parts::Parts;
use crate::facts::error::Error;
use crate::facts::shape::Shape;
use crate::values::input::Input;
use crate::values::layout::Strided;

/// All elements of an input in row-major order, as an emission goes over them; made by [`Parts::elements`].
///
/// Elements are numbered along `axes`, the last one fastest. Each belongs to a result; results are in row-major order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elements {
    /// The number of elements.
    pub count: usize,
    /// The axes, the outermost first; those that together walk one sequence in all tensors are one. Each has a
    /// stride in the buffer of each input and, behind these, one from result to result, which is 0 along
    /// reduced axes.
    pub axes: Vec<OrderAxis>,
    /// Where the first element lies in the buffer of each input, in elements.
    pub offsets: Vec<usize>,
}

impl<Op> Parts<'_, Op> {
    /// The elements of an input. No element is read.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::ReduceSum;
    ///
    /// let matrix = View::new(&[0.0f32; 6], &[2, 3])?;
    /// let elements = Reduction::new(ReduceSum).axes([1]).parts().elements(&matrix)?;
    /// assert_eq!(elements.count, 6);
    /// assert_eq!((elements.axes[0].size, &elements.axes[0].strides[..]), (2, &[3, 1][..]));
    /// assert_eq!((elements.axes[1].size, &elements.axes[1].strides[..]), (3, &[1, 0][..]));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If an axis does not fit the input, or several views do not broadcast to one shape.
    pub fn elements<I: Input>(&self, input: &I) -> Result<Elements, Error> {
        let shape = input.shape()?;
        input.strided(&shape, |inputs| self.all(&shape, inputs))?
    }

    /// The elements of a tensor of this shape in row-major order, which need not be in memory. One operator may
    /// emit it, and [another one](crate::adapt::Then) emit over it.
    ///
    /// # Errors
    /// If an axis does not fit the shape.
    pub fn elements_in_rows(&self, shape: &Shape) -> Result<Elements, Error> {
        self.all(shape, &[(&shape.row_major_strides(), 0)])
    }

    /// All elements of inputs of a shape.
    fn all(&self, shape: &Shape, inputs: &[Strided<'_>]) -> Result<Elements, Error> {
        let reduced = self.axes.resolve(shape.rank())?;
        let to_results = reduced.output_shape(shape, true)?.row_major_strides();
        let axis = |axis: usize| {
            let of_inputs = inputs.iter().map(|(strides, _)| strides[axis]);
            let of_results = if reduced.contains(axis) { 0 } else { to_results[axis] };
            OrderAxis { size: shape[axis], strides: of_inputs.chain([of_results]).collect() }
        };
        let axes = (0..shape.rank()).filter(|&axis| shape[axis] != 1).map(axis);
        Ok(Elements {
            count: shape.count(),
            axes: axes.fold(Vec::new(), merged),
            offsets: inputs.iter().map(|(_, offset)| *offset).collect(),
        })
    }
}

/// Axes with one more behind them. It joins the last one if one step along that is as far as all of its own
/// steps.
fn merged(mut axes: Vec<OrderAxis>, axis: OrderAxis) -> Vec<OrderAxis> {
    let size = axis.size.cast_signed();
    let continues = |outer: &OrderAxis| {
        let mut pairs = outer.strides.iter().zip(&axis.strides);
        pairs.all(|(outer, inner)| inner.checked_mul(size) == Some(*outer))
    };
    match axes.last_mut().filter(|outer| continues(outer)) {
        Some(outer) => *outer = OrderAxis { size: outer.size * axis.size, strides: axis.strides },
        None => axes.push(axis),
    }
    axes
}
