//! Elements: what a tensor stores, and how a value enters and leaves a kernel.
//!
//! A kernel reads a storage type `T`, computes in a type `A`, and writes a
//! storage type `O`: [`Load`] is the step from `T` to `A`, [`Store`] the step
//! from a result to `O`. Both are exact where they can be and round or saturate
//! once where they cannot.

mod arrays;
mod load;
mod store;
mod widen;
mod written;

pub use load::Load;
pub use store::Store;
pub use widen::Widen;
pub use written::{Slot, Unrounded, Written};

use half::{bf16, f16};

use crate::facts::dtype::DType;
use crate::machine::bits::Bits;
use crate::values::tensor::{AnyTensor, AnyView, Tensor};
use crate::values::view::View;

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

    /// The view, if it holds this type.
    fn view_of<'v, 'a>(any: &'v AnyView<'a>) -> Option<&'v View<'a, Self>>;

    /// A view of any type from one of this type.
    fn into_any_view(view: View<'_, Self>) -> AnyView<'_>;

    /// A tensor of any type from one of this type.
    fn into_any(tensor: Tensor<Self>) -> AnyTensor;

    /// The tensor, if it holds this type.
    ///
    /// # Errors
    /// The tensor as it was, if it holds another type.
    fn from_any(any: AnyTensor) -> Result<Tensor<Self>, AnyTensor>;
}

macro_rules! elements {
    ($($type:ty => $variant:ident),* $(,)?) => {$(
        impl Element for $type {
            const DTYPE: DType = DType::$variant;

            fn to_f64(self) -> f64 {
                self.load()
            }

            fn view_of<'v, 'a>(any: &'v AnyView<'a>) -> Option<&'v View<'a, Self>> {
                match any {
                    AnyView::$variant(view) => Some(view),
                    _ => None,
                }
            }

            fn into_any_view(view: View<'_, Self>) -> AnyView<'_> {
                AnyView::$variant(view)
            }

            fn into_any(tensor: Tensor<Self>) -> AnyTensor {
                AnyTensor::$variant(tensor)
            }

            fn from_any(any: AnyTensor) -> Result<Tensor<Self>, AnyTensor> {
                match any {
                    AnyTensor::$variant(tensor) => Ok(tensor),
                    other => Err(other),
                }
            }
        }
    )*};
}

elements! {
    f16 => F16, bf16 => BF16, f32 => F32, f64 => F64, bool => Bool,
    i8 => I8, i16 => I16, i32 => I32, i64 => I64,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64,
}
