//! safetensors files: a header of JSON, and the elements of all tensors behind it.
//!
//! `safetensors` parses the header and sees that tensors lie one behind another; [`guard`] keeps from it what it cannot
//! digest. Elements are in C order, the lowest byte first.

mod guard;
mod write;

pub(super) use write::write;

use reduce_core::{DType, Shape};
use safetensors::{Dtype, SafeTensors};

use super::npy::{Order, strides_of};
use super::{Apart, Array, Elements, Opened, one_of};
use crate::contents::{Contents, LARGE};
use crate::scalar::ByteOrder;

/// One tensor of a file, or the only one.
pub(super) fn open(contents: Contents, member: Option<&str>) -> Result<Opened, String> {
    let Found { dtype, shape, strides, first, size } = Found::of(contents.as_ref(), member)?;
    let (order, shape, bytes) = (ByteOrder::Little, shape.to_vec(), first..first + size);
    let is_large = size as u64 >= LARGE;
    let is_native = ByteOrder::NATIVE == order || dtype.size() == 1;
    match contents {
        Contents::Mapped(file)
            if is_large && is_native && file.view(first, dtype, &shape, &strides).is_some() =>
        {
            let elements = Elements::Mapped { file, first, dtype };
            Ok(Opened::Whole(Array { elements, shape, strides }))
        }
        contents => {
            let apart = Apart { contents, bytes, dtype, order, shape, strides, member: None };
            if is_large { Ok(Opened::Apart(apart)) } else { apart.load().map(Opened::Whole) }
        }
    }
}

/// A tensor, and where its elements are.
struct Found {
    dtype: DType,
    shape: Shape,
    strides: Vec<isize>,
    first: usize,
    size: usize,
}

impl Found {
    fn of(file: &[u8], member: Option<&str>) -> Result<Found, String> {
        let header = guard::check(file)?;
        guard::check_names(header)?;
        let (_, metadata) = SafeTensors::read_metadata(file)
            .map_err(|error| format!("its header is not one of safetensors: {error}"))?;
        let names = metadata.offset_keys();
        let name = &names[one_of(names.iter().map(String::as_str), member, "safetensors")?];
        let info = metadata.info(name).ok_or_else(|| format!("has no tensor `{name}`"))?;
        let about = |problem: String| format!("its tensor `{name}` {problem}");
        let dtype = element_type(info.dtype).map_err(about)?;
        let shape =
            Shape::new(&info.shape).map_err(|error| about(format!("is too large: {error}")))?;
        let (start, end) = info.data_offsets;
        let first = guard::LENGTH + header.len() + start;
        let strides = strides_of(&shape, Order::C);
        Ok(Found { dtype, shape, strides, first, size: end - start })
    }
}

/// The storage type of a tensor.
fn element_type(dtype: Dtype) -> Result<DType, String> {
    Ok(match dtype {
        Dtype::F16 => DType::F16,
        Dtype::BF16 => DType::BF16,
        Dtype::F8_E4M3 => DType::F8E4M3FN,
        Dtype::F8_E5M2 => DType::F8E5M2,
        Dtype::F32 => DType::F32,
        Dtype::F64 => DType::F64,
        Dtype::BOOL => DType::Bool,
        Dtype::I8 => DType::I8,
        Dtype::I16 => DType::I16,
        Dtype::I32 => DType::I32,
        Dtype::I64 => DType::I64,
        Dtype::U8 => DType::U8,
        Dtype::U16 => DType::U16,
        Dtype::U32 => DType::U32,
        Dtype::U64 => DType::U64,
        other => {
            let known = DType::ALL.map(DType::name).join(", ");
            return Err(format!(
                "is of dtype {other}, which no reduction takes; convert it to one of: {known}"
            ));
        }
    })
}
