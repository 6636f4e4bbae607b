//! The values of inputs: bit patterns that are put together from integers, so that every language can make them.
//!
//! No arithmetic of floats is needed, and none rounds. `docs/digest.md` says the same in a table.

use reduce_core::dtypes::{for_storage_types, with_any, with_dtype};
use reduce_core::{AnyTensor, AnyView, DType, Element, Tensor, View};

use super::layouts::InputLayout;
use super::mix::random;

/// Which values a buffer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// Floats between 1/4 and 4 in magnitude, a quarter of them negative; any integers.
    Plain,
    /// Floats from 1/2 to 2, whose products stay in range for long; integers from -3 to 4, or from 0 to 7.
    Near,
    /// Floats of any exponent, also subnormal ones.
    Wide,
    /// Plain ones, and one in 32 is special: zeros, subnormal numbers, the greatest, infinities, NaN, or limits of integers.
    Special,
}

impl ValueKind {
    #[cfg(test)]
    pub(super) const ALL: [ValueKind; 4] =
        [ValueKind::Plain, ValueKind::Near, ValueKind::Wide, ValueKind::Special];

    /// The kind of this name.
    pub(super) fn named(name: &str) -> Option<ValueKind> {
        Some(match name {
            "plain" => ValueKind::Plain,
            "near" => ValueKind::Near,
            "wide" => ValueKind::Wide,
            "special" => ValueKind::Special,
            _ => return None,
        })
    }
}

/// Elements that are made of a sequence of pseudo-random numbers.
pub(super) fn elements(kind: ValueKind, dtype: DType, sequence: u64, count: usize) -> AnyTensor {
    let pattern = |place: u64| pattern(kind, dtype, random(sequence, place));
    with_dtype!(dtype, T => {
        let elements: Vec<T> = (0..).map(pattern).map(T::of_pattern).take(count).collect();
        Tensor::from_list(elements).into()
    })
}

/// The buffer of an input of a layout: the first input is 0.
pub(super) fn buffer(layout: &InputLayout, dtype: DType, input: u64) -> AnyTensor {
    elements(layout.kind, dtype, 256 * layout.number + input, layout.length())
}

/// The view of a buffer.
///
/// # Errors
/// The sentence says why there is no such view.
pub(super) fn view<'a>(layout: &InputLayout, buffer: &'a AnyTensor) -> Result<AnyView<'a>, String> {
    let InputLayout { shape, strides, offset, .. } = layout;
    with_any!(AnyTensor, buffer, tensor => {
        let view = View::with_strides(tensor.data(), shape, strides, *offset);
        Ok(view.map_err(|error| error.to_string())?.into())
    })
}

/// The bits of an element, as an integer, that a pseudo-random number becomes. Bits above the type's are of no meaning.
fn pattern(kind: ValueKind, dtype: DType, number: u64) -> u64 {
    match FloatFormat::of(dtype) {
        Some(format) => format.pattern(kind, number),
        None if dtype == DType::Bool => number >> 63,
        None => integer(kind, dtype, number),
    }
}

/// How the bits of a float are divided.
#[derive(Clone, Copy, Debug)]
struct FloatFormat {
    exponent: u32,
    fraction: u32,
}

impl FloatFormat {
    fn of(dtype: DType) -> Option<FloatFormat> {
        let (exponent, fraction) = match dtype {
            DType::F8E4M3FN => (4, 3),
            DType::F8E5M2 => (5, 2),
            DType::F16 => (5, 10),
            DType::BF16 => (8, 7),
            DType::F32 => (8, 23),
            DType::F64 => (11, 52),
            _ => return None,
        };
        Some(FloatFormat { exponent, fraction })
    }

    /// A float of these fields.
    fn join(self, sign: u64, exponent: u64, fraction: u64) -> u64 {
        (((sign << self.exponent) | exponent) << self.fraction) | fraction
    }

    fn pattern(self, kind: ValueKind, number: u64) -> u64 {
        let bias = (1 << (self.exponent - 1)) - 1;
        let fraction = number % (1 << self.fraction);
        // The upper twelve bits are in no fraction.
        let top = number >> 52;
        match kind {
            ValueKind::Special if top & 31 == 0 => self.special((top >> 5) & 15),
            ValueKind::Plain | ValueKind::Special => {
                self.join(u64::from((top >> 9) & 3 == 0), bias - 2 + ((top >> 7) & 3), fraction)
            }
            // Five of eight are below 1, and of these the fraction's first bit is set: the mean of the logarithms is then
            // nearly 0.
            ValueKind::Near if top & 7 < 5 => {
                self.join(0, bias - 1, fraction | (1 << (self.fraction - 1)))
            }
            ValueKind::Near => self.join(0, bias, fraction & !(1 << (self.fraction - 1))),
            ValueKind::Wide => {
                self.join(top & 1, (number >> 53) % ((1 << self.exponent) - 1), fraction)
            }
        }
    }

