//! Where results go: each part of them is an output of its own, at any strides.

#![allow(unsafe_code, reason = "results are copied with their types erased")]

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

    /// An output of a layout that the caller chose, of results of a shape.
    ///
    /// # Errors
    /// If the layout has another type or shape than the output, or two elements share a place.
    pub(super) fn laid_out(
        part: ResultPart,
        shape: &Shape,
        layout: &Layout,
    ) -> Result<Self, Error> {
        let shape = shape.clone().with_length(part.length)?;
        if layout.dtype != part.dtype {
            let (expected, found) = (part.dtype, layout.dtype);
            return Err(ErrorKind::OutputDType { expected, found }.into());
        }
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
        if places.dtype != self.part.dtype {
            let (expected, found) = (self.part.dtype, places.dtype);
            return Err(ErrorKind::OutputDType { expected, found }.into());
        }
        if found < expected || self.is_dense && found > expected {
            return Err(ErrorKind::LengthMismatch { what: "the output", expected, found }.into());
        }
        Ok(())
    }

    /// Copies this part of all results, which lie in row-major order, to its places.
    ///
    /// # Safety
    /// `count` results, of `size` bytes each, are there; and [`OutputPlaces::check`] has passed.
    pub(super) unsafe fn put(&self, (results, count, size): RowMajor, to: *mut u8) {
        let Some((walk, way)) = &self.walk else {
            // SAFETY: the caller's; there is a place for each element.
            return unsafe { put_in_order(self.part, (results, count, size), to) };
        };
        // SAFETY: the caller's.
        unsafe { put(self.part, (results, size), to, walk.outside(0, 0).flatten(), *way) };
    }
}

/// Where results begin, how many there are, and the bytes of one.
pub(super) type RowMajor = (*const u8, usize, usize);

/// Copies a part of all results to places one behind the other.
///
/// # Safety
/// The results are there, and a place for each element of the part.
pub(super) unsafe fn put_in_order(part: ResultPart, (results, count, size): RowMajor, to: *mut u8) {
    let length = part.length.unwrap_or(1);
    // SAFETY: the caller's.
    unsafe { put(part, (results, size), to, (0..count).map(|number| number * length), 1) };
}

/// Copies a part of all results to its places: each element `way` places behind the one before.
///
/// # Safety
/// The results are there, and a place for each element of the part.
unsafe fn put(
    part: ResultPart,
    results: (*const u8, usize),
    to: *mut u8,
    places: impl Iterator<Item = usize>,
    way: isize,
) {
    match part.dtype.size() {
        // SAFETY: the caller's, of elements of this size.
        1 => unsafe { put_as::<u8>(part, results, to, places, way) },
        // SAFETY: the same.
        2 => unsafe { put_as::<u16>(part, results, to, places, way) },
        // SAFETY: the same.
        4 => unsafe { put_as::<u32>(part, results, to, places, way) },
        // SAFETY: the same.
        _ => unsafe { put_as::<u64>(part, results, to, places, way) },
    }
}

/// Copies elements as numbers of their size.
///
/// # Safety
/// As [`put`].
unsafe fn put_as<N: Copy>(
    part: ResultPart,
    (results, size): (*const u8, usize),
    to: *mut u8,
    places: impl Iterator<Item = usize>,
    way: isize,
) {
    let mut from = results.wrapping_add(part.at);
    let to: *mut N = to.cast();
    for place in places {
        for element in 0..part.length.unwrap_or(1) {
            let behind = way.wrapping_mul(element.cast_signed());
            // SAFETY: an element of the part.
            let number = unsafe { *from.cast::<N>().wrapping_add(element) };
            // SAFETY: its place.
            unsafe { to.wrapping_add(place).wrapping_offset(behind).write(number) };
        }
        from = from.wrapping_add(size);
    }
}
