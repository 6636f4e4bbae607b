//! Functions of a compensated number. Each is taken of the main part, and corrected to first order by the slope
//! there times the correction.

use super::Compensated;
use crate::values::number::{Num, Real};

impl<A: Real> Compensated<A> {
    /// A function of this, from its value and its slope at the main part.
    #[inline(always)]
    fn corrected(self, main: A, slope: A) -> Self {
        Compensated { main, correction: slope * self.correction }
    }

    /// The same number, whose main part is the nearest to it.
    #[inline(always)]
    fn settled(self) -> Self {
        let (main, correction) = Self::two_sum(self.main, self.correction);
        Compensated { main, correction }
    }

    /// Whether the sign is that of negative numbers; of a zero, that of its main part.
    #[inline(always)]
    fn is_negative(self) -> bool {
        let value = self.value();
        A::ONE.copysign(if value == A::ZERO { self.main } else { value }) < A::ZERO
    }
}

impl<A: Real> Real for Compensated<A> {
    const INFINITY: Self = Compensated { main: A::INFINITY, correction: A::ZERO };
    const NEG_INFINITY: Self = Compensated { main: A::NEG_INFINITY, correction: A::ZERO };
    const NAN: Self = Compensated { main: A::NAN, correction: A::ZERO };
    const MIN_POSITIVE: Self = Compensated { main: A::MIN_POSITIVE, correction: A::ZERO };

    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        Self::from(A::from_f64(x))
    }

    #[inline(always)]
    fn from_count(count: usize) -> Self {
        Self::from(A::from_count(count))
    }

    #[inline(always)]
    fn index_below(self, count: usize) -> usize {
        self.value().index_below(count)
    }

    #[inline(always)]
    fn exp(self) -> Self {
        let main = self.main.exp();
        self.corrected(main, main)
    }

    #[inline(always)]
    fn exp_nonpositive(self) -> Self {
        let main = self.main.exp_nonpositive();
        self.corrected(main, main)
    }

    #[inline(always)]
    fn exp_m1(self) -> Self {
        let main = self.main.exp_m1();
        self.corrected(main, main + A::ONE)
    }

    #[inline(always)]
    fn exp2(self) -> Self {
        let main = self.main.exp2();
        self.corrected(main, main * A::from_f64(std::f64::consts::LN_2))
    }

    #[inline(always)]
    fn ln(self) -> Self {
        Compensated { main: self.main.ln(), correction: self.correction / self.main }
    }

    #[inline(always)]
    fn ln_1p(self) -> Self {
        Compensated { main: self.main.ln_1p(), correction: self.correction / (A::ONE + self.main) }
    }

    #[inline(always)]
    fn log2(self) -> Self {
        let slope = A::from_f64(std::f64::consts::LOG2_E) / self.main;
        self.corrected(self.main.log2(), slope)
    }

    #[inline(always)]
    fn powi(self, exponent: i32) -> Self {
        let main = self.main.powi(exponent);
        let slope = main / self.main * A::from_int(exponent.into());
        // Of zero the slope is 0 / 0.
        self.corrected(main, if self.main == A::ZERO { A::ZERO } else { slope })
    }

    #[inline(always)]
    fn powf(self, exponent: Self) -> Self {
        let main = self.main.powf(exponent.main);
        let slope = main / self.main * exponent.main;
        let along_base = if self.main == A::ZERO { A::ZERO } else { slope * self.correction };
        let along_exponent = main * self.main.ln() * exponent.correction;
        let exact = (exponent.correction == A::ZERO) | (self.main == A::ZERO);
        let along_exponent = if exact { A::ZERO } else { along_exponent };
        Compensated { main, correction: along_base + along_exponent }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let main = self.main.sqrt();
        let rest = (-main).mul_add(main, self.main) + self.correction;
        Compensated { main, correction: rest / (main + main) }
    }

    #[inline(always)]
    fn hypot(self, other: Self) -> Self {
        let main = self.main.hypot(other.main);
        let (x, y) = (self.main / main, other.main / main);
        let correction = x.mul_add(self.correction, y * other.correction);
        Compensated { main, correction: if main == A::ZERO { A::ZERO } else { correction } }
    }

    #[inline(always)]
    fn tanh(self) -> Self {
        let main = self.main.tanh();
        self.corrected(main, (-main).mul_add(main, A::ONE))
    }

    #[inline(always)]
    fn sin(self) -> Self {
        self.corrected(self.main.sin(), self.main.cos())
    }

    #[inline(always)]
    fn cos(self) -> Self {
        self.corrected(self.main.cos(), -self.main.sin())
    }

    #[inline(always)]
    fn floor(self) -> Self {
        let Compensated { main, correction } = self.settled();
        let floor = main.floor();
        // If the main part is an integer, the correction decides; else it cannot reach the next integer.
        let below = if floor == main { correction.floor() } else { A::ZERO };
        Self::from(floor) + Self::from(below)
    }

    #[inline(always)]
    fn round(self) -> Self {
        (self.abs() + Self::from_f64(0.5)).floor().copysign(self)
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        if self.is_negative() == sign.is_negative() { self } else { -self }
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }
}
