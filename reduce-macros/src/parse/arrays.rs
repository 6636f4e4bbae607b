//! Arrays in accumulators and results.

use syn::spanned::Spanned;
use syn::{Expr, Lit, Type, TypeArray};

use crate::diag::Diag;

/// The type as an array, if it is one.
pub(crate) fn as_array(ty: &Type) -> Option<&TypeArray> {
    match ty {
        // A type that a `macro_rules!` passes on is in a group.
        Type::Group(group) => as_array(&group.elem),
        Type::Array(array) => Some(array),
        _ => None,
    }
}

/// That no array of a type is written with the length 0.
pub(crate) fn check_lengths(ty: &Type, diag: &mut Diag) {
    match ty {
        Type::Group(group) => check_lengths(&group.elem, diag),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|part| check_lengths(part, diag)),
        Type::Array(array) => {
            if is_zero(&array.len) {
                let message = "an array of length 0 holds nothing; write a length of at least 1";
                diag.error(array.len.span(), message);
            }
            check_lengths(&array.elem, diag);
        }
        _ => {}
    }
}

fn is_zero(length: &Expr) -> bool {
    match length {
        Expr::Group(group) => is_zero(&group.expr),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_digits() == "0",
            _ => false,
        },
        _ => false,
    }
}
