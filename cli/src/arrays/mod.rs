//! Arrays in files: `.npy`, members of `.npz`, tensors of safetensors.
//!
//! [`read()`] takes any file, however damaged, and answers with an array or a reason. Each format has a crate that
//! parses it, and a guard that keeps away from the crate what it cannot digest; [`crate::scalar`] does
//! the elements. What is larger than the memory is reduced in [`parts`].

mod folder;
#[cfg(test)]
mod hostile;
mod npy;
mod npz;
mod parts;
mod safetensors;
mod source;

pub(crate) use folder::Folder;
pub(crate) use parts::Part;
pub(crate) use source::{Format, listed};

use std::path::Path;

use reduce_core::{AnyTensor, AnyView, DType, Error as CoreError, View};

use crate::error::Error;
use crate::mapped::Mapped;
use crate::place::Place;
use crate::scalar::with_tensor;
use source::Source;

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
    pub(crate) fn view(&self) -> Result<AnyView<'_>, CoreError> {
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

/// The array that an argument names: `x.npy`, `x.npz:name` or `x.safetensors:name`.
pub(crate) fn read(given: &Path) -> Result<Array, Error> {
    let Source { path, member } = Source::of(given);
    match Format::of(&path) {
        Format::Npy => npy::read(&path),
        Format::Npz => npz::read(&path, member.as_deref()),
        Format::Safetensors => safetensors::read(&path, member.as_deref()),
    }
}

/// Tensors with their names.
pub(crate) type Results<'a> = [(String, &'a AnyTensor)];

/// Writes tensors to their place, whole or not at all; in a format that has no names, the first.
pub(crate) fn write(place: Place, format: Format, results: &Results<'_>) -> Result<(), Error> {
    place.write(|file| match (format, results) {
        (Format::Npz, _) => npz::write(file, results),
        (Format::Safetensors, _) => safetensors::write(file, results),
        (Format::Npy, [(_, tensor), ..]) => npy::write(file, tensor),
        (Format::Npy, []) => Ok(()),
    })
}

/// The place of a name among those of a file; of the only one, if none is asked for.
fn one_of<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
    asked: Option<&str>,
    format: &str,
) -> Result<usize, String> {
    let count = names.clone().count();
    match asked {
        None if count == 1 => Ok(0),
        None if count == 0 => Err("has no array".to_owned()),
        None => Err(format!(
            "has several arrays; name one, as in FILE.{format}:NAME, of {}",
            listed(names)
        )),
        Some(asked) => {
            let place = names.clone().position(|name| name == asked);
            let place = place.or_else(|| {
                let asked = asked.strip_suffix(".npy")?;
                names.clone().position(|name| name == asked)
            });
            place.ok_or_else(|| match count {
                0 => format!("has no array `{asked}`, and no other"),
                _ => format!("has no array `{asked}`; name one of {}", listed(names)),
            })
        }
    }
}
