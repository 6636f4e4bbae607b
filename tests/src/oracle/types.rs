//! Element types and values, the oracle's own.

#![allow(
    clippy::cast_precision_loss,
    reason = "the limits of 64 bits, where a float stands for them"
)]

use crate::float::{BF16, F8E4M3FN, F8E5M2, F16, F32, F64, Format};

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Type {
    /// A float, and the format its reductions are computed in.
    Float {
        /// The format stored.
        format: Format,
        /// The format computed in: results round to it, then to `format`.
        compute: Format,
    },
    /// An integer, or a bool as one of a single bit.
    Int {
        /// Its width.
        bits: u32,
        /// Whether half of its values are negative.
        signed: bool,
    },
}

impl Type {
    /// The type of a name such as `f16` or `u64`.
    ///
    /// # Panics
    /// If there is no such type.
    pub fn named(name: &str) -> Type {
        let float = |format, compute| Type::Float { format, compute };
        let width = |digits: &str| digits.parse().expect("a width");
        match (name, name.split_at(1)) {
            ("f16", _) => float(F16, F32),
            ("bf16", _) => float(BF16, F32),
            ("f8e4m3fn", _) => float(F8E4M3FN, F32),
            ("f8e5m2", _) => float(F8E5M2, F32),
            ("f32", _) => float(F32, F32),
            ("f64", _) => float(F64, F64),
            ("bool", _) => Type::Int { bits: 1, signed: false },
            (_, ("i", digits)) => Type::Int { bits: width(digits), signed: true },
            (_, ("u", digits)) => Type::Int { bits: width(digits), signed: false },
            _ => panic!("the oracle does not know the type `{name}`"),
        }
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Type::Float { .. })
    }

    /// The format reductions to real numbers are computed in.
    pub fn compute(self) -> Format {
        match self {
            Type::Float { compute, .. } => compute,
            Type::Int { .. } => F64,
        }
    }

    /// The least and the greatest integer; both 0 for floats.
    pub fn limits(self) -> (i128, i128) {
        match self {
            Type::Float { .. } => (0, 0),
            Type::Int { bits, signed: true } => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            Type::Int { bits, signed: false } => (0, (1 << bits) - 1),
        }
    }

    /// The value of the type that is congruent modulo two to its width.
    pub fn wrap(self, x: i128) -> i128 {
        let (low, high) = self.limits();
        (x - low).rem_euclid(high - low + 1) + low
    }

    /// A real number as it is stored: rounded once in the format computed in,
    /// then to the type; or without its fraction and within the type's limits.
    pub fn store(self, x: f64) -> f64 {
        match self {
            Type::Float { format, compute } => format.round(compute.round(x)),
            Type::Int { .. } => {
                let (low, high) = self.limits();
                x.trunc().clamp(low as f64, high as f64)
            }
        }
    }
}

/// Elements of one type, exactly.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Holds elements of an integer type.
    Ints(Vec<i128>),
    /// Holds elements of a float type.
    Floats(Vec<f64>),
}

impl Values {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Ints(xs) => xs.len(),
            Values::Floats(xs) => xs.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Selects the elements at some indices, in that order.
    #[must_use]
    pub fn select(&self, indices: impl IntoIterator<Item = usize>) -> Values {
        let indices = indices.into_iter();
        match self {
            Values::Ints(xs) => Values::Ints(indices.map(|index| xs[index]).collect()),
            Values::Floats(xs) => Values::Floats(indices.map(|index| xs[index]).collect()),
        }
    }
}
