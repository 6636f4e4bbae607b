//! The measures of error of this module's tests, and tests of them.

mod fused;
mod genericity;
mod recorded;

/// The distance of `got` from the true value `exact`, in ulp: the spacing of f32 at `exact`.
///
/// No result is nearly right where the nearest f32 to `exact` is infinite, NaN, or zero from an exact zero. The
/// error is then 0 for the same zero, the same infinity or any NaN, and infinite for everything else. It is
/// infinite, too, for an infinite `got` where `exact` is in range.
#[allow(clippy::cast_possible_truncation, reason = "the nearest f32 is what is asked for")]
pub(super) fn error_in_ulps(got: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if exact.is_nan() || got.is_nan() {
        return if exact.is_nan() && got.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if exact == 0.0 || nearest.is_infinite() || got.is_infinite() {
        return if got.to_bits() == nearest.to_bits() { 0.0 } else { f64::INFINITY };
    }
    // Below the smallest normal number the spacing stays what it is there.
    let size = exact.abs().max(f32::MIN_POSITIVE as f64);
    let power_of_two = f64::from_bits(size.to_bits() & f64::INFINITY.to_bits());
    (got as f64 - exact).abs() / (power_of_two * f32::EPSILON as f64)
}

/// The largest error of `function` over the given bit patterns, and where it is.
pub(super) fn worst_f32_error(
    bits: impl Iterator<Item = u32>,
    function: impl Fn(f32) -> f32,
    exact: impl Fn(f64) -> f64,
) -> (f64, f32) {
    let mut worst = (-1.0, 0.0);
    for x in bits.map(f32::from_bits) {
        let error = error_in_ulps(function(x), exact(x as f64));
        if error > worst.0 {
            worst = (error, x);
        }
    }
    assert!(worst.0 >= 0.0, "no values were given");
    worst
}

/// The number of steps from one f64 to the other.
///
/// Two NaNs are 0 apart. A NaN and a number are as far apart as can be. So are infinity and anything else, and
/// zeros of different sign: such results would be wrong, not inaccurate.
pub(super) fn ulps_apart(one: f64, other: f64) -> u64 {
    let same = one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan();
    let zeros = one == 0.0 && other == 0.0;
    if same || zeros || !one.is_finite() || !other.is_finite() {
        return if same { 0 } else { u64::MAX };
    }
    // Negative numbers count down from -0.0, which is to be next to 0.0.
    let position = |x: f64| {
        let magnitude = x.abs().to_bits().cast_signed();
        if x.is_sign_negative() { -magnitude } else { magnitude }
    };
    position(one).abs_diff(position(other))
}

/// Endless pseudo-random numbers, evenly distributed from `low` to `high`; always the same ones.
pub(super) fn random_f64(low: f64, high: f64) -> impl Iterator<Item = f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        low + (high - low) * ((state >> 11) as f64 / (1u64 << 53) as f64)
    })
}

/// Fails unless a function of f32 is within `ulps` of the exact one. It is tried over ranges of bit patterns,
/// each walked in steps of its own, and over a sample of all bit patterns.
pub(super) fn assert_f32_within(
    ulps: f64,
    ranges: &[(f32, f32, usize)],
    function: impl Fn(f32) -> f32,
    exact: impl Fn(f64) -> f64,
) {
    let ranges = ranges.iter().map(|&(from, to, step)| (from.to_bits()..=to.to_bits(), step));
    for (bits, step) in ranges.chain([(0..=u32::MAX, 1009)]) {
        let (error, x) = worst_f32_error(bits.step_by(step), &function, &exact);
        assert!(error <= ulps, "{x:e} gives {:e}, off by {error} ulp", function(x));
    }
}

/// Fails unless two functions of f64 are within `steps` steps of each other.
pub(super) fn assert_f64_within(
    steps: u64,
    xs: impl Iterator<Item = f64>,
    function: impl Fn(f64) -> f64,
    other: impl Fn(f64) -> f64,
) {
    for x in xs {
        let (got, expected) = (function(x), other(x));
        assert!(ulps_apart(got, expected) <= steps, "{x:e} gives {got:e}, not {expected:e}");
    }
}

/// 200 000 random numbers from one to the other, and as many of all exponents, of both signs.
pub(super) fn hard_f64(low: f64, high: f64) -> impl Iterator<Item = f64> {
    let all_exponents = random_f64(-1074.0, 1024.0).take(100_000).map(f64::exp2);
    let both_signs = all_exponents.flat_map(|x| [x, -x]);
    random_f64(low, high).take(200_000).chain(both_signs)
}

