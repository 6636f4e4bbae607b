//! `.npy` files: numpy's format for one array.
//!
//! [`read()`] takes any file, however damaged, and answers with an array or a
//! reason; [`guard`] keeps what `npyz` cannot digest away from it. `npyz` parses
//! and writes headers, [`crate::scalar`] does the elements. What is larger than the
//! memory is reduced in [`parts`].

mod guard;
mod parts;
mod read;
mod write;

pub(crate) use parts::Part;
pub(crate) use read::read;
pub(crate) use write::write;

use reduce_core::{AnyTensor, AnyView, DType, Error, View};

use crate::mapped::Mapped;
use crate::scalar::with_tensor;

/// The elements of an array, in the order of the file.
#[derive(Debug)]
enum Elements {
    /// A tensor of rank 1.
    Read(AnyTensor),
    /// From a byte of the file on.
    Mapped { file: Mapped, first: usize, dtype: DType },
}

/// An array as its file holds it.
#[derive(Debug)]
pub(crate) struct Array {
    elements: Elements,
    shape: Vec<usize>,
    /// In elements; a file in Fortran order has its first axis fastest.
    strides: Vec<isize>,
}

impl Array {
    /// The type of the elements.
    pub(crate) fn dtype(&self) -> DType {
        match &self.elements {
            Elements::Read(tensor) => tensor.dtype(),
            Elements::Mapped { dtype, .. } => *dtype,
        }
    }

    /// Whether the elements are in the file and not in memory: reading them may take long.
    pub(crate) fn is_mapped(&self) -> bool {
        matches!(self.elements, Elements::Mapped { .. })
    }

    /// The sizes of the axes.
    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of elements.
    pub(crate) fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// The number of bytes of all elements.
    pub(crate) fn bytes(&self) -> usize {
        self.count() * self.dtype().size()
    }

    /// Whether elements at the same indices lie at the same places as in another array.
    pub(crate) fn lies_like(&self, other: &Array) -> bool {
        let is_mapped = self.is_mapped() == other.is_mapped();
        is_mapped && self.shape == other.shape && self.strides == other.strides
    }

    /// Gives back the memory of a mapped file: what is used again is read again.
    pub(crate) fn give_back(&self) {
        if let Elements::Mapped { file, .. } = &self.elements {
            file.give_back();
        }
    }

    /// The array, read where it lies.
    pub(crate) fn view(&self) -> Result<AnyView<'_>, Error> {
        match &self.elements {
            Elements::Read(tensor) => with_tensor!(tensor, t => {
                View::with_strides(t.data(), &self.shape, &self.strides, 0).map(AnyView::from)
            }),
            Elements::Mapped { file, first, dtype } => {
                let view = file.view(*first, *dtype, &self.shape, &self.strides);
                view.expect("tried when the file was opened")
            }
        }
    }
}
