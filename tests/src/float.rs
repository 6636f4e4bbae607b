//! Floating-point formats, and arithmetic wider than any of them.
//!
//! All of this serves the oracle alone. Rounding works on the numbers themselves, in any binary
//! format, so a value is rounded once. Sums and products are kept as two `f64`, with about 106
//! bits.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "exponents of an f64 fit an i32"
)]

/// A binary floating-point format whose values are all values of `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    /// Bits of the significand, the hidden one included.
    pub precision: i32,
    /// Exponent of the least normal number.
    pub least_exponent: i32,
    /// The largest finite number.
    pub max: f64,
    /// Whether infinity is beyond it; otherwise NaN is.
    pub has_infinities: bool,
}

/// IEEE 754 binary16.
pub const F16: Format =
    Format { precision: 11, least_exponent: -14, max: 65504.0, has_infinities: true };
/// The upper half of a binary32.
pub const BF16: Format = Format {
    precision: 8,
    least_exponent: -126,
    max: 3.389_531_389_251_535_5e38,
    has_infinities: true,
};
/// ONNX's FLOAT8E4M3FN, which has no infinities.
pub const F8E4M3FN: Format =
    Format { precision: 4, least_exponent: -6, max: 448.0, has_infinities: false };
/// ONNX's FLOAT8E5M2.
pub const F8E5M2: Format =
    Format { precision: 3, least_exponent: -14, max: 57344.0, has_infinities: true };
/// IEEE 754 binary32.
pub const F32: Format = Format {
    precision: 24,
    least_exponent: -126,
    max: 3.402_823_466_385_288_6e38,
    has_infinities: true,
};
/// IEEE 754 binary64.
pub const F64: Format = Format {
    precision: 53,
    least_exponent: -1022,
    max: 1.797_693_134_862_315_7e308,
    has_infinities: true,
};

impl Format {
    /// The nearest number of the format, ties to even.
    pub fn round(self, x: f64) -> f64 {
        if self == F64 || x == 0.0 || x.is_nan() {
            return x;
        }
        if x.is_infinite() {
            return self.beyond().copysign(x);
        }
        let ulp = self.ulp(x);
        // Dividing and multiplying by a power of two is exact here.
        let rounded = (x / ulp).round_ties_even() * ulp;
        if rounded.abs() > self.max { self.beyond().copysign(x) } else { rounded }
    }

    /// What is beyond the largest finite number.
    fn beyond(self) -> f64 {
        if self.has_infinities { f64::INFINITY } else { f64::NAN }
    }

    /// The largest finite number of a format of eight bits, as bits.
    pub fn max_bits(self) -> u8 {
        if self.has_infinities { 0x80 - (1 << (self.precision - 1)) - 1 } else { 0x7e }
    }

    /// The distance between neighbours around a finite number.
    pub fn ulp(self, x: f64) -> f64 {
        power_of_two(exponent(x).max(self.least_exponent) - (self.precision - 1))
    }

    /// The largest relative error of one rounding.
    pub fn unit(self) -> f64 {
        power_of_two(-self.precision)
    }

    /// The least positive number.
    pub fn tiny(self) -> f64 {
        self.ulp(0.0)
    }

    /// The least positive normal number.
    pub fn least_normal(self) -> f64 {
        power_of_two(self.least_exponent)
    }
}

/// Two to an integer power between those of the least and the largest `f64`.
pub fn power_of_two(exponent: i32) -> f64 {
    assert!((-1074..=1023).contains(&exponent), "2^{exponent} is no f64");
    if exponent >= -1022 {
        f64::from_bits(((exponent + 1023) as u64) << 52)
    } else {
        f64::from_bits(1 << (exponent + 1074))
    }
}

/// The exponent of the leading bit of a positive number, subnormal ones included.
pub fn exponent_of(x: f64) -> i32 {
    split(x).1
}

/// The exponent of the leading bit; that of the least normal number for
/// everything smaller.
fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52) as i32 & 0x7ff).max(1) - 1023
}

/// An unevaluated sum of two `f64`; `low` is at most half a unit of `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exact {
    /// The nearest `f64`.
    pub high: f64,
    /// What is left.
    pub low: f64,
}

