//! The storage types a tensor may have: one table of them, from which all other lists are made.

use std::fmt;

/// Calls a macro with all storage types: first what it is to be told beside them, in brackets, then a row for each type, floats
/// first. A row has the variant of [`DType`](crate::DType), Rust's type, its name, the bytes of an element, its class, and
/// what it is. Classes are `float`, `bool`, `int` and `uint`.
///
/// Lists that are made from this table know a new storage type at once:
///
/// ```
/// macro_rules! names {
///     ([$what:literal] $($variant:ident: $type:ty, $name:literal, $size:literal, $class:ident, $doc:literal;)*) => {
///         format!("{}: {}", $what, [$($name),*].join(" "))
///     };
/// }
///
/// let names = reduce_core::dtypes::for_storage_types!(names, "types");
/// assert!(names.starts_with("types: f16 bf16 "));
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __for_storage_types {
    ($($each:tt)::+ $(, $($more:tt)*)?) => {
        $($each)::+! {
            [$($($more)*)?]
            F16: $crate::f16, "f16", 2, float, "IEEE 754 binary16.";
            BF16: $crate::bf16, "bf16", 2, float, "The upper half of a binary32.";
            F8E4M3FN: $crate::f8e4m3fn, "f8e4m3fn", 1, float, "Four bits of exponent, three of fraction, no infinities.";
            F8E5M2: $crate::f8e5m2, "f8e5m2", 1, float, "Five bits of exponent, two of fraction.";
            F32: ::core::primitive::f32, "f32", 4, float, "IEEE 754 binary32.";
            F64: ::core::primitive::f64, "f64", 8, float, "IEEE 754 binary64.";
            Bool: ::core::primitive::bool, "bool", 1, bool, "One byte, `false` or `true`.";
            I8: ::core::primitive::i8, "i8", 1, int, "Signed 8-bit integer.";
            I16: ::core::primitive::i16, "i16", 2, int, "Signed 16-bit integer.";
            I32: ::core::primitive::i32, "i32", 4, int, "Signed 32-bit integer.";
            I64: ::core::primitive::i64, "i64", 8, int, "Signed 64-bit integer.";
            U8: ::core::primitive::u8, "u8", 1, uint, "Unsigned 8-bit integer.";
            U16: ::core::primitive::u16, "u16", 2, uint, "Unsigned 16-bit integer.";
            U32: ::core::primitive::u32, "u32", 4, uint, "Unsigned 32-bit integer.";
            U64: ::core::primitive::u64, "u64", 8, uint, "Unsigned 64-bit integer.";
        }
    };
}

