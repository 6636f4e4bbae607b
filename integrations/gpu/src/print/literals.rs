//! Constants as text.
//!
//! WGSL has literals of normal floats, of zero, and of integers. It has none of infinities and NaN, and refuses casts that it could
//! compute itself and that lead to them. Subnormal numbers and -0 may be taken for 0. So these are made of words that are known
//! only when the kernel runs.

use super::Exactness;
use super::types::{name, place, truncated};
use crate::graph::{Bits, Int, Type};

/// A constant of these bits.
pub(super) fn literal(bits: Bits, ty: Type, exactness: Exactness) -> String {
    match ty {
        // A compiler that simplifies sums takes products with 0 for 0, too: it must not see that it is one.
        Type::F32 | Type::F64 if is_plain(bits, ty) && !(bits == 0 && exactness.keep) => {
            plain(bits, ty)
        }
        Type::F32 | Type::F64 => opaque(bits, ty),
        Type::Flag => (bits != 0).to_string(),
        Type::Place => format!("{}u", place(bits)),
        Type::Int(Int { bits: 64, .. }) => format!("{}({})", name(ty), words(bits, 2)),
        Type::Int(Int { bits: 128, .. }) => format!("{}({})", name(ty), words(bits, 4)),
        Type::Int(int) if int.signed => format!("i32({})", int.value(bits)),
        Type::Int(int) => format!("{}u", int.value(bits)),
    }
}

/// A constant of a float that no compiler can know.
pub(super) fn opaque(bits: Bits, ty: Type) -> String {
    match ty {
        Type::F64 => format!("opaque_f64(vec2<u32>({}))", words(bits, 2)),
        _ => format!("opaque_f32({})", words(bits, 1)),
    }
}

/// Whether a float has a literal: it is 0 or a normal number.
fn is_plain(bits: Bits, ty: Type) -> bool {
    bits == 0
        || if ty == Type::F64 {
            f64::from_bits(low(bits)).is_normal()
        } else {
            f32::from_bits(truncated(bits)).is_normal()
        }
}

/// The shortest literal that means the float, in brackets if it is negative.
fn plain(bits: Bits, ty: Type) -> String {
    let text = if ty == Type::F64 {
        format!("{:?}lf", f64::from_bits(low(bits)))
    } else {
        format!("{:?}f", f32::from_bits(truncated(bits)))
    };
    if text.starts_with('-') { format!("({text})") } else { text }
}

fn words(bits: Bits, count: usize) -> String {
    let words: Vec<String> =
        (0..count).map(|i| format!("0x{:x}u", truncated(bits >> (32 * i)))).collect();
    words.join(", ")
}

#[allow(clippy::cast_possible_truncation, reason = "an f64 has 64 bits")]
fn low(bits: Bits) -> u64 {
    bits as u64
}

#[cfg(test)]
mod tests {
    use super::{Exactness, Int, Type, literal};

    #[test]
    fn constants_have_text() {
        let of = |bits, ty| literal(bits, ty, Exactness::default());
        assert_eq!(of((-0.1f32).to_bits().into(), Type::F32), "(-0.1f)");
        assert_eq!(of(1e300f64.to_bits().into(), Type::F64), "1e300lf");
        assert_eq!(of(f32::INFINITY.to_bits().into(), Type::F32), "opaque_f32(0x7f800000u)");
        assert_eq!(
            of((-0.0f64).to_bits().into(), Type::F64),
            "opaque_f64(vec2<u32>(0x0u, 0x80000000u))"
        );
        assert_eq!(of(0xff, Type::Int(Int { bits: 8, signed: true })), "i32(-1)");
        assert_eq!(
            of(1 << 63, Type::Int(Int { bits: 64, signed: true })),
            "vec2<u32>(0x0u, 0x80000000u)"
        );
        assert_eq!(of(u64::MAX.into(), Type::Place), "4294967295u");
        assert_eq!(of(0, Type::F32), "0.0f");
        assert_eq!(
            literal(0, Type::F32, Exactness { keep: true, ..Exactness::default() }),
            "opaque_f32(0x0u)"
        );
    }
}
