//! Fused multiply-add against integers of thousands of bits, and against the processor's.

use super::super::fused::{mul_add_f32, mul_add_f64, of_f32, of_f64};

/// How a float is laid out: what it stores of a fraction, and the bits of its exponent.
#[derive(Clone, Copy)]
struct Format {
    stored: u32,
    exponent: u32,
}

const F32: Format = Format { stored: 23, exponent: 8 };
const F64: Format = Format { stored: 52, exponent: 11 };

/// Enough for the product of the largest numbers in units of the square of the least one.
const DIGITS: usize = 68;

/// A number that may be negative, in two's complement, the lowest digit first. It counts squares of the least positive float.
struct Exact([u64; DIGITS]);

impl Exact {
    /// Adds an integer times a power of two, or takes it away.
    fn add(&mut self, integer: u128, power: u32, is_negative: bool) {
        let (place, shift) = ((power / 64) as usize, power % 64);
        let low = integer << shift;
        let high = if shift == 0 { 0 } else { integer >> (128 - shift) };
        let [a, b] = [low as u64, (low >> 64) as u64];
        let mut carry = false;
        let digits = [a, b, high as u64].into_iter().chain(std::iter::repeat(0));
        for (digit, other) in self.0[place..].iter_mut().zip(digits) {
            let (first, second);
            if is_negative {
                (*digit, first) = digit.overflowing_sub(other);
                (*digit, second) = digit.overflowing_sub(carry.into());
            } else {
                (*digit, first) = digit.overflowing_add(other);
                (*digit, second) = digit.overflowing_add(carry.into());
            }
            carry = first | second;
        }
    }

    fn is_negative(&self) -> bool {
        self.0[DIGITS - 1] >> 63 == 1
    }

    fn magnitude(self) -> Self {
        if !self.is_negative() {
            return self;
        }
        let mut negated = Exact([0; DIGITS]);
        for (place, digit) in (0..).zip(self.0) {
            negated.add(digit.into(), 64 * place, true);
        }
        negated
    }

    fn bit(&self, bit: u32) -> u64 {
        self.0[(bit / 64) as usize] >> (bit % 64) & 1
    }

    fn highest(&self) -> Option<u32> {
        let place = self.0.iter().rposition(|&digit| digit != 0)?;
        Some(64 * place as u32 + self.0[place].ilog2())
    }

    fn any_below(&self, bit: u32) -> bool {
        let place = (bit / 64) as usize;
        self.0[..place].iter().any(|&digit| digit != 0)
            || self.0[place] & ((1 << (bit % 64)) - 1) != 0
    }
}

impl Format {
    fn sign(self) -> u64 {
        1 << (self.stored + self.exponent)
    }

    fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.stored
    }

    /// Minus the exponent of the least positive number.
    fn least(self) -> u32 {
        (1 << (self.exponent - 1)) - 2 + self.stored
    }

    /// A finite number as an integer times a power of two times the least number.
    fn parts(self, bits: u64) -> (u64, u32, bool) {
        let fraction = bits & ((1 << self.stored) - 1);
        let exponent = ((bits & self.infinity()) >> self.stored) as u32;
        let is_negative = bits & self.sign() != 0;
        if exponent == 0 {
            (fraction, 0, is_negative)
        } else {
            (fraction | 1 << self.stored, exponent - 1, is_negative)
        }
    }

    /// The bits of `x * factor + addend` for finite numbers, where the result is not exactly zero.
    fn mul_add(self, [x, factor, addend]: [u64; 3]) -> Option<u64> {
        let ((a, a_power, a_sign), (b, b_power, b_sign)) = (self.parts(x), self.parts(factor));
        let (c, c_power, c_sign) = self.parts(addend);
        let mut exact = Exact([0; DIGITS]);
        exact.add(u128::from(a) * u128::from(b), a_power + b_power, a_sign != b_sign);
        exact.add(c.into(), c_power + self.least(), c_sign);
        let sign = if exact.is_negative() { self.sign() } else { 0 };
        let exact = exact.magnitude();
        let highest = exact.highest()?;
        let mut unit = highest.saturating_sub(self.stored).max(self.least());
        let mut kept =
            (unit..=highest.max(unit)).rev().fold(0, |kept, bit| kept << 1 | exact.bit(bit));
        let half = exact.bit(unit - 1) == 1;
        kept += u64::from(half && (exact.any_below(unit - 1) || kept & 1 == 1));
        if kept == 2 << self.stored {
            (kept, unit) = (kept / 2, unit + 1);
        }
        if kept < 1 << self.stored {
            return Some(sign | kept);
        }
        let exponent = u64::from(unit - self.least() + 1);
        let bits = exponent << self.stored | (kept - (1 << self.stored));
        Some(sign | bits.min(self.infinity()))
    }
}

