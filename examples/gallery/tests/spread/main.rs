//! What is computed of distances from a mean, against integers: elements are integers times a power of two, so
//! that all sums are exact in 128 bits.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "integers become floats, which hold them"
)]

mod neutral;
mod outliers;
mod pairs;

use reduce_core::{Element, bf16, f16};

/// Integers without order.
struct Random(u64);

impl Random {
    /// One between 0 and this one.
    fn below(&mut self, end: i64) -> i64 {
        let Random(state) = self;
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33).cast_signed().rem_euclid(end)
    }

    /// One of this magnitude at most.
    fn within(&mut self, most: i64) -> i64 {
        self.below(2 * most + 1) - most
    }

    fn list(&mut self, count: usize, most: i64) -> Vec<i64> {
        (0..count).map(|_| self.within(most)).collect()
    }
}

/// A storage type.
trait Stored: Element {
    /// Half the distance from 1 to the next number, of the type itself and of that in which it is computed.
    const EPSILONS: (f64, f64);

    /// 1/64 of an integer.
    fn of(k: i64) -> Self;

    fn wide(self) -> f64;

    fn list(ks: &[i64]) -> Vec<Self> {
        ks.iter().map(|&k| Self::of(k)).collect()
    }
}

macro_rules! stored {
    ($($type:ty: $of:expr, $own:expr, $computed:expr;)*) => {$(
        impl Stored for $type {
            const EPSILONS: (f64, f64) = ($own, $computed);

            fn of(k: i64) -> Self {
                $of(k as f64 / 64.0)
            }

            fn wide(self) -> f64 {
                self.into()
            }
        }
    )*};
}

const SINGLE: f64 = f32::EPSILON as f64 / 2.0;
const DOUBLE: f64 = f64::EPSILON / 2.0;

stored! {
    f16: f16::from_f64, 1.0 / 2048.0, SINGLE;
    bf16: bf16::from_f64, 1.0 / 256.0, SINGLE;
    f32: |x| x as f32, SINGLE, SINGLE;
    f64: |x| x, DOUBLE, DOUBLE;
}

/// The variance of elements of these integers.
fn variance(ks: &[i64]) -> f64 {
    let sum: i128 = ks.iter().map(|&k| i128::from(k)).sum();
    let squares: i128 = ks.iter().map(|&k| i128::from(k) * i128::from(k)).sum();
    let count = ks.len() as i128;
    (count * squares - sum * sum) as f64 / (count * count) as f64 / 4096.0
}

/// How far a number is from the right one, relative to that.
fn error(found: f64, right: f64) -> f64 {
    if found == right { 0.0 } else { (found - right).abs() / right.abs() }
}
