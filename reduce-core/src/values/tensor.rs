//! Tensors that own their elements, and views and tensors of any type.

use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::values::element::{Element, Slot};
use crate::values::view::View;

/// A row-major tensor that owns its elements: what reductions give.
///
/// ```
/// use reduce_core::{Reduction, Tensor, View};
/// use reduce_specs::ReduceMax;
///
/// let matrix = View::new(&[1.0f32, 5.0, 3.0, 4.0], &[2, 2])?;
/// let largest: Tensor<f32> = Reduction::new(ReduceMax).axes([1]).run(&matrix)?;
/// assert_eq!((largest.shape().dims(), largest.data()), (&[2][..], &[5.0, 4.0][..]));
/// // Its view is an input like any other.
/// assert_eq!(Reduction::new(ReduceMax).run(&largest.view())?.data(), [5.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// With the feature `serde` it can be serialised, as its shape and its elements.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        bound(
            serialize = "T: Element + serde::Serialize",
            deserialize = "T: Element + serde::Deserialize<'de>"
        ),
        into = "SerialTensor<T>",
        try_from = "SerialTensor<T>"
    )
)]
pub struct Tensor<T> {
    shape: Shape,
    data: Vec<T>,
}

impl<T: Element> Tensor<T> {
    /// A tensor of this shape, outermost axis first, of elements in row-major order.
    ///
    /// # Errors
    /// If the shape's number of elements is not the data's.
    pub fn new(data: Vec<T>, shape: &[usize]) -> Result<Self, Error> {
        let shape = View::new(&data, shape)?.shape().clone();
        Ok(Tensor { shape, data })
    }

    /// A tensor of rank 1.
    pub fn from_list(data: Vec<T>) -> Self {
        let shape = Shape::new(&[data.len()]).expect("a buffer is no longer than `isize::MAX`");
        Tensor { shape, data }
    }

    /// A tensor whose length is known to be right.
    pub(crate) fn from_parts(data: Vec<T>, shape: Shape) -> Self {
        debug_assert_eq!(data.len(), shape.count());
        Tensor { shape, data }
    }

    /// The sizes of the axes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The elements, last axis fastest.
    pub fn data(&self) -> &[T] {
        &self.data
    }

    pub(crate) fn data_mut(&mut self) -> &mut [T] {
        &mut self.data
    }

    /// The elements, last axis fastest, by value.
    pub fn into_data(self) -> Vec<T> {
        self.data
    }

    /// A view of the whole tensor.
    pub fn view(&self) -> View<'_, T> {
        View::new(&self.data, &self.shape).expect("the length was checked at construction")
    }
}

/// A tensor as it is serialised.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Tensor")]
struct SerialTensor<T> {
    shape: Vec<usize>,
    data: Vec<T>,
}

#[cfg(feature = "serde")]
impl<T> From<Tensor<T>> for SerialTensor<T> {
    fn from(Tensor { shape, data }: Tensor<T>) -> Self {
        SerialTensor { shape: shape.to_vec(), data }
    }
}

#[cfg(feature = "serde")]
impl<T: Element> TryFrom<SerialTensor<T>> for Tensor<T> {
    type Error = Error;

    fn try_from(SerialTensor { shape, data }: SerialTensor<T>) -> Result<Self, Error> {
        Tensor::new(data, &shape)
    }
}

/// A buffer for results. A small broadcast view may ask for a huge one.
pub(crate) fn allocate<O: Slot>(count: usize) -> Result<Vec<O>, Error> {
    let mut data = reserve(count, O::DTYPE)?;
    data.resize(count, O::blank());
    Ok(data)
}

/// The elements of an iterator, which knows their number, in a list.
pub(crate) fn collect<O: Slot>(
    elements: impl ExactSizeIterator<Item = O>,
) -> Result<Vec<O>, Error> {
    let mut data = reserve(elements.len(), O::DTYPE)?;
    data.extend(elements);
    Ok(data)
}

/// An empty list with room for `elements` entries, which are results of a type, or lead to them.
pub(crate) fn reserve<T>(elements: usize, dtype: DType) -> Result<Vec<T>, Error> {
    let mut data = Vec::new();
    match data.try_reserve_exact(elements) {
        Ok(()) => Ok(data),
        Err(_) => Err(ErrorKind::ResultTooLarge { dtype, elements }.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::allocate;

    #[test]
    fn a_result_beyond_memory_is_an_error() {
        let message = allocate::<f64>(usize::MAX / 16).expect_err("too large").to_string();
        assert!(message.contains("do not fit in memory"), "{message}");
    }
}
