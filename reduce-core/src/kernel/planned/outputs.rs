//! Where results go: each part of them is an output of its own, at any strides.
//!
//! Results of `i64`, such as positions, may go to places for `i32`, which is what many engines keep positions in. They are
//! checked before one of them is written.

#![allow(unsafe_code, reason = "results are copied with their types erased")]

use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::plan::InOrder;
use crate::values::erased::AnyPlaces;
use crate::values::layout::Layout;
use crate::values::view_mut::overlaps;
use crate::values::written::ResultPart;

/// An output: a part of all results, and where its elements go.
pub(super) struct OutputPlaces {
    pub(super) part: ResultPart,
    pub(super) layout: Layout,
    /// How many places there must be: as many as elements, or at least as many as strides reach.
    length: usize,
    /// Whether elements go one behind the other, from the first place on.
    pub(super) is_dense: bool,
    /// The walk through the first element of each result's part, and the way to the next element of a part; none if they
    /// go one behind the other.
    walk: Option<(InOrder, isize)>,
}

impl OutputPlaces {
    /// An output in row-major order, of results of a shape.
    pub(super) fn in_order(part: ResultPart, shape: &Shape) -> Result<Self, Error> {
        let shape = shape.clone().with_length(part.length)?;
        Ok(Self::new(part, Layout::new(part.dtype, &shape)?))
    }

    /// An output of a layout that the caller chose, of results of a shape. One of `i32` takes results of `i64`, which are
    /// [put](OutputPlaces::put) there.
    ///
    /// # Errors
    /// As [`OutputPlaces::laid_out`].
    pub(super) fn for_results(
        part: ResultPart,
        shape: &Shape,
        layout: &Layout,
    ) -> Result<Self, Error> {
        match (part.dtype, layout.dtype) {
            (DType::I64, DType::I32) => Self::of_layout(part, shape, layout),
            _ => Self::laid_out(part, shape, layout),
        }
    }

    /// An output of a layout that the caller chose, of results of a shape, as they are.
    ///
    /// # Errors
    /// If the layout has another type or shape than the output, or two elements share a place.
    pub(super) fn laid_out(
        part: ResultPart,
        shape: &Shape,
        layout: &Layout,
    ) -> Result<Self, Error> {
        if layout.dtype != part.dtype {
            let (expected, found) = (part.dtype, layout.dtype);
            return Err(ErrorKind::OutputDType { expected, found }.into());
        }
        Self::of_layout(part, shape, layout)
    }

    fn of_layout(part: ResultPart, shape: &Shape, layout: &Layout) -> Result<Self, Error> {
        let shape = shape.clone().with_length(part.length)?;
        if layout.shape != shape {
            let (expected, found) = (shape.to_vec(), layout.shape.to_vec());
            return Err(ErrorKind::OutputShape { expected, found }.into());
        }
        if overlaps(&layout.shape, &layout.strides) {
            let (shape, strides) = (layout.shape.to_vec(), layout.strides.to_vec());
            return Err(ErrorKind::ViewOverlaps { shape, strides }.into());
        }
        Ok(Self::new(part, layout.clone()))
    }

    fn new(part: ResultPart, layout: Layout) -> Self {
        let Layout { shape, strides, offset, .. } = &layout;
        let (is_dense, length) = (*offset == 0 && shape.is_row_major(strides), layout.length());
        let walk = (!is_dense).then(|| {
            let outer = shape.rank() - part.length.iter().len();
            let way = strides.get(outer).copied().unwrap_or(1);
            let results = shape.subset(shape.iter().take(outer).copied());
            (InOrder::new(&results, &[(&strides[..outer], *offset)]), way)
        });
        OutputPlaces { part, length, is_dense, walk, layout }
    }

    /// Checks that there is a place for each element.
    ///
    /// # Errors
    /// If the places are of another type, if there are too few, or more than elements that go one behind the other.
    pub(super) fn check(&self, places: &AnyPlaces<'_>) -> Result<(), Error> {
        let (expected, found) = (self.length, places.length);
        if places.dtype != self.layout.dtype {
            let (expected, found) = (self.layout.dtype, places.dtype);
            return Err(ErrorKind::OutputDType { expected, found }.into());
        }
        if found < expected || self.is_dense && found > expected {
            return Err(ErrorKind::LengthMismatch { what: "the output", expected, found }.into());
        }
        Ok(())
    }

    /// Whether elements are written as the operator makes them, one behind the other.
    pub(super) fn is_direct(&self) -> bool {
        self.is_dense && !self.is_narrowed()
    }

    fn is_narrowed(&self) -> bool {
        self.layout.dtype != self.part.dtype
    }

