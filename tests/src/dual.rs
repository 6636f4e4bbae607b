//! A number and its slope: what an operator computes of one, slope and all, is the derivative of its result.
//!
//! `L` and `R` are the accumulators of all elements before and after one. The result is `finalize(L ∘ map(x) ∘ R, n)`, in
//! which `x` is a single number. So the operator's own steps, over `x` with a slope of 1, give the derivative by it.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use num_traits::{ConstOne, ConstZero, One, Zero};
use reduce_core::backend::Scalars;
use reduce_core::{Accumulator, Num, Ordered, Real, ReduceOp};

/// A number, and how fast it changes.
#[derive(Clone, Copy, Debug)]
pub struct Dual {
    /// The number.
    pub value: f64,
    /// Its derivative.
    pub slope: f64,
}

impl Dual {
    /// A number that does not change.
    pub const fn constant(value: f64) -> Self {
        Dual { value, slope: 0.0 }
    }

    /// A function's value here, and its derivative.
    fn through(self, value: f64, derivative: f64) -> Self {
        // What does not change does not, also where a derivative is infinite.
        Dual { value, slope: if self.slope == 0.0 { 0.0 } else { self.slope * derivative } }
    }
}

/// The derivative of the result by each element. `number` is the one that is asked of a result.
pub fn gradient<Op: ReduceOp<Dual>>(
    op: &Op,
    xs: &[f64],
    number: impl Fn(&Op::Output) -> Dual,
) -> Vec<f64> {
    let all = |xs: &[f64]| {
        let mapped = xs.iter().map(|&x| op.map(Dual::constant(x)));
        mapped.fold(op.identity(), |a, b| op.combine(a, b))
    };
    let derivative = |(at, &value): (usize, &f64)| {
        let one = op.map(Dual { value, slope: 1.0 });
        let acc = op.combine(op.combine(all(&xs[..at]), one), all(&xs[at + 1..]));
        number(&op.finalize(acc, xs.len())).slope
    };
    xs.iter().enumerate().map(derivative).collect()
}

impl Add for Dual {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Dual { value: self.value + other.value, slope: self.slope + other.slope }
    }
}

impl Sub for Dual {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Dual {
    type Output = Self;

    fn neg(self) -> Self {
        Dual { value: -self.value, slope: -self.slope }
    }
}

impl Mul for Dual {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let Dual { slope, .. } = self.through(0.0, other.value) + other.through(0.0, self.value);
        Dual { value: self.value * other.value, slope }
    }
}

impl Div for Dual {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let quotient = self.value / other.value;
        let Dual { slope, .. } =
            self.through(0.0, 1.0 / other.value) + other.through(0.0, -quotient / other.value);
        Dual { value: quotient, slope }
    }
}

impl PartialEq for Dual {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl PartialOrd for Dual {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl Zero for Dual {
    fn zero() -> Self {
        Self::ZERO
    }

    fn is_zero(&self) -> bool {
        self.value == 0.0
    }
}

impl One for Dual {
    fn one() -> Self {
        Self::ONE
    }
}

impl ConstZero for Dual {
    const ZERO: Self = Dual::constant(0.0);
}

impl ConstOne for Dual {
    const ONE: Self = Dual::constant(1.0);
}

impl Accumulator for Dual {
    type Lanes<const L: usize> = [Self; L];

    fn splat<const L: usize>(self) -> [Self; L] {
        [self; L]
    }

    fn get<const L: usize>(lanes: &[Self; L], lane: usize) -> Self {
        lanes[lane]
    }

    fn set<const L: usize>(lanes: &mut [Self; L], lane: usize, value: Self) {
        lanes[lane] = value;
    }

    fn each_scalar(&mut self, to: &mut impl Scalars) {
        to.scalar(&mut self.value);
        to.scalar(&mut self.slope);
    }
}

impl Ordered for Dual {
    const LOWEST: Self = Self::NEG_INFINITY;
    const HIGHEST: Self = Self::INFINITY;

    fn is_nan(self) -> bool {
        self.value.is_nan()
    }

    fn maximum(self, other: Self) -> Self {
        if other > self || other.is_nan() { other } else { self }
    }

    fn minimum(self, other: Self) -> Self {
        if other < self || other.is_nan() { other } else { self }
    }
}

impl Num for Dual {
    type Least = ();

    fn is_finite(self) -> bool {
        self.value.is_finite()
    }

    fn abs(self) -> Self {
        if self.value < 0.0 { -self } else { self }
    }

    fn from_int(x: i64) -> Self {
        Dual::constant(f64::from_int(x))
    }

    fn div_count(self, count: usize) -> Self {
        self / Self::from_count(count)
    }
}

impl Real for Dual {
    const INFINITY: Self = Dual::constant(f64::INFINITY);
    const NEG_INFINITY: Self = Dual::constant(f64::NEG_INFINITY);
    const NAN: Self = Dual::constant(f64::NAN);
    const MIN_POSITIVE: Self = Dual::constant(f64::MIN_POSITIVE);

    fn from_f64(x: f64) -> Self {
        Dual::constant(x)
    }

    fn from_count(count: usize) -> Self {
        Dual::constant(f64::from_count(count))
    }

    fn index_below(self, count: usize) -> usize {
        self.value.index_below(count)
    }

    fn exp(self) -> Self {
        self.through(self.value.exp(), self.value.exp())
    }

    fn exp_nonpositive(self) -> Self {
        self.exp()
    }

    fn exp_m1(self) -> Self {
        self.through(self.value.exp_m1(), self.value.exp())
    }

    fn exp2(self) -> Self {
        self.through(self.value.exp2(), self.value.exp2() * std::f64::consts::LN_2)
    }

    fn ln(self) -> Self {
        self.through(self.value.ln(), 1.0 / self.value)
    }

    fn ln_1p(self) -> Self {
        self.through(self.value.ln_1p(), 1.0 / (1.0 + self.value))
    }

    fn log2(self) -> Self {
        self.through(self.value.log2(), std::f64::consts::LOG2_E / self.value)
    }

    fn powi(self, exponent: i32) -> Self {
        self.through(self.value.powi(exponent), f64::from(exponent) * self.value.powi(exponent - 1))
    }

    fn powf(self, exponent: Self) -> Self {
        (self.ln() * exponent).exp()
    }

    fn sqrt(self) -> Self {
        self.through(self.value.sqrt(), 0.5 / self.value.sqrt())
    }

    fn hypot(self, other: Self) -> Self {
        (self * self + other * other).sqrt()
    }

    fn tanh(self) -> Self {
        let tanh = self.value.tanh();
        self.through(tanh, 1.0 - tanh * tanh)
    }

    fn sin(self) -> Self {
        self.through(self.value.sin(), self.value.cos())
    }

    fn cos(self) -> Self {
        self.through(self.value.cos(), -self.value.sin())
    }

    fn floor(self) -> Self {
        Dual::constant(self.value.floor())
    }

    fn round(self) -> Self {
        Dual::constant(self.value.round())
    }

    fn copysign(self, sign: Self) -> Self {
        if self.value.is_sign_negative() == sign.value.is_sign_negative() { self } else { -self }
    }

    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }
}
