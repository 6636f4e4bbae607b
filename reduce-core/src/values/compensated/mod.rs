//! Compensated arithmetic: a number and what rounding took from it.

mod real;

use std::ops::{Add, Div, Mul, Neg, Sub};

use reduce_macros::Accumulator;

use crate::facts::dtype::for_storage_types;
use crate::values::element::{Element, Load, Store};
use crate::values::number::{ConstOne, ConstZero, Num, Ordered, Real};

/// A number as an unevaluated sum of two: itself, and a correction.
///
/// Addition is Neumaier's improvement of Kahan's summation (1974): the rounding error of
/// each sum, found exactly by six additions (Knuth's `TwoSum`), goes into the correction. So
/// a sum of `n` numbers has an error of one rounding of the result and `n` times the
/// *square* of a rounding of the sum of magnitudes. Products find their error with one
/// fused multiply-add. `exp`, `ln` and the like are those of `A`, corrected to first order.
///
/// Any operator over `A: Num` or `A: Real` can be computed in it: see
/// [`Reduction::computing_in`](crate::Reduction::computing_in).
///
/// ```
/// use reduce_core::numbers::{Compensated, ConstZero};
///
/// let numbers = [1.0f64, 1e100, 1.0, -1e100];
/// let sum = numbers.iter().fold(Compensated::ZERO, |sum, &x| sum + Compensated::from(x));
/// assert_eq!(sum.value(), 2.0);
/// ```
#[derive(Clone, Copy, Debug, Accumulator)]
#[accumulator(crate = crate)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Compensated<A> {
    main: A,
    correction: A,
}

impl<A: Real> Compensated<A> {
    /// The number, rounded once.
    #[inline(always)]
    #[allow(clippy::eq_op, reason = "not of NaN")]
    pub fn value(self) -> A {
        let value = self.main + self.correction;
        // Beyond the largest number the correction is NaN, ∞ - ∞, and does not count.
        let is_number = value == value;
        if is_number { value } else { self.main }
    }

    /// A sum of two numbers, and its rounding error.
    #[inline(always)]
    fn two_sum(a: A, b: A) -> (A, A) {
        let sum = a + b;
        let b_part = sum - a;
        let a_part = sum - b_part;
        (sum, (a - a_part) + (b - b_part))
    }
}

impl<A: Real> From<A> for Compensated<A> {
    #[inline(always)]
    fn from(x: A) -> Self {
        Compensated { main: x, correction: A::ZERO }
    }
}

impl<A: Real> Add for Compensated<A> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let (main, error) = Self::two_sum(self.main, other.main);
        Compensated { main, correction: self.correction + other.correction + error }
    }
}

impl<A: Real> Neg for Compensated<A> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Compensated { main: -self.main, correction: -self.correction }
    }
}

impl<A: Real> Sub for Compensated<A> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<A: Real> Mul for Compensated<A> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let main = self.main * other.main;
        let error = self.main.mul_add(other.main, -main);
        let crossed = self.correction.mul_add(other.main, self.main * other.correction);
        Compensated { main, correction: error + crossed }
    }
}

impl<A: Real> Div for Compensated<A> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let main = self.main / other.main;
        let rest = (-main).mul_add(other.main, self.main) + self.correction;
        let rest = (-main).mul_add(other.correction, rest);
        Compensated { main, correction: rest / other.main }
    }
}

impl<A: Real> PartialEq for Compensated<A> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

impl<A: Real> PartialOrd for Compensated<A> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.value().partial_cmp(&other.value())
    }
}

impl<A: Real> num_traits::Zero for Compensated<A> {
    fn zero() -> Self {
        Self::ZERO
    }

    fn is_zero(&self) -> bool {
        self.value() == A::ZERO
    }
}

impl<A: Real> num_traits::One for Compensated<A> {
    fn one() -> Self {
        Self::ONE
    }
}

impl<A: Real> ConstZero for Compensated<A> {
    const ZERO: Self = Compensated { main: A::ZERO, correction: A::ZERO };
}

impl<A: Real> ConstOne for Compensated<A> {
    const ONE: Self = Compensated { main: A::ONE, correction: A::ZERO };
}

impl<A: Real> Num for Compensated<A> {
    type Least = ();

    #[inline(always)]
    fn is_finite(self) -> bool {
        self.main.is_finite()
    }

    #[inline(always)]
    fn abs(self) -> Self {
        if self.value() < A::ZERO { -self } else { self }
    }

    #[inline(always)]
    fn from_int(x: i64) -> Self {
        Self::from(A::from_int(x))
    }

    #[inline(always)]
    fn div_count(self, count: usize) -> Self {
        self / Self::from(A::from_count(count))
    }
}

impl<A: Real + Ordered> Ordered for Compensated<A> {
    const LOWEST: Self = Compensated { main: A::LOWEST, correction: A::ZERO };
    const HIGHEST: Self = Compensated { main: A::HIGHEST, correction: A::ZERO };

    #[inline(always)]
    fn is_nan(self) -> bool {
        self.value().is_nan()
    }

    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        Self::from(self.value().maximum(other.value()))
    }

    #[inline(always)]
    fn minimum(self, other: Self) -> Self {
        Self::from(self.value().minimum(other.value()))
    }
}

impl<A: Real, T: Element + Load<A>> Load<Compensated<A>> for T {
    #[inline(always)]
    fn load(self) -> Compensated<A> {
        Compensated::from(self.load())
    }
}

