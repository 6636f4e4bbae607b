//! Operations on integers as text.

use super::types::{name, number, words};
use crate::graph::{Binary, Compare, Int, Shift, Type, Unary};

/// A value of 32 bits brought back to the width of its type.
pub(super) fn narrowed(int: Int, value: String) -> String {
    let unused = 32 - u32::from(int.bits.min(32));
    match (unused, int.signed) {
        (0, _) => value,
        (_, true) => format!("(({value} << {unused}u) >> {unused}u)"),
        (_, false) => format!("({value} & 0x{:x}u)", u32::MAX >> unused),
    }
}

/// An operation on one integer.
pub(super) fn unary(op: Unary, int: Int, a: &str) -> String {
    let ty = Type::Int(int);
    match (op, words(ty)) {
        (Unary::Neg, 1) if int.signed => narrowed(int, format!("(-{a})")),
        (Unary::Neg, 1) => narrowed(int, format!("(0u - {a})")),
        (Unary::Neg, count) => format!("neg_{}({a})", 32 * count),
        (_, _) if !int.signed => a.to_owned(),
        (_, 1) => narrowed(int, format!("abs({a})")),
        (_, _) => format!("abs_{}({a})", number(ty)),
    }
}

/// An operation on two integers.
pub(super) fn binary(op: Binary, int: Int, a: &str, b: &str) -> String {
    let ty = Type::Int(int);
    let sign = match op {
        Binary::Maximum => {
            return format!("select({a}, {b}, {})", compare(Compare::Less, ty, a, b));
        }
        Binary::Minimum => {
            return format!("select({a}, {b}, {})", compare(Compare::Less, ty, b, a));
        }
        Binary::Div => return format!("div_{}({a}, {b})", number(ty)),
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Mul => "*",
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor | Binary::Copysign => "^",
    };
    let width = 32 * words(ty);
    match op {
        Binary::Add if width > 32 => format!("add_{width}({a}, {b})"),
        Binary::Sub if width > 32 => format!("sub_{width}({a}, {b})"),
        Binary::Mul if width > 32 => format!("mul_{width}({a}, {b})"),
        Binary::Add | Binary::Sub | Binary::Mul => narrowed(int, format!("({a} {sign} {b})")),
        _ => format!("({a} {sign} {b})"),
    }
}

/// A comparison of integers, places or flags.
pub(super) fn compare(compare: Compare, ty: Type, a: &str, b: &str) -> String {
    let less = |a: &str, b: &str| match words(ty) {
        1 => format!("({a} < {b})"),
        _ => format!("less_{}({a}, {b})", number(ty)),
    };
    match compare {
        Compare::Less => less(a, b),
        Compare::LessOrEqual => format!("(!{})", less(b, a)),
        Compare::Equal if words(ty) == 1 => format!("({a} == {b})"),
        Compare::Equal => format!("all({a} == {b})"),
    }
}

/// A shift; one towards the lower bits is that of an unsigned integer.
pub(super) fn shift(shift: Shift, int: Int, a: &str, by: u8) -> String {
    let (sign, word) = match shift {
        Shift::Left => ("<<", "shl"),
        Shift::Right => (">>", "shr"),
    };
    match 32 * words(Type::Int(int)) {
        32 if int.signed => {
            let unsigned = Int { signed: false, ..int };
            let bits = narrowed(unsigned, format!("bitcast<u32>({a})"));
            narrowed(int, format!("bitcast<i32>({bits} {sign} {by}u)"))
        }
        32 => narrowed(int, format!("({a} {sign} {by}u)")),
        width => format!("{word}_{width}({a}, {by}u)"),
    }
}

/// An integer as another one, modulo its width.
pub(super) fn converted(from: Int, to: Int, a: &str) -> String {
    let (from_type, to_type) = (Type::Int(from), Type::Int(to));
    match (words(from_type), words(to_type)) {
        (1, 1) => narrowed(to, format!("{}({a})", name(to_type))),
        (_, 1) => narrowed(to, format!("{}({a}.x)", name(to_type))),
        (4, 2) => format!("{a}.xy"),
        (2, 2) | (4, 4) => a.to_owned(),
        (_, count) => format!("to_{}_{}({a})", 32 * count, number(from_type)),
    }
}