/// Does something with the Rust type of a [`DType`](crate::DType), which gets a name for it.
///
/// ```
/// use reduce_core::DType;
/// use reduce_core::dtypes::with_dtype;
///
/// let size = |dtype: DType| with_dtype!(dtype, T => size_of::<T>());
/// assert_eq!((size(DType::F16), size(DType::Bool)), (2, 1));
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __with_dtype {
    ($dtype:expr, $named:ident => $body:expr) => {
        $crate::__for_storage_types!($crate::__match_dtype, $dtype, $named, $body)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __match_dtype {
    (
        [$dtype:expr, $named:ident, $body:expr]
        $($variant:ident: $type:ty, $name:literal, $size:literal, $class:ident, $doc:literal;)*
    ) => {
        match $dtype {
            $($crate::DType::$variant => {
                type $named = $type;
                $body
            })*
        }
    };
}

/// Does what [`with_dtype!`](crate::dtypes::with_dtype) does for floats, and for other types what stands behind `else`.
///
/// ```
/// use reduce_core::dtypes::with_float;
/// use reduce_core::{DType, Element};
///
/// let name = |dtype: DType| with_float!(dtype, T => Some(T::DTYPE.name()), else None);
/// assert_eq!((name(DType::BF16), name(DType::I8)), (Some("bf16"), None));
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __with_float {
    ($dtype:expr, $named:ident => $body:expr, else $other:expr) => {
        $crate::__for_storage_types!($crate::__match_float, $dtype, $named, $body, $other)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __match_float {
    (
        [$dtype:expr, $named:ident, $body:expr, $other:expr]
        $($variant:ident: $type:ty, $name:literal, $size:literal, $class:ident, $doc:literal;)*
    ) => {
        match $dtype {
            $($crate::DType::$variant => {
                $crate::__if_float!($class, $type, $named, $body, $other)
            })*
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __if_float {
    (float, $type:ty, $named:ident, $body:expr, $other:expr) => {{
        type $named = $type;
        $body
    }};
    ($class:ident, $type:ty, $named:ident, $body:expr, $other:expr) => {
        $other
    };
}

/// Does something with the view in an [`AnyView`](crate::AnyView), or with the tensor in an [`AnyTensor`](crate::AnyTensor),
/// whatever its type.
///
/// ```
/// use reduce_core::dtypes::with_any;
/// use reduce_core::{AnyView, View};
///
/// let any: AnyView = View::new(&[1u8, 2], &[2])?.into();
/// assert_eq!(with_any!(AnyView, any, view => view.data().len()), 2);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __with_any {
    ($kind:ident, $any:expr, $inner:ident => $body:expr) => {
        $crate::__for_storage_types!($crate::__match_any, $kind, $any, $inner, $body)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __match_any {
    (
        [$kind:ident, $any:expr, $inner:ident, $body:expr]
        $($variant:ident: $type:ty, $name:literal, $size:literal, $class:ident, $doc:literal;)*
    ) => {
        match $any {
            $($crate::$kind::$variant($inner) => $body,)*
        }
    };
}

macro_rules! is_float {
    (float) => {
        true
    };
    ($class:ident) => {
        false
    };
}

/// Writes the enum of all storage types.
macro_rules! dtypes {
    (
        []
        $($variant:ident: $type:ty, $name:literal, $size:literal, $class:ident, $doc:literal;)*
    ) => {
        /// The type of a tensor's elements in memory.
        ///
        /// The name printed is Rust's: `f16`, `i64`, `bool`. An accumulator may be of
        /// another type; which one is a fact of the operator's spec.
        ///
        /// ```
        /// use reduce_core::{AnyView, DType, Element, View};
        ///
        /// assert_eq!((f32::DTYPE, DType::F32.to_string()), (DType::F32, "f32".into()));
        /// let data: AnyView = View::new(&[1i64, 2], &[2])?.into();
        /// assert_eq!(data.dtype(), DType::I64);
        /// # Ok::<(), reduce_core::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum DType {
            $(#[doc = $doc] $variant,)*
        }

        impl DType {
            /// Every storage type, floats first.
            pub const ALL: [DType; [$($size),*].len()] = [$(DType::$variant),*];

            /// Rust's name of the type.
            pub const fn name(self) -> &'static str {
                match self {
                    $(DType::$variant => $name,)*
                }
            }

            /// Bytes per element.
            pub const fn size(self) -> usize {
                match self {
                    $(DType::$variant => $size,)*
                }
            }

            /// Whether values have a fraction, infinities or NaN.
            pub const fn is_float(self) -> bool {
                match self {
                    $(DType::$variant => is_float!($class),)*
                }
            }
        }
    };
}

for_storage_types!(dtypes);

// An exported macro stands at the root, whatever module it is in. There it is hidden, under another name.
pub use {
    __for_storage_types as for_storage_types, __with_any as with_any, __with_dtype as with_dtype,
    __with_float as with_float,
};

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::DType;

    #[test]
    fn all_lists_each_type_once_with_its_size() {
        let mut names: Vec<_> = DType::ALL.iter().map(|dtype| dtype.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), DType::ALL.len());
        for dtype in DType::ALL {
            let bits = dtype.name().split(char::is_alphabetic).find(|digits| !digits.is_empty());
            let bits: usize = bits.map_or(8, |bits| bits.parse().expect("a number of bits"));
            assert_eq!(dtype.size() * 8, bits, "{dtype}");
            assert_eq!(dtype.is_float(), dtype.name().contains('f'), "{dtype}");
        }
    }
}
