//! Functions recorded over floats that have no values, and replayed with values, give what they give for `f32`
//! and `f64`.

use super::super::*;
use super::random_f64;
use super::recorded::{Recorded, RecordedValue, Recording};

/// Numbers at which something changes: limits of types, and of functions.
const LIMITS: [f64; 25] = [
    0.0,
    0.5,
    1.0,
    1.5,
    2.0,
    3.0,
    88.0,
    89.0,
    104.0,
    128.0,
    151.0,
    709.0,
    710.0,
    746.0,
    1024.0,
    1076.0,
    70368744177664.0,
    f64::INFINITY,
    f64::NAN,
    f64::MAX,
    f64::MIN_POSITIVE,
    f64::from_bits(1),
    f32::MAX as f64,
    f32::MIN_POSITIVE as f64,
    f32::from_bits(1) as f64,
];

/// Each limit is paired with each limit. Then numbers of all exponents of either type, and numbers around 1,
/// are paired with any others of these.
fn pairs() -> impl Iterator<Item = (f64, f64)> {
    let both_signs = |x: f64| [x, -x];
    let limits = LIMITS.into_iter().flat_map(both_signs);
    let exponents = random_f64(-1074.0, 1024.0).zip(random_f64(-149.0, 128.0)).take(1000);
    let exponents = exponents.flat_map(|(wide, narrow)| [wide.exp2(), narrow.exp2()]);
    let usual = random_f64(0.0, 3.0).take(1000);
    let numbers: Vec<f64> = exponents.chain(usual).flat_map(both_signs).collect();
    let special = limits.clone().flat_map(move |x| limits.clone().map(move |y| (x, y)));
    let others = numbers.clone().into_iter().rev().chain(numbers.clone().into_iter().skip(1));
    special.chain(numbers.clone().into_iter().chain(numbers).zip(others))
}

/// Fails unless a recorded function gives what the function itself gives: any NaN for a NaN, and all else to
/// the last bit.
fn assert_same<A: RecordedValue, B: RecordedValue, R: RecordedValue>(
    name: &str,
    recorded: impl Fn(Recorded<A>, Recorded<B>) -> Recorded<R>,
    function: impl Fn(A, B) -> R,
    arguments: impl Iterator<Item = (A, B)>,
) {
    let recording = Recording::new(recorded);
    let is_nan = |bits: u64| R::value(bits).partial_cmp(&R::value(bits)).is_none();
    for (a, b) in arguments {
        let bits = [a.bits(), b.bits()];
        let (got, expected) = (recording.replay(bits), function(a, b).bits());
        let is_same = got == expected || is_nan(got) && is_nan(expected);
        assert!(is_same, "{name} of {bits:#x?} gives {got:#x}, not {expected:#x}");
    }
}

macro_rules! assert_all_same {
    ($float:ident: $($of_one:ident)*; $($of_two:ident)*; $powi:ident) => {
        #[allow(clippy::cast_possible_truncation, trivial_numeric_casts, reason = "any number does")]
        let pairs = || pairs().map(|(x, y)| (x as $float, y as $float));
        $(assert_same(stringify!($of_one), |x, _: Recorded<$float>| $of_one(x), |x, _| $of_one(x), pairs());)*
        $(assert_same(stringify!($of_two), |x, y| $of_two(x, y), |x, y| $of_two(x, y), pairs());)*
        #[allow(clippy::cast_possible_truncation, reason = "any integer does")]
        let powers = pairs().map(|(x, y)| (x, y as i32));
        assert_same(stringify!($powi), |x, n: Recorded<i32>| $powi(x, n), |x, n| $powi(x, n), powers);
    };
}

#[test]
fn what_is_recorded_of_functions_of_f32_is_what_they_do() {
    assert_all_same! { f32: exp_f32 exp_nonpositive_f32 exp_m1_f32 exp2_f32 ln_f32 ln_1p_f32 log2_f32 tanh_f32 sin_f32 cos_f32;
    powf_f32 hypot_f32; powi_f32 }
}

#[test]
fn what_is_recorded_of_functions_of_f64_is_what_they_do() {
    assert_all_same! { f64: exp_f64 exp_nonpositive_f64 exp_m1_f64 exp2_f64 ln_f64 ln_1p_f64 log2_f64 tanh_f64 sin_f64 cos_f64;
    powf_f64 hypot_f64; powi_f64 }
}
