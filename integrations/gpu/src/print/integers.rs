//! Operations on integers and places.
//!
//! Of up to 32 bits they are those of WGSL, which wrap; what may leave a narrower width is brought back to it. Wider ones are
//! vectors of words: bit by bit as they are, and otherwise by functions. Comparisons take flags, too.

use super::types::{name, number};
use crate::graph::{Binary, Compare, Int, Shift, Type, Unary};

/// Whether values are vectors of words.
pub(super) fn is_wide(ty: Type) -> bool {
    matches!(ty, Type::Int(Int { bits: 64 | 128, .. }))
}

/// A term of `i32` or `u32` in the width of its type: with the sign of the narrow integer, or zeros.
pub(super) fn wrapped(term: String, ty: Type) -> String {
    match ty {
        Type::Int(Int { bits: bits @ (8 | 16), signed: true }) => {
            let unused = 32 - bits;
            format!("(({term}) << {unused}u) >> {unused}u")
        }
        Type::Int(int @ Int { bits: 8 | 16, .. }) => format!("({term}) & {}u", int.mask()),
        _ => term,
    }
}

/// `add_64` and others that do not ask for the sign.
fn of_width(function: &str, ty: Type) -> String {
    format!("{function}_{}", ty.bits())
}

pub(super) fn unary(op: Unary, a: &str, ty: Type) -> String {
    let signed = matches!(ty, Type::Int(Int { signed: true, .. }));
    match op {
        Unary::Abs if !signed => a.to_owned(),
        Unary::Abs if is_wide(ty) => format!("abs_{}({a})", number(ty)),
        Unary::Abs => wrapped(format!("abs({a})"), ty),
        _ if is_wide(ty) => format!("{}({a})", of_width("neg", ty)),
        _ => wrapped(format!("{} - {a}", zero(ty)), ty),
    }
}

pub(super) fn binary(op: Binary, a: &str, b: &str, ty: Type) -> String {
    let wide = is_wide(ty);
    let wrapping = |function: &str, sign: &str| {
        if wide {
            format!("{}({a}, {b})", of_width(function, ty))
        } else {
            wrapped(format!("{a} {sign} {b}"), ty)
        }
    };
    match op {
        Binary::Add => wrapping("add", "+"),
        Binary::Sub => wrapping("sub", "-"),
        Binary::Mul => wrapping("mul", "*"),
        Binary::Div => wrapped(format!("div_{}({a}, {b})", number(ty)), ty),
        Binary::Maximum if wide => {
            format!("select({a}, {b}, {})", compare(Compare::Less, a, b, ty))
        }
        Binary::Minimum if wide => {
            format!("select({a}, {b}, {})", compare(Compare::Less, b, a, ty))
        }
        Binary::Maximum => format!("max({a}, {b})"),
        Binary::Minimum => format!("min({a}, {b})"),
        Binary::And => format!("{a} & {b}"),
        Binary::Or => format!("{a} | {b}"),
        Binary::Xor => format!("{a} ^ {b}"),
        // Of floats alone.
        Binary::Copysign => format!("copysign({a}, {b})"),
    }
}

/// To the right zeros follow: of a signed integer, its bits are shifted as those of an unsigned one.
pub(super) fn shift(shift: Shift, a: &str, by: u8, ty: Type) -> String {
    let int = if let Type::Int(int) = ty { int } else { Int { bits: 32, signed: false } };
    match shift {
        _ if by == 0 => a.to_owned(),
        Shift::Left if is_wide(ty) => format!("{}({a}, {by}u)", of_width("shl", ty)),
        Shift::Right if is_wide(ty) => format!("{}({a}, {by}u)", of_width("shr", ty)),
        Shift::Left => wrapped(format!("{a} << {by}u"), ty),
        Shift::Right if int.signed => format!("i32((u32({a}) & {}u) >> {by}u)", int.mask()),
        Shift::Right => format!("{a} >> {by}u"),
    }
}

/// Also of flags, which are compared as 0 and 1.
pub(super) fn compare(op: Compare, a: &str, b: &str, ty: Type) -> String {
    let less = |a: &str, b: &str| format!("less_{}({a}, {b})", number(ty));
    match (op, ty) {
        (Compare::Less, Type::Flag) => format!("!{a} & {b}"),
        (Compare::LessOrEqual, Type::Flag) => format!("!{a} | {b}"),
        (Compare::Less, _) if is_wide(ty) => less(a, b),
        (Compare::LessOrEqual, _) if is_wide(ty) => format!("!{}", less(b, a)),
        (Compare::Equal, _) if is_wide(ty) => format!("all({a} == {b})"),
        (Compare::Less, _) => format!("{a} < {b}"),
        (Compare::LessOrEqual, _) => format!("{a} <= {b}"),
        (Compare::Equal, _) => format!("{a} == {b}"),
    }
}

/// The zero of `i32` or `u32`.
fn zero(ty: Type) -> String {
    format!("{}(0)", name(ty))
}