impl From<f64> for Exact {
    fn from(high: f64) -> Self {
        Exact { high, low: 0.0 }
    }
}

impl Exact {
    /// Zero.
    pub const ZERO: Exact = Exact { high: 0.0, low: 0.0 };

    /// This plus a number.
    #[must_use]
    pub fn plus(self, x: f64) -> Exact {
        let (sum, error) = two_sum(self.high, x);
        if sum.is_finite() { Exact::of(sum, error + self.low) } else { Exact::from(sum) }
    }

    /// This times a number, where nothing overflows or underflows.
    #[must_use]
    pub fn times(self, x: f64) -> Exact {
        let product = self.high * x;
        Exact::of(product, self.high.mul_add(x, -product) + self.low * x)
    }

    /// This divided by a number.
    #[must_use]
    pub fn over(self, x: f64) -> Exact {
        let quotient = self.high / x;
        if !quotient.is_finite() {
            return Exact::from(quotient);
        }
        let rest = (-quotient).mul_add(x, self.high) + self.low;
        Exact::of(quotient, rest / x)
    }

    /// The square root.
    #[must_use]
    pub fn sqrt(self) -> Exact {
        let root = self.high.sqrt();
        if !root.is_finite() || root == 0.0 {
            return Exact::from(root);
        }
        let rest = (-root).mul_add(root, self.high) + self.low;
        Exact::of(root, rest / (2.0 * root))
    }

    /// The natural logarithm, off by less than a unit of `f64`.
    #[must_use]
    pub fn ln(self) -> Exact {
        let log = self.high.ln();
        if log.is_finite() { Exact::of(log, (self.low / self.high).ln_1p()) } else { log.into() }
    }

    /// This plus a small number, rounded to `f64` once.
    pub fn near(self, distance: f64) -> f64 {
        if self.high.is_finite() { self.high + (self.low + distance) } else { self.high }
    }

    fn of(high: f64, low: f64) -> Exact {
        let (high, low) = two_sum(high, low);
        Exact { high, low }
    }
}

fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// A product whose exponent may be far outside that of an `f64`.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    significand: Exact,
    exponent: i64,
}

impl Product {
    /// The product of finite numbers other than zero.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Exact {
        let one = Product { significand: Exact::from(1.0), exponent: 0 };
        numbers.into_iter().fold(one, Product::times).value()
    }

    fn times(self, x: f64) -> Product {
        let (x, before) = split(x);
        let product = self.significand.times(x);
        let (high, after) = split(product.high);
        let low = product.low / power_of_two(after);
        let exponent = self.exponent + i64::from(before) + i64::from(after);
        Product { significand: Exact { high, low }, exponent }
    }

    fn value(self) -> Exact {
        let Exact { high, low } = self.significand;
        match self.exponent {
            1024.. => Exact::from(f64::INFINITY.copysign(high)),
            ..-1100 => Exact::from(0.0f64.copysign(high)),
            // Below the normal numbers the first factor is exact, the second rounds.
            exponent @ ..-1022 => {
                let scaled = high * power_of_two(-900);
                Exact::from(scaled * power_of_two(exponent as i32 + 900))
            }
            exponent => {
                let scale = power_of_two(exponent as i32);
                Exact { high: high * scale, low: low * scale }
            }
        }
    }
}

/// A number's significand, between 1 and 2, and its exponent.
fn split(x: f64) -> (f64, i32) {
    let (x, scaled) =
        if x.abs() < F64.least_normal() { (x * power_of_two(60), 60) } else { (x, 0) };
    (x / power_of_two(exponent(x)), exponent(x) - scaled)
}

#[cfg(test)]
mod tests {
    use super::{BF16, Exact, F16, F32, F64, Product, power_of_two};
    use half::{bf16, f16};

