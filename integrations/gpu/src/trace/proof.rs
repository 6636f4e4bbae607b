//! A trace held against its operator: both are computed on the CPU, of elements of all kinds.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "bits of numbers of any width"
)]

use reduce_core::bounds::{Store, Written};
use reduce_core::{Accumulator, DType, ReduceOp};

use super::element::Symbolic;
use super::error::{Reason, Untraceable};
use super::scalars::Bare;
use super::steps::Traced;
use crate::graph::{Bits, Given, Id, Type, evaluate};

/// Rounds of elements.
pub(super) const ROUNDS: usize = 24;

/// Elements of a round: accumulators of one, of several and of none are combined.
pub(super) const ELEMENTS: usize = 7;

/// That a trace computes what its operator does, from an accumulator before all others if one is given.
///
/// # Errors
/// If it does not, of some elements.
pub(super) fn holds<X, O, Op>(
    op: &Op,
    start: Option<Op::Acc>,
    count: usize,
    traced: &Traced,
) -> Result<(), Untraceable>
where
    X: Symbolic,
    O: Written + Store<<Op as ReduceOp<X>>::Output>,
    Op: ReduceOp<X>,
{
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let steps = &traced.steps;
    let graph = |results: &[Id], given: Given<'_>| {
        evaluate(&steps.graph, results, &Given { parameters: &steps.parameters, ..given })
    };
    let differs = |step,
                   given: &[&[Bits]],
                   of_step: Vec<Bits>,
                   of_trace: Vec<Bits>,
                   kinds: &[Kind]| {
        let is_same = of_step.len() == of_trace.len()
            && of_step.iter().zip(&of_trace).zip(kinds).all(|((a, b), kind)| kind.is_same(*a, *b));
        if is_same {
            return Ok(());
        }
        let words = |bits: &[Bits]| format!("{bits:x?}");
        let given = given.iter().map(|bits| words(bits)).collect::<Vec<_>>().join(" and ");
        let reason = Reason::Differs { given, step: words(&of_step), trace: words(&of_trace) };
        Err(Untraceable { operator: steps.name, step, reason })
    };
    let types = &steps.accumulator;
    let kinds: Vec<Kind> = types.iter().map(|&ty| Kind::Computed(ty)).collect();
    for round in 0..ROUNDS {
        // Accumulators of none, one and several elements.
        let mut accumulators = vec![op.identity()];
        for position in 0..ELEMENTS {
            let x: Vec<Bits> =
                steps.element.iter().map(|ty| random.scalar(*ty, round, position)).collect();
            let element = || X::of_bits(&mut x.iter().copied());
            let mapped = op.map(element());
            let given = Given { element: &x, ..Given::default() };
            differs("map", &[&x], bits(types, mapped), graph(&steps.map, given), &kinds)?;
            let before = accumulators[position];
            let left = bits(types, before);
            let pushed = op.push(before, element());
            let given = Given { left: &left, ..given };
            let of_trace = graph(&steps.push, given);
            differs("push", &[&left, &x], bits(types, pushed), of_trace, &kinds)?;
            accumulators.push(if random.next().is_multiple_of(4) { mapped } else { pushed });
        }
        for (&a, &b) in accumulators.iter().zip(accumulators.iter().rev()) {
            let (left, right) = (bits(types, a), bits(types, b));
            let given = Given { left: &left, right: &right, ..Given::default() };
            let of_step = bits(types, op.combine(a, b));
            differs("combine", &[&left, &right], of_step, graph(&steps.combine, given), &kinds)?;
            let whole = start.map_or(a, |start| op.combine(start, a));
            let mut result = O::store(op.finalize(whole, count));
            let mut stored = Bare::default();
            result.each_element(&mut stored);
            let of_trace = graph(&steps.finalize, given).into_iter().zip(&traced.outputs);
            let of_trace = of_trace.map(|(bits, output)| (output.convert)(bits)).collect();
            let kinds: Vec<Kind> =
                traced.outputs.iter().map(|output| Kind::Stored(output.dtype)).collect();
            differs("finalize", &[&left], stored.bits, of_trace, &kinds)?;
            if let Some(doubts) = steps.doubts {
                let of_step = vec![op.doubts(&a, count).into()];
                differs(
                    "doubts",
                    &[&left],
                    of_step,
                    graph(&[doubts], given),
                    &[Kind::Computed(Type::U32)],
                )?;
            }
        }
    }
    Ok(())
}

