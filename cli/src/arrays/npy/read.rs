//! Reading: the header first, then exactly the bytes that it promises.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use npyz::Order;
use reduce_core::Shape;

use super::{Header, guard};
use crate::arrays::{Array, Elements};
use crate::contents::LARGE;
use crate::error::{Error, lower, reason};
use crate::files;
use crate::mapped::Mapped;
use crate::scalar::Room;

/// Reads the array from an open file, which has `size` bytes.
pub(crate) fn read(path: &Path, file: &File, size: u64) -> Result<Array, Error> {
    let about = |problem: String| Error::at(path, problem);
    let cannot = |error: io::Error| files::cannot_read(path, &error);
    let mut data = Vec::new();
    files::read_to(&mut data, file, guard::MOST as u64).map_err(cannot)?;
    let header = Header::new(&data).map_err(about)?;
    // A file of the system may say that it is empty, and have no end. Then the header decides.
    if size > 0 {
        header.check(size.saturating_sub(header.first as u64)).map_err(about)?;
    }
    if size >= LARGE && header.is_in_place(0) {
        return in_place(header, Mapped::of(path, file)?, 0).map_err(about);
    }
    let room = if size > 0 { Room::AtOnce } else { Room::AsTheyCome };
    let first = header.first;
    header.read(data[first..].chain(file), room).map_err(about)
}

/// The array in bytes that come one after another.
pub(crate) fn from_stream(mut from: impl Read, room: Room) -> Result<Array, String> {
    let mut data = Vec::new();
    let ahead = files::read_to(&mut data, &mut from, guard::MOST as u64);
    ahead.map_err(|error| format!("cannot be read: {}", lower(&reason(&error))))?;
    let header = Header::new(&data)?;
    let first = header.first;
    header.read(data[first..].chain(from), room)
}

/// The array of a header at a byte of a mapped file, whose elements are read where they are.
pub(crate) fn in_place(header: Header, file: Mapped, at: usize) -> Result<Array, String> {
    let Header { dtype, first, shape, strides, .. } = header;
    let first = at + first;
    match file.view(first, dtype, &shape, &strides) {
        Some(_) => {
            let shape = shape.to_vec();
            Ok(Array { elements: Elements::Mapped { file, first, dtype }, shape, strides })
        }
        None => Err("was changed while it was read; let nobody write to it meanwhile".to_owned()),
    }
}

/// The distance from one index to the next along each axis, in elements.
pub(crate) fn strides_of(shape: &Shape, order: Order) -> Vec<isize> {
    let mut step = 1isize;
    let mut stride = |&dim: &usize| {
        let stride = step;
        // Cannot overflow: the shape's product without its zeros fits.
        step *= isize::try_from(dim.max(1)).unwrap_or(isize::MAX);
        stride
    };
    match order {
        Order::Fortran => shape.iter().map(stride).collect(),
        Order::C => {
            let mut strides: Vec<isize> = shape.iter().rev().map(&mut stride).collect();
            strides.reverse();
            strides
        }
    }
}