macro_rules! store {
    (
        []
        $($variant:ident: $type:ty, $name:literal, $size:literal, $class:ident, $doc:literal;)*
    ) => {
        $(store!(@ $class $type);)*
    };
    (@ bool $type:ty) => {};
    (@ $class:ident $type:ty) => {
        impl<A: Real> Store<Compensated<A>> for $type
        where
            $type: Store<A>,
        {
            #[inline(always)]
            fn store(result: Compensated<A>) -> $type {
                Store::store(result.value())
            }
        }
    };
}

for_storage_types!(store);

#[cfg(test)]
mod tests {
    use super::Compensated;
    use crate::values::number::{ConstZero, Num, Real};

    type Pair = Compensated<f64>;

    /// The main part and the correction together, against a reference of more digits.
    fn near(found: Pair, main: f64, correction: f64) {
        let error = (found.main - main) + (found.correction - correction);
        assert!(error.abs() < 1e-30, "{found:?}, not {main} + {correction}");
    }

    #[test]
    fn steps_keep_what_rounding_takes() {
        let third = Pair::from(1.0) / Pair::from(3.0);
        near(third, 1.0 / 3.0, 1.0 / 3.0 * 2f64.powi(-54));
        near(third + third + third, 1.0, 0.0);
        near(third * Pair::from(3.0), 1.0, 0.0);
        let root = Pair::from(2.0).sqrt();
        near(root * root, 2.0, 0.0);
        near(Pair::from(10.0).div_count(4), 2.5, 0.0);
        near((Pair::ZERO - third).abs(), third.main, third.correction);
    }

    /// A number next to 0.7, which f64 alone cannot hold.
    fn beside() -> Pair {
        Pair::from(0.7) + Pair::from(3e-18)
    }

    /// Each function moves by its slope times the correction.
    #[test]
    fn functions_move_with_the_correction() {
        let slope = |function: fn(Pair) -> Pair, slope: f64| {
            let (moved, still) = (function(beside()), function(Pair::from(0.7)));
            let found = ((moved.main - still.main) + (moved.correction - still.correction)) / 3e-18;
            assert!((found - slope).abs() < 1e-12, "{found}, not {slope}");
        };
        slope(Pair::exp, 0.7f64.exp());
        slope(Pair::exp_m1, 0.7f64.exp());
        slope(Pair::exp2, 0.7f64.exp2() * std::f64::consts::LN_2);
        slope(Pair::ln, 1.0 / 0.7);
        slope(Pair::ln_1p, 1.0 / 1.7);
        slope(Pair::log2, std::f64::consts::LOG2_E / 0.7);
        slope(Pair::sin, 0.7f64.cos());
        slope(Pair::cos, -0.7f64.sin());
        slope(Pair::tanh, 0.7f64.cosh().powi(-2));
        slope(|x| x.powi(3), 3.0 * 0.49);
        slope(|x| x.powf(Pair::from(1.5)), 1.5 * 0.7f64.sqrt());
        slope(|x| Pair::from(1.5).powf(x), 1.5f64.powf(0.7) * 1.5f64.ln());
        slope(|x| x.hypot(Pair::from(2.4)), 0.7 / 2.5);
        slope(|x| Pair::from(2.4).hypot(x), 0.7 / 2.5);
        slope(Pair::recip, -1.0 / 0.49);
    }

    /// Without a correction, the result has none either, even where the slope has no value.
    #[test]
    fn zeros_have_no_correction() {
        let zero = Pair::ZERO;
        let zeros = [zero.powi(2), zero.powf(Pair::from(0.5)), zero.hypot(zero), zero.sin()];
        for found in zeros.map(|x| x + Pair::from(1e100) + Pair::from(1.0) - Pair::from(1e100)) {
            assert_eq!(found.value(), 1.0);
        }
    }

    #[test]
    fn the_correction_decides_next_to_an_integer() {
        let tiny = Pair::from(1e-30);
        for (x, floor, round) in [
            (Pair::from(3.0) - tiny, 2.0, 3.0),
            (Pair::from(3.0) + tiny, 3.0, 3.0),
            (Pair::from(-3.0) - tiny, -4.0, -3.0),
            (Pair::from(2.5) - tiny, 2.0, 2.0),
            (Pair::from(2.5), 2.0, 3.0),
            (Pair::from(-2.5), -3.0, -3.0),
            (Pair::from(-2.5) + tiny, -3.0, -2.0),
            (Pair::from(1e300), 1e300, 1e300),
        ] {
            assert_eq!((x.floor().value(), x.round().value()), (floor, round), "{x:?}");
        }
        let x = Pair::from(2.5) + tiny;
        assert_eq!(x.copysign(Pair::from(-0.0)).value(), -2.5);
        assert_eq!((x.copysign(-x) + x).value(), 0.0);
        assert_eq!(x.copysign(Pair::from(1.0)), x);
    }

    #[test]
    fn infinities_and_nan_stay_what_they_are() {
        let infinite = Pair::from(f64::MAX) + Pair::from(f64::MAX);
        assert_eq!((infinite + Pair::from(1.0)).value(), f64::INFINITY);
        assert!((infinite - infinite).value().is_nan());
        assert!((Pair::NAN + Pair::from(1.0)).value().is_nan());
        assert_eq!((Pair::NEG_INFINITY + Pair::from(1.0)).value(), f64::NEG_INFINITY);
    }
}
