//! The elementary functions of [`Real`](crate::Real), for any float.
//!
//! A [`Float`] that records operations shows what the CPU computes, operation by operation. Another engine that
//! does the same operations, rounded to nearest, has the same bits.

pub use crate::values::math::{Exponent, Float, Float32, Float64, FloatBits};
pub use crate::values::math::{
    cos_f32, cos_f64, exp_f32, exp_f64, exp_m1_f32, exp_m1_f64, exp_nonpositive_f32,
    exp_nonpositive_f64, exp2_f32, exp2_f64, hypot_f32, hypot_f64, ln_1p_f32, ln_1p_f64, ln_f32,
    ln_f64, log2_f32, log2_f64, powf_f32, powf_f64, powi_f32, powi_f64, sin_f32, sin_f64, tanh_f32,
    tanh_f64,
};
