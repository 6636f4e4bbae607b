//! Elements as bytes, for a device.

use bytemuck::NoUninit;
use reduce_core::Element;
use reduce_core::backend::bytes;
use reduce_core::bounds::Stored;
use reduce_core::dtypes::for_storage_types;

/// Elements of tensors whose bytes a device can be given: all that are stored, and tuples of them.
pub trait Bytes: Stored {
    /// The bytes of each input.
    fn bytes<'a>(data: Self::Data<'a>) -> Vec<&'a [u8]>;
}

macro_rules! elements {
    (
        []
        $($variant:ident: $type:ty, $name:literal, $size:literal, $class:ident, $doc:literal;)*
    ) => {$(
        impl Bytes for $type {
            fn bytes<'a>(data: <$type as Stored>::Data<'a>) -> Vec<&'a [u8]> {
                vec![bytes(data)]
            }
        }
    )*};
}

for_storage_types!(elements);

macro_rules! tuples {
    ($(($($name:ident . $index:tt),+))*) => {$(
        impl<$($name: Element + NoUninit),+> Bytes for ($($name,)+) {
            fn bytes<'a>(data: Self::Data<'a>) -> Vec<&'a [u8]> {
                vec![$(bytemuck::cast_slice(data.$index)),+]
            }
        }
    )*};
}

tuples! {
    (A.0, B.1)
    (A.0, B.1, C.2)
    (A.0, B.1, C.2, D.3)
}
