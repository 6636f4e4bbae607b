//! Between the oracle's values and tensors of the crates under test.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the values given are values of the type"
)]

use half::{bf16, f16};
use reduce_core::dtypes::{with_any, with_dtype};
use reduce_core::{AnyTensor, DType, Element, Tensor, f8e4m3fn, f8e5m2};

use crate::compare::Found;
use crate::oracle::{Type, Values};

/// The oracle's type of the same name.
pub fn type_of(dtype: DType) -> Type {
    Type::named(dtype.name())
}

/// A storage type, to and from the oracle's values and its own bits.
trait Native: Element {
    fn pack(values: &Values) -> Vec<Self>;
    fn unpack(data: &[Self]) -> Values;
    fn bits(self) -> u64;
}

macro_rules! integers {
    ($($int:ty),*) => {$(
        impl Native for $int {
            fn pack(values: &Values) -> Vec<Self> {
                let Values::Ints(xs) = values else { panic!("floats for an integer type") };
                xs.iter().map(|&x| x.try_into().expect("a value of the type")).collect()
            }

            fn unpack(data: &[Self]) -> Values {
                Values::Ints(data.iter().map(|&x| x.into()).collect())
            }

            fn bits(self) -> u64 {
                self as u64
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Native for bool {
    fn pack(values: &Values) -> Vec<Self> {
        let Values::Ints(xs) = values else { panic!("floats for bool") };
        xs.iter().map(|&x| x == 1).collect()
    }

    fn unpack(data: &[Self]) -> Values {
        Values::Ints(data.iter().map(|&x| x.into()).collect())
    }

    fn bits(self) -> u64 {
        self.into()
    }
}

macro_rules! floats {
    ($($float:ty: $narrow:expr, $widen:expr;)*) => {$(
        impl Native for $float {
            fn pack(values: &Values) -> Vec<Self> {
                let Values::Floats(xs) = values else { panic!("integers for a float type") };
                let exact = |&x: &f64| {
                    let narrow: $float = $narrow(x);
                    assert!($widen(narrow) == x || x.is_nan(), "{x:e} is no value of the type");
                    narrow
                };
                xs.iter().map(exact).collect()
            }

            fn unpack(data: &[Self]) -> Values {
                Values::Floats(data.iter().map(|&x| $widen(x)).collect())
            }

            fn bits(self) -> u64 {
                let canonical = if self.is_nan() { <$float>::NAN } else { self };
                canonical.to_bits().into()
            }
        }
    )*};
}

floats! {
    f16: f16::from_f64_const, f16::to_f64;
    bf16: bf16::from_f64_const, bf16::to_f64;
    f8e4m3fn: |x| f8e4m3fn::from_f32(x as f32), |x: f8e4m3fn| f64::from(x.to_f32());
    f8e5m2: |x| f8e5m2::from_f32(x as f32), |x: f8e5m2| f64::from(x.to_f32());
    f32: |x| x as f32, f64::from;
    f64: f64::from, f64::from;
}

/// A tensor of these values.
///
/// # Panics
/// If they are not of the type, or not as many as the shape has.
pub fn tensor(dtype: DType, values: &Values, shape: &[usize]) -> AnyTensor {
    with_dtype!(dtype, T => {
        Tensor::new(T::pack(values), shape).expect("as many values as elements").into()
    })
}

/// A result, as the comparison takes it.
pub fn found(tensor: &AnyTensor) -> Found {
    let values = with_any!(AnyTensor, tensor, inner => Native::unpack(inner.data()));
    Found { ty: type_of(tensor.dtype()), shape: tensor.shape().to_vec(), values }
}

/// The bits of each element; every NaN has the same.
pub fn bits(tensor: &AnyTensor) -> Vec<u64> {
    with_any!(AnyTensor, tensor, inner => inner.data().iter().map(|&x| Native::bits(x)).collect())
}

/// Whether two results are of one type and shape and of the same bits.
///
/// # Errors
/// If they are not.
pub fn same_bits(expected: &AnyTensor, found: &AnyTensor) -> Result<(), String> {
    let type_and_shape = |tensor: &AnyTensor| (tensor.dtype(), tensor.shape().to_vec());
    if type_and_shape(expected) == type_and_shape(found) && bits(expected) == bits(found) {
        return Ok(());
    }
    let differs = |(a, b): (&u64, &u64)| a != b;
    let place = bits(expected).iter().zip(&bits(found)).position(differs);
    let (a, b) = (self::found(expected).values, self::found(found).values);
    Err(match place {
        Some(place) => format!(
            "element {place}: the bits of {:?} and {:?} differ",
            a.select([place]),
            b.select([place])
        ),
        None => format!("{:?} and {:?} differ", type_and_shape(expected), type_and_shape(found)),
    })
}
