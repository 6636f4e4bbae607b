//! Fused multiply-add of finite numbers of any size, by integers of 128 bits.
//!
//! A finite number is `m * 2^e` with an integer `m` below 2^53. So the product is an integer below 2^106, and both the product
//! and the addend are shifted up until their highest bit is number [`TOP`]. Of the two, the one with the larger exponent
//! stays. The other is shifted down to the same exponent, and if a bit that is 1 falls out, the lowest one that stays becomes 1. That
//! is enough to round right. A shift by one drops nothing, since both have 19 zeros below. After a larger one, the
//! difference keeps its highest bit or the one below it. So the bit that decides is some 70 places above the lowest one.
//!
//! The bits of a float follow one another as floats do. For an integer `m` below 2^53 that counts units of `2^q`, they are
//! `m + (q + 1074) * 2^52`, as long as `m` has 53 bits or `q` is -1074. This holds for subnormal numbers, and where rounding up leads
//! to the next power of two or to infinity.

/// The highest bit of a number that was shifted up. A sum has one bit more at most.
const TOP: i32 = 124;

/// The bits of a fraction below its highest one.
const STORED: i32 = 52;

/// The exponent of the least positive number.
const LEAST: i32 = -1074;

/// The exponent of the unit in the last place of the largest number.
const MOST: i32 = 971;

/// `magnitude * 2^exponent`, and its sign.
#[derive(Clone, Copy)]
struct Number {
    magnitude: u128,
    exponent: i32,
    is_negative: bool,
}

/// `x * factor + addend`, rounded once. All are finite, and none is zero.
pub(super) fn mul_add(x: f64, factor: f64, addend: f64) -> f64 {
    let product = product(Number::of(x), Number::of(factor)).raised();
    let addend = Number::of(addend).raised();
    let addend_is_larger = addend.exponent > product.exponent;
    let (large, small) = if addend_is_larger { (addend, product) } else { (product, addend) };
    let small = small.lowered_to(large.exponent);
    sum(large, small).nearest()
}

fn product(a: Number, b: Number) -> Number {
    Number {
        magnitude: a.magnitude * b.magnitude,
        exponent: a.exponent + b.exponent,
        is_negative: a.is_negative != b.is_negative,
    }
}

/// The sum of numbers with the same exponent.
fn sum(a: Number, b: Number) -> Number {
    if a.is_negative == b.is_negative {
        return Number { magnitude: a.magnitude + b.magnitude, ..a };
    }
    let a_is_larger = a.magnitude > b.magnitude;
    let (larger, smaller) = if a_is_larger { (a, b) } else { (b, a) };
    Number { magnitude: larger.magnitude - smaller.magnitude, ..larger }
}

impl Number {
    fn of(x: f64) -> Self {
        let bits = x.to_bits();
        let stored = bits & ((1 << STORED) - 1);
        // A subnormal number has the unit of the least normal one, and no bit that is not stored.
        let (place, hidden) = match (bits >> STORED) & 0x7ff {
            0 => (0, 0),
            exponent => (exponent - 1, 1 << STORED),
        };
        #[allow(clippy::cast_possible_truncation, reason = "11 bits")]
        let exponent = place as i32 + LEAST;
        Number { magnitude: (hidden | stored).into(), exponent, is_negative: x.is_sign_negative() }
    }

    /// The number of the highest bit. There is one.
    fn top(self) -> i32 {
        self.magnitude.ilog2().cast_signed()
    }

    /// The same number, with a highest bit [`TOP`].
    fn raised(self) -> Self {
        let shift = TOP - self.top();
        Number { magnitude: self.magnitude << shift, exponent: self.exponent - shift, ..self }
    }

    /// This number with a larger exponent; its lowest bit stands for all that fell out.
    fn lowered_to(self, exponent: i32) -> Self {
        // All bits are below this one.
        let shift = (exponent - self.exponent).min(TOP + 1);
        let magnitude = self.magnitude >> shift;
        let is_exact = magnitude << shift == self.magnitude;
        Number { magnitude: magnitude | u128::from(!is_exact), exponent, ..self }
    }

    /// The nearest float, ties to even.
    fn nearest(self) -> f64 {
        if self.magnitude == 0 {
            // What cancels out is positive.
            return 0.0;
        }
        let unit = (self.exponent + self.top() - STORED).max(LEAST);
        let value = if unit > MOST {
            f64::INFINITY
        } else {
            let place = u128::from((unit - LEAST).unsigned_abs()) << STORED;
            #[allow(clippy::cast_possible_truncation, reason = "below the bits of NaN")]
            f64::from_bits((self.in_units_of(unit) + place) as u64)
        };
        if self.is_negative { -value } else { value }
    }

    /// The nearest integer times `2^unit`, ties to even.
    fn in_units_of(self, unit: i32) -> u128 {
        if unit <= self.exponent {
            return self.magnitude << (self.exponent - unit);
        }
        // Less than a half of the unit is left of a number that is shifted further.
        let shift = (unit - self.exponent).min(127);
        let kept = self.magnitude >> shift;
        let (rest, half) = (self.magnitude - (kept << shift), 1 << (shift - 1));
        kept + u128::from(rest > half || rest == half && kept & 1 == 1)
    }
}
