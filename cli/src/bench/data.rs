//! The inputs: what values an operator is measured on, and where they come from.

use reduce_core::{AnyView, DType, bf16, f16};

use super::cases::Case;
use super::ops;
use crate::error::Error;

/// Operators of one class share their input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// 0.5 to 1.5: a sum of them has a logarithm.
    Positive,
    /// -1 to 1.
    Signed,
    /// -3 to 3: exponents.
    Exponent,
    /// 1 - 0.001 to 1 + 0.001: a product of many neither overflows nor vanishes.
    Factor,
}

impl Class {
    /// The value that a number from 0 to 1 becomes.
    fn of(self, unit: f32) -> f32 {
        match self {
            Class::Positive => unit + 0.5,
            Class::Signed => unit * 2.0 - 1.0,
            Class::Exponent => unit * 6.0 - 3.0,
            Class::Factor => (unit - 0.5) * 2e-3 + 1.0,
        }
    }
}

/// A storage type that inputs can have.
trait Value: Sized {
    fn make(unit: f32, class: Class) -> Self;
}

macro_rules! floats {
    ($($float:ty: $convert:path;)*) => {$(
        impl Value for $float {
            fn make(unit: f32, class: Class) -> Self {
                $convert(class.of(unit))
            }
        }
    )*};
}

floats! {
    f32: f32::from;
    f64: f64::from;
    f16: f16::from_f32;
    bf16: bf16::from_f32;
}

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl Value for $int {
            /// Integers from -100 to 100, whatever the class.
            #[allow(clippy::cast_possible_truncation, reason = "from -100 to 100")]
            fn make(unit: f32, _class: Class) -> Self {
                (unit * 200.0 - 100.0) as $int
            }
        }
    )*};
}

integers!(i32 i64);

/// The number of a place, in 0..1 and a multiple of 2⁻²⁴.
///
/// It is a hash of the place, by Appleby's 32-bit finaliser. It stands in place of
/// a generator with a state, since it fills gigabytes at the memory's speed. Besides,
/// a prefix of an input is the input of that length. Places 2³² apart are alike.
#[allow(clippy::cast_possible_truncation, reason = "documented: places repeat")]
#[allow(clippy::cast_precision_loss, reason = "24 bits fit")]
fn unit(place: usize) -> f32 {
    let mut hash = (place as u32).wrapping_add(0x9E37_79B9);
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85EB_CA6B);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xC2B2_AE35);
    hash ^= hash >> 16;
    (hash >> 8) as f32 / 16_777_216.0
}

/// Elements of a class, one after the other.
fn generate<T: Value>(class: Class, count: usize) -> Result<Vec<T>, Error> {
    let mut values = buffer(count)?;
    values.extend((0..count).map(|place| T::make(unit(place), class)));
    Ok(values)
}

/// An empty vector with room for this many elements.
pub(crate) fn buffer<T>(count: usize) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| {
        Error::new(format!("{count} elements do not fit in memory; choose a smaller case"))
    })?;
    Ok(values)
}

/// Copies the elements in reverse order.
pub(super) fn reversed<T: Copy>(values: &[T]) -> Result<Vec<T>, Error> {
    let mut reversed = buffer(values.len())?;
    reversed.extend(values.iter().rev().copied());
    Ok(reversed)
}

macro_rules! data {
    ($($variant:ident($type:ty),)*) => {
        /// An input, of one of the types that are measured.
        #[derive(Debug)]
        pub(crate) enum Data {
            $(
                #[doc = stringify!($type)]
                $variant(Vec<$type>),
            )*
        }

        /// Every type that is measured.
        pub(crate) const DTYPES: &[DType] = &[$(DType::$variant),*];

        impl Data {
            /// The input of a class; types that are not measured have none.
            pub(crate) fn new(
                class: Class,
                dtype: DType,
                count: usize,
            ) -> Result<Option<Data>, Error> {
                Ok(match dtype {
                    $(DType::$variant => Some(Data::$variant(generate(class, count)?)),)*
                    _ => None,
                })
            }

            /// The view of a case.
            pub(crate) fn view(&self, case: &Case) -> Result<AnyView<'_>, Error> {
                match self {
                    $(Data::$variant(values) => Ok(ops::view(values, case)?.into()),)*
                }
            }

            /// Copies the elements in reverse order.
            pub(crate) fn reversed(&self) -> Result<Data, Error> {
                match self {
                    $(Data::$variant(values) => Ok(Data::$variant(reversed(values)?)),)*
                }
            }

            /// The bytes of all elements.
            pub(crate) fn bytes(&self) -> usize {
                match self {
                    $(Data::$variant(values) => size_of_val(values.as_slice()),)*
                }
            }
        }
    };
}

data! {
    F32(f32),
    F64(f64),
    F16(f16),
    BF16(bf16),
    I32(i32),
    I64(i64),
}

/// The input made last: the next operator mostly wants the same.
#[derive(Debug, Default)]
pub(crate) struct Store(Option<((Class, DType, usize), Data)>);

impl Store {
    pub(crate) fn get(
        &mut self,
        class: Class,
        dtype: DType,
        count: usize,
    ) -> Result<Option<&Data>, Error> {
        // One class of integers is like another.
        let class = if dtype.is_float() { class } else { Class::Signed };
        let key = (class, dtype, count);
        if self.0.as_ref().is_none_or(|(held, _)| *held != key) {
            // The old one goes first, or both would be in memory.
            self.0 = None;
            self.0 = Data::new(class, dtype, count)?.map(|data| (key, data));
        }
        Ok(self.0.as_ref().map(|(_, data)| data))
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, generate};

    fn range(class: Class) -> (f32, f32, f32) {
        let values: Vec<f32> = generate(class, 100_000).expect("fits");
        let (least, most) = values
            .iter()
            .fold((f32::MAX, f32::MIN), |(least, most), &x| (least.min(x), most.max(x)));
        (least, most, values.iter().sum::<f32>() / 1e5)
    }

    #[test]
    fn values_fill_the_range_of_their_class() {
        for (class, from, to) in [
            (Class::Positive, 0.5, 1.5),
            (Class::Signed, -1.0, 1.0),
            (Class::Exponent, -3.0, 3.0),
            (Class::Factor, 0.999, 1.001),
        ] {
            let (least, most, mean) = range(class);
            let near = (to - from) * 0.01;
            assert!((from..from + near).contains(&least), "{class:?} from {least}");
            assert!((to - near..=to).contains(&most), "{class:?} to {most}");
            assert!((mean - f32::midpoint(from, to)).abs() < near, "{class:?} around {mean}");
        }
        let integers: Vec<i32> = generate(Class::Positive, 100_000).expect("fits");
        assert!(integers.iter().all(|x| (-100..=100).contains(x)));
        assert!(integers.contains(&-99) && integers.contains(&99));
    }

    #[test]
    fn a_prefix_is_an_input() {
        let long: Vec<f64> = generate(Class::Signed, 100).expect("fits");
        assert_eq!(long[..10], generate::<f64>(Class::Signed, 10).expect("fits"));
        assert!(generate::<f64>(Class::Signed, usize::MAX / 8).is_err());
    }
}
