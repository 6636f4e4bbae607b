//! The floats that elementary functions are written for.
//!
//! A function of 32 bits takes any [`Float32`], one of 64 bits any [`Float64`]. These are `f32` and `f64`, with
//! which the CPU runs the function. Another engine has a type of its own, which records all operations, so that
//! the engine computes the very same.
//!
//! What is recorded has no value yet. So a comparison makes a [`Float::Flag`], which need not be a `bool`, and
//! [`Float::select`] takes one of two values that are both there. A function does the same with every argument.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Shl, Shr, Sub};

/// A float: `f32`, `f64`, or what stands for one of them.
///
/// Its methods have names of their own, not those of the standard library. For a method such as `sqrt`, the
/// compiler would name this trait to the author of an operator who forgot the bound [`Real`](crate::Real).
pub trait Float: Copy + Neg<Output = Self>
where
    Self: Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>,
{
    /// What this is or stands for: `f32` or `f64`.
    type Concrete: Copy;
    /// `bool`, or what stands for it.
    type Flag: Copy
        + BitAnd<Output = Self::Flag>
        + BitOr<Output = Self::Flag>
        + Not<Output = Self::Flag>;
    /// Its bits: `u32`, `u64`, or what stands for one of them.
    type Bits: FloatBits<Flag = Self::Flag>;
    /// The float of 64 bits: `f64`, or what stands for it.
    type Wide: Float64<Flag = Self::Flag>;

    /// A constant.
    fn of(x: Self::Concrete) -> Self;

    /// Its bits: `to_bits`.
    fn pattern(self) -> Self::Bits;

    /// The float that has these bits: `from_bits`.
    fn of_pattern(bits: Self::Bits) -> Self;

    /// This number in 64 bits.
    fn widen(self) -> Self::Wide;

    /// The nearest number to one of 64 bits.
    fn narrow(wide: Self::Wide) -> Self;

    /// `self < other`
    fn is_less(self, other: Self) -> Self::Flag;

    /// `self <= other`
    fn is_at_most(self, other: Self) -> Self::Flag;

    /// `self == other`
    fn is_equal(self, other: Self) -> Self::Flag;

    /// The first number if the flag is true, else the second.
    fn select(flag: Self::Flag, yes: Self, no: Self) -> Self;

    /// The magnitude: `abs`.
    fn magnitude(self) -> Self;

    /// The square root, correctly rounded: `sqrt`.
    fn square_root(self) -> Self;

    /// The largest integer that is not greater: `floor`.
    fn round_down(self) -> Self;

    /// This magnitude with the sign of another number: `copysign`.
    fn with_sign_of(self, sign: Self) -> Self;

    /// `self * factor + addend`, rounded once: `mul_add`.
    fn times_plus(self, factor: Self, addend: Self) -> Self;

    /// The nearest number within bounds: `clamp`. NaN stays.
    #[inline(always)]
    fn within(self, least: Self::Concrete, greatest: Self::Concrete) -> Self {
        let (least, greatest) = (Self::of(least), Self::of(greatest));
        let raised = Self::select(self.is_less(least), least, self);
        Self::select(greatest.is_less(raised), greatest, raised)
    }
}

/// The bits of a float: `u32`, `u64`, or what stands for one of them.
pub trait FloatBits: Copy + Shl<u32, Output = Self> + Shr<u32, Output = Self>
where
    Self: BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>,
{
    /// What this is or stands for: `u32` or `u64`.
    type Concrete: Copy;
    /// `bool`, or what stands for it.
    type Flag;

    /// A constant.
    fn of(bits: Self::Concrete) -> Self;

    /// The sum, modulo 2 to the power of the width.
    fn plus(self, other: Self) -> Self;

    /// The difference, modulo 2 to the power of the width.
    fn minus(self, other: Self) -> Self;

    /// `self == other`
    fn is_equal(self, other: Self) -> Self::Flag;

    /// The first bits if the flag is true, else the second.
    fn select(flag: Self::Flag, yes: Self, no: Self) -> Self;
}

/// A [`Float`] of 32 bits.
pub trait Float32: Float<Concrete = f32, Bits: FloatBits<Concrete = u32>> {}

impl<F: Float<Concrete = f32, Bits: FloatBits<Concrete = u32>>> Float32 for F {}

/// A [`Float`] of 64 bits.
pub trait Float64: Float<Concrete = f64, Bits: FloatBits<Concrete = u64>, Wide = Self> {}

impl<F: Float<Concrete = f64, Bits: FloatBits<Concrete = u64>, Wide = F>> Float64 for F {}

/// The integer to whose power a number is raised, for results that are computed in `F`: `i32`, or what stands for it.
pub trait Exponent<F: Float64>: Copy {
    /// This number as a float.
    fn to_float(self) -> F;

    /// Whether it is odd.
    fn is_odd(self) -> F::Flag;

    /// Whether it is 0.
    fn is_zero(self) -> F::Flag;
}
