//! Functions of floats that have no values yet: what is done with them is recorded once, and done later with values, by the
//! standard library. That gives what the functions give of `f32` and `f64`.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Shl, Shr, Sub};

use super::super::*;
use super::random_f64;

/// A value as bits.
trait Value: Copy + PartialOrd + 'static {
    fn bits(self) -> u64;
    fn value(bits: u64) -> Self;
}

macro_rules! values {
    ($($value:ident: |$x:ident| $bits:expr, |$from:ident| $of:expr;)*) => {$(
        impl Value for $value {
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
struct Recorded<T> {
    step: usize,
    of: PhantomData<T>,
}

impl<T> Clone for Recorded<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Recorded<T> {}

impl<T: Value> Recorded<T> {
    fn value(self, values: &[u64]) -> T {
        T::value(values[self.step])
    }
}

fn step<R: Value>(step: impl Fn(&[u64]) -> R + 'static) -> Recorded<R> {
    STEPS.with_borrow_mut(|steps| {
        steps.push(Box::new(move |values| step(values).bits()));
        Recorded { step: steps.len() - 1, of: PhantomData }
    })
}

fn of_one<A: Value, R: Value>(a: Recorded<A>, f: fn(A) -> R) -> Recorded<R> {
    step(move |values| f(a.value(values)))
}

fn of_two<A: Value, R: Value>(a: Recorded<A>, b: Recorded<A>, f: fn(A, A) -> R) -> Recorded<R> {
    step(move |values| f(a.value(values), b.value(values)))
}

fn selected<A: Value>(flag: Recorded<bool>, yes: Recorded<A>, no: Recorded<A>) -> Recorded<A> {
    step(move |values| if flag.value(values) { yes.value(values) } else { no.value(values) })
}

macro_rules! operators {
    ($($of:ident $trait:ident $method:ident($($other:ident: $ty:ty)?);)*) => {$(
        impl<T: Value + $trait<Output = T>> $trait for Recorded<T> {
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

impl<T: Value + Shl<u32, Output = T>> Shl<u32> for Recorded<T> {
    type Output = Self;

    fn shl(self, by: u32) -> Self {
        step(move |values| self.value(values) << by)
    }
}

impl<T: Value + Shr<u32, Output = T>> Shr<u32> for Recorded<T> {
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

            fn to_bits(self) -> Recorded<$bits> {
                of_one(self, $float::to_bits)
            }

            fn from_bits(bits: Recorded<$bits>) -> Self {
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

            fn abs(self) -> Self {
                of_one(self, $float::abs)
            }

            fn sqrt(self) -> Self {
                of_one(self, $float::sqrt)
            }

            fn floor(self) -> Self {
                of_one(self, $float::floor)
            }

            fn copysign(self, sign: Self) -> Self {
                of_two(self, sign, $float::copysign)
            }

            fn mul_add(self, factor: Self, addend: Self) -> Self {
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

            fn wrapping_add(self, other: Self) -> Self {
                of_two(self, other, $bits::wrapping_add)
            }

            fn wrapping_sub(self, other: Self) -> Self {
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

/// Fails unless what is recorded of a function gives what it gives of values, to the last bit but for those of NaN.
fn assert_same<A: Value, B: Value, R: Value>(
    name: &str,
    recorded: impl Fn(Recorded<A>, Recorded<B>) -> Recorded<R>,
    function: impl Fn(A, B) -> R,
    arguments: impl Iterator<Item = (A, B)>,
) {
    STEPS.take();
    let given = [step(|_| 0u64), step(|_| 0u64)].map(|given| given.step);
    let result = recorded(
        Recorded { step: given[0], of: PhantomData },
        Recorded { step: given[1], of: PhantomData },
    );
    let steps = STEPS.take();
    let is_nan = |bits: u64| R::value(bits).partial_cmp(&R::value(bits)).is_none();
    for (a, b) in arguments {
        let mut values = vec![a.bits(), b.bits()];
        for step in &steps[2..] {
            values.push(step(&values));
        }
        let (got, expected) = (values[result.step], function(a, b).bits());
        let is_same = got == expected || is_nan(got) && is_nan(expected);
        assert!(
            is_same,
            "{name}({:#x}, {:#x}) = {got:#x}, not {expected:#x}",
            values[0], values[1]
        );
    }
}

/// Numbers of all kinds, in f64: zeros, limits, near limits of functions, of all exponents, and around 1.
fn numbers() -> Vec<f64> {
    let limits = [
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
        150.0,
        709.0,
        710.0,
        746.0,
        1075.0,
        1e15,
        f64::INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::from_bits(1),
        f32::MAX.into(),
        f32::MIN_POSITIVE.into(),
        f32::from_bits(1).into(),
    ];
    let exponents = random_f64(-1074.0, 1024.0).take(1000).map(f64::exp2);
    let narrower = random_f64(-149.0, 128.0).take(1000).map(f64::exp2);
    let usual = random_f64(0.0, 3.0).take(1000);
    let numbers = limits.into_iter().chain(exponents).chain(narrower).chain(usual);
    numbers.flat_map(|x| [x, -x]).collect()
}

/// Each number beside one of the first, which are special, and beside one of any others.
fn pairs() -> impl Iterator<Item = (f64, f64)> {
    let numbers = numbers();
    let special = numbers[..48].to_vec();
    let beside = numbers.clone().into_iter().rev().chain(numbers.clone());
    let each = numbers.clone().into_iter().zip(beside);
    let specials = special.clone().into_iter();
    let specials = specials.flat_map(move |x| special.clone().into_iter().map(move |y| (x, y)));
    specials.chain(each)
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
