//! The least magnitude that numbers had: floats lose bits below the least normal number.

use crate::machine::TURNED;
use crate::machine::code::Code;
use crate::values::element::accumulator::{Accumulator, Scalars};

/// The least magnitude that numbers of type `A` had. For integers nothing is kept: they lose nothing where they
/// are small.
///
/// A product keeps the least magnitude of all its intermediate values. If it is [normal](Least::is_normal),
/// none of them lost more than one rounding. Else the operator [doubts](crate::ReduceOp::doubts) the product.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not keep how small numbers of type `{A}` became",
    label = "expected `A::Least`, for an `A: Num`"
)]
pub trait Least<A>: Accumulator {
    /// The magnitude of a number.
    #[must_use]
    fn of(x: A) -> Self;

    /// The lesser of two magnitudes.
    #[must_use]
    fn or(self, other: Self) -> Self;

    /// Whether it is the least normal number or more.
    fn is_normal(self) -> bool;
}

impl<A> Least<A> for () {
    #[inline(always)]
    fn of(_: A) {}

    #[inline(always)]
    fn or(self, (): ()) {}

    #[inline(always)]
    fn is_normal(self) -> bool {
        true
    }
}

/// The least magnitude of floats, as the bits of one: they have the order of magnitudes, and
/// CPUs compare integers beside multiplications.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LeastFloat<Bits>(Bits);

impl<A: Accumulator> Accumulator for LeastFloat<A> {
    type Lanes<const L: usize> = A::Lanes<L>;

    // It stands beside a number, and only that takes work.
    const SCALARS: usize = 0;

    #[inline(always)]
    fn splat<const L: usize>(self) -> A::Lanes<L> {
        self.0.splat()
    }

    #[inline(always)]
    fn get<const L: usize>(lanes: &A::Lanes<L>, lane: usize) -> Self {
        LeastFloat(A::get(lanes, lane))
    }

    #[inline(always)]
    fn set<const L: usize>(lanes: &mut A::Lanes<L>, lane: usize, value: Self) {
        A::set(lanes, lane, value.0);
    }

    #[inline(always)]
    fn each_scalar(&mut self, to: &mut impl Scalars) {
        self.0.each_scalar(to);
    }

    #[inline(always)]
    fn turn(from: &A::Lanes<TURNED>, to: &mut A::Lanes<TURNED>, code: impl Code) {
        A::turn(from, to, code);
    }
}

macro_rules! floats {
    ($($float:ident: $bits:ident),*) => {$(
        impl Least<$float> for LeastFloat<$bits> {
            #[inline(always)]
            fn of(x: $float) -> Self {
                LeastFloat(x.abs().to_bits().cast_signed())
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                if other.0 < self.0 { other } else { self }
            }

            #[inline(always)]
            fn is_normal(self) -> bool {
                self.0 >= $float::MIN_POSITIVE.to_bits().cast_signed()
            }
        }
    )*};
}

floats!(f32: i32, f64: i64);
