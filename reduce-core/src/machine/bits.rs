//! The machine's view of an element: its bits.

use std::fmt::Debug;

use half::{bf16, f16};

/// A type of one to eight bytes. The bytes of any value, and bytes of zeros, are a value of the type.
///
/// Vectors are loaded, turned and stored by the size of such a type alone. The trait is implemented here for
/// all storage types, and nowhere else.
pub trait Bits: Copy + Default + PartialEq + Debug {}

macro_rules! bits {
    ($($type:ty),* $(,)?) => {$( impl Bits for $type {} )*};
}

bits! { f16, bf16, f32, f64, bool, i8, i16, i32, i64, u8, u16, u32, u64 }
