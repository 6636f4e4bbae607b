//! The storage types a tensor may have.

use std::fmt;

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
    /// IEEE 754 binary16.
    F16,
    /// The upper half of a binary32.
    BF16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// One byte, `false` or `true`.
    Bool,
    /// Signed 8-bit integer.
    I8,
    /// Signed 16-bit integer.
    I16,
    /// Signed 32-bit integer.
    I32,
    /// Signed 64-bit integer.
    I64,
    /// Unsigned 8-bit integer.
    U8,
    /// Unsigned 16-bit integer.
    U16,
    /// Unsigned 32-bit integer.
    U32,
    /// Unsigned 64-bit integer.
    U64,
}

impl DType {
    /// Every storage type, floats first.
    pub const ALL: [DType; 13] = [
        DType::F16,
        DType::BF16,
        DType::F32,
        DType::F64,
        DType::Bool,
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::U64,
    ];

    /// Rust's name of the type.
    pub const fn name(self) -> &'static str {
        match self {
            DType::F16 => "f16",
            DType::BF16 => "bf16",
            DType::F32 => "f32",
            DType::F64 => "f64",
            DType::Bool => "bool",
            DType::I8 => "i8",
            DType::I16 => "i16",
            DType::I32 => "i32",
            DType::I64 => "i64",
            DType::U8 => "u8",
            DType::U16 => "u16",
            DType::U32 => "u32",
            DType::U64 => "u64",
        }
    }

    /// Bytes per element.
    pub const fn size(self) -> usize {
        match self {
            DType::Bool | DType::I8 | DType::U8 => 1,
            DType::F16 | DType::BF16 | DType::I16 | DType::U16 => 2,
            DType::F32 | DType::I32 | DType::U32 => 4,
            DType::F64 | DType::I64 | DType::U64 => 8,
        }
    }

    /// Whether values have a fraction, infinities and NaN.
    pub const fn is_float(self) -> bool {
        matches!(self, DType::F16 | DType::BF16 | DType::F32 | DType::F64)
    }
}

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
            let bits: String = dtype.name().chars().filter(char::is_ascii_digit).collect();
            let bits: usize = bits.parse().unwrap_or(8);
            assert_eq!(dtype.size() * 8, bits, "{dtype}");
        }
    }
}