    /// The code of another crate agrees on every midpoint and beside it. Its
    /// conversions from `f64` ignore the lower 32 bits, so those from `f32` are asked.
    #[test]
    fn rounds_as_half_does() {
        let around = |x: f32| [x.next_down(), x, x.next_up(), -x];
        for bits in 0..0x7c00u16 {
            let (x, next) = (f16::from_bits(bits).to_f32(), f16::from_bits(bits + 1).to_f32());
            let middle = if next.is_finite() { (x + next) / 2.0 } else { 65520.0 };
            for x in around(middle) {
                assert_eq!(F16.round(x.into()), f16::from_f32(x).to_f64(), "{x:e}");
            }
        }
        for bits in 0..0x7f80u32 {
            for x in around(f32::from_bits((bits << 16) + 0x8000)) {
                assert_eq!(BF16.round(x.into()), bf16::from_f32(x).to_f64(), "{x:e}");
            }
        }
    }

    #[test]
    fn nothing_of_an_f64_is_ignored() {
        for (format, half_ulp) in [(F16, power_of_two(-11)), (BF16, power_of_two(-8))] {
            let middle = 1.0 + half_ulp;
            assert_eq!(format.round(middle), 1.0);
            assert_eq!(format.round(middle.next_up()), 1.0 + 2.0 * half_ulp);
        }
    }

    #[test]
    fn rounds_to_f32_as_the_language_does() {
        let mut x = 1e-48f64;
        while x < 1e40 {
            for x in [x, -x] {
                assert_eq!(F32.round(x), f64::from(x as f32), "{x:e}");
            }
            x *= 1.000_77;
        }
    }

    #[test]
    fn limits_are_the_types_own() {
        assert_eq!((F32.max, F32.tiny()), (f64::from(f32::MAX), f64::from(f32::from_bits(1))));
        assert_eq!((F64.max, F64.tiny()), (f64::MAX, f64::from_bits(1)));
        assert_eq!((F16.max, F16.tiny()), (f16::MAX.to_f64(), f16::from_bits(1).to_f64()));
        assert_eq!((BF16.max, BF16.tiny()), (bf16::MAX.to_f64(), bf16::from_bits(1).to_f64()));
        assert_eq!(F32.unit() * 2.0, f64::from(f32::EPSILON));
        assert_eq!(F64.ulp(-1.0), f64::EPSILON);
    }

    #[test]
    fn sums_keep_what_cancels() {
        let sum = [1e100, 1.0, -1e100, 1e-20].into_iter().fold(Exact::ZERO, Exact::plus);
        assert_eq!((sum.high, sum.low), (1.0, 1e-20));
        let sum = [1.0, 1e-20].into_iter().fold(Exact::ZERO, Exact::plus);
        assert_eq!((sum.high, sum.low, sum.near(0.0)), (1.0, 1e-20, 1.0));
        let third = Exact::from(1.0).over(3.0);
        assert!(third.times(3.0).plus(-1.0).high.abs() < 1e-31);
        assert_eq!(Exact::from(f64::MAX).plus(f64::MAX).high, f64::INFINITY);
    }

    #[test]
    fn roots_and_logarithms() {
        let root = Exact::from(2.0).sqrt();
        assert_eq!(root.high, std::f64::consts::SQRT_2);
        assert!(root.times(root.high).plus(root.low * root.high).plus(-2.0).high.abs() < 1e-30);
        assert_eq!(Exact::ZERO.sqrt().high, 0.0);
        assert_eq!(Exact::from(f64::INFINITY).sqrt().high, f64::INFINITY);
        assert_eq!(Exact::ZERO.ln().high, f64::NEG_INFINITY);
        assert!(Exact::from(-1.0).ln().high.is_nan());
        let one = Exact { high: 1.0, low: 1e-20 };
        assert_eq!(one.ln().high, 1e-20);
    }

    #[test]
    fn products_survive_their_exponents() {
        let product = Product::of([1e300, 1e300, 1e-300, 1e-300]);
        assert!((product.high - 1.0).abs() < 1e-15, "{product:?}");
        assert_eq!(Product::of([1e300, -1e300]).high, f64::NEG_INFINITY);
        assert_eq!(Product::of([-1e-300, 1e-300]).high, 0.0);
        assert_eq!(Product::of([f64::from_bits(3), 1.0]).high, f64::from_bits(3));
        assert_eq!(Product::of([power_of_two(-537); 2]).high, f64::from_bits(1));
        assert_eq!(Product::of([1.0 + f64::EPSILON; 2]).low, f64::EPSILON * f64::EPSILON);
    }
}