/// Endless pseudo-random bits.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, count: u64) -> u64 {
        (self.next() >> 11) % count
    }

    /// A number of a format whose exponent is stored as this one, or as the nearest that there is.
    fn with_exponent(&mut self, format: Format, exponent: i64) -> u64 {
        let most = (1 << format.exponent) - 2;
        let exponent = exponent.clamp(0, most).cast_unsigned() << format.stored;
        // Few bits or many, or none at all: ties come of few.
        let mask = u64::MAX << self.below(u64::from(format.stored) + 1);
        let fraction = self.next() & mask & ((1 << format.stored) - 1);
        let sign = if self.next() >> 63 == 1 { format.sign() } else { 0 };
        sign | exponent | fraction
    }

    /// Two factors whose product has about this exponent, counted as stored exponents are.
    fn factors(&mut self, format: Format, exponent: i64) -> [u64; 2] {
        let bias = (1 << (format.exponent - 1)) - 1;
        let most = (1 << format.exponent) - 2;
        let least = (exponent + bias - most).max(0);
        let room = (exponent + bias - 2 * least).max(0) + 1;
        let first = least + self.below(room.cast_unsigned()).cast_signed();
        [self.with_exponent(format, first), self.with_exponent(format, exponent + bias - first)]
    }

    /// Something that is hard in one of several ways; `multiply` is the product, rounded.
    fn triple(&mut self, format: Format, way: u64, multiply: fn(u64, u64) -> u64) -> [u64; 3] {
        let all = (1i64 << format.exponent) - 1;
        let width = i64::from(format.stored);
        let mut about = |exponent: i64, spread: i64| {
            exponent - spread + self.below(2 * spread.unsigned_abs() + 1).cast_signed()
        };
        let (product, addend) = match way {
            // Anything finite.
            0 => (about(all / 2, all / 2), about(all / 2, all / 2)),
            // Below the least number, and above.
            1 => (about(-width, 2 * width), about(0, 2)),
            // Beyond the largest number, and below.
            2 => (about(all, 4), about(all, 2)),
            // Exponents near one another.
            _ => {
                let product = about(all / 2, all / 2);
                (product, about(product, 2 * width + 4))
            }
        };
        let [x, factor] = self.factors(format, product);
        let addend = match way {
            // What cancels out but for some bits.
            4 => {
                let near = multiply(x, factor).wrapping_add(self.below(9)).wrapping_sub(4);
                let near = (near ^ format.sign()) & (format.sign() * 2 - 1);
                let is_finite = near & format.infinity() != format.infinity();
                if is_finite { near } else { format.sign() }
            }
            _ => self.with_exponent(format, addend),
        };
        [x, factor, addend]
    }
}

/// Less where each takes longer.
const TRIPLES: u64 = if cfg!(target_arch = "x86_64") { 200_000 } else { 40_000 };

/// Holds a function against exact numbers.
fn hold(format: Format, multiply: fn(u64, u64) -> u64, functions: &[fn([u64; 3]) -> u64]) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut zeros = 0;
    for triple in (0..5 * TRIPLES).map(|i| random.triple(format, i % 5, multiply)) {
        let expected = format.mul_add(triple);
        zeros += u64::from(expected.is_none_or(|bits| bits & !format.sign() == 0));
        for function in functions {
            let got = function(triple);
            // The sign of an exact zero is tested below.
            let expected = expected.unwrap_or(got & format.sign());
            assert!(got == expected, "{triple:x?} gives {got:x}, not {expected:x}");
        }
    }
    assert!(zeros > TRIPLES / 100, "only {zeros} zeros");
}

#[allow(clippy::cast_possible_truncation, reason = "the bits that the type has")]
fn f32s(bits: [u64; 3]) -> [f32; 3] {
    bits.map(|bits| f32::from_bits(bits as u32))
}

