//! Fused multiply-add in integers of thousands of bits, which hold any product and sum.

#![allow(clippy::cast_possible_truncation, reason = "digits are cut out of integers")]

/// How a float is laid out: what it stores of a fraction, and the bits of its exponent.
#[derive(Clone, Copy)]
pub(super) struct FloatLayout {
    pub(super) stored: u32,
    pub(super) exponent: u32,
}

pub(super) const F32: FloatLayout = FloatLayout { stored: 23, exponent: 8 };
pub(super) const F64: FloatLayout = FloatLayout { stored: 52, exponent: 11 };

/// Enough for the product of the largest numbers in units of the square of the least one.
const DIGITS: usize = 68;

/// A number that may be negative, in two's complement, the lowest digit first. It counts squares of the least positive float.
struct LongInteger([u64; DIGITS]);

impl LongInteger {
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
        let mut negated = LongInteger([0; DIGITS]);
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

impl FloatLayout {
    pub(super) fn sign(self) -> u64 {
        1 << (self.stored + self.exponent)
    }

    pub(super) fn infinity(self) -> u64 {
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
    pub(super) fn mul_add(self, [x, factor, addend]: [u64; 3]) -> Option<u64> {
        let ((a, a_power, a_sign), (b, b_power, b_sign)) = (self.parts(x), self.parts(factor));
        let (c, c_power, c_sign) = self.parts(addend);
        let mut exact = LongInteger([0; DIGITS]);
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
