//! Operands that tell whether an operation is as it should be. Its result is another one if it is rounded twice or not
//! to nearest. It is also another one if subnormal numbers, infinities or NaN are lost.
//!
//! They are made of bits, the same for `f32` and `f64`.

use crate::graph::{Bits, Type};

/// A float, by its widths.
#[derive(Clone, Copy)]
struct Float {
    bits: u32,
    /// Binary digits of a significand, with the first.
    digits: u32,
}

const F32: Float = Float { bits: 32, digits: f32::MANTISSA_DIGITS };
const F64: Float = Float { bits: 64, digits: f64::MANTISSA_DIGITS };

/// Rows that are random.
const RANDOM: usize = 500;

/// Rows of operands: three of `f32` and, of a device that has it, three of `f64`.
pub(super) fn rows(with_f64: bool) -> Vec<Vec<Bits>> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let single = F32.triples(&mut random);
    let mut double = if with_f64 { F64.triples(&mut random) } else { Vec::new() };
    if with_f64 {
        double.extend(between_singles(&mut random).map(|x| [x, x ^ F64.sign(), x]));
    }
    let count = single.len().max(double.len());
    let doubles = double.iter().cycle().map(<[u64; 3]>::as_slice).chain(std::iter::repeat(&[][..]));
    let both = single.iter().cycle().zip(doubles).take(count);
    both.map(|(a, b)| a.iter().chain(b).map(|&bits| bits.into()).collect()).collect()
}

/// The types of a row.
pub(super) fn types(with_f64: bool) -> Vec<Type> {
    let floats = [Type::F32, Type::F64];
    floats.into_iter().take(1 + usize::from(with_f64)).flat_map(|float| [float; 3]).collect()
}

impl Float {
    fn sign(self) -> u64 {
        1 << (self.bits - 1)
    }

    /// The bits of 1.
    fn one(self) -> u64 {
        let exponent_bits = self.bits - self.digits;
        ((1 << (exponent_bits - 1)) - 1) << (self.digits - 1)
    }

    /// The least normal number: the lowest bit of the exponent.
    fn normal(self) -> u64 {
        1 << (self.digits - 1)
    }

    fn infinity(self) -> u64 {
        self.sign() - self.normal()
    }

    /// A whole number, of up to as many digits as a float has, times a power of two.
    fn integer(self, n: u64, power: i64) -> u64 {
        let top = n.ilog2();
        let fraction = (n << (self.digits - 1 - top)) - self.normal();
        let exponent = (i64::from(top) + power) << (self.digits - 1);
        self.one().wrapping_add_signed(exponent) + fraction
    }

    fn triples(self, random: &mut Random) -> Vec<[u64; 3]> {
        let mut all = Vec::new();
        let special = self.special();
        let mut third = special.iter().cycle();
        for &a in &special {
            all.extend(special.iter().zip(&mut third).map(|(&b, &c)| [a, b, c]));
            // Another third for the same pair next time.
            third.next();
        }
        for _ in 0..RANDOM {
            all.push([random.next(), random.next(), random.next()].map(|x| x & self.all()));
            let mut near = || self.near_one(random);
            all.push([near(), near(), near()]);
        }
        all.extend(self.halfway_products());
        all.extend(self.hard_quotients(random));
        all.extend(self.hard_roots().map(|x| [x, self.one(), x]));
        all
    }

