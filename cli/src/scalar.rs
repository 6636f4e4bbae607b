//! The storage types as the command line meets them: as bytes and as text.
//!
//! `with_tensor!` opens a tensor of a type known at run time; [`decode`] and
//! [`encode`] are what `.npy` files and ONNX tensors have in common.

use reduce_core::{AnyTensor, DType, Element, Error, Tensor, bf16, f16};

/// The order of the bytes of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// That of this machine.
    pub(crate) const NATIVE: ByteOrder =
        if cfg!(target_endian = "little") { ByteOrder::Little } else { ByteOrder::Big };
}

/// An element that is read, written and shown.
pub(crate) trait Scalar: Element {
    /// The elements of a buffer; bytes short of an element at its end are left out.
    fn decode(bytes: &[u8], order: ByteOrder) -> Vec<Self>;

    /// Appends the element's bytes, the lowest first.
    fn encode(self, bytes: &mut Vec<u8>);

    /// The shortest decimal text that means this value and no other.
    fn text(self) -> String;
}

/// Binds the tensor inside an [`AnyTensor`], whatever its type.
macro_rules! with_tensor {
    ($any:expr, $tensor:ident => $body:expr) => {
        match $any {
            ::reduce_core::AnyTensor::F16($tensor) => $body,
            ::reduce_core::AnyTensor::BF16($tensor) => $body,
            ::reduce_core::AnyTensor::F32($tensor) => $body,
            ::reduce_core::AnyTensor::F64($tensor) => $body,
            ::reduce_core::AnyTensor::Bool($tensor) => $body,
            ::reduce_core::AnyTensor::I8($tensor) => $body,
            ::reduce_core::AnyTensor::I16($tensor) => $body,
            ::reduce_core::AnyTensor::I32($tensor) => $body,
            ::reduce_core::AnyTensor::I64($tensor) => $body,
            ::reduce_core::AnyTensor::U8($tensor) => $body,
            ::reduce_core::AnyTensor::U16($tensor) => $body,
            ::reduce_core::AnyTensor::U32($tensor) => $body,
            ::reduce_core::AnyTensor::U64($tensor) => $body,
        }
    };
}
pub(crate) use with_tensor;

/// Binds the Rust type of a [`DType`].
macro_rules! with_dtype {
    ($dtype:expr, $type:ident => $body:expr) => {
        with_dtype!(@ $dtype, $type, $body,
            F16 => ::reduce_core::f16, BF16 => ::reduce_core::bf16, F32 => f32, F64 => f64,
            Bool => bool, I8 => i8, I16 => i16, I32 => i32, I64 => i64,
            U8 => u8, U16 => u16, U32 => u32, U64 => u64)
    };
    (@ $dtype:expr, $type:ident, $body:expr, $($variant:ident => $rust:ty),*) => {
        match $dtype {
            $(::reduce_core::DType::$variant => {
                type $type = $rust;
                $body
            })*
        }
    };
}
pub(crate) use with_dtype;

/// A row-major tensor from the bytes of its elements.
///
/// # Errors
/// If the bytes are not as many as the shape's elements take.
pub(crate) fn decode(
    dtype: DType,
    bytes: &[u8],
    order: ByteOrder,
    shape: &[usize],
) -> Result<AnyTensor, Error> {
    with_dtype!(dtype, T => Tensor::new(T::decode(bytes, order), shape).map(AnyTensor::from))
}

/// The bytes of a tensor's elements, the last axis fastest, the lowest byte first.
pub(crate) fn encode(tensor: &AnyTensor) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(tensor.shape().count() * tensor.dtype().size());
    with_tensor!(tensor, t => t.data().iter().for_each(|x| x.encode(&mut bytes)));
    bytes
}

/// Tensors of one type and, but for an axis, one shape, put one behind another along it.
///
/// # Errors
/// If together they are not of the shape.
pub(crate) fn joined(
    parts: &[AnyTensor],
    axis: usize,
    shape: &[usize],
) -> Result<AnyTensor, Error> {
    let dtype = parts.first().map_or(DType::F32, AnyTensor::dtype);
    let rows: usize = shape[..axis].iter().product();
    let encoded: Vec<Vec<u8>> = parts.iter().map(encode).collect();
    let mut bytes = Vec::with_capacity(encoded.iter().map(Vec::len).sum());
    for row in 0..rows {
        for part in &encoded {
            let length = part.len() / rows;
            bytes.extend(&part[row * length..][..length]);
        }
    }
    decode(dtype, &bytes, ByteOrder::Little, shape)
}

