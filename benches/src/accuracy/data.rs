//! Lists of floats that are benign or hostile, made from seeds.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "random numbers are made here; lengths are below 2^53"
)]

use reduce_core::Element;
use reduce_core::bounds::Stored;

/// A float that data is made of.
pub(crate) trait Scalar: Element + Stored<First = Self> {
    /// Its name in the files.
    const NAME: &'static str;
    /// The exponents of the least number and of the largest.
    const EXPONENTS: [i32; 2];
    /// The nearest number of the type.
    fn of(x: f64) -> Self;
    /// The bytes, the least significant first.
    fn bytes(self) -> impl Iterator<Item = u8>;
}

impl Scalar for f32 {
    const NAME: &'static str = "f32";
    const EXPONENTS: [i32; 2] = [-149, 127];

    fn of(x: f64) -> f32 {
        x as f32
    }

    fn bytes(self) -> impl Iterator<Item = u8> {
        self.to_le_bytes().into_iter()
    }
}

impl Scalar for f64 {
    const NAME: &'static str = "f64";
    const EXPONENTS: [i32; 2] = [-1074, 1023];

    fn of(x: f64) -> f64 {
        x
    }

    fn bytes(self) -> impl Iterator<Item = u8> {
        self.to_le_bytes().into_iter()
    }
}

/// A kind of list.
pub(crate) struct Set {
    pub(crate) name: &'static str,
    /// Whether lists are also taken by key and in pieces, where no operator looks again if an intermediate value left the range.
    pub(crate) streams: bool,
    make: fn(&mut Random, usize, [i32; 2]) -> Vec<f64>,
}

impl Set {
    /// The list of a length that follows from a seed.
    pub(crate) fn list<T: Scalar>(&self, length: usize, seed: u64) -> Vec<T> {
        let list = (self.make)(&mut Random(seed), length, T::EXPONENTS);
        list.into_iter().map(T::of).collect()
    }
}

const fn set(name: &'static str, make: fn(&mut Random, usize, [i32; 2]) -> Vec<f64>) -> Set {
    Set { name, make, streams: true }
}

/// A set whose lists are not taken by key or in pieces.
const fn at_once(name: &'static str, make: fn(&mut Random, usize, [i32; 2]) -> Vec<f64>) -> Set {
    Set { name, make, streams: false }
}

/// What is summed, or has its mean, its norm or its variance taken.
pub(crate) const VALUES: &[Set] = &[
    set("uniform", |random, length, _| random.list(length, Random::unit)),
    set("normal", |random, length, _| random.list(length, Random::normal)),
    set("cancelling", cancelling),
    set("offset 1e8", |random, length, _| {
        random.list(length, |random| 1e8 + 1e3 * random.normal())
    }),
    set("outlier first", |random, length, _| outlier(random, length, 0)),
    set("outlier in the middle", |random, length, _| outlier(random, length, length / 2)),
    set("outlier last", |random, length, _| outlier(random, length, length - 1)),
    set("alternating", alternating),
    set("a quarter of the exponents", |random, length, [least, most]| {
        all_exponents(random, length, [least / 4, most / 4])
    }),
    at_once("all exponents", all_exponents),
    set("ascending", |random, length, _| spread(random, length)),
    set("descending", |random, length, _| spread(random, length).into_iter().rev().collect()),
];

/// What is multiplied. All products are ordinary numbers, but those of a part of the factors need not be.
pub(crate) const FACTORS: &[Set] = &[
    at_once("near one", |random, length, _| factors(random, length, 1.0)),
    at_once("all exponents", |random, length, exponents| {
        factors(random, length, largest(exponents))
    }),
    at_once("ascending", |random, length, exponents| {
        sorted(factors(random, length, largest(exponents)))
    }),
    at_once("descending", |random, length, exponents| {
        sorted(factors(random, length, largest(exponents))).into_iter().rev().collect()
    }),
];

/// What exponentials are taken of.
pub(crate) const LOGITS: &[Set] = &[
    set("uniform", |random, length, _| logits(random, length)),
    set("normal", |random, length, _| random.list(length, Random::normal)),
    set("offset 1e4", |random, length, _| random.list(length, |random| 1e4 + random.normal())),
    set("outlier first", |random, length, _| peak(random, length, 0)),
    set("outlier in the middle", |random, length, _| peak(random, length, length / 2)),
    set("outlier last", |random, length, _| peak(random, length, length - 1)),
    set("all exponents", all_exponents),
    set("ascending", |random, length, _| sorted(logits(random, length))),
    set("descending", |random, length, _| {
        sorted(logits(random, length)).into_iter().rev().collect()
    }),
];

