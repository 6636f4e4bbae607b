//! Kernels of operators whose accumulators are slices: [`ReduceSlice`].
//!
//! Such an accumulator has no lanes. Its length is known when the program runs, and so all elements of a result go into one
//! accumulator, in row-major order:
//!
//! ```text
//! for each result, or for each of some neighbours in turn:
//!     for each part of its elements:
//!         an accumulator of no elements              (begin)
//!         for each chunk of the part:
//!             read it, and pack those that count
//!             decode a few hundred, and add them     (push)
//!         add it to that of the parts before         (combine)
//!     put it in order, and store each element        (end)
//! ```
//!
//! The five functions on the right depend on the operator and stand in a [`SliceTable`]. The driver ([`run`]) is compiled
//! once. Where parts end follows from the number of cells ([`slice_part`](crate::facts::order::slice_part)), so the bits of
//! results depend neither on the CPU level nor on threads.

#![allow(unsafe_code, reason = "operators and buffers have their types erased")]

mod micro;
mod run;

use std::fmt;
use std::marker::PhantomData;

use crate::facts::dtype::DType;
use crate::facts::schema::Empty;
use crate::machine::level::Available;
use crate::values::element::Store;
use crate::values::reader::Reader;
use crate::values::slices::{Indices, ReduceSlice};
use crate::values::stored::{Data, INPUTS, Stored};
use crate::values::written::{EachWritten, ResultPlaces};

pub(super) use run::{SliceGiven, run};

/// An accumulator in memory.
#[derive(Clone, Copy)]
pub(super) struct RawCells {
    first: *mut u8,
    cells: usize,
}

/// Elements that lie one behind the other, in each input.
pub(super) struct SliceElements<'a> {
    data: Data,
    count: usize,
    indices: Indices<'a>,
}

/// Where the elements of a result go, and how many there are of each.
pub(super) struct SliceEnd {
    places: ResultPlaces,
    length: usize,
    /// The number of elements that were added.
    count: usize,
}

/// The microkernels of an operator and its types, and what a driver knows of them.
///
/// # Safety
/// *operator*: `op` points to that which the table is of. *states*: an accumulator begins a line of the cache, has as
/// many cells as `cells` says, and is nobody else's; `begin` has made it before any other function is given it.
/// *elements*: there are as many as are named, of the table's types. *places*: each result has one for each of its
/// elements.
#[derive(Clone, Copy)]
pub(super) struct SliceTable {
    pub(super) dtypes: &'static [DType],
    /// The type of each result.
    pub(super) outputs: &'static [DType],
    pub(super) empty: Empty,
    /// Bytes of an element of each input, and of a cell.
    sizes: [usize; INPUTS],
    cell: usize,
    cells: unsafe fn(op: *const (), length: usize) -> usize,
    begin: unsafe fn(op: *const (), acc: RawCells),
    push: unsafe fn(op: *const (), acc: RawCells, elements: &SliceElements<'_>, level: Available),
    combine: unsafe fn(op: *const (), acc: RawCells, later: RawCells),
    end: unsafe fn(op: *const (), acc: RawCells, end: &SliceEnd),
}

/// The kernel of operator `Op` of slices, from storage type `T` to elements `O` of the results.
pub struct SliceKernel<Op, T, O> {
    table: SliceTable,
    types: PhantomData<fn(&Op, T) -> O>,
}

impl<Op: Sync + 'static, T: Stored, O: EachWritten> SliceKernel<Op, T, O> {
    /// The kernel of an operator whose elements reader `R` makes.
    pub const fn of<R>(empty: Empty) -> Self
    where
        R: Reader<T::Wide>,
        Op: ReduceSlice<R::Element>,
        O: Store<Op::Output>,
    {
        SliceKernel { table: micro::table::<R, Op, T, O>(empty), types: PhantomData }
    }

    /// A kernel that leaves its outputs as they are: what a spec with errors gets.
    pub const INERT: &'static Self =
        &SliceKernel { table: micro::inert::<T, O>(), types: PhantomData };

    /// The kernel, its types erased.
    pub(super) const fn table(&'static self) -> &'static SliceTable {
        &self.table
    }
}

impl<Op, T: Stored, O: EachWritten> fmt::Debug for SliceKernel<Op, T, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SliceTable { dtypes, outputs, empty, .. } = self.table;
        write!(f, "SliceKernel({dtypes:?} -> {outputs:?}, empty: {empty:?})")
    }
}
