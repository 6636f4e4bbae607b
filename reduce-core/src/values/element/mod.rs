//! Elements: what a tensor stores, and how a value enters and leaves a kernel.
//!
//! A kernel reads a storage type `T`, computes in a type `A`, and writes a
//! storage type `O`: [`Load`] is the step from `T` to `A`, [`Store`] the step
//! from a result to `O`. Both are exact where they can be and round or saturate
//! once where they cannot.

pub(crate) mod accumulator;
mod load;
mod slot;
mod store;
mod widen;

pub use load::Load;
pub use slot::{Slot, Unrounded};
pub use store::Store;
pub use widen::Widen;

use crate::facts::dtype::{DType, for_storage_types};
use crate::machine::bits::Bits;

/// A type that tensors store: one of the thirteen of [`DType`].
///
/// As a bound, it is for functions over views and tensors of any type:
///
/// ```
/// use reduce_core::{Element, Tensor};
///
/// fn mean<T: Element>(tensor: &Tensor<T>) -> f64 {
///     let sum: f64 = tensor.data().iter().map(|x| x.to_f64()).sum();
///     sum / tensor.data().len() as f64
/// }
///
/// assert_eq!(mean(&Tensor::new(vec![1u8, 2], &[2])?), 1.5);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no storage type",
    label = "tensors hold f16, bf16, f32, f64, bool, i8 to i64 or u8 to u64"
)]
pub trait Element:
    Bits + Widen + Default + PartialEq + Send + Sync + std::fmt::Debug + 'static
{
    /// The type's run-time name.
    const DTYPE: DType;

    /// The nearest `f64`.
    fn to_f64(self) -> f64;
}

macro_rules! elements {
    (
        []
        $($variant:ident: $type:ty, $name:literal, $size:literal, $class:ident, $doc:literal;)*
    ) => {$(
        impl Element for $type {
            const DTYPE: DType = DType::$variant;

            fn to_f64(self) -> f64 {
                self.load()
            }
        }
    )*};
}

for_storage_types!(elements);