    /// Half of the special ones are zeros and ones, so that not all results are NaN.
    fn special(self, which: u64) -> u64 {
        let (ones, full) = ((1 << self.exponent) - 1, (1 << self.fraction) - 1);
        let (bias, highest) = (ones / 2, ones - 1);
        match which {
            0..2 => self.join(0, 0, 0),
            2..5 => self.join(1, 0, 0),
            5 => self.join(0, bias, 0),
            6 => self.join(1, bias, 0),
            7 => self.join(0, 0, 1),
            8 => self.join(1, 0, 1),
            9 => self.join(0, 0, full),
            10 => self.join(1, 1, 0),
            11 => self.join(0, highest, full),
            12 => self.join(1, highest, full),
            13 => self.join(0, ones, 0),
            14 => self.join(1, ones, 0),
            _ => self.join(0, ones, full),
        }
    }
}

/// The bits of an integer, in two's complement.
fn integer(kind: ValueKind, dtype: DType, number: u64) -> u64 {
    let is_signed = matches!(dtype, DType::I8 | DType::I16 | DType::I32 | DType::I64);
    let (top, sign_bit) = (number >> 52, 1 << (8 * dtype.size() - 1));
    match kind {
        ValueKind::Special if top & 31 == 0 => match (top >> 5) & 3 {
            which @ 0..2 => which,
            2 if is_signed => sign_bit - 1,
            2 => u64::MAX,
            _ if is_signed => sign_bit,
            _ => 0,
        },
        ValueKind::Near if is_signed => (number % 8).wrapping_sub(3),
        ValueKind::Near => number % 8,
        ValueKind::Plain | ValueKind::Wide | ValueKind::Special => number,
    }
}

/// The bits of results, element by element, with one number for every NaN: which bits a NaN has is not promised.
pub(super) fn bits(results: &AnyTensor) -> Vec<u64> {
    with_any!(AnyTensor, results, tensor => tensor.data().iter().map(|x| x.number()).collect())
}

/// The lower bits of a number, as many as the type has.
fn lower<B: TryFrom<u64>>(number: u64) -> B {
    let others = 64 - 8 * size_of::<B>();
    let Ok(bits) = B::try_from(number << others >> others) else {
        unreachable!("bits above are 0")
    };
    bits
}

/// A storage type whose elements are integers for the digest.
trait Patterned: Element {
    /// The element with the lower bits of a number.
    fn of_pattern(pattern: u64) -> Self;

    /// Its bits; all ones for NaN.
    fn number(self) -> u64;
}

macro_rules! patterned {
    ([] $($variant:ident: $type:ty, $name:literal, $size:literal, $class:ident, $doc:literal;)*) => {
        $(patterned!($class $type);)*
    };
    (float $float:ty) => {
        impl Patterned for $float {
            fn of_pattern(pattern: u64) -> Self {
                <$float>::from_bits(lower(pattern))
            }

            fn number(self) -> u64 {
                if self.is_nan() { u64::MAX } else { self.to_bits().into() }
            }
        }
    };
    (bool $bool:ty) => {
        impl Patterned for $bool {
            fn of_pattern(pattern: u64) -> Self {
                pattern & 1 == 1
            }

            fn number(self) -> u64 {
                self.into()
            }
        }
    };
    (int $int:ty) => {
        impl Patterned for $int {
            fn of_pattern(pattern: u64) -> Self {
                let pattern = pattern.to_le_bytes();
                <$int>::from_le_bytes(std::array::from_fn(|place| pattern[place]))
            }

            fn number(self) -> u64 {
                self.cast_unsigned().into()
            }
        }
    };
    (uint $uint:ty) => {
        impl Patterned for $uint {
            fn of_pattern(pattern: u64) -> Self {
                lower(pattern)
            }

            fn number(self) -> u64 {
                self.into()
            }
        }
    };
}

for_storage_types!(patterned);
