//! Arrays of Arrow in and out.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, FixedSizeListArray, PrimitiveArray,
};
use arrow_buffer::ScalarBuffer;
use arrow_schema::{DataType, Field};

use crate::facts::error::{Error, ErrorKind};
use crate::values::any::{AnyTensor, AnyView};
use crate::values::element::{Element, Load};
use crate::values::tensor::Tensor;
use crate::values::view::View;

/// The elements of an array of numbers, without a copy, as a view of rank 1. Those that are null are
/// whatever stands in their place: [`mask`] says which they are.
///
/// # Errors
/// If it is of another kind. Booleans are kept in bits: [`bools`] copies them.
pub fn view(array: &dyn Array) -> Result<AnyView<'_>, Error> {
    fn list<T>(array: &dyn Array) -> Result<AnyView<'_>, Error>
    where
        T: ArrowPrimitiveType<Native: Element>,
    {
        let elements: &[T::Native] = array.as_primitive::<T>().values();
        Ok(View::new(elements, &[elements.len()])?.into())
    }
    match array.data_type() {
        DataType::Int8 => list::<Int8Type>(array),
        DataType::Int16 => list::<Int16Type>(array),
        DataType::Int32 => list::<Int32Type>(array),
        DataType::Int64 => list::<Int64Type>(array),
        DataType::UInt8 => list::<UInt8Type>(array),
        DataType::UInt16 => list::<UInt16Type>(array),
        DataType::UInt32 => list::<UInt32Type>(array),
        DataType::UInt64 => list::<UInt64Type>(array),
        DataType::Float16 => list::<Float16Type>(array),
        DataType::Float32 => list::<Float32Type>(array),
        DataType::Float64 => list::<Float64Type>(array),
        other => Err(ErrorKind::OtherArray { found: other.to_string() }.into()),
    }
}

/// Which entries of an array are not null. None if all entries are valid.
pub fn mask(array: &dyn Array) -> Option<Vec<bool>> {
    let nulls = array.logical_nulls().filter(|nulls| nulls.null_count() > 0)?;
    Some(nulls.iter().collect())
}

/// The booleans of an array, each in a byte. Those that are null are whatever stands in their place.
pub fn bools(array: &BooleanArray) -> Vec<bool> {
    array.values().iter().collect()
}

/// A tensor as an array, without a copy: each further axis is a list of fixed size. Arrow knows no `bf16`
/// and no floats of eight bits, which become `f32`, and keeps booleans in bits.
///
/// # Panics
/// If an axis behind the first is 2^31 long or longer.
pub fn array(tensor: AnyTensor) -> ArrayRef {
    let sizes = tensor.shape().dims().to_vec();
    let mut array = elements(tensor);
    for &size in sizes.iter().skip(1).rev() {
        array = in_lists(array, size);
    }
    array
}

/// The elements of a tensor, in row-major order.
fn elements(tensor: AnyTensor) -> ArrayRef {
    fn numbers<T: ArrowPrimitiveType>(tensor: Tensor<T::Native>) -> ArrayRef
    where
        T::Native: Element,
    {
        Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(tensor.into_data()), None))
    }
    fn wide<T: Load<f32>>(tensor: &Tensor<T>) -> ArrayRef {
        let wide = tensor.data().iter().map(|x| x.load()).collect();
        numbers::<Float32Type>(Tensor::from_list(wide))
    }
    match tensor {
        AnyTensor::Bool(tensor) => Arc::new(BooleanArray::from(tensor.into_data())),
        AnyTensor::I8(tensor) => numbers::<Int8Type>(tensor),
        AnyTensor::I16(tensor) => numbers::<Int16Type>(tensor),
        AnyTensor::I32(tensor) => numbers::<Int32Type>(tensor),
        AnyTensor::I64(tensor) => numbers::<Int64Type>(tensor),
        AnyTensor::U8(tensor) => numbers::<UInt8Type>(tensor),
        AnyTensor::U16(tensor) => numbers::<UInt16Type>(tensor),
        AnyTensor::U32(tensor) => numbers::<UInt32Type>(tensor),
        AnyTensor::U64(tensor) => numbers::<UInt64Type>(tensor),
        AnyTensor::F16(tensor) => numbers::<Float16Type>(tensor),
        AnyTensor::BF16(tensor) => wide(&tensor),
        AnyTensor::F8E4M3FN(tensor) => wide(&tensor),
        AnyTensor::F8E5M2(tensor) => wide(&tensor),
        AnyTensor::F32(tensor) => numbers::<Float32Type>(tensor),
        AnyTensor::F64(tensor) => numbers::<Float64Type>(tensor),
    }
}

/// Lists of `size` entries each.
fn in_lists(array: ArrayRef, size: usize) -> ArrayRef {
    let field = Arc::new(Field::new_list_field(array.data_type().clone(), false));
    let lists = array.len().checked_div(size).unwrap_or(0);
    let size = i32::try_from(size).expect("a result has fewer elements than `i32` counts");
    let lists = FixedSizeListArray::try_new_with_length(field, size, array, None, lists);
    Arc::new(lists.expect("a tensor has the length it says"))
}
