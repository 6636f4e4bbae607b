//! What only floats can do, for numbers of any exponent.
//!
//! For numbers that `f64` holds, functions are those of `f64`. Beyond, most of them follow from the exponent.

use super::{BEYOND, END, Extended, power};
use crate::values::number::{ConstOne, Num, Real};

/// Up to about this exponent, `f64` holds a number, and elementary functions take it as it is.
const NEAR: i64 = 1000;
const FAR_BELOW: i64 = -NEAR;

/// Up to this magnitude of an argument, `f64` holds its exponential.
const FAR: f64 = 700.0;

/// Above this exponent, the power of a fraction may overflow.
const LARGE_POWER: f64 = 1000.0;

/// A whole number as an exponent. One that is too large or too small becomes 10^18 or -10^18, beyond all
/// exponents of numbers.
#[allow(clippy::cast_possible_truncation, reason = "beyond the range it saturates")]
fn integer(x: f64) -> i64 {
    x.clamp(-1e18, 1e18) as i64
}

impl Real for Extended {
    const INFINITY: Self = Extended { fraction: f64::INFINITY, exponent: BEYOND };
    const NEG_INFINITY: Self = Extended { fraction: f64::NEG_INFINITY, exponent: BEYOND };
    const NAN: Self = Extended { fraction: f64::NAN, exponent: BEYOND };
    const MIN_POSITIVE: Self = Extended { fraction: 1.0, exponent: 1 - END };

    fn from_f64(x: f64) -> Self {
        Extended::from(x)
    }

    fn from_count(count: usize) -> Self {
        Extended::from(f64::from_count(count))
    }

    fn index_below(self, count: usize) -> usize {
        self.value().index_below(count)
    }

    /// Beyond the range of `f64`'s results, `x = k ln 2 + r`, and `e^x = 2^k e^r`.
    fn exp(self) -> Self {
        const LN_2_LOW: f64 = 2.319_046_813_846_299_6e-17;
        let x = self.value();
        if x.abs() < FAR || !x.is_finite() {
            return Extended::from(x.exp());
        }
        let turns = (x * std::f64::consts::LOG2_E).round();
        let rest = (-turns).mul_add(std::f64::consts::LN_2, x);
        let rest = (-turns).mul_add(LN_2_LOW, rest).clamp(-1.0, 1.0);
        Extended::from(rest.exp()).times_power(integer(turns))
    }

    fn exp_nonpositive(self) -> Self {
        self.exp()
    }

    fn ln(self) -> Self {
        if self.exponent.abs() <= NEAR || self.exponent.abs() == BEYOND {
            return Extended::from(self.value().ln());
        }
        let turns = f64::from_int(self.exponent);
        Extended::from(turns.mul_add(std::f64::consts::LN_2, self.fraction.ln()))
    }

    fn ln_1p(self) -> Self {
        match () {
            () if self.exponent <= FAR_BELOW => self,
            () if self.exponent <= NEAR => Extended::from(self.value().ln_1p()),
            () => self.ln(),
        }
    }

    fn sqrt(self) -> Self {
        if self.exponent.abs() == BEYOND {
            return Extended::from(self.value().sqrt());
        }
        let odd = self.exponent & 1;
        let root = (self.fraction * power(odd)).sqrt();
        Extended::scaled(root, (self.exponent - odd) / 2)
    }

    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }

    fn exp_m1(self) -> Self {
        let x = self.value();
        match () {
            () if self.exponent <= FAR_BELOW => self,
            () if x.abs() < FAR => Extended::from(x.exp_m1()),
            () => self.exp() - Self::ONE,
        }
    }

    fn exp2(self) -> Self {
        let x = self.value();
        if !x.is_finite() {
            return Extended::from(x.exp2());
        }
        let whole = x.round();
        Extended::from((x - whole).exp2()).times_power(integer(whole))
    }

    fn log2(self) -> Self {
        if self.exponent.abs() <= NEAR || self.exponent.abs() == BEYOND {
            return Extended::from(self.value().log2());
        }
        Extended::from(f64::from_int(self.exponent) + self.fraction.log2())
    }

    /// It is made by squaring.
    fn powi(self, exponent: i32) -> Self {
        let (mut power, mut square, mut left) = (Self::ONE, self, exponent.unsigned_abs());
        while left > 0 {
            if left % 2 == 1 {
                power = power * square;
            }
            square = square * square;
            left /= 2;
        }
        if exponent < 0 { Self::ONE / power } else { power }
    }

    /// The power of the fraction, times 2 to the product of the exponent and `y`, which is not rounded.
    fn powf(self, exponent: Self) -> Self {
        let y = exponent.value();
        if self.exponent.abs() == BEYOND || self.exponent == 0 || !y.is_finite() {
            return Extended::from(self.value().powf(y));
        }
        if y.abs() > LARGE_POWER {
            return (self.abs().log2() * exponent).exp2();
        }
        let own = f64::from_int(self.exponent);
        let product = own * y;
        let whole = product.round();
        let rest = (product - whole) + own.mul_add(y, -product);
        Extended::from(self.fraction.powf(y) * rest.exp2()).times_power(integer(whole))
    }

    fn hypot(self, other: Self) -> Self {
        let is_infinite = self.fraction.is_infinite() | other.fraction.is_infinite();
        if is_infinite { Self::INFINITY } else { (self * self + other * other).sqrt() }
    }

    fn tanh(self) -> Self {
        if self.exponent <= FAR_BELOW { self } else { Extended::from(self.value().tanh()) }
    }

    fn sin(self) -> Self {
        if self.exponent <= FAR_BELOW { self } else { Extended::from(self.value().sin()) }
    }

    fn cos(self) -> Self {
        Extended::from(self.value().cos())
    }

    fn floor(self) -> Self {
        if self.exponent > NEAR { self } else { Extended::from(self.value().floor()) }
    }

    fn round(self) -> Self {
        if self.exponent > NEAR { self } else { Extended::from(self.value().round()) }
    }

    fn copysign(self, sign: Self) -> Self {
        Extended { fraction: self.fraction.copysign(sign.fraction), ..self }
    }
}
