//! Layouts: the same logical values, stored in different ways.
//!
//! Views are made with the methods a caller has: permuted, sliced, broadcast.
//! What lies between the elements of a view is poison, so that a read beside
//! them shows.

use reduce_core::dtypes::with_any;
use reduce_core::{AnyTensor, AnyView, DType, View};

use super::native::{tensor, type_of};
use crate::oracle::{Type, Values};

/// A layout says how the elements of a tensor lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Row-major.
    Contiguous,
    /// The first axis fastest.
    Transposed,
    /// The last element first: every stride is negative.
    Reversed,
    /// Every second element of a row-major buffer, which ends with the last one.
    EverySecond,
    /// One slice, repeated along the first axis with stride 0.
    BroadcastFirst,
    /// One element, repeated along the last axis with stride 0.
    BroadcastLast,
    /// Row-major, inside a larger buffer.
    Offset,
    /// Row-major, but rows lie apart.
    Window,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Layout; 8] = [
        Layout::Contiguous,
        Layout::Transposed,
        Layout::Reversed,
        Layout::EverySecond,
        Layout::BroadcastFirst,
        Layout::BroadcastLast,
        Layout::Offset,
        Layout::Window,
    ];

    /// The axis that is broadcast.
    fn broadcast_axis(self, rank: usize) -> Option<usize> {
        match self {
            Layout::BroadcastFirst if rank > 0 => Some(0),
            Layout::BroadcastLast => rank.checked_sub(1),
            _ => None,
        }
    }
}

/// A tensor in some layout.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its logical values, last axis fastest.
    pub values: Values,
    shape: Vec<usize>,
    layout: Layout,
    buffer: AnyTensor,
}

const BEFORE: usize = 3;
const AFTER: usize = 2;

impl Stored {
    /// These values in this layout; a broadcast repeats those at index 0 of its
    /// axis, and forgets the others.
    ///
    /// # Panics
    /// If there are not as many values as elements.
    pub fn new(layout: Layout, dtype: DType, shape: &[usize], values: &Values) -> Stored {
        let values = broadcast_values(layout, shape, values);
        let buffer = buffer(layout, dtype, shape, &values);
        Stored { values, shape: shape.to_vec(), layout, buffer }
    }

    /// The view of the logical values.
    ///
    /// # Panics
    /// If the crate under test refuses it.
    pub fn view(&self) -> AnyView<'_> {
        let (layout, shape) = (self.layout, self.shape.as_slice());
        let view = with_any!(AnyTensor, &self.buffer, tensor => {
            view(layout, shape, tensor.view()).map(AnyView::from)
        });
        view.unwrap_or_else(|error| panic!("{layout:?} view of {shape:?}: {error}"))
    }

    /// The whole buffer, as a tensor of rank 1 or of the shape it is stored in.
    pub fn buffer(&self) -> &AnyTensor {
        &self.buffer
    }
}

/// A buffer from which `view` makes the logical values.
fn buffer(layout: Layout, dtype: DType, shape: &[usize], values: &Values) -> AnyTensor {
    let count = values.len();
    match layout {
        Layout::Contiguous => tensor(dtype, values, shape),
        Layout::Transposed => {
            let reversed: Vec<usize> = shape.iter().rev().copied().collect();
            tensor(dtype, &values.select(transposed_order(shape)), &reversed)
        }
        Layout::Reversed => tensor(dtype, &values.select((0..count).rev()), shape),
        Layout::EverySecond => {
            let poisoned = join(values, &poison(dtype));
            let spread = (0..count)
                .flat_map(|index| [index, count])
                .take(2 * count - usize::from(count > 0));
            let spread = poisoned.select(spread);
            tensor(dtype, &spread, &[spread.len()])
        }
        Layout::BroadcastFirst | Layout::BroadcastLast => {
            let mut stored = shape.to_vec();
            if let Some(axis) = layout.broadcast_axis(shape.len()) {
                stored[axis] = 1;
            }
            let first = (0..count).filter(|&index| base_index(layout, shape, index) == index);
            let first = values.select(first);
            // An axis of size 0 stretches from 1 like any other.
            let filled = if count == 0 { repeated(&poison(dtype), &stored) } else { first };
            tensor(dtype, &filled, &stored)
        }
        Layout::Offset => {
            let poisoned = join(values, &poison(dtype));
            let indices = [vec![count; BEFORE], (0..count).collect(), vec![count; AFTER]].concat();
            tensor(dtype, &poisoned.select(indices), &[BEFORE + count + AFTER])
        }
        Layout::Window => {
            let Some((&row, outer)) = shape.split_last() else { return tensor(dtype, values, &[]) };
            let row_of = |first: usize| (first * row)..(first * row + row);
            let framed = |first| [vec![count], row_of(first).collect(), vec![count]].concat();
            let rows: Vec<usize> = (0..outer.iter().product()).flat_map(framed).collect();
            let stored = [outer, &[row + 2]].concat();
            tensor(dtype, &join(values, &poison(dtype)).select(rows), &stored)
        }
    }
}

