//! Reading: the header first, then exactly the bytes that it promises.

use std::io;
use std::ops::Range;
use std::path::Path;

use npyz::Order;
use reduce_core::Shape;

use super::{Header, guard};
use crate::arrays::{Array, Elements};
use crate::contents::LARGE;
use crate::error::Error;
use crate::files;
use crate::mapped::Mapped;

/// The array in a file.
pub(crate) fn read(path: &Path) -> Result<Array, Error> {
    let about = |problem: String| Error::at(path, problem);
    let (file, size) = files::open(path)?;
    if size >= LARGE {
        let file = Mapped::of(path, &file)?;
        let all = 0..file.as_ref().len();
        return mapped(file, all).map_err(about);
    }
    let cannot = |error: io::Error| files::cannot_read(path, &error);
    let mut data = Vec::new();
    files::read_to(&mut data, &file, guard::MOST as u64).map_err(cannot)?;
    let header = Header::new(&data).map_err(about)?;
    if size > 0 {
        header.check(size.saturating_sub(header.first as u64)).map_err(about)?;
    }
    // The header decides: a file of the system may say that it is empty, and have no end.
    let more = header.end().saturating_add(1).saturating_sub(data.len() as u64);
    files::read_to(&mut data, &file, more).map_err(cannot)?;
    header.whole(&data).map_err(about)
}

/// The array in some bytes of a mapped file, which stays there if it can.
pub(crate) fn mapped(file: Mapped, bytes: Range<usize>) -> Result<Array, String> {
    let all = &file.as_ref()[bytes.clone()];
    let header = Header::new(all)?;
    header.check((all.len() - header.first) as u64)?;
    let first = bytes.start + header.first;
    let Header { dtype, ref shape, ref strides, .. } = header;
    // Elements in another machine's order are read one by one.
    if header.is_native() && file.view(first, dtype, shape, strides).is_some() {
        let (shape, strides) = (shape.to_vec(), header.strides);
        return Ok(Array { elements: Elements::Mapped { file, first, dtype }, shape, strides });
    }
    header.array(&file.as_ref()[first..bytes.end])
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
