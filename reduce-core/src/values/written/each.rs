//! Results that are arrays of a length that is known when the program runs: one element of each.

#![allow(unsafe_code, reason = "elements are written through pointers")]

use super::Written;
use crate::facts::dtype::DType;
use crate::values::any::AnyTensor;
use crate::values::element::Element;
use crate::values::tensor::Tensor;
use crate::values::tuples::for_tuples;

/// The most results of one operator.
pub(crate) const MOST_RESULTS: usize = 8;

/// Where the elements of each result go, one behind the other.
pub(crate) type ResultPlaces = [*mut u8; MOST_RESULTS];

/// An element of a result that is an array, or a tuple of one element of each of up to eight such results.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of a result",
    label = "expected an element of a tensor, or a tuple of up to eight of them"
)]
#[allow(private_interfaces, reason = "in hidden functions")]
pub trait EachWritten: Written {
    /// The type of each result.
    #[doc(hidden)]
    const DTYPES: &'static [DType];

    /// Tensors of these types, if they are.
    #[doc(hidden)]
    fn typed(tensors: Vec<AnyTensor>) -> Option<Self::Tensors>;

    /// Writes the elements with this index.
    ///
    /// # Safety
    /// *places*: each result has one for this index.
    #[doc(hidden)]
    unsafe fn put(self, places: &ResultPlaces, index: usize);
}

/// The only tensor, in its type.
fn downcast<T: Element>(tensor: Option<AnyTensor>) -> Option<Tensor<T>> {
    tensor?.downcast().ok()
}

#[allow(private_interfaces, reason = "as `EachWritten`")]
impl<T: Element> EachWritten for T {
    const DTYPES: &'static [DType] = &[T::DTYPE];

    fn typed(tensors: Vec<AnyTensor>) -> Option<Tensor<T>> {
        downcast(tensors.into_iter().next())
    }

    #[inline(always)]
    unsafe fn put(self, places: &ResultPlaces, index: usize) {
        // SAFETY: *places*, which the caller keeps: the result has one for this index.
        unsafe { places[0].cast::<T>().wrapping_add(index).write(self) };
    }
}

macro_rules! tuples {
    ($(($($name:ident . $index:tt),+))*) => {$(
        #[allow(private_interfaces, reason = "as `EachWritten`")]
        impl<$($name: Element),+> EachWritten for ($($name,)+) {
            const DTYPES: &'static [DType] = &[$($name::DTYPE),+];

            fn typed(tensors: Vec<AnyTensor>) -> Option<($(Tensor<$name>,)+)> {
                let mut tensors = tensors.into_iter();
                Some(($(downcast::<$name>(tensors.next())?,)+))
            }

            #[inline(always)]
            unsafe fn put(self, places: &ResultPlaces, index: usize) {
                $(
                    // SAFETY: *places*, which the caller keeps: each result has one for this index.
                    unsafe { places[$index].cast::<$name>().wrapping_add(index).write(self.$index) };
                )+
            }
        }
    )*};
}

for_tuples!(tuples);
