//! Fused multiply-add: a product and a sum, rounded once.
//!
//! Most processors have an instruction for it, or the C library has a right one. WebAssembly has neither: there the
//! standard library's `mul_add` gives +0 for a negative product that rounds to zero. So the functions here are used on
//! every architecture that is not in [`IS_RIGHT`].
//!
//! **Exact parts.** Two floats have a sum `a + b = s + e` and a product `a * b = p + e`, where `s` and `p` are what the
//! processor gives, and the error `e` is a float as well. Knuth's six operations find the error of a sum, Dekker's
//! seventeen that of a product: he cuts each factor into two halves, whose products are exact.
//!
//! **Rounding to odd.** Whoever rounds a sum twice, first to some bits and then to fewer, may round a number that lies
//! near the middle of two others to the wrong one. It is right if the first rounding is *to odd*: a sum that is not
//! exact becomes that neighbour whose last bit is 1. This bit says that there was something more, and it cannot
//! make a middle of what was none. The first rounding must keep two bits more than the second.
//!
//! | type | how |
//! |---|---|
//! | `f32` | the product of two `f32` is exact in `f64`. The sum is rounded to odd in `f64`, then to `f32` |
//! | `f64`, numbers of ordinary size | the algorithm of Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd" (2008). The product and the addend are three floats, of which the two lowest are added to odd |
//! | `f64`, others | as integers: see `integers` |

mod integers;

/// Whether the standard library's `mul_add` is an instruction here or a right function of the C library.
///
/// The scalar level of x86-64 calls the C library's. The compiler makes the instruction of that call at the other levels, so it has to
/// stay the standard library's. It is also faster: on a Zen 4, where the C library finds the instruction, the functions here take 3.7 times as
/// long for `f64` and 0.8 to 1.0 times as long for `f32`. On WebAssembly they take 1.1 times as long as the standard library's.
const IS_RIGHT: bool = cfg!(any(
    target_arch = "aarch64",
    target_arch = "loongarch64",
    target_arch = "powerpc64",
    all(target_arch = "riscv64", target_feature = "d"),
    target_arch = "s390x",
    target_arch = "x86_64",
));

/// `x * factor + addend`, rounded once.
#[inline(always)]
pub(crate) fn mul_add_f32(x: f32, factor: f32, addend: f32) -> f32 {
    if IS_RIGHT { x.mul_add(factor, addend) } else { of_f32(x, factor, addend) }
}

/// `x * factor + addend`, rounded once.
#[inline(always)]
pub(crate) fn mul_add_f64(x: f64, factor: f64, addend: f64) -> f64 {
    if IS_RIGHT { x.mul_add(factor, addend) } else { of_f64(x, factor, addend) }
}

#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "the second rounding")]
pub(super) fn of_f32(x: f32, factor: f32, addend: f32) -> f32 {
    sum_to_odd(f64::from(x) * f64::from(factor), addend.into()) as f32
}

#[inline]
pub(super) fn of_f64(x: f64, factor: f64, addend: f64) -> f64 {
    /// Errors of products above are floats, and nothing below overflows, not even while a factor is cut.
    const LEAST: f64 = power_of_two(-960);
    const MOST: f64 = power_of_two(960);
    let product = x * factor;
    let is_ordinary = (product.abs() >= LEAST)
        & (product.abs() <= MOST)
        & (x.abs() <= MOST)
        & (factor.abs() <= MOST)
        & (addend.abs() <= MOST);
    if is_ordinary { ordinary(x, factor, product, addend) } else { rare(x, factor, addend) }
}

/// Of numbers whose `product` and its error are far from the ends of the range.
#[inline(always)]
fn ordinary(x: f64, factor: f64, product: f64, addend: f64) -> f64 {
    let error = product_error(x, factor, product);
    let (middle, low) = sum_and_error(addend, error);
    let (high, rest) = sum_and_error(product, middle);
    high + sum_to_odd(rest, low)
}

/// Of zeros, infinities, NaN and numbers near the ends of the range.
#[cold]
#[inline(never)]
fn rare(x: f64, factor: f64, addend: f64) -> f64 {
    if !x.is_finite() || !factor.is_finite() || x == 0.0 || factor == 0.0 {
        // The product is exact.
        x * factor + addend
    } else if !addend.is_finite() {
        // The product is finite, though it may be too large for a float.
        addend + 0.0
    } else if addend == 0.0 {
        // The sum is exact, and has the product's sign even where that rounds to zero.
        x * factor
    } else {
        integers::mul_add(x, factor, addend)
    }
}

/// The power of two of a normal number.
const fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits((exponent + 1023).cast_unsigned() << 52)
}

/// The sum, and what is missing to the exact one (Knuth).
#[inline(always)]
fn sum_and_error(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let from_b = sum - a;
    let from_a = sum - from_b;
    (sum, (a - from_a) + (b - from_b))
}

/// What is missing from a product to the exact one (Dekker).
#[inline(always)]
fn product_error(x: f64, factor: f64, product: f64) -> f64 {
    let ((x_high, x_low), (high, low)) = (halves(x), halves(factor));
    let error = product - x_high * high - x_low * high - x_high * low;
    x_low * low - error
}

/// Two floats of at most 26 bits, whose sum this is (Veltkamp).
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let scaled = x * 134_217_729.0;
    let high = scaled - (scaled - x);
    (high, x - high)
}

/// The sum, rounded to odd.
#[inline(always)]
fn sum_to_odd(a: f64, b: f64) -> f64 {
    let (sum, error) = sum_and_error(a, b);
    let bits = sum.to_bits();
    // The error of an infinite sum is NaN, which is neither.
    let is_inexact = (error > 0.0) | (error < 0.0);
    // The nearest number is either the odd neighbour, or the even one, which is next to the odd one in the direction of
    // the error. Bits count magnitudes.
    let is_even = bits & 1 == 0;
    let is_away = (error > 0.0) == (sum > 0.0);
    let odd = if is_away { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
    f64::from_bits(if is_inexact & is_even { odd } else { bits })
}
