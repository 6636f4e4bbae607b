//! Floats that have no values yet: what is done with them is recorded, and done later with values, by the standard library.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Shl, Shr, Sub};

use super::super::{Exponent, Float, FloatBits};

/// A value as bits.
pub(super) trait RecordedValue: Copy + PartialOrd + 'static {
    fn bits(self) -> u64;
    fn value(bits: u64) -> Self;
}

macro_rules! values {
    ($($value:ident: |$x:ident| $bits:expr, |$from:ident| $of:expr;)*) => {$(
        impl RecordedValue for $value {
            fn bits(self) -> u64 {
                let $x = self;
                $bits
            }

            #[allow(clippy::cast_possible_truncation, reason = "the bits that the type has")]
            fn value($from: u64) -> Self {
                $of
            }
        }
    )*};
}

values! {
    f32: |x| x.to_bits().into(), |bits| f32::from_bits(bits as u32);
    f64: |x| x.to_bits(), |bits| f64::from_bits(bits);
    u32: |x| x.into(), |bits| bits as u32;
    u64: |x| x, |bits| bits;
    i32: |x| x.cast_unsigned().into(), |bits| (bits as u32).cast_signed();
    bool: |x| x.into(), |bits| bits != 0;
}

/// What makes a value from all that were made before.
type Step = Box<dyn Fn(&[u64]) -> u64>;

thread_local!(static STEPS: RefCell<Vec<Step>> = RefCell::default());

/// What stands for a value: the number of a step.
pub(super) struct Recorded<T> {
    step: usize,
    of: PhantomData<T>,
}

impl<T> Clone for Recorded<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Recorded<T> {}

impl<T: RecordedValue> Recorded<T> {
    fn value(self, values: &[u64]) -> T {
        T::value(values[self.step])
    }
}

fn step<R: RecordedValue>(step: impl Fn(&[u64]) -> R + 'static) -> Recorded<R> {
    STEPS.with_borrow_mut(|steps| {
        steps.push(Box::new(move |values| step(values).bits()));
        Recorded { step: steps.len() - 1, of: PhantomData }
    })
}

fn of_one<A: RecordedValue, R: RecordedValue>(a: Recorded<A>, f: fn(A) -> R) -> Recorded<R> {
    step(move |values| f(a.value(values)))
}

fn of_two<A: RecordedValue, R: RecordedValue>(
    a: Recorded<A>,
    b: Recorded<A>,
    f: fn(A, A) -> R,
) -> Recorded<R> {
    step(move |values| f(a.value(values), b.value(values)))
}

fn selected<A: RecordedValue>(
    flag: Recorded<bool>,
    yes: Recorded<A>,
    no: Recorded<A>,
) -> Recorded<A> {
    step(move |values| if flag.value(values) { yes.value(values) } else { no.value(values) })
}

macro_rules! operators {
    ($($of:ident $trait:ident $method:ident($($other:ident: $ty:ty)?);)*) => {$(
        impl<T: RecordedValue + $trait<Output = T>> $trait for Recorded<T> {
            type Output = Self;

            fn $method(self $(, $other: $ty)?) -> Self {
                $of(self, $($other,)? T::$method)
            }
        }
    )*};
}

operators! {
    of_two Add add(other: Self); of_two Sub sub(other: Self); of_two Mul mul(other: Self); of_two Div div(other: Self);
    of_two BitAnd bitand(other: Self); of_two BitOr bitor(other: Self); of_two BitXor bitxor(other: Self);
    of_one Neg neg(); of_one Not not();
}

impl<T: RecordedValue + Shl<u32, Output = T>> Shl<u32> for Recorded<T> {
    type Output = Self;

    fn shl(self, by: u32) -> Self {
        step(move |values| self.value(values) << by)
    }
}

impl<T: RecordedValue + Shr<u32, Output = T>> Shr<u32> for Recorded<T> {
    type Output = Self;

    fn shr(self, by: u32) -> Self {
        step(move |values| self.value(values) >> by)
    }
}

