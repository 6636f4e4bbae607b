//! Compensated arithmetic: a number and what rounding took from it.

use std::ops::{Add, Div, Mul, Neg, Sub};

use reduce_macros::Accumulator;

use crate::values::element::{Element, Load, Store};
use crate::values::number::{ConstOne, ConstZero, Num, Ordered, Real};

/// A number as an unevaluated sum of two: itself, and a correction.
///
/// Addition is Neumaier's improvement of Kahan's summation (1974): the rounding error of
/// each sum, found exactly by six additions (Knuth's `TwoSum`), goes into the correction. So
/// a sum of `n` numbers has an error of one rounding of the result and `n` times the
/// *square* of a rounding of the sum of magnitudes. Products find their error with one
/// fused multiply-add. `exp` and `ln` are those of `A`, corrected to first order.
///
/// Any operator over `A: Num` or `A: Real` can be computed in it: see
/// [`Reduction::computing_in`](crate::Reduction::computing_in).
///
/// ```
/// use reduce_core::{Compensated, ConstZero};
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
        // Beyond the largest number the correction is none: ∞ - ∞.
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

impl<A: Real> Real for Compensated<A> {
    const INFINITY: Self = Compensated { main: A::INFINITY, correction: A::ZERO };
    const NEG_INFINITY: Self = Compensated { main: A::NEG_INFINITY, correction: A::ZERO };
    const NAN: Self = Compensated { main: A::NAN, correction: A::ZERO };

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
        Compensated { main, correction: main * self.correction }
    }

    #[inline(always)]
    fn exp_nonpositive(self) -> Self {
        let main = self.main.exp_nonpositive();
        Compensated { main, correction: main * self.correction }
    }

    #[inline(always)]
    fn ln(self) -> Self {
        Compensated { main: self.main.ln(), correction: self.correction / self.main }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let main = self.main.sqrt();
        let rest = (-main).mul_add(main, self.main) + self.correction;
        Compensated { main, correction: rest / (main + main) }
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
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
    ($($to:ty),*) => {$(
        impl<A: Real> Store<Compensated<A>> for $to
        where
            $to: Store<A>,
        {
            #[inline(always)]
            fn store(result: Compensated<A>) -> $to {
                Store::store(result.value())
            }
        }
    )*};
}

store!(half::f16, half::bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64);

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

    #[test]
    fn infinities_and_nan_stay_what_they_are() {
        let infinite = Pair::from(f64::MAX) + Pair::from(f64::MAX);
        assert_eq!((infinite + Pair::from(1.0)).value(), f64::INFINITY);
        assert!((infinite - infinite).value().is_nan());
        assert!((Pair::NAN + Pair::from(1.0)).value().is_nan());
        assert_eq!((Pair::NEG_INFINITY + Pair::from(1.0)).value(), f64::NEG_INFINITY);
    }
}