/// What tells which bits of a value are a NaN.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Computed(Type),
    Stored(DType),
}

impl Kind {
    fn is_nan(self, bits: Bits) -> bool {
        match self {
            Kind::Computed(ty) => ty.is_nan(bits),
            Kind::Stored(DType::F16) => bits & 0x7fff > 0x7c00,
            Kind::Stored(DType::BF16) => bits & 0x7fff > 0x7f80,
            Kind::Stored(DType::F8E4M3FN) => bits & 0x7f == 0x7f,
            Kind::Stored(DType::F8E5M2) => bits & 0x7f > 0x7c,
            Kind::Stored(DType::F32) => Type::F32.is_nan(bits),
            Kind::Stored(DType::F64) => Type::F64.is_nan(bits),
            Kind::Stored(
                DType::Bool
                | DType::I8
                | DType::I16
                | DType::I32
                | DType::I64
                | DType::U8
                | DType::U16
                | DType::U32
                | DType::U64,
            ) => false,
        }
    }

    /// Whether bits are the same, or both NaN.
    pub(super) fn is_same(self, a: Bits, b: Bits) -> bool {
        a == b || self.is_nan(a) && self.is_nan(b)
    }
}

/// The bits of each scalar of an accumulator; those of 128 bits are handed over in halves.
pub(super) fn bits<A: Accumulator>(types: &[Type], mut of: A) -> Vec<Bits> {
    let mut bare = Bare::default();
    of.each_scalar(&mut bare);
    let mut halves = bare.bits.into_iter();
    let mut next = || halves.next().unwrap_or_default();
    let wide = |ty: &Type| matches!(ty, Type::Int(int) if int.bits == 128);
    types.iter().map(|ty| if wide(ty) { next() | next() << 64 } else { next() }).collect()
}

/// Numbers that are different each time, but the same for every program.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A random scalar of a type. Early rounds give simple ones: first small whole numbers, which are often equal, and
    /// then fractions. Then come any bits, among them infinities, NaN and both zeros.
    pub(super) fn scalar(&mut self, ty: Type, round: usize, position: usize) -> Bits {
        let random = self.next();
        let small = (random % 5) as i64 - 2;
        let fraction = (random >> 11) as f64 / (1u64 << 53) as f64;
        let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1e-310, 1e30, -1.0];
        let float = match round % 4 {
            0 => small as f64,
            1 => 2.0 * fraction - 1.0,
            2 => fraction,
            _ => special[(random % 8) as usize],
        };
        match ty {
            Type::F32 if round % 8 == 7 => (random & 0xffff_ffff).into(),
            Type::F64 if round % 8 == 7 => random.into(),
            Type::F32 => (float as f32).to_bits().into(),
            Type::F64 => float.to_bits().into(),
            Type::Flag => (random & 1).into(),
            Type::Place => position as Bits,
            Type::Int(int) if round.is_multiple_of(2) => {
                (small as i128).cast_unsigned() & int.mask()
            }
            Type::Int(int) => (Bits::from(random) << 64 | Bits::from(self.next())) & int.mask(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DType, Kind, Type};
    use crate::graph::Int;

    #[test]
    fn only_nan_is_like_other_bits() {
        let short = Type::Int(Int { bits: 16, signed: false });
        // Infinity, and bits of NaN, of each.
        for (kind, infinity, nan) in [
            (Kind::Stored(DType::F16), 0x7c00, 0xfe01),
            (Kind::Stored(DType::BF16), 0x7f80, 0xffc1),
            (Kind::Stored(DType::F32), 0x7f80_0000, 0xffc0_0001),
            (Kind::Computed(Type::F64), 0x7ff0_0000_0000_0000, 0xfff8_0000_0000_0001),
        ] {
            assert!(kind.is_same(infinity + 1, nan), "{kind:?}");
            assert!(
                !kind.is_same(infinity, nan) && !kind.is_same(infinity, infinity - 1),
                "{kind:?}"
            );
        }
        // A large bf16, whose bits are a NaN of f16.
        assert!(!Kind::Stored(DType::BF16).is_same(0x7d00, 0x7d01));
        for integer in [Kind::Computed(short), Kind::Stored(DType::U16)] {
            assert!(!integer.is_same(0x7fff, 0x7ffe), "{integer:?}");
        }
    }
}
