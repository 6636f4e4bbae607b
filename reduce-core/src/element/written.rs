//! What a reduction writes for each result.

use super::Element;
use crate::dtype::DType;

/// A result as it is stored: a value, or a tuple of up to eight, one for each
/// operator of a tuple.
pub trait Written: Copy + Default + Send + Sync + 'static {
    /// The type of the value, or of the first.
    const DTYPE: DType;
}

impl<T: Element> Written for T {
    const DTYPE: DType = T::DTYPE;
}

macro_rules! tuples {
    ($($first:ident $($name:ident)*;)*) => {$(
        impl<$first: Written, $($name: Written),*> Written for ($first, $($name,)*) {
            const DTYPE: DType = $first::DTYPE;
        }
    )*};
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}
