//! Tensors of ONNX files: raw bytes, or one of five typed lists of numbers.
//!
//! A file declares a shape and brings elements; only the elements are believed.

use prost::{DecodeError, Message};
use reduce_core::{AnyTensor, DType, Element, Shape, Tensor, bf16, f8e4m3fn, f8e5m2, f16};

use super::proto::TensorProto;
use super::proto::tensor_proto::{DataLocation, DataType};
use crate::elements::{self, ByteOrder};
use crate::error::{Error, ErrorKind};

/// The tensor in the bytes of a `TensorProto`, such as the standard's node tests keep in files `input_0.pb`.
///
/// # Errors
/// If the bytes are damaged, or the tensor is of no type that a reduction takes, or keeps its elements in another file
/// ([`ErrorKind::Damaged`]). The sentence's subject is the tensor, left out.
///
/// ```
/// use reduce_core::{AnyTensor, Tensor};
/// use reduce_onnx::{read_tensor, write_tensor};
///
/// let tensor = AnyTensor::from(Tensor::new(vec![1.0f32, 2.0], &[2])?);
/// assert_eq!(read_tensor(&write_tensor("x", &tensor))?, tensor);
/// assert_eq!(read_tensor(b"no tensor").expect_err("text").code(), "damaged");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_tensor(bytes: &[u8]) -> Result<AnyTensor, Error> {
    let proto = TensorProto::decode(bytes).map_err(|error| damaged(&error));
    let tensor = proto.and_then(|proto| tensor(&proto));
    tensor.map_err(|problem| Error::new(ErrorKind::Damaged, problem))
}

/// The bytes of a `TensorProto` of this name: what [`read_tensor`] reads.
pub fn write_tensor(name: &str, tensor: &AnyTensor) -> Vec<u8> {
    let mut raw_data = Vec::new();
    // A list takes all bytes.
    let _ = elements::encode(tensor, &mut raw_data);
    let size = |&size: &usize| i64::try_from(size).unwrap_or(i64::MAX);
    let proto = TensorProto {
        name: name.to_owned(),
        data_type: number(tensor.dtype()).into(),
        dims: tensor.shape().iter().map(size).collect(),
        raw_data: raw_data.into(),
        ..TensorProto::default()
    };
    proto.encode_to_vec()
}

/// What is wrong with bytes that do not decode.
pub(super) fn damaged(error: &DecodeError) -> String {
    format!("is damaged or no ONNX file ({error})")
}

/// The tensor a message describes.
pub(super) fn tensor(proto: &TensorProto) -> Result<AnyTensor, String> {
    if proto.data_location() == DataLocation::External {
        return Err(
            "keeps its elements in another file, which is read for a model alone".to_owned()
        );
    }
    let dtype = dtype(proto.data_type)?;
    let shape = shape(&proto.dims)?;
    if proto.raw_data.is_empty() {
        return from_lists(proto, dtype, &shape);
    }
    from_bytes(dtype, &shape, &proto.raw_data)
}

/// The tensor of these bytes, which must be as many as its elements take.
pub(super) fn from_bytes(dtype: DType, shape: &Shape, data: &[u8]) -> Result<AnyTensor, String> {
    let (bytes, needed) = (data.len(), shape.count().checked_mul(dtype.size()));
    if needed != Some(bytes) {
        return Err(format!("has {bytes} bytes of data, which is not shape {shape} of {dtype}"));
    }
    elements::decode(dtype, data, ByteOrder::Little, shape)
}

/// The storage type of a number of `DataType`.
pub(crate) fn dtype(number: i32) -> Result<DType, String> {
    let known =
        DataType::try_from(number).map_err(|_| format!("has unknown data type {number}"))?;
    match known {
        DataType::Float16 => Ok(DType::F16),
        DataType::Bfloat16 => Ok(DType::BF16),
        DataType::Float8e4m3fn => Ok(DType::F8E4M3FN),
        DataType::Float8e5m2 => Ok(DType::F8E5M2),
        DataType::Float => Ok(DType::F32),
        DataType::Double => Ok(DType::F64),
        DataType::Bool => Ok(DType::Bool),
        DataType::Int8 => Ok(DType::I8),
        DataType::Int16 => Ok(DType::I16),
        DataType::Int32 => Ok(DType::I32),
        DataType::Int64 => Ok(DType::I64),
        DataType::Uint8 => Ok(DType::U8),
        DataType::Uint16 => Ok(DType::U16),
        DataType::Uint32 => Ok(DType::U32),
        DataType::Uint64 => Ok(DType::U64),
        other => Err(format!("has data type {}, which no reduction takes", other.as_str_name())),
    }
}