    fn all(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    fn special(self) -> Vec<u64> {
        let one = self.one();
        let magnitudes = [
            0,
            1,
            self.normal() / 2 + 1,
            self.normal() - 1,
            self.normal(),
            self.normal() + 3,
            // Just less than a half, which a sum with a half makes 1.
            one - self.normal() - 1,
            one,
            one + 1,
            self.integer(5, -1),
            self.integer(3, 0),
            // The greatest with a half.
            self.integer((1 << self.digits) - 1, -1),
            self.infinity() - 1,
            self.infinity(),
            self.infinity() + self.normal() / 2,
        ];
        magnitudes.into_iter().flat_map(|x| [x, x | self.sign()]).collect()
    }

    /// A number of either sign, from 1/4 to 4.
    fn near_one(self, random: &mut Random) -> u64 {
        let digits = random.next() & (self.normal() - 1);
        let exponent = (random.next() & 3) << (self.digits - 1);
        let sign = if random.next() & 1 == 0 { 0 } else { self.sign() };
        (self.one() - 2 * self.normal() + exponent + digits) | sign
    }

    /// (1 + 2^-p) (1 + 2^-q) lies halfway between two floats if p + q is the number of digits: a third number decides, however small.
    fn halfway_products(self) -> impl Iterator<Item = [u64; 3]> {
        let last = self.digits - 1;
        let tiny = [1, self.normal(), self.one() - (60 << last)];
        (1..=last).flat_map(move |p| {
            let factors = [p, self.digits - p].map(|p| self.one() | 1 << (last - p.min(last)));
            tiny.into_iter().flat_map(move |c| [c, c | self.sign()]).flat_map(move |c| {
                [[factors[0], factors[1], c], [factors[0] | self.sign(), factors[1], c]]
            })
        })
    }

    /// Quotients as near as can be to halfway between two floats. With `m` such a middle, times 2, and `b` its inverse modulo
    /// 2^digits, `m b` is one more than `a` 2^digits: `a / b` falls short of the middle by one part in `b`, and its opposite exceeds it.
    fn hard_quotients(self, random: &mut Random) -> Vec<[u64; 3]> {
        let modulus = 1u128 << self.digits;
        let mut found = Vec::new();
        for _ in 0..RANDOM {
            let middle = modulus | u128::from(random.next()) & (modulus - 1) | 1;
            let mut inverse = 1u128;
            for _ in 0..6 {
                // Newton's method, which doubles the digits that are right.
                let error = middle.wrapping_mul(inverse).wrapping_sub(2);
                inverse = inverse.wrapping_mul(error.wrapping_neg()) & (modulus - 1);
            }
            for (divisor, off) in [(inverse, 0), (modulus - inverse, 1)] {
                let dividend = ((middle * divisor) >> self.digits) + off;
                if let (Ok(a), Ok(b)) = (u64::try_from(dividend), u64::try_from(divisor))
                    && a > 0
                    && a >> self.digits == 0
                {
                    found.push([self.integer(a, 0), self.integer(b, 0), self.one()]);
                }
            }
        }
        found
    }

    /// Numbers whose roots are as near as can be to halfway between two floats. Such a middle, as an integer `r`, has
    /// one digit more than a float. It is chosen as a root of a small number modulo a power of two. So the square of
    /// `r`, less the small number, ends in enough zeros to be a float, and the root of that float is near `r`.
    fn hard_roots(self) -> impl Iterator<Item = u64> {
        let modulus = 1u128 << (self.digits + 2);
        let middles = (-40i128..40).flat_map(move |t| {
            let small = 1 + 8 * t;
            let mut inverse = 1u128;
            for _ in 0..7 {
                // Newton's method for 1 / sqrt(small). It begins with 1, whose square is right in three bits.
                let square = inverse.wrapping_mul(inverse).wrapping_mul(small.cast_unsigned());
                inverse = inverse.wrapping_mul(3u128.wrapping_sub(square) / 2);
            }
            let root = inverse.wrapping_mul(small.cast_unsigned());
            let roots = [root, root.wrapping_neg()];
            roots.into_iter().flat_map(move |r| {
                [r, r.wrapping_add(modulus / 2)].map(|r| (r & (modulus - 1), small))
            })
        });
        middles.filter_map(move |(middle, small)| {
            // It has one digit more than a float.
            (middle >> self.digits == 1).then_some(())?;
            let number = (middle * middle).checked_add_signed(-small)?;
            let zeros = number.trailing_zeros();
            let power = i64::from(zeros);
            let digits = u64::try_from(number >> zeros).ok()?;
            (digits >> self.digits == 0).then(|| self.integer(digits, power))
        })
    }
}

/// Numbers of `f64` halfway between two of `f32`, and a little off; also those that are subnormal or infinite there.
fn between_singles(random: &mut Random) -> impl Iterator<Item = u64> {
    let half = 1u64 << (F64.digits - F32.digits - 1);
    let halves: Vec<u64> = (0..RANDOM)
        .map(|_| {
            let exponent = random.next() % 280;
            let digits = random.next() & (F64.normal() - 1);
            let number = F64.one() - (150 << (F64.digits - 1)) + (exponent << (F64.digits - 1));
            (number | digits & !(2 * half - 1)) | half
        })
        .chain((0..8).map(|n| F64.integer(2 * n + 1, -150)))
        .collect();
    halves.into_iter().flat_map(|x| [x - 1, x, x + 1])
}

/// Numbers that are the same each time (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{F32, Random};

    fn float(bits: u64) -> f32 {
        f32::from_bits(u32::try_from(bits).unwrap_or_default())
    }

    /// How far a number is from halfway between two neighbours of `f32`, in their distance.
    fn from_halfway(x: f64) -> f64 {
        let (below, scale) = (x.to_bits() & ((1 << 29) - 1), f64::from(1u32 << 29));
        let below = f64::from(u32::try_from(below).unwrap_or_default());
        (below / scale - 0.5).abs()
    }

    #[test]
    fn numbers_are_what_they_are_called() {
        assert_eq!(float(F32.one()), 1.0);
        assert_eq!(float(F32.integer(5, -1)), 2.5);
        assert_eq!(float(F32.normal()), f32::MIN_POSITIVE);
        assert_eq!(float(F32.infinity()), f32::INFINITY);
    }

    #[test]
    fn quotients_and_roots_are_almost_halfway() {
        let quotients = F32.hard_quotients(&mut Random(1));
        assert!(quotients.len() > 100, "{}", quotients.len());
        for [a, b, _] in quotients {
            let b = f64::from(float(b));
            let off = from_halfway(f64::from(float(a)) / b);
            assert!(off * b < 0.6, "{} / {b}: {off}", float(a));
        }
        let roots: Vec<u64> = F32.hard_roots().collect();
        assert!(roots.len() > 20, "{}", roots.len());
        for x in roots {
            let off = from_halfway(f64::from(float(x)).sqrt());
            assert!(off < 1e-5, "root of {}: {off}", float(x));
        }
    }
}
