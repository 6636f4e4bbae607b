//! Writing: a header padded to a multiple of 64 bytes, so that elements can be mapped, and then the elements; the
//! widest types first, as other writers have them.

use std::io::{self, Write};

use reduce_core::DType;
use serde_json::{Map, json};

use crate::arrays::Results;
use crate::scalar;

/// Bytes at whose multiples elements begin.
const ALIGNED: usize = 64;

/// Writes tensors with their names.
pub(crate) fn write(to: &mut impl Write, results: &Results<'_>) -> io::Result<()> {
    let mut sorted: Vec<_> = results.iter().collect();
    sorted.sort_by_key(|(_, tensor)| std::cmp::Reverse(tensor.dtype().size()));
    let (mut header, mut end) = (Map::new(), 0);
    for (name, tensor) in &sorted {
        let start = end;
        end += tensor.shape().count() * tensor.dtype().size();
        let shape: &[usize] = tensor.shape().dims();
        let info = json!({
            "dtype": name_of(tensor.dtype()), "shape": shape, "data_offsets": [start, end],
        });
        header.insert(name.clone(), info);
    }
    let mut text = serde_json::to_vec(&header).map_err(io::Error::other)?;
    let all = (size_of::<u64>() + text.len()).next_multiple_of(ALIGNED);
    text.resize(all - size_of::<u64>(), b' ');
    to.write_all(&(text.len() as u64).to_le_bytes())?;
    to.write_all(&text)?;
    sorted.iter().try_for_each(|(_, tensor)| scalar::encode(tensor, to))
}

/// The name of a type in a header.
fn name_of(dtype: DType) -> &'static str {
    match dtype {
        DType::F16 => "F16",
        DType::BF16 => "BF16",
        DType::F8E4M3FN => "F8_E4M3",
        DType::F8E5M2 => "F8_E5M2",
        DType::F32 => "F32",
        DType::F64 => "F64",
        DType::Bool => "BOOL",
        DType::I8 => "I8",
        DType::I16 => "I16",
        DType::I32 => "I32",
        DType::I64 => "I64",
        DType::U8 => "U8",
        DType::U16 => "U16",
        DType::U32 => "U32",
        DType::U64 => "U64",
    }
}
