//! Elements as they are stored, read from words of memory and widened to what a kernel computes in.

use reduce_core::DType;

use super::conversions::convert;
use super::types::name;
use crate::graph::{Int, Type};

/// The type that has a stored value as it is.
fn own(dtype: DType) -> Type {
    let int = |bits, signed| Type::Int(Int { bits, signed });
    match dtype {
        DType::F16 | DType::BF16 | DType::F8E4M3FN | DType::F8E5M2 | DType::F32 => Type::F32,
        DType::F64 => Type::F64,
        DType::Bool => Type::Flag,
        DType::I8 => int(8, true),
        DType::I16 => int(16, true),
        DType::I32 => int(32, true),
        DType::I64 => int(64, true),
        DType::U8 => int(8, false),
        DType::U16 => int(16, false),
        DType::U32 => int(32, false),
        DType::U64 => int(64, false),
    }
}

/// A function `name(place: u32)` that reads an element of a stored type from words and makes it one of the type computed in. The
/// elements lie without gaps, the first in the lowest bits of the first word.
pub fn reader(function: &str, words: &str, stored: DType, ty: Type) -> String {
    let value = convert(&element(words, stored), own(stored), ty);
    format!("fn {function}(place: u32) -> {} {{\n  return {value};\n}}\n", name(ty))
}

/// The expression of the element at `place`.
fn element(words: &str, stored: DType) -> String {
    let word = format!("{words}[place]");
    let pair = format!("vec2<u32>({words}[2u * place], {words}[2u * place + 1u])");
    // The word with a part of one, and which bits of it.
    let half = (format!("{words}[place >> 1u]"), "16u * (place & 1u), 16u");
    let byte = (format!("{words}[place >> 2u]"), "8u * (place & 3u), 8u");
    let unsigned = |(word, bits): &(String, &str)| format!("extractBits({word}, {bits})");
    let signed =
        |(word, bits): &(String, &str)| format!("extractBits(bitcast<i32>({word}), {bits})");
    match stored {
        DType::F16 => format!("f32_of_f16({})", unsigned(&half)),
        DType::BF16 => format!("f32_of_bf16({})", unsigned(&half)),
        DType::F8E4M3FN => format!("f32_of_f8e4m3fn({})", unsigned(&byte)),
        DType::F8E5M2 => format!("f32_of_f8e5m2({})", unsigned(&byte)),
        DType::F32 => format!("bitcast<f32>({word})"),
        DType::F64 => format!("f64_of_bits({pair})"),
        DType::Bool => format!("({} != 0u)", unsigned(&byte)),
        DType::I8 => signed(&byte),
        DType::U8 => unsigned(&byte),
        DType::I16 => signed(&half),
        DType::U16 => unsigned(&half),
        DType::I32 => format!("bitcast<i32>({word})"),
        DType::U32 => word,
        DType::I64 | DType::U64 => pair,
    }
}
