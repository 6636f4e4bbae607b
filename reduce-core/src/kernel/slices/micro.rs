//! The microkernels of an operator of slices.

#![allow(unsafe_code, reason = "microkernels read and write through pointers")]

use std::any::TypeId;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::num::Wrapping;

use super::{RawCells, SliceElements, SliceEnd, SliceTable};
use crate::facts::schema::Empty;
use crate::machine::LINE;
use crate::machine::code::{Code, Work};
use crate::machine::level::Available;
use crate::values::element::Store;
use crate::values::element::accumulator::Accumulator;
use crate::values::reader::{Reader, Value};
use crate::values::slices::ReduceSlice;
use crate::values::stored::{Data, Stored, behind};
use crate::values::written::EachWritten;

/// This many elements are decoded at a time: few enough to stay in the nearest cache, whatever their size.
const DECODED: usize = 256;

/// This many are read at once.
const LANES: usize = 16;

/// The microkernels of an operator.
pub(super) const fn table<R, Op, T, O>(empty: Empty) -> SliceTable
where
    R: Reader<T::Wide>,
    Op: ReduceSlice<R::Element>,
    T: Stored,
    O: EachWritten + Store<Op::Output>,
{
    assert!(
        align_of::<Op::Cell>() <= LINE,
        "a cell is aligned to more than 64 bytes; ask for no alignment"
    );
    SliceTable {
        cell: size_of::<Op::Cell>(),
        cells: cells::<R, Op, T>,
        begin: begin::<R, Op, T>,
        push: push::<R, Op, T>,
        combine: combine::<R, Op, T>,
        end: end::<R, Op, T, O>,
        ..with_types::<T, O>(empty)
    }
}

/// What does nothing.
pub(super) const fn inert<T: Stored, O: EachWritten>() -> SliceTable {
    with_types::<T, O>(Empty::Error)
}

/// A table that does nothing, of some types.
const fn with_types<T: Stored, O: EachWritten>(empty: Empty) -> SliceTable {
    SliceTable {
        dtypes: T::DTYPES,
        outputs: O::DTYPES,
        empty,
        sizes: T::SIZES,
        cell: 0,
        cells: |_, _| 0,
        begin: |_, _| (),
        push: |_, _, _, _| (),
        combine: |_, _, _| (),
        end: |_, _, _| (),
    }
}

/// # Safety
/// As for [`SliceTable`].
unsafe fn cells<R: Reader<T::Wide>, Op: ReduceSlice<R::Element>, T: Stored>(
    op: *const (),
    length: usize,
) -> usize {
    // SAFETY: *operator*, which the driver keeps: it is that of this table.
    unsafe { &*op.cast::<Op>() }.cells(length)
}

/// # Safety
/// As for [`SliceTable`].
unsafe fn begin<R: Reader<T::Wide>, Op: ReduceSlice<R::Element>, T: Stored>(
    op: *const (),
    RawCells { first, cells }: RawCells,
) {
    // SAFETY: *operator*, which the driver keeps: it is that of this table.
    let op = unsafe { &*op.cast::<Op>() };
    for index in 0..cells {
        let place = first.cast::<Op::Cell>().wrapping_add(index);
        // SAFETY: *room*, which the driver keeps: a cell of the accumulator, whose first begins a line of the cache.
        unsafe { place.write(op.identity(index)) };
    }
}

/// # Safety
/// As for [`SliceTable`].
unsafe fn push<R: Reader<T::Wide>, Op: ReduceSlice<R::Element>, T: Stored>(
    op: *const (),
    acc: RawCells,
    elements: &SliceElements<'_>,
    level: Available,
) {
    // SAFETY: *operator*, which the driver keeps: it is that of this table.
    let op = unsafe { &*op.cast::<Op>() };
    // SAFETY: *states*, which the driver keeps: all cells were begun, and are nobody else's.
    let acc = unsafe { acc.slice::<Op::Cell>() };
    // Wider vectors gain nothing: the work beside comparisons is done element by element.
    level.run_narrow(PushWork::<R, Op, T> { op, acc, elements, types: PhantomData });
}

/// # Safety
/// As for [`SliceTable`].
unsafe fn combine<R: Reader<T::Wide>, Op: ReduceSlice<R::Element>, T: Stored>(
    op: *const (),
    acc: RawCells,
    later: RawCells,
) {
    // SAFETY: *operator*, which the driver keeps: it is that of this table.
    let op = unsafe { &*op.cast::<Op>() };
    // SAFETY: *states*, which the driver keeps: all cells were begun, and are nobody else's.
    let acc = unsafe { acc.slice::<Op::Cell>() };
    // SAFETY: *states*, which the driver keeps: these cells were begun, too, and are not those of `acc`.
    let later = unsafe { later.slice::<Op::Cell>() };
    op.combine(acc, later);
}