    /// Copies this part of all results, which lie in row-major order, to its places.
    ///
    /// # Errors
    /// If an element is too large for its place. Then nothing is written.
    ///
    /// # Safety
    /// *written*: the results are there. *places*: [`OutputPlaces::check`] has passed for those at `to`, which are
    /// nobody else's.
    pub(super) unsafe fn put(&self, results: RowMajor, to: *mut u8) -> Result<(), Error> {
        let (part, (first, _, size)) = (self.part, results);
        if self.is_narrowed() {
            // SAFETY: *written*, which the caller keeps: the results are there, and this part of them is of `i64`.
            unsafe { check_narrow(part, results) }?;
        }
        let part = Copied { part, is_narrowed: self.is_narrowed() };
        match &self.walk {
            // SAFETY: *written* and *places*, which the caller keeps: `check` has counted the places, which are dense.
            None => unsafe { part.put_in_order(results, to) },
            // SAFETY: *written* and *places*, which the caller keeps: `check` has compared them with how far strides
            // reach, and no two elements share one.
            Some((walk, way)) => unsafe {
                part.put((first, size), to, walk.outside(0, 0).flatten(), *way);
            },
        }
        Ok(())
    }
}

/// Where results begin, how many there are, and the bytes of one.
pub(super) type RowMajor = (*const u8, usize, usize);

/// Checks that all elements of a part of results, which are of `i64`, are numbers of `i32`.
///
/// # Errors
/// If one is not.
///
/// # Safety
/// *written*: the results are there, and this part of them is of `i64`.
unsafe fn check_narrow(part: ResultPart, (results, count, size): RowMajor) -> Result<(), Error> {
    for number in 0..count {
        let first: *const i64 = results.wrapping_add(number * size + part.at).cast();
        for element in 0..part.length.unwrap_or(1) {
            // SAFETY: *written*, which the caller keeps: an element of this part of the result.
            let value = unsafe { *first.wrapping_add(element) };
            if i32::try_from(value).is_err() {
                return Err(ErrorKind::NarrowOutput { value, output: DType::I32 }.into());
            }
        }
    }
    Ok(())
}

/// A part of all results that is copied, and whether its elements, of `i64`, are written as `i32`.
#[derive(Clone, Copy)]
pub(super) struct Copied {
    part: ResultPart,
    is_narrowed: bool,
}

impl From<ResultPart> for Copied {
    fn from(part: ResultPart) -> Self {
        Copied { part, is_narrowed: false }
    }
}

impl Copied {
    /// Copies to places one behind the other.
    ///
    /// # Safety
    /// *written*: the results are there. *places*: there is one for each element of the part, one behind the other.
    pub(super) unsafe fn put_in_order(self, (results, count, size): RowMajor, to: *mut u8) {
        let length = self.part.length.unwrap_or(1);
        // SAFETY: *written* and *places*, which the caller keeps: parts lie one behind the other.
        unsafe { self.put((results, size), to, (0..count).map(|number| number * length), 1) };
    }

    /// Copies to these places: each element of a part `way` places behind the one before.
    ///
    /// # Safety
    /// *written*: the results are there. *places*: there is one for each element of the part, where the walk and the
    /// way lead.
    unsafe fn put(
        self,
        results: (*const u8, usize),
        to: *mut u8,
        places: impl Iterator<Item = usize>,
        way: isize,
    ) {
        let part = self.part;
        match part.dtype.size() {
            // SAFETY: *written* and *places*, which the caller keeps. Elements are of `i64`, and `check_narrow` has
            // passed.
            _ if self.is_narrowed => unsafe { put_as(part, results, to, places, way, narrowed) },
            // SAFETY: *written* and *places*, which the caller keeps. *bytes*: elements of a byte are copied as
            // numbers.
            1 => unsafe { put_as(part, results, to, places, way, |x: u8| x) },
            // SAFETY: *written*, *places* and *bytes*, as above, of two bytes.
            2 => unsafe { put_as(part, results, to, places, way, |x: u16| x) },
            // SAFETY: *written*, *places* and *bytes*, as above, of four bytes.
            4 => unsafe { put_as(part, results, to, places, way, |x: u32| x) },
            // SAFETY: *written*, *places* and *bytes*, as above, of eight bytes: there is no other size.
            _ => unsafe { put_as(part, results, to, places, way, |x: u64| x) },
        }
    }
}

/// A number that was checked.
#[allow(clippy::cast_possible_truncation, reason = "it was checked")]
fn narrowed(x: i64) -> i32 {
    x as i32
}

/// Copies elements, each as what it is written as.
///
/// # Safety
/// *written*: the results are there, and this part of them is as large as `From`. *places*: there is one of type `To`
/// for each element.
unsafe fn put_as<From: Copy, To>(
    part: ResultPart,
    (results, size): (*const u8, usize),
    to: *mut u8,
    places: impl Iterator<Item = usize>,
    way: isize,
    written: impl Fn(From) -> To,
) {
    let mut from = results.wrapping_add(part.at);
    let to: *mut To = to.cast();
    for place in places {
        for element in 0..part.length.unwrap_or(1) {
            let behind = way.wrapping_mul(element.cast_signed());
            // SAFETY: *written*, which the caller keeps: an element of this part of the result.
            let number = unsafe { *from.cast::<From>().wrapping_add(element) };
            // SAFETY: *places*, which the caller keeps: this is the one of that element.
            unsafe { to.wrapping_add(place).wrapping_offset(behind).write(written(number)) };
        }
        from = from.wrapping_add(size);
    }
}