macro_rules! floats {
    ($($float:ident: $bits:ident;)*) => {$(
        impl Float for Recorded<$float> {
            type Concrete = $float;
            type Flag = Recorded<bool>;
            type Bits = Recorded<$bits>;
            type Wide = Recorded<f64>;

            fn of(x: $float) -> Self {
                step(move |_| x)
            }

            fn pattern(self) -> Recorded<$bits> {
                of_one(self, $float::to_bits)
            }

            fn of_pattern(bits: Recorded<$bits>) -> Self {
                of_one(bits, $float::from_bits)
            }

            fn widen(self) -> Recorded<f64> {
                of_one(self, f64::from)
            }

            #[allow(clippy::cast_possible_truncation, trivial_numeric_casts, reason = "the nearest")]
            fn narrow(wide: Recorded<f64>) -> Self {
                of_one(wide, |wide| wide as $float)
            }

            fn is_less(self, other: Self) -> Recorded<bool> {
                of_two(self, other, |a, b| a < b)
            }

            fn is_at_most(self, other: Self) -> Recorded<bool> {
                of_two(self, other, |a, b| a <= b)
            }

            fn is_equal(self, other: Self) -> Recorded<bool> {
                of_two(self, other, |a, b| a == b)
            }

            fn select(flag: Recorded<bool>, yes: Self, no: Self) -> Self {
                selected(flag, yes, no)
            }

            fn magnitude(self) -> Self {
                of_one(self, $float::abs)
            }

            fn square_root(self) -> Self {
                of_one(self, $float::sqrt)
            }

            fn round_down(self) -> Self {
                of_one(self, $float::floor)
            }

            fn with_sign_of(self, sign: Self) -> Self {
                of_two(self, sign, $float::copysign)
            }

            fn times_plus(self, factor: Self, addend: Self) -> Self {
                step(move |values| {
                    self.value(values).mul_add(factor.value(values), addend.value(values))
                })
            }
        }

        impl FloatBits for Recorded<$bits> {
            type Concrete = $bits;
            type Flag = Recorded<bool>;

            fn of(bits: $bits) -> Self {
                step(move |_| bits)
            }

            fn plus(self, other: Self) -> Self {
                of_two(self, other, $bits::wrapping_add)
            }

            fn minus(self, other: Self) -> Self {
                of_two(self, other, $bits::wrapping_sub)
            }

            fn is_equal(self, other: Self) -> Recorded<bool> {
                of_two(self, other, |a, b| a == b)
            }

            fn select(flag: Recorded<bool>, yes: Self, no: Self) -> Self {
                selected(flag, yes, no)
            }
        }
    )*};
}

floats! { f32: u32; f64: u64; }

impl Exponent<Recorded<f64>> for Recorded<i32> {
    fn to_float(self) -> Recorded<f64> {
        of_one(self, f64::from)
    }

    fn is_odd(self) -> Recorded<bool> {
        of_one(self, |n| n.rem_euclid(2) == 1)
    }

    fn is_zero(self) -> Recorded<bool> {
        of_one(self, |n| n == 0)
    }
}

/// What a function of two arguments does, recorded by one call of it.
pub(super) struct Recording {
    steps: Vec<Step>,
    result: usize,
}

impl Recording {
    pub(super) fn new<A: RecordedValue, B: RecordedValue, R: RecordedValue>(
        function: impl Fn(Recorded<A>, Recorded<B>) -> Recorded<R>,
    ) -> Self {
        STEPS.take();
        // The values of arguments stand in place of the first two steps.
        let result = function(step(|_| A::value(0)), step(|_| B::value(0))).step;
        let steps = STEPS.take().split_off(2);
        Recording { steps, result }
    }

    /// The bits of the result, of the bits of arguments.
    pub(super) fn replay(&self, arguments: [u64; 2]) -> u64 {
        let mut values = arguments.to_vec();
        for step in &self.steps {
            values.push(step(&values));
        }
        values[self.result]
    }
}
