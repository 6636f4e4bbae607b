//! Elements and places whose type is known at run time, as an engine keeps buffers.

#![allow(unsafe_code, reason = "buffers have their types erased")]

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use crate::facts::dtype::{DType, with_any};
use crate::values::any::{AnyTensor, AnyView};
use crate::values::element::Element;
use crate::values::view::View;

/// A buffer of elements whose type is known at run time: what a planned call reads.
///
/// ```
/// use reduce_core::DType;
/// use reduce_core::nodes::AnyData;
///
/// let data: AnyData = (&[1.0f32, 2.0][..]).into();
/// assert_eq!((data.dtype(), data.len()), (DType::F32, 2));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AnyData<'a> {
    pub(crate) dtype: DType,
    pub(crate) first: *const u8,
    pub(crate) length: usize,
    elements: PhantomData<&'a [u8]>,
}

// SAFETY: *sharing*: it borrows elements of a storage type, which are `Sync`.
unsafe impl Send for AnyData<'_> {}

// SAFETY: *sharing*: it borrows elements of a storage type, which are `Sync`.
unsafe impl Sync for AnyData<'_> {}

impl AnyData<'_> {
    /// Elements behind a pointer.
    ///
    /// # Safety
    /// There are `length` initialised elements of the type behind the pointer, and it is aligned to them. For as long as the
    /// lifetime they are not freed, and nobody writes to them.
    pub unsafe fn from_raw(dtype: DType, first: *const u8, length: usize) -> Self {
        AnyData { dtype, first, length, elements: PhantomData }
    }

    /// The type of the elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
}

impl<'a, T: Element> From<&'a [T]> for AnyData<'a> {
    fn from(data: &'a [T]) -> Self {
        let (first, length) = (data.as_ptr().cast(), data.len());
        AnyData { dtype: T::DTYPE, first, length, elements: PhantomData }
    }
}

impl<'a, T: Element> From<&'a Vec<T>> for AnyData<'a> {
    fn from(data: &'a Vec<T>) -> Self {
        data.as_slice().into()
    }
}

/// The whole buffer of a view.
impl<'a, T: Element> From<&View<'a, T>> for AnyData<'a> {
    fn from(view: &View<'a, T>) -> Self {
        view.data().into()
    }
}

/// The whole buffer of a view.
impl<'a> From<&AnyView<'a>> for AnyData<'a> {
    fn from(view: &AnyView<'a>) -> Self {
        with_any!(AnyView, view, view => view.into())
    }
}

/// Places for elements whose type is known at run time: what a planned call writes to. They need not be initialised.
///
/// ```
/// use std::mem::MaybeUninit;
///
/// use reduce_core::DType;
/// use reduce_core::nodes::AnyPlaces;
///
/// let mut results = [0.0f32; 3];
/// let places: AnyPlaces = (&mut results[..]).into();
/// assert_eq!((places.dtype(), places.len()), (DType::F32, 3));
/// // Or memory of a pool, which was not cleared.
/// let mut pool = [MaybeUninit::<i64>::uninit(); 3];
/// let places: AnyPlaces = (&mut pool[..]).into();
/// assert_eq!(places.dtype(), DType::I64);
/// ```
#[derive(Debug)]
pub struct AnyPlaces<'a> {
    pub(crate) dtype: DType,
    pub(crate) first: *mut u8,
    pub(crate) length: usize,
    places: PhantomData<&'a mut [u8]>,
}

// SAFETY: *sharing*: it borrows places alone, for elements of a storage type, which are `Send`.
unsafe impl Send for AnyPlaces<'_> {}

// SAFETY: *sharing*: nothing is read or written through a shared one.
unsafe impl Sync for AnyPlaces<'_> {}

impl AnyPlaces<'_> {
    /// Places behind a pointer.
    ///
    /// # Safety
    /// There is memory for `length` elements of the type behind the pointer, which is aligned to them. For as long as the
    /// lifetime nobody else reads it or writes to it. Elements in it are initialised if somebody takes them to be.
    pub unsafe fn from_raw(dtype: DType, first: *mut u8, length: usize) -> Self {
        AnyPlaces { dtype, first, length, places: PhantomData }
    }

    /// The type of the elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
}

impl<'a, T: Element> From<&'a mut [T]> for AnyPlaces<'a> {
    fn from(places: &'a mut [T]) -> Self {
        let (first, length) = (places.as_mut_ptr().cast(), places.len());
        AnyPlaces { dtype: T::DTYPE, first, length, places: PhantomData }
    }
}

impl<'a, T: Element> From<&'a mut Vec<T>> for AnyPlaces<'a> {
    fn from(places: &'a mut Vec<T>) -> Self {
        places.as_mut_slice().into()
    }
}

/// The elements of a tensor.
impl<'a> From<&'a mut AnyTensor> for AnyPlaces<'a> {
    fn from(tensor: &'a mut AnyTensor) -> Self {
        with_any!(AnyTensor, tensor, tensor => tensor.data_mut().into())
    }
}

impl<'a, T: Element> From<&'a mut [MaybeUninit<T>]> for AnyPlaces<'a> {
    fn from(places: &'a mut [MaybeUninit<T>]) -> Self {
        let (first, length) = (places.as_mut_ptr().cast(), places.len());
        AnyPlaces { dtype: T::DTYPE, first, length, places: PhantomData }
    }
}

/// Elements whose type is known at run time, and which are replaced: what a planned emission in place reads and writes.
///
/// ```
/// use reduce_core::DType;
/// use reduce_core::nodes::AnyDataMut;
///
/// let mut data = [1.0f32, 2.0];
/// let data: AnyDataMut = (&mut data[..]).into();
/// assert_eq!((data.dtype(), data.len()), (DType::F32, 2));
/// ```
#[derive(Debug)]
pub struct AnyDataMut<'a> {
    places: AnyPlaces<'a>,
}

impl<'a> AnyDataMut<'a> {
    /// Elements behind a pointer.
    ///
    /// # Safety
    /// There are `length` initialised elements of the type behind the pointer, which is aligned to them. For as long as the
    /// lifetime nobody else reads them or writes to them.
    pub unsafe fn from_raw(dtype: DType, first: *mut u8, length: usize) -> Self {
        AnyDataMut { places: AnyPlaces { dtype, first, length, places: PhantomData } }
    }

    /// The type of the elements.
    pub fn dtype(&self) -> DType {
        self.places.dtype
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.places.length
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.length == 0
    }

    /// The elements as they are read, and their places as they are written, both through one pointer. What is written
    /// to the places must be elements.
    pub(crate) fn both(&mut self) -> (AnyData<'_>, &mut AnyPlaces<'a>) {
        let AnyPlaces { dtype, first, length, .. } = self.places;
        let first = first.cast_const();
        (AnyData { dtype, first, length, elements: PhantomData }, &mut self.places)
    }
}

impl<'a, T: Element> From<&'a mut [T]> for AnyDataMut<'a> {
    fn from(elements: &'a mut [T]) -> Self {
        AnyDataMut { places: elements.into() }
    }
}

/// The elements of a tensor.
impl<'a> From<&'a mut AnyTensor> for AnyDataMut<'a> {
    fn from(tensor: &'a mut AnyTensor) -> Self {
        AnyDataMut { places: tensor.into() }
    }
}
