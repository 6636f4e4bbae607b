//! Arrays in files: `.npy`, members of `.npz`, tensors of safetensors.
//!
//! [`read()`] takes any file, however damaged, and answers with an array or a reason. A crate parses each format. A
//! guard in front of the crate refuses input that the crate cannot take. [`crate::scalar`] reads and writes the
//! elements. An array that is larger than the memory is reduced in [`parts`].

mod apart;
mod folder;
#[cfg(test)]
mod hostile;
mod npy;
mod npz;
mod parts;
mod safetensors;
mod source;

pub(crate) use apart::{Apart, Opened};
pub(crate) use folder::Folder;
pub(crate) use parts::Part;
pub(crate) use source::{Format, Source, no_format};

use std::io::{Cursor, Read, Seek};
use std::path::Path;
use std::sync::OnceLock;

use prost::bytes::Bytes;
use reduce_core::dtypes::with_any;
use reduce_core::{AnyTensor, AnyView, DType, Error as CoreError, View};
use reduce_onnx::Holder;

use crate::contents::Contents;
use crate::error::Error;
use crate::files::{self, Named};
use crate::mapped::Mapped;
use crate::place::Place;
use crate::scalar::Room;
use crate::words::listed;

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

    /// Tells whether elements with the same indices lie at the same places in both arrays.
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
            Elements::Read(tensor) => with_any!(AnyTensor, tensor, t => {
                View::with_strides(t.data(), &self.shape, &self.strides, 0).map(AnyView::from)
            }),
            Elements::Mapped { file, first, dtype } => {
                let view = file.view(*first, *dtype, &self.shape, &self.strides);
                view.expect("tried when the file was opened")
            }
        }
    }
}

/// As a model reads it.
impl Holder for Array {
    fn view(&self) -> Result<AnyView<'_>, CoreError> {
        Array::view(self)
    }
}

/// A file of several arrays that was sent to the standard input, which is read once: another array of it may be asked for.
static SENT: OnceLock<(Format, Bytes)> = OnceLock::new();

/// The array that an argument names: `x.npy`, `x.npz:name`, `x.safetensors:name`, or `-`, the standard input.
///
/// A file's name says its format. Where it does not, as that of a pipe, the first bytes do.
pub(crate) fn open(given: &Path) -> Result<Opened, Error> {
    let Source { path, member } = Source::of(given);
    if let Some((format, bytes)) = SENT.get().filter(|_| files::is_input(&path)) {
        return members(*format, &path, Contents::Read(bytes.clone()), member.as_deref());
    }
    let named = Format::of(&path);
    let (file, size) = match Named::of(&path) {
        Ok(Named::File(file, size)) => (file, size),
        Ok(Named::Stream(stream)) => return from_stream(&path, stream, member.as_deref()),
        // That such a file could not be read is more than that it is not there.
        Err(_) if named.is_none() && path.extension().is_some() && !path.exists() => {
            return Err(Error::at(&path, no_format(&path, "read")));
        }
        Err(error) => return Err(error),
    };
    let format = match named {
        Some(format) => format,
        None => {
            let mut first = (&file).take(Format::TOLD_BY as u64);
            let begun = begun(&path, &mut first)?.0;
            (&file).rewind().map_err(|error| files::cannot_read(&path, &error))?;
            begun
        }
    };
    match format {
        Format::Npy => npy::read(&path, &file, size).map(Opened::Whole),
        _ => members(format, &path, Contents::of_open(&path, file, size)?, member.as_deref()),
    }
}

/// The array that an argument names, with its elements in memory or mapped.
pub(crate) fn read(given: &Path) -> Result<Array, Error> {
    open(given)?.load().map_err(|problem| Error::at(given, problem))
}

/// An array that comes one byte after another.
fn from_stream(path: &Path, mut from: impl Read, member: Option<&str>) -> Result<Opened, Error> {
    let (format, first) = begun(path, &mut from)?;
    let from = first.chain(from);
    match format {
        Format::Npy => {
            let array = npy::from_stream(from, Room::AsTheyCome);
            array.map(Opened::Whole).map_err(|problem| Error::at(path, problem))
        }
        _ => {
            let contents: Bytes = Contents::of_stream(path, from)?.into();
            if files::is_input(path) {
                // Nobody has set it before: then it would have been used.
                let _ = SENT.set((format, contents.clone()));
            }
            members(format, path, Contents::Read(contents), member)
        }
    }
}

/// The format that a file begins as, and the bytes that tell it.
fn begun(path: &Path, from: &mut impl Read) -> Result<(Format, Cursor<Vec<u8>>), Error> {
    let mut first = Vec::new();
    let read = from.take(Format::TOLD_BY as u64).read_to_end(&mut first);
    read.map_err(|error| files::cannot_read(path, &error))?;
    match Format::begun(&first) {
        Some(format) => Ok((format, Cursor::new(first))),
        None if path.extension().is_some() => Err(Error::at(path, no_format(path, "read"))),
        None if first.is_empty() => Err(Error::at(path, "is empty; give it an array")),
        None => {
            let problem = "does not begin as a file that is read; .npy, .npz and .safetensors are";
            Err(Error::at(path, problem))
        }
    }
}

/// One array of a file that has several, or its only one.
fn members(
    format: Format,
    path: &Path,
    contents: Contents,
    member: Option<&str>,
) -> Result<Opened, Error> {
    let array = match format {
        Format::Safetensors => safetensors::open(contents, member),
        _ => npz::open(contents, member),
    };
    array.map_err(|problem| Error::at(path, problem))
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
