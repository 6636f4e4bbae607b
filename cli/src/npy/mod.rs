//! `.npy` files: numpy's format for one array.
//!
//! [`read()`] takes any file, however damaged, and answers with an array or a
//! reason; [`guard`] keeps what `npyz` cannot digest away from it. `npyz` parses
//! and writes headers, [`crate::scalar`] does the elements.

mod guard;
mod read;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

use reduce_core::{AnyTensor, AnyView, DType, Error, View};

use crate::scalar::with_tensor;

/// An array as its file holds it.
#[derive(Debug)]
pub(crate) struct Array {
    /// Rank 1, in the order of the file.
    elements: AnyTensor,
    shape: Vec<usize>,
    /// In elements; a file in Fortran order has its first axis fastest.
    strides: Vec<isize>,
}

impl Array {
    /// The type of the elements.
    pub(crate) fn dtype(&self) -> DType {
        self.elements.dtype()
    }

    /// The array, read where it lies.
    pub(crate) fn view(&self) -> Result<AnyView<'_>, Error> {
        with_tensor!(&self.elements, t => {
            View::with_strides(t.data(), &self.shape, &self.strides, 0).map(AnyView::from)
        })
    }
}
