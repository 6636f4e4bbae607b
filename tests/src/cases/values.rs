//! Values for reductions: of mixed signs, and such that results have as many
//! good digits as their type allows.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_lossless,
    reason = "pseudo-random bits become numbers"
)]

use crate::oracle::{Op, Type, Values};

/// Pseudo-random numbers, always the same for the same seed (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let part = (self.bits() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * part
    }
}

/// Values for an operator.
///
/// A third of the values to sum is negative, so a sum is not far below the sum of its magnitudes.
/// Where a logarithm follows, none is negative. Factors have both signs and are near one, as often
/// above as below: a product of thousands stays in range. Integer factors are odd, so a product
/// that wraps is never zero. Values to compare have many equals. Other integers are any of their
/// type, or small where their exponentials are summed.
pub fn ordinary(op: Op, ty: Type, count: usize, seed: u64) -> Values {
    let mut random = Random::new(seed ^ 0x6a09_e667_f3bc_c908);
    match ty {
        Type::Float { format, .. } => {
            Values::Floats((0..count).map(|_| format.round(float(op, &mut random))).collect())
        }
        Type::Int { .. } => Values::Ints((0..count).map(|_| int(op, ty, &mut random)).collect()),
    }
}

fn int(op: Op, ty: Type, random: &mut Random) -> i128 {
    let (low, high) = ty.limits();
    let bits = random.bits() as i128;
    match op {
        Op::LogSumExp => (bits % 41 - 20).clamp(low, high),
        Op::Prod => ty.wrap(bits | 1),
        Op::LogSum => bits % (high + 1),
        Op::ArgMax { .. } | Op::ArgMin { .. } => ty.wrap(bits % 61 - 30),
        Op::Sum | Op::Mean | Op::L1 | Op::L2 | Op::SumSquare | Op::Max | Op::Min => ty.wrap(bits),
    }
}

fn float(op: Op, random: &mut Random) -> f64 {
    match op {
        Op::Sum | Op::Mean | Op::L1 | Op::L2 | Op::SumSquare => random.between(-2.0, 4.0),
        Op::LogSum => random.between(0.25, 4.0),
        Op::LogSumExp => random.between(-6.0, 3.0),
        Op::Max | Op::Min | Op::ArgMax { .. } | Op::ArgMin { .. } => {
            random.between(-64.0, 64.0).round() / 16.0
        }
        Op::Prod => {
            let sign = if random.bits() & 1 == 0 { 1.0 } else { -1.0 };
            // As often above 1 as below, by as much. The standard library's `exp` has other bits on other architectures.
            let part = random.between(-0.05, 0.05);
            sign * (1.0 + part) / (1.0 - part)
        }
    }
}

/// Makes values beside which a special one decides the result: by themselves they neither overflow
/// nor cancel.
pub fn neutral(op: Op, ty: Type, count: usize) -> Values {
    let pattern: &[f64] = match op {
        Op::Prod => &[1.0, -1.0, -1.0, 1.0],
        Op::LogSum => &[1.5, 0.5, 0.25, 2.0],
        Op::LogSumExp => &[0.5, -1.5, 2.0, -0.25],
        _ => &[1.5, -0.5, 0.25, 2.0, -1.0],
    };
    let cycled = pattern.iter().copied().cycle().take(count);
    match ty {
        Type::Float { .. } => Values::Floats(cycled.collect()),
        Type::Int { .. } => {
            let (low, high) = ty.limits();
            let scale = if op == Op::Prod { 1.0 } else { 4.0 };
            Values::Ints(cycled.map(|x| ((x * scale) as i128).clamp(low, high)).collect())
        }
    }
}
