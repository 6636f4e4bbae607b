//! An oracle: long integers, and what it means that a float is the nearest.

use std::cmp::Ordering;

/// Words of an integer: enough for 2^64 of the largest floats.
const WORDS: usize = 40;

/// An integer in two's complement, the lowest word first; one stands for 2^-1074.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Big([u64; WORDS]);

impl Big {
    pub(super) const ZERO: Big = Big([0; WORDS]);

    /// 2^1024, which would follow the largest number.
    fn beyond() -> Big {
        let mut words = [0; WORDS];
        words[2098 / 64] = 1 << (2098 % 64);
        Big(words)
    }

    /// A finite number.
    pub(super) fn of(x: f64) -> Big {
        assert!(x.is_finite());
        let (exponent, fraction) = ((x.to_bits() >> 52) & 0x7ff, x.to_bits() & ((1 << 52) - 1));
        let (mut fraction, place) = match exponent {
            0 => (fraction, 0),
            _ => (fraction + (1 << 52), exponent - 1),
        };
        let mut big = Big::ZERO;
        for bit in usize::try_from(place).expect("small").. {
            big.0[bit / 64] |= (fraction & 1) << (bit % 64);
            fraction >>= 1;
            if fraction == 0 {
                break;
            }
        }
        if x < 0.0 { big.negative() } else { big }
    }

    pub(super) fn plus(self, other: Big) -> Big {
        let mut carry = 0;
        let words = std::array::from_fn(|place| {
            let sum = u128::from(self.0[place]) + u128::from(other.0[place]) + carry;
            carry = sum >> 64;
            low(sum)
        });
        Big(words)
    }

    pub(super) fn negative(self) -> Big {
        let mut one = Big::ZERO;
        one.0[0] = 1;
        Big(self.0.map(|word| !word)).plus(one)
    }

    fn times(self, factor: u64) -> Big {
        if self.is_negative() {
            return self.negative().times(factor).negative();
        }
        let mut carry = 0;
        let words = self.0.map(|word| {
            let product = u128::from(word) * u128::from(factor) + carry;
            carry = product >> 64;
            low(product)
        });
        Big(words)
    }

    fn is_negative(self) -> bool {
        self.0[WORDS - 1] >> 63 != 0
    }

    fn compare(self, other: Big) -> Ordering {
        let difference = self.plus(other.negative());
        match () {
            () if difference == Big::ZERO => Ordering::Equal,
            () if difference.is_negative() => Ordering::Less,
            () => Ordering::Greater,
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the lower half")]
fn low(x: u128) -> u64 {
    x as u64
}

/// A float under test, as an `f64` that is equal.
pub(super) trait Float: Copy + std::fmt::Debug {
    fn wide(self) -> f64;
    fn is_even(self) -> bool;
    fn next_up(self) -> Self;
    fn next_down(self) -> Self;
    /// Returns the number that would follow the largest one.
    fn beyond() -> Big;
}

impl Float for f64 {
    fn wide(self) -> f64 {
        self
    }

    fn is_even(self) -> bool {
        self.to_bits().is_multiple_of(2)
    }

    fn next_up(self) -> f64 {
        f64::next_up(self)
    }

    fn next_down(self) -> f64 {
        f64::next_down(self)
    }

    fn beyond() -> Big {
        Big::beyond()
    }
}

impl Float for f32 {
    fn wide(self) -> f64 {
        self.into()
    }

    fn is_even(self) -> bool {
        self.to_bits().is_multiple_of(2)
    }

    fn next_up(self) -> f32 {
        f32::next_up(self)
    }

    fn next_down(self) -> f32 {
        f32::next_down(self)
    }

    fn beyond() -> Big {
        Big::of(2f64.powi(128))
    }
}

/// A number as an integer; beyond the largest number, what would follow it.
fn big<F: Float>(x: F) -> Big {
    match x.wide() {
        f64::INFINITY => F::beyond(),
        f64::NEG_INFINITY => F::beyond().negative(),
        x => Big::of(x),
    }
}

/// That a float is the nearest to a sum over a count, and of two the even one: the sum lies between the middles to its
/// neighbours. What follows the largest number is even.
#[track_caller]
pub(super) fn assert_nearest<F: Float>(found: F, sum: Big, count: u64) {
    assert!(!found.wide().is_nan(), "NaN of finite numbers");
    let twice = sum.plus(sum);
    let middle = |neighbour: F| big(found).plus(big(neighbour)).times(count);
    let is_within = |order: Ordering, inside: Ordering| {
        order == inside || (order == Ordering::Equal && found.is_even())
    };
    if found.wide() < f64::INFINITY {
        let above = twice.compare(middle(found.next_up()));
        assert!(is_within(above, Ordering::Less), "{found:?} is too small");
    }
    if found.wide() > f64::NEG_INFINITY {
        let below = twice.compare(middle(found.next_down()));
        assert!(is_within(below, Ordering::Greater), "{found:?} is too large");
    }
}
