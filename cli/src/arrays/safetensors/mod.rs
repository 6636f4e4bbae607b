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
use super::{Array, Elements, one_of};
use crate::contents::{Contents, LARGE, Pages};
use crate::mapped::Mapped;
use crate::scalar::{self, ByteOrder, Came, Room};

/// One tensor of a file, or the only one.
pub(super) fn read(contents: Contents, member: Option<&str>) -> Result<Array, String> {
    let Found { dtype, shape, strides, first, size } = Found::of(contents.as_ref(), member)?;
    let is_native = ByteOrder::NATIVE == ByteOrder::Little || dtype.size() == 1;
    let is_in_place = |file: &Mapped| {
        let is_large = size as u64 >= LARGE;
        is_large && is_native && file.view(first, dtype, &shape, &strides).is_some()
    };
    let contents = match contents {
        Contents::Mapped(file) if is_in_place(&file) => {
            let shape = shape.to_vec();
            return Ok(Array { elements: Elements::Mapped { file, first, dtype }, shape, strides });
        }
        other => other,
    };
    let mut bytes = Pages::some(&contents, first..first + size);
    match scalar::read(dtype, shape.count(), ByteOrder::Little, Room::AtOnce, &mut bytes)? {
        Came::All(tensor) => {
            let shape = shape.to_vec();
            Ok(Array { elements: Elements::Read(tensor), strides, shape })
        }
        Came::Fewer(found) => Err(format!("has {size} bytes of a tensor, and {found} are there")),
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
