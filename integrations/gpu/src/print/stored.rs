//! Stored elements, widened when they are read.

use reduce_core::DType;

use super::terms::converted;
use super::types::name;
use crate::graph::{Int, Type};

/// A function `name(place: u32)` that reads an element of a stored type from words and makes it one of the type computed in.
pub fn reader(function: &str, words: &str, stored: DType, ty: Type) -> String {
    let (own, value) = element(words, stored);
    format!(
        "fn {function}(place: u32) -> {} {{\n  return {};\n}}\n",
        name(ty),
        converted(own, ty, &value)
    )
}

/// The expression of the element at `place`, and its type: the narrowest that holds it.
pub fn element(words: &str, stored: DType) -> (Type, String) {
    let int = |bits, signed| Type::Int(Int { bits, signed });
    let word = || format!("{words}[place]");
    let pair = || format!("vec2<u32>({words}[2u * place], {words}[2u * place + 1u])");
    let half = || format!("extractBits({words}[place >> 1u], 16u * (place & 1u), 16u)");
    let byte = || format!("extractBits({words}[place >> 2u], 8u * (place & 3u), 8u)");
    let signed = |part: String, array: &str| {
        part.replace(array, &format!("bitcast<i32>({array}")).replace("], ", "]), ")
    };
    match stored {
        DType::F16 => (Type::F32, format!("f32_of_f16({})", half())),
        DType::BF16 => (Type::F32, format!("f32_of_bf16({})", half())),
        DType::F32 => (Type::F32, format!("bitcast<f32>({})", word())),
        DType::F64 => (Type::F64, format!("f64_of_bits({})", pair())),
        DType::Bool => (Type::Flag, format!("({} != 0u)", byte())),
        DType::I8 => (int(8, true), signed(byte(), words)),
        DType::I16 => (int(16, true), signed(half(), words)),
        DType::I32 => (int(32, true), format!("bitcast<i32>({})", word())),
        DType::I64 => (int(64, true), pair()),
        DType::U8 => (int(8, false), byte()),
        DType::U16 => (int(16, false), half()),
        DType::U32 => (int(32, false), word()),
        _ => (int(64, false), pair()),
    }
}
