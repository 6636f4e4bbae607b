//! Elementary functions that the compiler can vectorise.
//!
//! The standard library's `exp`, `ln` and the like are calls into the C library, one value at a time. The
//! functions here are plain arithmetic without branches, tables or calls, and they are always inlined. So a
//! loop over an array inside a `#[target_feature]` function becomes vector code of that feature's width. Three
//! rules keep it so:
//!
//! * a condition only selects between two values that are both already computed, by [`Float::select`];
//! * a float becomes an integer by reading its bits, never by `as`, which saturates and therefore
//!   vectorises badly;
//! * products and sums are fused by an explicit `mul_add`. It rounds once whether the processor
//!   does it in one instruction or a function has to, so every processor gives the same bits.
//!
//! They are generic over the float, so that another engine can find out what they compute: see [`Float`].
//!
//! All polynomial coefficients, and constants of more digits than a float has, come from
//! `coefficients.py` in this folder. A polynomial is a minimax fit whose weighting makes the quoted
//! error the relative error that it contributes to the finished result.

mod concrete;
mod exp;
mod exp2;
mod exp_m1;
mod float;
mod fused;
mod hypot;
mod ln;
mod ln_1p;
mod log2;
mod pow;
mod trigonometric;

pub use exp::{exp_f32, exp_f64, exp_nonpositive_f32, exp_nonpositive_f64};
pub use exp_m1::{exp_m1_f32, exp_m1_f64, tanh_f32, tanh_f64};
pub use exp2::{exp2_f32, exp2_f64};
pub use float::{Exponent, Float, Float32, Float64, FloatBits};
pub(crate) use fused::{mul_add_f32, mul_add_f64};
pub use hypot::{hypot_f32, hypot_f64};
pub use ln::{ln_f32, ln_f64};
pub use ln_1p::{ln_1p_f32, ln_1p_f64};
pub use log2::{log2_f32, log2_f64};
pub use pow::{powf_f32, powf_f64, powi_f32, powi_f64};
pub use trigonometric::{cos_f32, cos_f64, sin_f32, sin_f64};

/// The value at `x` of the polynomial with these coefficients, lowest power first. Their number is
/// part of the type, so that the loop is unrolled before the caller's loop is vectorised.
#[inline(always)]
fn horner<F: Float, const N: usize>(coefficients: [F::Concrete; N], x: F) -> F {
    let mut value = F::of(coefficients[N - 1]);
    for i in (0..N - 1).rev() {
        value = value.times_plus(x, F::of(coefficients[i]));
    }
    value
}

#[cfg(test)]
mod tests;
