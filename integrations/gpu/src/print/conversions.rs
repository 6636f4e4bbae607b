//! Values of one type as those of another.

use super::integers::{is_wide, wrapped};
use super::types::{name, number, words};
use crate::graph::{Int, Type};

/// As [`Unary::Convert`](crate::graph::Unary::Convert) says. The term may be of any length, and is computed once.
pub(super) fn convert(term: &str, from: Type, to: Type) -> String {
    match (from, to) {
        _ if from == to => term.to_owned(),
        (Type::F32 | Type::F64, Type::F32 | Type::F64) => called(term, from, to),
        (Type::Flag, _) => of_flag(term, to),
        (_, Type::Flag) => of_number(term, from),
        (Type::F32 | Type::F64, _) => of_float(term, from, to),
        (Type::Place, _) => of_place(term, to),
        (_, Type::F32 | Type::F64) if is_wide(from) => called(term, from, to),
        // A narrower integer is a float without rounding.
        (Type::Int(Int { bits: 32, .. }), Type::F32) => called(term, from, to),
        (_, Type::F32 | Type::F64) => format!("{}({term})", name(to)),
        (_, Type::Place) if is_wide(from) => format!("place_of_{}({term})", from.bits()),
        _ => of_integer(term, from, to),
    }
}

/// By a function of the library.
fn called(term: &str, from: Type, to: Type) -> String {
    format!("{}_of_{}({term})", number(to), number(from))
}

/// As [`Unary::IndexBelow`](crate::graph::Unary::IndexBelow) says.
pub(super) fn index_below(term: &str, from: Type, count: u32, to: Type) -> String {
    let last = count.saturating_sub(1);
    format!("{}(u32_of_{}({term}, {last}u))", name(to), number(from))
}

/// A flag as 0 or 1.
fn of_flag(term: &str, to: Type) -> String {
    let (number, zeros) = (format!("select(0u, 1u, {term})"), ", 0u".repeat(words(to) - 1));
    if is_wide(to) {
        format!("{}({number}{zeros})", name(to))
    } else {
        format!("{}({number})", name(to))
    }
}

/// Whether a number is not 0.
fn of_number(term: &str, from: Type) -> String {
    if is_wide(from) {
        format!("any({term} != {}())", name(from))
    } else {
        format!("({term} != {}(0))", name(from))
    }
}

fn of_float(term: &str, from: Type, to: Type) -> String {
    let float = number(from);
    match to {
        Type::Int(Int { bits: 64 | 128, .. }) => format!("{}_of_{float}({term})", number(to)),
        Type::Int(int @ Int { signed: true, .. }) => {
            let greatest = int.mask() >> 1;
            format!("i32_of_{float}({term}, i32(-{}), i32({greatest}))", greatest + 1)
        }
        Type::Int(int) => format!("u32_of_{float}({term}, {}u)", int.mask()),
        _ => format!("u32_of_{float}({term}, {}u)", u32::MAX),
    }
}

/// The last place stands for the greatest number of 64 bits.
fn of_place(term: &str, to: Type) -> String {
    if to.is_float() || is_wide(to) {
        let wide = Type::Int(Int { bits: 64, signed: false });
        return convert(&format!("u64_of_place({term})"), wide, to);
    }
    // Either has all bits set.
    of_integer(term, Type::U32, to)
}

/// Modulo the width of the other.
fn of_integer(term: &str, from: Type, to: Type) -> String {
    match (words(from), words(to)) {
        (1, 1) if name(from) == name(to) => wrapped(term.to_owned(), to),
        (1, 1) => wrapped(format!("{}({term})", name(to)), to),
        (1, _) => format!("to_{}_{}({term})", to.bits(), number(from)),
        (2, 4) => format!("to_128_{}({term})", number(from)),
        (_, 1) => of_integer(&format!("{term}.x"), Type::U32, to),
        (4, 2) => format!("{term}.xy"),
        _ => term.to_owned(),
    }
}
