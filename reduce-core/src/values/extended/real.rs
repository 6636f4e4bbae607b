//! What only floats can do, for numbers of any exponent.
//!
//! For numbers that `f64` holds, functions are those of `f64`. Beyond, most of them follow from the exponent.

use super::{Extended, STEP, integer, power};
use crate::values::number::{ConstOne, Num, Real};

/// Up to about this exponent, `f64` holds a number, and elementary functions take it as it is.
const NEAR: i64 = 1000;
const FAR_BELOW: i64 = -NEAR;

/// Up to this magnitude of an argument, `f64` holds its exponential.
const FAR: f64 = 700.0;

/// Above this exponent, the power of a fraction may overflow.
const LARGE_POWER: f64 = 1000.0;

/// The exponent of the least positive number.
const LEAST_EXPONENT: f64 = 2_251_799_813_685_248.0 * STEP;

impl Extended {
    /// The power of two of its magnitude. Zero has one below all others; infinities and NaN have one above them.
    fn magnitude(self) -> i64 {
        match self.parts() {
            Some((_, exponent)) => exponent,
            None => integer(self.exponent),
        }
    }
}

impl Real for Extended {
    const INFINITY: Self = Extended { fraction: f64::INFINITY, exponent: f64::INFINITY };
    const NEG_INFINITY: Self = Extended { fraction: f64::NEG_INFINITY, exponent: f64::INFINITY };
    const NAN: Self = Extended { fraction: f64::NAN, exponent: f64::INFINITY };
    const MIN_POSITIVE: Self = Extended { fraction: 1.0, exponent: -LEAST_EXPONENT };

    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        Extended::from(x)
    }

    #[inline(always)]
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
        match self.parts() {
            Some((fraction, exponent)) if exponent.abs() > NEAR => {
                let turns = f64::from_int(exponent);
                Extended::from(turns.mul_add(std::f64::consts::LN_2, fraction.ln()))
            }
            _ => Extended::from(self.value().ln()),
        }
    }

    fn ln_1p(self) -> Self {
        let magnitude = self.magnitude();
        match () {
            () if magnitude <= FAR_BELOW => self,
            () if magnitude <= NEAR => Extended::from(self.value().ln_1p()),
            () => self.ln(),
        }
    }

    fn sqrt(self) -> Self {
        let Some((fraction, exponent)) = self.parts() else {
            return Extended::from(self.fraction.sqrt());
        };
        let odd = exponent & 1;
        let root = (fraction * power(odd)).sqrt();
        Extended::scaled(root, (exponent - odd) / 2)
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }

    fn exp_m1(self) -> Self {
        let x = self.value();
        match () {
            () if self.magnitude() <= FAR_BELOW => self,
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
        match self.parts() {
            Some((fraction, exponent)) if exponent.abs() > NEAR => {
                Extended::from(f64::from_int(exponent) + fraction.log2())
            }
            _ => Extended::from(self.value().log2()),
        }
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
        let Some((fraction, own)) = self.parts().filter(|&(_, own)| own != 0 && y.is_finite())
        else {
            return Extended::from(self.value().powf(y));
        };
        if y.abs() > LARGE_POWER {
            return (self.abs().log2() * exponent).exp2();
        }
        let own = f64::from_int(own);
        let product = own * y;
        let whole = product.round();
        let rest = (product - whole) + own.mul_add(y, -product);
        Extended::from(fraction.powf(y) * rest.exp2()).times_power(integer(whole))
    }

    fn hypot(self, other: Self) -> Self {
        let is_infinite = self.fraction.is_infinite() | other.fraction.is_infinite();
        if is_infinite { Self::INFINITY } else { (self * self + other * other).sqrt() }
    }

    fn tanh(self) -> Self {
        if self.magnitude() <= FAR_BELOW { self } else { Extended::from(self.value().tanh()) }
    }

    fn sin(self) -> Self {
        if self.magnitude() <= FAR_BELOW { self } else { Extended::from(self.value().sin()) }
    }

    fn cos(self) -> Self {
        Extended::from(self.value().cos())
    }

    fn floor(self) -> Self {
        if self.magnitude() > NEAR { self } else { Extended::from(self.value().floor()) }
    }

    fn round(self) -> Self {
        if self.magnitude() > NEAR { self } else { Extended::from(self.value().round()) }
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        Extended { fraction: self.fraction.copysign(sign.fraction), ..self }
    }
}
