//! Fused multiply-add against integers of thousands of bits, and against the processor's.

mod exact;
mod random;

use super::super::fused::{mul_add_f32, mul_add_f64, of_f32, of_f64};

use exact::{F32, F64, FloatLayout};
use random::Random;

/// Less where each takes longer.
const TRIPLES: u64 = if cfg!(target_arch = "x86_64") { 200_000 } else { 40_000 };

/// Holds a function against exact numbers.
fn hold(format: FloatLayout, multiply: fn(u64, u64) -> u64, functions: &[fn([u64; 3]) -> u64]) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut zeros = 0;
    for triple in (0..5 * TRIPLES).map(|i| random.triple(format, i % 5, multiply)) {
        let expected = format.mul_add(triple);
        zeros += u64::from(expected.is_none_or(|bits| bits & !format.sign() == 0));
        for function in functions {
            let got = function(triple);
            // The sign of an exact zero is tested below.
            let expected = expected.unwrap_or(got & format.sign());
            assert!(got == expected, "{triple:x?} gives {got:x}, not {expected:x}");
        }
    }
    assert!(zeros > TRIPLES / 100, "only {zeros} zeros");
}

#[allow(clippy::cast_possible_truncation, reason = "the bits that the type has")]
fn f32s(bits: [u64; 3]) -> [f32; 3] {
    bits.map(|bits| f32::from_bits(bits as u32))
}

#[test]
fn f64_is_rounded_once() {
    fn apply(bits: [u64; 3], function: fn(f64, f64, f64) -> f64) -> u64 {
        let [x, factor, addend] = bits.map(f64::from_bits);
        function(x, factor, addend).to_bits()
    }
    let multiply = |x, factor| (f64::from_bits(x) * f64::from_bits(factor)).to_bits();
    // The second is the processor's, or the C library's, where that is used.
    hold(F64, multiply, &[|bits| apply(bits, of_f64), |bits| apply(bits, mul_add_f64)]);
}

#[test]
fn f32_is_rounded_once() {
    fn apply(bits: [u64; 3], function: fn(f32, f32, f32) -> f32) -> u64 {
        let [x, factor, addend] = f32s(bits);
        function(x, factor, addend).to_bits().into()
    }
    let multiply = |x, factor| {
        let [x, factor, _] = f32s([x, factor, 0]);
        (x * factor).to_bits().into()
    };
    hold(F32, multiply, &[|bits| apply(bits, of_f32), |bits| apply(bits, mul_add_f32)]);
}

/// Whether two results are the same, of which NaN has many.
fn same(got: f64, expected: f64) -> bool {
    got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan()
}

#[test]
fn zeros_infinities_and_nan_are_as_the_standard_says() {
    let (inf, nan, tiny, most) = (f64::INFINITY, f64::NAN, f64::from_bits(1), f64::MAX);
    for (x, factor, addend, expected) in [
        (0.0, 1.0, 0.0, 0.0),
        (-0.0, 1.0, -0.0, -0.0),
        (-0.0, 1.0, 0.0, 0.0),
        (0.0, -1.0, 0.0, 0.0),
        (0.0, 1.0, 7.0, 7.0),
        // An exact zero of numbers that are none is positive, at the ends of the range as well.
        (2.0, 3.0, -6.0, 0.0),
        (-2.0, 3.0, 6.0, 0.0),
        (tiny, 2.0, -2.0 * tiny, 0.0),
        (most, 1.0, -most, 0.0),
        // What rounds to zero keeps its sign.
        (tiny, -tiny, 0.0, -0.0),
        (tiny, -tiny, -0.0, -0.0),
        (tiny, tiny, -0.0, 0.0),
        (tiny, -0.5, 0.0, -0.0),
        (tiny, 0.5, tiny, 2.0 * tiny),
        (tiny, 0.25, tiny, tiny),
        (f64::from_bits(0x0310_f82e_6057_c000), f64::from_bits(0x9324_fd84_2f14_414f), 0.0, -0.0),
        // A product beyond the largest number.
        (most, 2.0, -most, most),
        (most, 2.0, 0.0, inf),
        (most, most, -inf, -inf),
        (inf, 1.0, -inf, nan),
        (inf, -1.0, -inf, -inf),
        (inf, 0.0, 1.0, nan),
        (inf, 0.0, nan, nan),
        (1.0, 1.0, inf, inf),
        (1.0, nan, 1.0, nan),
        (1.0, 1.0, nan, nan),
    ] {
        for function in [of_f64, mul_add_f64] {
            let got = function(x, factor, addend);
            assert!(same(got, expected), "{x:e} * {factor:e} + {addend:e} gives {got:e}");
        }
    }
}

#[test]
fn zeros_infinities_and_nan_of_f32_are_those_of_f64() {
    let special =
        [0.0, 1.0, 3.0, f32::MIN_POSITIVE, f32::from_bits(1), f32::MAX, f32::INFINITY, f32::NAN];
    let special = special.map(|x| [x, -x]);
    let special = special.as_flattened();
    for (&x, &factor, &addend) in special.iter().flat_map(|x| {
        special.iter().flat_map(move |factor| special.iter().map(move |addend| (x, factor, addend)))
    }) {
        // These numbers are so far apart that it makes no difference where the wide sum was rounded.
        #[allow(clippy::cast_possible_truncation, reason = "the nearest f32")]
        let expected = of_f64(x.into(), factor.into(), addend.into()) as f32;
        for function in [of_f32, mul_add_f32] {
            let got = function(x, factor, addend);
            let is_same = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
            assert!(is_same, "{x:e} * {factor:e} + {addend:e} gives {got:e}, not {expected:e}");
        }
    }
}