#[test]
fn f64_is_rounded_once() {
    fn apply(bits: [u64; 3], function: fn(f64, f64, f64) -> f64) -> u64 {
        let [x, factor, addend] = bits.map(f64::from_bits);
        function(x, factor, addend).to_bits()
    }
    let multiply = |x, factor| (f64::from_bits(x) * f64::from_bits(factor)).to_bits();
    // The second is the processor's, or the C library's, where that is used.
    hold(F64, multiply, &[|bits| apply(bits, of_f64), |bits| apply(bits, mul_add_f64)]);
}

#[test]
fn f32_is_rounded_once() {
    fn apply(bits: [u64; 3], function: fn(f32, f32, f32) -> f32) -> u64 {
        let [x, factor, addend] = f32s(bits);
        function(x, factor, addend).to_bits().into()
    }
    let multiply = |x, factor| {
        let [x, factor, _] = f32s([x, factor, 0]);
        (x * factor).to_bits().into()
    };
    hold(F32, multiply, &[|bits| apply(bits, of_f32), |bits| apply(bits, mul_add_f32)]);
}

/// Whether two results are the same, of which NaN has many.
fn same(got: f64, expected: f64) -> bool {
    got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan()
}

#[test]
fn zeros_infinities_and_nan_are_as_the_standard_says() {
    let (inf, nan, tiny, most) = (f64::INFINITY, f64::NAN, f64::from_bits(1), f64::MAX);
    for (x, factor, addend, expected) in [
        (0.0, 1.0, 0.0, 0.0),
        (-0.0, 1.0, -0.0, -0.0),
        (-0.0, 1.0, 0.0, 0.0),
        (0.0, -1.0, 0.0, 0.0),
        (0.0, 1.0, 7.0, 7.0),
        // An exact zero of numbers that are none is positive, at the ends of the range as well.
        (2.0, 3.0, -6.0, 0.0),
        (-2.0, 3.0, 6.0, 0.0),
        (tiny, 2.0, -2.0 * tiny, 0.0),
        (most, 1.0, -most, 0.0),
        // What rounds to zero keeps its sign.
        (tiny, -tiny, 0.0, -0.0),
        (tiny, -tiny, -0.0, -0.0),
        (tiny, tiny, -0.0, 0.0),
        (tiny, -0.5, 0.0, -0.0),
        (tiny, 0.5, tiny, 2.0 * tiny),
        (tiny, 0.25, tiny, tiny),
        (f64::from_bits(0x0310_f82e_6057_c000), f64::from_bits(0x9324_fd84_2f14_414f), 0.0, -0.0),
        // A product beyond the largest number.
        (most, 2.0, -most, most),
        (most, 2.0, 0.0, inf),
        (most, most, -inf, -inf),
        (inf, 1.0, -inf, nan),
        (inf, -1.0, -inf, -inf),
        (inf, 0.0, 1.0, nan),
        (inf, 0.0, nan, nan),
        (1.0, 1.0, inf, inf),
        (1.0, nan, 1.0, nan),
        (1.0, 1.0, nan, nan),
    ] {
        for function in [of_f64, mul_add_f64] {
            let got = function(x, factor, addend);
            assert!(same(got, expected), "{x:e} * {factor:e} + {addend:e} gives {got:e}");
        }
    }
}

#[test]
fn zeros_infinities_and_nan_of_f32_are_those_of_f64() {
    let special =
        [0.0, 1.0, 3.0, f32::MIN_POSITIVE, f32::from_bits(1), f32::MAX, f32::INFINITY, f32::NAN];
    let special = special.map(|x| [x, -x]);
    let special = special.as_flattened();
    for (&x, &factor, &addend) in special.iter().flat_map(|x| {
        special.iter().flat_map(move |factor| special.iter().map(move |addend| (x, factor, addend)))
    }) {
        // These numbers are so far apart that it makes no difference where the wide sum was rounded.
        #[allow(clippy::cast_possible_truncation, reason = "the nearest f32")]
        let expected = of_f64(x.into(), factor.into(), addend.into()) as f32;
        for function in [of_f32, mul_add_f32] {
            let got = function(x, factor, addend);
            let is_same = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
            assert!(is_same, "{x:e} * {factor:e} + {addend:e} gives {got:e}, not {expected:e}");
        }
    }
}