fn view<'a, T: reduce_core::Element>(
    layout: Layout,
    shape: &[usize],
    stored: View<'a, T>,
) -> Result<View<'a, T>, reduce_core::Error> {
    let rank = shape.len();
    match layout {
        Layout::Contiguous => Ok(stored),
        Layout::Transposed => stored.permute(&(0..rank).rev().collect::<Vec<_>>()),
        Layout::Reversed => {
            (0..rank).try_fold(stored, |view, axis| view.slice(axis, 0, shape[axis], -1))
        }
        Layout::EverySecond => {
            let count = shape.iter().product();
            let spread = stored.data().len();
            let every_second = stored.slice(0, 0, spread, 2)?;
            assert_eq!(every_second.shape().dims(), [count]);
            let strides = row_major(shape).into_iter().map(|stride| 2 * stride).collect::<Vec<_>>();
            View::with_strides(stored.data(), shape, &strides, every_second.offset())
        }
        Layout::BroadcastFirst | Layout::BroadcastLast => stored.broadcast(shape),
        Layout::Offset => View::with_strides(stored.data(), shape, &row_major(shape), BEFORE),
        Layout::Window if rank == 0 => Ok(stored),
        Layout::Window => stored.slice(rank - 1, 1, 1 + shape[rank - 1], 1),
    }
}

fn row_major(shape: &[usize]) -> Vec<isize> {
    let inner = |axis: usize| shape[axis + 1..].iter().product::<usize>();
    (0..shape.len()).map(|axis| inner(axis).cast_signed()).collect()
}

/// For each place of a first-axis-fastest buffer, the row-major index.
fn transposed_order(shape: &[usize]) -> Vec<usize> {
    let index = |mut place: usize| {
        let mut index = 0;
        for (&dim, stride) in shape.iter().zip(row_major(shape)) {
            index += place % dim * stride.unsigned_abs();
            place /= dim;
        }
        index
    };
    (0..shape.iter().product()).map(index).collect()
}

fn broadcast_values(layout: Layout, shape: &[usize], values: &Values) -> Values {
    values.select((0..values.len()).map(|index| base_index(layout, shape, index)))
}

/// The index whose value a broadcast layout repeats at this one.
fn base_index(layout: Layout, shape: &[usize], index: usize) -> usize {
    let Some(axis) = layout.broadcast_axis(shape.len()) else { return index };
    let inner: usize = shape[axis + 1..].iter().product();
    let along = index / inner % shape[axis];
    index - along * inner
}

/// Makes a value that tests never use as data, and that shows in each result it gets into.
pub(super) fn poison(dtype: DType) -> Values {
    match type_of(dtype) {
        Type::Float { .. } => Values::Floats(vec![f64::NAN]),
        ty @ Type::Int { .. } => Values::Ints(vec![ty.wrap(0x5a5a_5a5a_5a5a_5a5b)]),
    }
}

pub(super) fn join(values: &Values, one: &Values) -> Values {
    match (values, one) {
        (Values::Ints(a), Values::Ints(b)) => Values::Ints([a.as_slice(), b].concat()),
        (Values::Floats(a), Values::Floats(b)) => Values::Floats([a.as_slice(), b].concat()),
        _ => unreachable!("poison is of the values' type"),
    }
}

fn repeated(one: &Values, shape: &[usize]) -> Values {
    one.select(vec![0; shape.iter().product()])
}

/// The place in its buffer of each logical element, last axis fastest.
///
/// # Panics
/// If a place is negative.
pub fn addresses(view: &AnyView<'_>) -> Vec<usize> {
    let (shape, strides, offset) = with_any!(AnyView, view, view => {
        (view.shape().to_vec(), view.strides().to_vec(), view.offset())
    });
    let address = |mut index: usize| {
        let mut address = offset.cast_signed();
        for (&dim, stride) in shape.iter().zip(&strides).rev() {
            address += (index % dim).cast_signed() * stride;
            index /= dim;
        }
        usize::try_from(address).expect("within the buffer")
    };
    (0..shape.iter().product()).map(address).collect()
}
