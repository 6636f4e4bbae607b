//! Integers, exactly.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "wrapping is what is computed here; counts are small"
)]

use super::{Op, Type};

/// What integers reduce to, if they do without real numbers.
pub(super) fn reduce(op: Op, ty: Type, xs: &[i128]) -> Option<i128> {
    let sum: i128 = xs.iter().sum();
    // Modulo 2^64 first: a factor of two's power more than any type's.
    let modulo = |x: i128| x as u64;
    match op {
        Op::Sum => Some(ty.wrap(sum)),
        Op::L1 => Some(ty.wrap(xs.iter().map(|x| x.abs()).sum())),
        Op::Mean => sum.checked_div(xs.len() as i128),
        Op::Prod => {
            let product = xs.iter().fold(1u64, |product, &x| product.wrapping_mul(modulo(x)));
            Some(ty.wrap(i128::from(product)))
        }
        Op::SumSquare => {
            let square = |x: i128| modulo(x).wrapping_mul(modulo(x));
            let sum = xs.iter().fold(0u64, |sum, &x| sum.wrapping_add(square(x)));
            Some(ty.wrap(i128::from(sum)))
        }
        other => unreachable!("{other:?} is computed in real numbers, or by comparing"),
    }
}
