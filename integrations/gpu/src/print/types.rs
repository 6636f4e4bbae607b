//! Types of WGSL, and their words in memory.

use crate::graph::{Bits, Int, Type};

/// The name of a type in WGSL.
pub fn name(ty: Type) -> &'static str {
    match ty {
        Type::F32 => "f32",
        Type::F64 => "f64",
        Type::Flag => "bool",
        Type::Place => "u32",
        Type::Int(Int { bits: 64, .. }) => "vec2<u32>",
        Type::Int(Int { bits: 128, .. }) => "vec4<u32>",
        Type::Int(Int { signed: true, .. }) => "i32",
        Type::Int(Int { signed: false, .. }) => "u32",
    }
}

/// How many words of memory a value takes.
pub fn words(ty: Type) -> usize {
    match ty {
        Type::F64 | Type::Int(Int { bits: 64, .. }) => 2,
        Type::Int(Int { bits: 128, .. }) => 4,
        _ => 1,
    }
}

/// The name of a number in those of functions: `f32`, or the integer that it is computed in.
pub(super) fn number(ty: Type) -> &'static str {
    match ty {
        Type::Int(Int { bits: 64, signed: true }) => "i64",
        Type::Int(Int { bits: 64, signed: false }) => "u64",
        Type::Int(Int { bits: 128, signed: true }) => "i128",
        Type::Int(Int { bits: 128, signed: false }) => "u128",
        _ => name(ty),
    }
}

/// An expression of a value, made of expressions of its [`words`].
///
/// # Panics
/// If there are fewer.
pub fn from_words(ty: Type, words: &[String]) -> String {
    match ty {
        Type::F32 => format!("bitcast<f32>({})", words[0]),
        Type::F64 => format!("f64_of_bits(vec2<u32>({}, {}))", words[0], words[1]),
        Type::Flag => format!("({} != 0u)", words[0]),
        Type::Int(Int { bits: 64 | 128, .. }) => {
            format!("{}({})", name(ty), words[..self::words(ty)].join(", "))
        }
        Type::Int(Int { signed: true, .. }) => format!("bitcast<i32>({})", words[0]),
        Type::Int(_) | Type::Place => words[0].clone(),
    }
}

/// Expressions of the words of a value, which is best a name: it stands in each of them.
pub fn to_words(ty: Type, value: &str) -> Vec<String> {
    let parts = |vector: &str| -> Vec<String> {
        ["x", "y", "z", "w"].iter().take(words(ty)).map(|part| format!("{vector}.{part}")).collect()
    };
    match ty {
        Type::F64 => parts(&format!("bits_f64({value})")),
        Type::Int(Int { bits: 64 | 128, .. }) => parts(value),
        Type::F32 | Type::Int(Int { signed: true, .. }) => vec![format!("bitcast<u32>({value})")],
        Type::Flag => vec![format!("select(0u, 1u, {value})")],
        Type::Int(_) | Type::Place => vec![value.to_owned()],
    }
}

/// An expression of a [record](super::record) of such fields, made of expressions of their words, one field after another.
///
/// # Panics
/// If there are fewer.
pub fn record_from_words(record: &str, fields: &[Type], mut words: &[String]) -> String {
    let values: Vec<String> = fields
        .iter()
        .map(|&ty| {
            let (own, others) = words.split_at(self::words(ty));
            words = others;
            from_words(ty, own)
        })
        .collect();
    construct(record, &values)
}

/// Expressions of the words of a record, one field after another.
pub fn record_to_words(fields: &[Type], value: &str) -> Vec<String> {
    let of_field = |(field, &ty)| to_words(ty, &format!("{value}.s{field}"));
    fields.iter().enumerate().flat_map(of_field).collect()
}

/// A record of these values. One without fields has a word, since WGSL has no empty structs.
pub fn construct(record: &str, values: &[String]) -> String {
    if values.is_empty() {
        format!("{record}(0u)")
    } else {
        format!("{record}({})", values.join(", "))
    }
}

/// The words that a value of these bits has in memory.
pub fn words_of_bits(bits: Bits, ty: Type) -> Vec<u32> {
    let word = |index: usize| truncated(bits >> (32 * index));
    match ty {
        // With the sign of the narrow integer.
        Type::Int(int) if int.bits < 32 => vec![truncated(int.value(bits).cast_unsigned())],
        Type::Place => vec![place(bits)],
        _ => (0..words(ty)).map(word).collect(),
    }
}

/// The bits of the value that has these words in memory.
///
/// # Panics
/// If there are fewer than [`words`].
pub fn bits_of_words(words: &[u32], ty: Type) -> Bits {
    let all =
        words[..self::words(ty)].iter().rev().fold(0, |bits, &word| bits << 32 | Bits::from(word));
    match ty {
        Type::Int(int) => all & int.mask(),
        Type::Place if words[0] == u32::MAX => u64::MAX.into(),
        Type::Flag => (all != 0).into(),
        _ => all,
    }
}

/// A place as the device has it: the last value stands for all that it cannot hold.
pub(super) fn place(bits: Bits) -> u32 {
    u32::try_from(bits).unwrap_or(u32::MAX)
}

#[allow(clippy::cast_possible_truncation, reason = "the lowest word is asked for")]
pub(super) fn truncated(bits: Bits) -> u32 {
    bits as u32
}

#[cfg(test)]
mod tests {
    use super::{Int, Type, bits_of_words, words_of_bits};

    #[test]
    fn words_and_bits_are_inverse() {
        let int = |bits, signed| Type::Int(Int { bits, signed });
        for (ty, bits, words) in [
            (int(8, true), 0x80, vec![0xffff_ff80]),
            (int(16, false), 0xffff, vec![0xffff]),
            (int(64, true), 1 << 63, vec![0, 1 << 31]),
            (int(128, false), 5 << 96 | 1, vec![1, 0, 0, 5]),
            (Type::F64, 1.5f64.to_bits().into(), vec![0, 0x3ff8_0000]),
            (Type::Place, u64::MAX.into(), vec![u32::MAX]),
            (Type::Flag, 1, vec![1]),
        ] {
            assert_eq!(words_of_bits(bits, ty), words, "{ty:?}");
            assert_eq!(bits_of_words(&words, ty), bits, "{ty:?}");
        }
    }
}