macro_rules! scalars {
    ($($type:ty: $text:expr),* $(,)?) => {$(
        impl Scalar for $type {
            fn decode(bytes: &[u8], order: ByteOrder) -> Vec<Self> {
                let (elements, _) = bytes.as_chunks();
                let from = match order {
                    ByteOrder::Little => <$type>::from_le_bytes,
                    ByteOrder::Big => <$type>::from_be_bytes,
                };
                elements.iter().copied().map(from).collect()
            }

            fn encode(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }

            fn text(self) -> String {
                $text(self)
            }
        }
    )*};
}

scalars! {
    i8: |x: i8| x.to_string(), i16: |x: i16| x.to_string(),
    i32: |x: i32| x.to_string(), i64: |x: i64| x.to_string(),
    u8: |x: u8| x.to_string(), u16: |x: u16| x.to_string(),
    u32: |x: u32| x.to_string(), u64: |x: u64| x.to_string(),
    // `Debug` and not `Display`, which writes 1e84 with all its zeros.
    f32: |x: f32| format!("{x:?}"), f64: |x: f64| format!("{x:?}"),
    f16: |x: f16| shortest(x.to_f32(), |text| f16::from_f32(text) == x),
    bf16: |x: bf16| shortest(x.to_f32(), |text| bf16::from_f32(text) == x),
}

impl Scalar for bool {
    fn decode(bytes: &[u8], _: ByteOrder) -> Vec<Self> {
        bytes.iter().map(|&byte| byte != 0).collect()
    }

    fn encode(self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self));
    }

    fn text(self) -> String {
        self.to_string()
    }
}

/// The value with as few digits as still mean it in a 16-bit type: 0.1 and not
/// the 0.099975586 that it is in `f16`.
fn shortest(value: f32, is_same: impl Fn(f32) -> bool) -> String {
    let rounded = (0..8).filter_map(|digits| format!("{value:.digits$e}").parse().ok());
    format!("{:?}", rounded.into_iter().find(|&x| is_same(x)).unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::{AnyTensor, ByteOrder, DType, Scalar, Tensor, bf16, decode, encode, f16, joined};

    #[test]
    fn bytes_come_back_in_either_order() {
        let bytes: Vec<u8> = (1..=16).collect();
        for dtype in DType::ALL {
            let shape = [bytes.len() / dtype.size()];
            let little = decode(dtype, &bytes, ByteOrder::Little, &shape).expect("right length");
            let swapped: Vec<u8> = bytes
                .chunks(dtype.size())
                .flat_map(|element| element.iter().rev())
                .copied()
                .collect();
            let big = decode(dtype, &swapped, ByteOrder::Big, &shape).expect("right length");
            assert_eq!(little, big, "{dtype}");
            if dtype != DType::Bool {
                assert_eq!(encode(&little), bytes, "{dtype}");
            }
        }
    }

    #[test]
    fn parts_are_joined_along_an_axis() {
        let tensor = |data: &[i32], shape: &[usize]| {
            AnyTensor::from(Tensor::new(data.to_vec(), shape).expect("its shape"))
        };
        let parts = [tensor(&[1, 2, 5, 6], &[2, 2]), tensor(&[3, 7], &[2, 1])];
        let all = joined(&parts, 1, &[2, 3]).expect("its shape");
        assert_eq!(all, tensor(&[1, 2, 3, 5, 6, 7], &[2, 3]));
        let parts = [tensor(&[1, 2], &[1, 2]), tensor(&[3, 4, 5, 6], &[2, 2])];
        assert_eq!(
            joined(&parts, 0, &[3, 2]).expect("its shape"),
            tensor(&[1, 2, 3, 4, 5, 6], &[3, 2])
        );
        assert!(joined(&parts, 0, &[2, 2]).is_err());
    }

    #[test]
    fn text_is_short_and_means_the_value() {
        assert_eq!(f16::from_f32(0.1).text(), "0.1");
        assert_eq!(f16::MAX.text(), "65500.0");
        assert_eq!(bf16::from_f32(1e30).text(), "1e30");
        assert_eq!((f16::NAN.text(), bf16::NEG_INFINITY.text()), ("NaN".into(), "-inf".into()));
        assert_eq!((1000.6931f32.text(), 1e84f64.text()), ("1000.6931".into(), "1e84".into()));
        for bits in 0..=u16::MAX {
            let value = f16::from_bits(bits);
            let read: f32 = value.text().parse().expect("a number");
            assert!(value.is_nan() || f16::from_f32(read) == value, "{bits:#x}");
        }
    }
}