/// # Safety
/// As for [`SliceTable`].
unsafe fn end<R, Op, T, O>(op: *const (), acc: RawCells, end: &SliceEnd)
where
    R: Reader<T::Wide>,
    Op: ReduceSlice<R::Element>,
    T: Stored,
    O: EachWritten + Store<Op::Output>,
{
    // SAFETY: *operator*, which the driver keeps: it is that of this table.
    let op = unsafe { &*op.cast::<Op>() };
    // SAFETY: *states*, which the driver keeps: all cells were begun, and are nobody else's.
    let acc = unsafe { acc.slice::<Op::Cell>() };
    op.finish(acc, end.count);
    for index in 0..end.length {
        let element = O::store(op.finalize(acc, index, end.count));
        // SAFETY: *places*, which the driver keeps: each result has `length` of them.
        unsafe { element.put(&end.places, index) };
    }
}

impl RawCells {
    /// The cells.
    ///
    /// # Safety
    /// *states*: the cells are of this type and were begun, and nobody else has them.
    unsafe fn slice<'a, Cell>(self) -> &'a mut [Cell] {
        // SAFETY: *states*, which the caller keeps: the cells are of this type, were begun, and are nobody else's.
        unsafe { std::slice::from_raw_parts_mut(self.first.cast(), self.cells) }
    }
}

/// Elements, decoded and added to an accumulator.
struct PushWork<'a, R: Reader<T::Wide>, Op: ReduceSlice<R::Element>, T: Stored> {
    op: &'a Op,
    acc: &'a mut [Op::Cell],
    elements: &'a SliceElements<'a>,
    types: PhantomData<fn(R, T)>,
}

impl<R: Reader<T::Wide>, Op: ReduceSlice<R::Element>, T: Stored> Work for PushWork<'_, R, Op, T> {
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let PushWork { op, acc, elements, .. } = self;
        if is_as_stored::<R, T>() {
            let stored = elements.data[0].cast::<R::Element>();
            // SAFETY: *elements*, which the caller of `push` keeps. *types*: `is_as_stored` says that what is stored is
            // what the operator reads.
            let stored = unsafe { std::slice::from_raw_parts(stored, elements.count) };
            return op.push(acc, stored, elements.indices);
        }
        let mut room = [const { MaybeUninit::<R::Element>::uninit() }; DECODED];
        let mut first = 0;
        while first < elements.count {
            let count = DECODED.min(elements.count - first);
            let data = behind::<T>(&elements.data, first);
            // SAFETY: *elements*, which the caller of `push` keeps: `count` are left from `first` on.
            unsafe { decode::<C, R, T>(code, &data, &mut room[..count]) };
            let decoded = room.as_ptr().cast::<R::Element>();
            // SAFETY: *written*: `decode` just wrote the first `count` elements of the room.
            let decoded = unsafe { std::slice::from_raw_parts(decoded, count) };
            op.push(acc, decoded, elements.indices.part(first, count));
            first += count;
        }
    }
}

/// Whether elements have the bytes of what is stored. They are then read where they are, which takes half the time of a copy
/// and a comparison of each.
#[inline(always)]
fn is_as_stored<R: 'static, T: 'static>() -> bool {
    macro_rules! any {
        ($($type:ty as $element:ty),*) => {
            false $(|| TypeId::of::<(R, T)>() == TypeId::of::<(Value<$element>, $type)>())*
        };
    }
    any!(
        f32 as f32,
        f64 as f64,
        bool as bool,
        i8 as Wrapping<i8>,
        i16 as Wrapping<i16>,
        i32 as Wrapping<i32>,
        i64 as Wrapping<i64>,
        u8 as Wrapping<u8>,
        u16 as Wrapping<u16>,
        u32 as Wrapping<u32>,
        u64 as Wrapping<u64>
    )
}

/// Decodes elements from a place on, as many as there is room for.
///
/// # Safety
/// *elements*: there are as many as the room has places.
#[inline(always)]
unsafe fn decode<C: Code, R: Reader<T::Wide>, T: Stored>(
    code: C,
    data: &Data,
    room: &mut [MaybeUninit<R::Element>],
) {
    let (steps, rest) = room.as_chunks_mut::<LANES>();
    let whole = steps.len() * LANES;
    for (number, step) in steps.iter_mut().enumerate() {
        // SAFETY: *elements*, which the caller keeps: there are as many as the room has places.
        let lanes = unsafe { T::read::<C, LANES>(code, &behind::<T>(data, number * LANES)) };
        for lane in 0..LANES {
            step[lane].write(R::read(T::Wide::get(&lanes, lane), 0));
        }
    }
    for (place, room) in (whole..).zip(rest) {
        // SAFETY: *elements*, which the caller keeps: there are as many as the room has places.
        let element = unsafe { T::at(data, place) };
        room.write(R::read(element.wide(), 0));
    }
}