/// Numbers of both signs and their opposites, in any order, and 1e-3, which is their sum.
fn cancelling(random: &mut Random, length: usize, _: [i32; 2]) -> Vec<f64> {
    let half = random.list(length.div_ceil(2) - 1, |random| f64::from(random.normal() as f32));
    let mut list: Vec<f64> = half.iter().flat_map(|&x| [x, -x]).chain([1e-3]).collect();
    list.resize(length, 0.0);
    random.shuffle(&mut list);
    list
}

/// Normally distributed numbers, but for one that is 1e8 and has a place.
fn outlier(random: &mut Random, length: usize, place: usize) -> Vec<f64> {
    let mut list = random.list(length, Random::normal);
    list[place] = 1e8;
    list
}

/// Numbers from 1 to 2, of both signs in turn.
fn alternating(random: &mut Random, length: usize, _: [i32; 2]) -> Vec<f64> {
    let signed = |index| [1.0, -1.0][index % 2] * (1.0 + random.unit());
    (0..length).map(signed).collect()
}

/// Numbers of both signs and of any exponent, the least of the type among them; the largest would have an infinite sum.
fn all_exponents(random: &mut Random, length: usize, [least, most]: [i32; 2]) -> Vec<f64> {
    let most = most - 2 - (length as f64).log2().ceil() as i32;
    random.list(length, |random| {
        let exponent = f64::from(least) + (f64::from(most - least) * random.unit()).floor();
        random.sign() * scaled(1.0 + random.unit(), exponent)
    })
}

/// Positive numbers from 1e-4 to 1e4, the smallest first.
fn spread(random: &mut Random, length: usize) -> Vec<f64> {
    sorted(random.list(length, |random| 10f64.powf(8.0 * random.unit() - 4.0)))
}

/// Pairs of a number of either sign, with an exponent up to a limit, and of about its reciprocal, in any order.
fn factors(random: &mut Random, length: usize, limit: f64) -> Vec<f64> {
    let near = 4.0 / (length as f64).sqrt();
    let pair = |random: &mut Random| {
        let x = scaled(1.0 + random.unit(), (limit * (2.0 * random.unit() - 1.0)).round());
        [random.sign() * x, (1.0 + near * (random.unit() - 0.5)) / x]
    };
    let mut list: Vec<f64> = (0..length.div_ceil(2)).flat_map(|_| pair(random)).collect();
    list.truncate(length);
    random.shuffle(&mut list);
    list
}

/// Numbers from -10 to 10.
fn logits(random: &mut Random, length: usize) -> Vec<f64> {
    random.list(length, |random| 20.0 * random.unit() - 10.0)
}

/// Normally distributed numbers, but for one that is 16 and has a place. Its exponential is about as large as those of 10⁶
/// others together.
fn peak(random: &mut Random, length: usize, place: usize) -> Vec<f64> {
    let mut list = random.list(length, Random::normal);
    list[place] = 16.0;
    list
}

/// The largest exponent whose reciprocal is a normal number.
fn largest([_, most]: [i32; 2]) -> f64 {
    f64::from(most - 2)
}

fn sorted(mut list: Vec<f64>) -> Vec<f64> {
    list.sort_by(f64::total_cmp);
    list
}

/// A number times a power of two, which may be subnormal.
fn scaled(x: f64, exponent: f64) -> f64 {
    let part = (exponent / 2.0).floor();
    x * part.exp2() * (exponent - part).exp2()
}

/// The generator `SplitMix64`: its numbers follow from the seed, on any machine.
pub(crate) struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// 1 or -1.
    fn sign(&mut self) -> f64 {
        if self.bits().is_multiple_of(2) { 1.0 } else { -1.0 }
    }

    /// From 0 to 1, without 1.
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Nearly normally distributed, with a deviation of 1: the sum of twelve uniform numbers.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    fn list(&mut self, length: usize, number: impl Fn(&mut Random) -> f64) -> Vec<f64> {
        (0..length).map(|_| number(self)).collect()
    }

    fn shuffle(&mut self, list: &mut [f64]) {
        for last in (1..list.len()).rev() {
            list.swap(last, (self.bits() % (last as u64 + 1)) as usize);
        }
    }
}
