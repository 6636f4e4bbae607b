//! The place of a result.

use super::Element;
use crate::facts::dtype::DType;
use crate::values::tuples::for_tuples;

/// What a kernel writes for a result.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a reduction",
    label = "a result is an element of a tensor, an array of them, or a tuple of up to eight results"
)]
pub trait Slot: Copy + Send + Sync + 'static {
    /// The type of the result, or of the first.
    const DTYPE: DType;

    /// The number of elements of the result, or of the first one, if that is an array.
    const LENGTH: Option<usize> = None;

    /// What stands in the place of a result that is yet to be written.
    fn blank() -> Self;
}

/// A result in the type it is computed in, whether or not tensors store that.
#[derive(Clone, Copy, Debug)]
pub struct Unrounded<R>(Option<R>);

impl<R> Unrounded<R> {
    /// A result that was written.
    #[inline(always)]
    pub(crate) fn of(result: R) -> Self {
        Unrounded(Some(result))
    }

    /// The result; nothing if none was written.
    #[inline(always)]
    pub(crate) fn get(&self) -> Option<&R> {
        self.0.as_ref()
    }
}

impl<R: Copy + Send + Sync + 'static> Slot for Unrounded<R> {
    const DTYPE: DType = DType::F64;

    #[inline(always)]
    fn blank() -> Self {
        Unrounded(None)
    }
}

impl<T: Element> Slot for T {
    const DTYPE: DType = T::DTYPE;

    #[inline(always)]
    fn blank() -> T {
        T::default()
    }
}

impl<T: Element, const N: usize> Slot for [T; N] {
    const DTYPE: DType = T::DTYPE;

    const LENGTH: Option<usize> = {
        assert!(N > 0, "a result holds something; write an array of at least one element");
        Some(N)
    };

    #[inline(always)]
    fn blank() -> Self {
        [T::default(); N]
    }
}

macro_rules! tuples {
    ($(($first:ident . 0 $(, $name:ident . $index:tt)*))*) => {$(
        impl<$first: Slot, $($name: Slot),*> Slot for ($first, $($name,)*) {
            const DTYPE: DType = $first::DTYPE;
            const LENGTH: Option<usize> = $first::LENGTH;

            #[inline(always)]
            fn blank() -> Self {
                ($first::blank(), $($name::blank(),)*)
            }
        }
    )*};
}

for_tuples!(tuples);
