//! Tensors whose axes lie in memory in another order.

use crate::facts::error::Error;
use crate::facts::shape::{Dims, Shape};
use crate::values::element::Element;
use crate::values::tensor::Tensor;
use crate::values::view::View;
use crate::values::view_mut::ViewMut;

/// A tensor that owns its elements, whose axes lie in any order in memory, without gaps. A transposed matrix,
/// say, lies column by column.
///
/// It is made of a row-major [`Tensor`], which has the axes as they lie in memory, and their order:
///
/// ```
/// use reduce_core::{Permuted, Tensor};
///
/// // Three columns of two elements, one behind the other.
/// let columns = Tensor::new(vec![1, 4, 2, 5, 3, 6], &[3, 2])?;
/// let matrix = Permuted::new(columns, &[1, 0])?;
/// let view = matrix.view();
/// assert_eq!((view.shape().dims(), view.strides()), (&[2, 3][..], &[1, 2][..]));
/// assert_eq!(matrix.tensor().shape().dims(), [3, 2]);
/// assert_eq!(matrix.order(), [1, 0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Permuted<T> {
    tensor: Tensor<T>,
    shape: Shape,
    order: Dims<usize>,
}

impl<T: Element> Permuted<T> {
    /// The tensor whose axis `order[i]` is axis `i` of this one.
    ///
    /// # Errors
    /// If `order` does not name each axis once.
    pub fn new(tensor: Tensor<T>, order: &[usize]) -> Result<Self, Error> {
        let places = places(order);
        let shape = tensor.view().permute(&places)?.shape().clone();
        Ok(Permuted { tensor, shape, order: Dims::from_slice(order) })
    }

    /// The sizes of the axes, in their own order and not that of memory.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The axes in the order of memory, outermost first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The row-major tensor that has the axes as they lie in memory.
    pub fn tensor(&self) -> &Tensor<T> {
        &self.tensor
    }

    /// The row-major [`tensor`](Permuted::tensor), by value.
    pub fn into_tensor(self) -> Tensor<T> {
        self.tensor
    }

    /// A view of the whole tensor, of its [`shape`](Permuted::shape).
    pub fn view(&self) -> View<'_, T> {
        let view = self.tensor.view().permute(&places(&self.order));
        view.expect("the order was checked at construction")
    }

    /// A view of the whole tensor to write to, say, again and again what is emitted over views of this layout.
    pub fn view_mut(&mut self) -> ViewMut<'_, T> {
        let shape = self.tensor.shape().clone();
        let view = ViewMut::new(self.tensor.data_mut(), &shape);
        let view = view.and_then(|view| view.permute(&places(&self.order)));
        view.expect("the order was checked at construction")
    }
}

/// Where each axis stands in an order, if that names each once.
fn places(order: &[usize]) -> Dims<usize> {
    let place = |axis| order.iter().position(|&other| other == axis).unwrap_or(order.len());
    (0..order.len()).map(place).collect()
}