/// Fails unless a function gives these values: any NaN for a NaN, and all others to the last bit. Each of the
/// numbers is one of f32, too.
pub(super) fn assert_special(
    cases: &[(f64, f64)],
    of_f32: impl Fn(f32) -> f32,
    of_f64: impl Fn(f64) -> f64,
) {
    for &(x, expected) in cases {
        let got = [of_f64(x), f64::from(of_f32(narrow(x)))];
        for got in got {
            let same = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
            assert!(same, "{x:e} gives {got:e}, not {expected:e}");
        }
    }
    for nan in [f32::NAN, -f32::NAN, f32::from_bits(0x7f80_0001)] {
        assert!(of_f32(nan).is_nan(), "{:x}", nan.to_bits());
    }
    for nan in [f64::NAN, -f64::NAN, f64::from_bits((0x7ff0 << 48) + 1)] {
        assert!(of_f64(nan).is_nan(), "{:x}", nan.to_bits());
    }
}

/// A number of f64 that f32 has, too.
#[allow(clippy::cast_possible_truncation, reason = "that is checked")]
pub(super) fn narrow(x: f64) -> f32 {
    let narrow = x as f32;
    assert!(x.is_nan() || f64::from(narrow).to_bits() == x.to_bits(), "{x:e} is no f32");
    narrow
}

#[test]
fn error_in_ulps_counts_spacings() {
    let tiny = f32::from_bits(1);
    assert_eq!(error_in_ulps(1.0, 1.0), 0.0);
    assert_eq!(error_in_ulps(1.0f32.next_up(), 1.0), 1.0);
    assert_eq!(error_in_ulps(-1.0f32.next_up(), -1.0), 1.0);
    // Just below a power of two the spacing is half as large.
    assert_eq!(error_in_ulps(1.0, 1.0f32.next_down() as f64), 1.0);
    assert_eq!(error_in_ulps(tiny, 2.5 * tiny as f64), 1.5);
    assert_eq!(error_in_ulps(0.0, 0.25 * tiny as f64), 0.25);
    assert_eq!(error_in_ulps(f32::MIN_POSITIVE, f32::MIN_POSITIVE.next_down() as f64), 1.0);
    assert_eq!(error_in_ulps(f32::MAX, f32::MAX.next_down() as f64), 1.0);
}

#[test]
fn error_in_ulps_rejects_wrong_special_values() {
    let too_large = 2.0 * f32::MAX as f64;
    for (got, exact) in [
        (0.0, 0.0),
        (-0.0, -0.0),
        (f32::NAN, f64::NAN),
        (f32::INFINITY, f64::INFINITY),
        (f32::INFINITY, too_large),
        (f32::NEG_INFINITY, -too_large),
    ] {
        assert_eq!(error_in_ulps(got, exact), 0.0, "{got:e} for {exact:e}");
    }
    for (got, exact) in [
        (-0.0, 0.0),
        (0.0, -0.0),
        (f32::from_bits(1), 0.0),
        (f32::NAN, 0.0),
        (f32::NAN, 1.0),
        (f32::NAN, f64::INFINITY),
        (0.0, f64::NAN),
        (f32::INFINITY, f64::NAN),
        (f32::MAX, f64::INFINITY),
        (f32::MAX, too_large),
        (f32::NEG_INFINITY, f64::INFINITY),
        (f32::INFINITY, f32::MAX as f64),
    ] {
        assert_eq!(error_in_ulps(got, exact), f64::INFINITY, "{got:e} for {exact:e}");
    }
}

#[test]
fn ulps_apart_counts_steps_and_rejects_wrong_special_values() {
    let tiny = f64::from_bits(1);
    let (infinity, nan) = (f64::INFINITY, f64::NAN);
    for (one, other, expected) in [
        (1.0, 1.0, 0),
        (1.0, 1.0f64.next_up(), 1),
        (1.0, 1.0f64.next_down(), 1),
        (-1.0, -2.0, 1 << 52),
        (0.0, 3.0 * tiny, 3),
        (-tiny, tiny, 2),
        (0.0, 0.0, 0),
        (0.0, -0.0, u64::MAX),
        (infinity, infinity, 0),
        (infinity, -infinity, u64::MAX),
        (infinity, f64::MAX, u64::MAX),
        (nan, nan, 0),
        (nan, 0.0, u64::MAX),
        (nan, infinity, u64::MAX),
    ] {
        assert_eq!(ulps_apart(one, other), expected, "{one:e} and {other:e}");
        assert_eq!(ulps_apart(other, one), expected, "{other:e} and {one:e}");
    }
}