/// The number of a storage type.
fn number(dtype: DType) -> DataType {
    match dtype {
        DType::F16 => DataType::Float16,
        DType::BF16 => DataType::Bfloat16,
        DType::F8E4M3FN => DataType::Float8e4m3fn,
        DType::F8E5M2 => DataType::Float8e5m2,
        DType::F32 => DataType::Float,
        DType::F64 => DataType::Double,
        DType::Bool => DataType::Bool,
        DType::I8 => DataType::Int8,
        DType::I16 => DataType::Int16,
        DType::I32 => DataType::Int32,
        DType::I64 => DataType::Int64,
        DType::U8 => DataType::Uint8,
        DType::U16 => DataType::Uint16,
        DType::U32 => DataType::Uint32,
        DType::U64 => DataType::Uint64,
    }
}

/// The shape of these sizes.
pub(super) fn shape(dims: &[i64]) -> Result<Shape, String> {
    let dims: Result<Vec<usize>, _> = dims.iter().map(|&dim| dim.try_into()).collect();
    let dims = dims.map_err(|_| "has a negative size in its shape".to_owned())?;
    Shape::new(&dims).map_err(|error| error.to_string())
}

/// The elements from the list that the standard assigns to the type.
fn from_lists(proto: &TensorProto, dtype: DType, shape: &Shape) -> Result<AnyTensor, String> {
    let ints = &proto.int32_data;
    match dtype {
        DType::F32 => finish(copied(&proto.float_data)?, shape),
        DType::F64 => finish(copied(&proto.double_data)?, shape),
        DType::I64 => finish(copied(&proto.int64_data)?, shape),
        DType::U64 => finish(copied(&proto.uint64_data)?, shape),
        DType::U32 => finish(narrow::<_, u32>(&proto.uint64_data)?, shape),
        DType::I32 => finish(copied(ints)?, shape),
        DType::I16 => finish(narrow::<_, i16>(ints)?, shape),
        DType::I8 => finish(narrow::<_, i8>(ints)?, shape),
        DType::U16 => finish(narrow::<_, u16>(ints)?, shape),
        DType::U8 => finish(narrow::<_, u8>(ints)?, shape),
        DType::Bool => finish(elements::list(ints.iter().map(|&int| int != 0))?, shape),
        DType::F16 => finish(elements::list(bits(ints)?.map(f16::from_bits))?, shape),
        DType::BF16 => finish(elements::list(bits(ints)?.map(bf16::from_bits))?, shape),
        DType::F8E4M3FN => finish(
            elements::list(narrow::<_, u8>(ints)?.into_iter().map(f8e4m3fn::from_bits))?,
            shape,
        ),
        DType::F8E5M2 => finish(
            elements::list(narrow::<_, u8>(ints)?.into_iter().map(f8e5m2::from_bits))?,
            shape,
        ),
    }
}

fn bits(ints: &[i32]) -> Result<impl ExactSizeIterator<Item = u16>, String> {
    narrow::<_, u16>(ints).map(Vec::into_iter)
}

fn copied<T: Element>(elements: &[T]) -> Result<Vec<T>, String> {
    elements::list(elements.iter().copied())
}

/// Elements stored in a wider type than their own.
fn narrow<W, N>(wide: &[W]) -> Result<Vec<N>, String>
where
    W: Copy + std::fmt::Display,
    N: TryFrom<W> + Element,
{
    let mut list = elements::room(wide.len())?;
    for &value in wide {
        let name = std::any::type_name::<N>();
        let element = N::try_from(value);
        list.push(element.map_err(|_| format!("has the element {value}, which is no {name}"))?);
    }
    Ok(list)
}

