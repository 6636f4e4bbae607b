//! What is hard to multiply and add.

use super::exact::FloatLayout;

/// Endless pseudo-random bits.
pub(super) struct Random(pub(super) u64);

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
    fn with_exponent(&mut self, format: FloatLayout, exponent: i64) -> u64 {
        let most = (1 << format.exponent) - 2;
        let exponent = exponent.clamp(0, most).cast_unsigned() << format.stored;
        // Few bits or many, or none at all: ties come of few.
        let mask = u64::MAX << self.below(u64::from(format.stored) + 1);
        let fraction = self.next() & mask & ((1 << format.stored) - 1);
        let sign = if self.next() >> 63 == 1 { format.sign() } else { 0 };
        sign | exponent | fraction
    }

    /// Two factors whose product has about this exponent, counted as stored exponents are.
    fn factors(&mut self, format: FloatLayout, exponent: i64) -> [u64; 2] {
        let bias = (1 << (format.exponent - 1)) - 1;
        let most = (1 << format.exponent) - 2;
        let least = (exponent + bias - most).max(0);
        let room = (exponent + bias - 2 * least).max(0) + 1;
        let first = least + self.below(room.cast_unsigned()).cast_signed();
        [self.with_exponent(format, first), self.with_exponent(format, exponent + bias - first)]
    }

    /// Something that is hard in one of several ways; `multiply` is the product, rounded.
    pub(super) fn triple(
        &mut self,
        format: FloatLayout,
        way: u64,
        multiply: fn(u64, u64) -> u64,
    ) -> [u64; 3] {
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
                let near = (near ^ format.sign()) & format.sign().wrapping_mul(2).wrapping_sub(1);
                let is_finite = near & format.infinity() != format.infinity();
                if is_finite { near } else { format.sign() }
            }
            _ => self.with_exponent(format, addend),
        };
        [x, factor, addend]
    }
}
