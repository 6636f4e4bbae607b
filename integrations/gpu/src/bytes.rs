//! Elements as bytes, for a device.

use bytemuck::NoUninit;
use reduce_core::{Element, Stored, bf16, f16};

/// Elements of tensors whose bytes a device can be given: all that are stored, and tuples of them.
pub trait Bytes: Stored {
    /// The bytes of each input.
    fn bytes<'a>(data: Self::Data<'a>) -> Vec<&'a [u8]>;
}

macro_rules! elements {
    ($($element:ty),*) => {$(
        impl Bytes for $element {
            fn bytes<'a>(data: <$element as Stored>::Data<'a>) -> Vec<&'a [u8]> {
                vec![bytemuck::cast_slice(data)]
            }
        }
    )*};
}

elements!(f16, bf16, f32, f64, bool, i8, i16, i32, i64, u8, u16, u32, u64);

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
