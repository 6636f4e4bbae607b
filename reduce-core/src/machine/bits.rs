//! The machine's view of an element: its bits.

#![allow(unsafe_code, reason = "one type may have two names")]

use std::any::TypeId;
use std::fmt::Debug;

use crate::facts::dtype::for_storage_types;

/// A type of one to eight bytes. The bytes of any value, and bytes of zeros, are a value of the type.
///
/// Vectors are loaded, turned and stored by the size of such a type alone. The trait is implemented here for
/// all storage types, and nowhere else.
pub trait Bits: Copy + Default + PartialEq + Debug {}

macro_rules! bits {
    (
        []
        $($variant:ident: $type:ty, $name:literal, $size:literal, $class:ident, $doc:literal;)*
    ) => {
        $(impl Bits for $type {})*
    };
}

for_storage_types!(bits);

/// The values, if both types are one.
pub(crate) fn as_type<T: 'static, Same: 'static>(values: &[T]) -> Option<&[Same]> {
    (TypeId::of::<T>() == TypeId::of::<Same>()).then(|| {
        // SAFETY: the two types are one, as was just asked, and the slice is borrowed as long as the other.
        unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
    })
}

/// The bytes of elements, which all types of [`Bits`] have without gaps.
pub(crate) fn bytes<T: Bits>(elements: &[T]) -> &[u8] {
    // SAFETY: *bytes*: a type of `Bits` has no gaps, so that each of its bytes is initialised.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}