fn finish<T: Element>(data: Vec<T>, shape: &Shape) -> Result<AnyTensor, String> {
    if data.len() != shape.count() {
        return Err(format!("has {} elements, which is not shape {shape}", data.len()));
    }
    Tensor::new(data, shape).map(AnyTensor::from).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use reduce_core::{AnyTensor, Tensor, bf16, f16};

    use super::{
        ByteOrder, DType, DataLocation, DataType, TensorProto, elements, read_tensor, tensor,
        write_tensor,
    };

    fn proto(data_type: DataType, dims: &[i64]) -> TensorProto {
        TensorProto { data_type: data_type.into(), dims: dims.to_vec(), ..TensorProto::default() }
    }

    fn reads<T: reduce_core::Element>(proto: &TensorProto, expected: &[T]) {
        let expected = Tensor::new(expected.to_vec(), &[expected.len()]).expect("rank 1");
        assert_eq!(tensor(proto), Ok(AnyTensor::from(expected)), "{proto:?}");
    }

    #[test]
    fn every_typed_list() {
        let one_two = |data_type| proto(data_type, &[2]);
        let int32_data = vec![1, -2];
        let words = vec![0x3c00, 0xc000];
        let with = |data_type, int32_data: &[i32]| TensorProto {
            int32_data: int32_data.to_vec(),
            ..one_two(data_type)
        };
        reads(&with(DataType::Int32, &int32_data), &[1i32, -2]);
        reads(&with(DataType::Int16, &int32_data), &[1i16, -2]);
        reads(&with(DataType::Int8, &int32_data), &[1i8, -2]);
        reads(&with(DataType::Uint16, &[1, 65535]), &[1u16, 65535]);
        reads(&with(DataType::Uint8, &[1, 255]), &[1u8, 255]);
        reads(&with(DataType::Bool, &[0, 1]), &[false, true]);
        reads(&with(DataType::Float16, &words), &[f16::ONE, f16::from_f32(-2.0)]);
        let words = [0x3f80, 0xc000];
        reads(&with(DataType::Bfloat16, &words), &[bf16::ONE, bf16::from_f32(-2.0)]);
        let floats = TensorProto { float_data: vec![1.0, -2.0], ..one_two(DataType::Float) };
        reads(&floats, &[1.0f32, -2.0]);
        let doubles = TensorProto { double_data: vec![1.0, -2.0], ..one_two(DataType::Double) };
        reads(&doubles, &[1.0f64, -2.0]);
        let longs = TensorProto { int64_data: vec![1, -2], ..one_two(DataType::Int64) };
        reads(&longs, &[1i64, -2]);
        let wide = |data_type| TensorProto { uint64_data: vec![1, 2], ..one_two(data_type) };
        reads(&wide(DataType::Uint64), &[1u64, 2]);
        reads(&wide(DataType::Uint32), &[1u32, 2]);
        let raw =
            TensorProto { raw_data: vec![1, 0, 0xfe, 0xff].into(), ..one_two(DataType::Int16) };
        reads(&raw, &[1i16, -2]);
        reads::<f32>(&proto(DataType::Float, &[0]), &[]);
    }

    #[test]
    fn every_type_is_written_and_read() {
        for dtype in DType::ALL {
            let bytes: Vec<u8> = (0..2 * dtype.size()).map(|byte| u8::from(byte == 0)).collect();
            let tensor = elements::decode(dtype, &bytes, ByteOrder::Little, &[2, 1]);
            let tensor = tensor.expect("as many bytes as elements take");
            assert_eq!(read_tensor(&write_tensor("x", &tensor)), Ok(tensor), "{dtype}");
        }
    }

    #[test]
    fn what_does_not_add_up_is_refused() {
        let external = TensorProto {
            data_location: DataLocation::External.into(),
            ..proto(DataType::Float, &[])
        };
        let raw = |data_type, dims: &[i64], bytes: usize| TensorProto {
            raw_data: vec![0; bytes].into(),
            ..proto(data_type, dims)
        };
        let ints =
            |data_type, int: i32| TensorProto { int32_data: vec![int], ..proto(data_type, &[1]) };
        for (proto, words) in [
            (external, "another file"),
            (proto(DataType::String, &[0]), "data type STRING"),
            (proto(DataType::Undefined, &[]), "data type UNDEFINED"),
            (TensorProto { data_type: 99, ..TensorProto::default() }, "unknown data type 99"),
            (proto(DataType::Float, &[-1]), "negative size"),
            (proto(DataType::Float, &[i64::MAX, 4]), "too many elements"),
            (proto(DataType::Float, &[i64::MAX]), "has 0 elements"),
            (proto(DataType::Float, &[]), "has 0 elements"),
            (raw(DataType::Float, &[2], 7), "has 7 bytes"),
            (raw(DataType::Float, &[i64::MAX], 8), "has 8 bytes"),
            (raw(DataType::Float, &[0], 4), "has 4 bytes"),
            (ints(DataType::Int8, 128), "the element 128, which is no i8"),
            (ints(DataType::Uint16, -1), "the element -1, which is no u16"),
            (ints(DataType::Float16, 65536), "65536"),
        ] {
            let problem = tensor(&proto).expect_err("refused");
            assert!(problem.contains(words), "{words} in {problem}");
        }
    }
}
