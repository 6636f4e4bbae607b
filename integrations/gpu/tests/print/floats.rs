//! Operations on floats.

use reduce_core::Ordered;
use reduce_gpu::graph::{Binary, Bits, Compare, Graph, Id, Operation, Type, Unary};
use reduce_gpu::print::{Exactness, Operations};

use crate::cases::{Cases, Random, triples};
use crate::device::SOFTWARE;
use crate::numbers::Number;

/// Compares a float of the device, in bits, with a float of the CPU.
macro_rules! float {
    ($module:ident, $float:ident, $bits:ident, $ty:expr) => {
        mod $module {
            use super::*;

            const TY: Type = $ty;
            const WIDTH: u32 = $float::MAX_EXP as u32;

            fn float(bits: Bits) -> $float {
                $float::from_bits(bits as $bits)
            }

            fn special() -> Vec<Bits> {
                let least = $float::from_bits(1);
                let magnitudes = [
                    0.0,
                    least,
                    least * 3.0,
                    $float::MIN_POSITIVE / 2.0,
                    $float::MIN_POSITIVE,
                    0.25,
                    0.3,
                    0.5 - $float::EPSILON / 4.0,
                    0.5,
                    0.75,
                    1.0,
                    1.0 + $float::EPSILON,
                    1.5,
                    2.5,
                    3.0,
                    1e7,
                    2.0 / $float::EPSILON - 1.0,
                    1.0 / $float::EPSILON - 0.5,
                    1e30,
                    $float::MAX / 2.0,
                    $float::MAX,
                    $float::INFINITY,
                    $float::NAN,
                ];
                magnitudes
                    .into_iter()
                    .flat_map(|x: $float| [x, -x])
                    .map(|x| x.to_bits().into())
                    .collect()
            }

            /// Special values; random bits; numbers of like size; and sums that cancel a product but for its last digits.
            fn elements() -> Vec<Vec<Bits>> {
                let mut random = Random::new();
                let mut all = triples(&special(), 4000, || random.bits() & Bits::from($bits::MAX));
                for _ in 0..6000 {
                    let mut next = |far: u32| {
                        let exponent = (random.bits() as u32 % (2 * far)) as i32 - far as i32;
                        // The bits are those of a number from 1 to 2, of either sign.
                        let digits = (1 << ($float::MANTISSA_DIGITS - 1)) - 1;
                        let sign = 1 << ($bits::BITS - 1);
                        let bits = $float::to_bits(1.0) | random.bits() as $bits & (digits | sign);
                        float(bits.into()) * (exponent as $float).exp2()
                    };
                    let (near, far) = ((next(4), next(4)), (next(WIDTH), next(WIDTH / 2)));
                    let third = next($float::MANTISSA_DIGITS * 2);
                    let (sign, tiny) = (-1.0, next(WIDTH / 2));
                    let product = |a: $float, b: $float| sign * a * b;
                    all.extend(
                        [
                            [near.0, near.1, product(near.0, near.1)],
                            [near.0, near.1, product(near.0, near.1) * (1.0 + $float::EPSILON)],
                            [near.0, near.1, third],
                            [far.0, far.1, product(far.0, far.1)],
                            [far.0, far.1, tiny],
                            [near.0, near.1, product(near.0, near.1) + $float::EPSILON],
                        ]
                        .map(|element| element.map(|x| Bits::from(x.to_bits())).to_vec()),
                    );
                }
                // Products halfway between two floats, which only a third number decides, however small.
                for place in 1..$float::MANTISSA_DIGITS {
                    let power = |place: u32| (-(place as $float)).exp2();
                    let (a, b) = (1.0 + power(place), 1.0 + power($float::MANTISSA_DIGITS - place));
                    for tiny in [$float::from_bits(1), $float::MIN_POSITIVE, 1e-30, $float::EPSILON]
                    {
                        for c in [tiny, -tiny] {
                            all.push([a, b, c].map(Number::bits).to_vec());
                            all.push([-a, b, c].map(Number::bits).to_vec());
                        }
                    }
                }
                all
            }

            fn cases() -> Cases {
                let mut cases = Cases::new(&[TY; 3]);
                let bits = |x: $float| Bits::from(x.to_bits());
                let mut unary = |name: &str, op, expected: fn($float) -> $float| {
                    cases.add(
                        name,
                        TY,
                        |_, x| Operation::Unary(op, x[0]),
                        move |x| bits(expected(float(x[0]))),
                    );
                };
                unary("neg", Unary::Neg, |x| -x);
                unary("abs", Unary::Abs, $float::abs);
                unary("sqrt", Unary::Sqrt, $float::sqrt);
                unary("floor", Unary::Floor, $float::floor);
                unary("round", Unary::Round, $float::round);
                let mut binary = |name: &str, op, expected: fn($float, $float) -> $float| {
                    let of = move |x: &[Bits]| bits(expected(float(x[0]), float(x[1])));
                    cases.add(name, TY, |_, x| Operation::Binary(op, x[0], x[1]), of);
                    let twice = move |x: &[Bits]| bits(expected(float(x[0]), float(x[0])));
                    cases.add(
                        format!("{name} of one"),
                        TY,
                        |_, x| Operation::Binary(op, x[0], x[0]),
                        twice,
                    );
                };
                binary("add", Binary::Add, |a, b| a + b);
                binary("sub", Binary::Sub, |a, b| a - b);
                binary("mul", Binary::Mul, |a, b| a * b);
                binary("div", Binary::Div, |a, b| a / b);
                binary("maximum", Binary::Maximum, Ordered::maximum);
                binary("minimum", Binary::Minimum, Ordered::minimum);
                binary("copysign", Binary::Copysign, $float::copysign);
                let fused = move |x: &[Bits]| bits(float(x[0]).mul_add(float(x[1]), float(x[2])));
                cases.add("mul_add", TY, |_, x| Operation::MulAdd(x[0], x[1], x[2]), fused);
                add_flags(&mut cases, TY, |compare, a, b| match compare {
                    Compare::Less => float(a) < float(b),
                    Compare::LessOrEqual => float(a) <= float(b),
                    Compare::Equal => float(a) == float(b),
                });
                cases.add(
                    "is_nan",
                    Type::Flag,
                    |_, x| Operation::IsNan(x[0]),
                    |x| float(x[0]).is_nan().into(),
                );
                cases.add(
                    "to_bits",
                    TY.pattern(),
                    |_, x| Operation::Unary(Unary::ToBits, x[0]),
                    |x| x[0],
                );
                add_simplified(&mut cases, TY);
                add_constants(&mut cases, TY, &special());
                cases
            }

            #[test]
            fn as_the_device_needs() {
                cases().hold(SOFTWARE, &elements());
            }

            #[test]
            fn in_whole_numbers() {
                let off = Operations { division: false, sqrt: false, ..SOFTWARE.of_f32 };
                let exactness = Exactness { of_f32: off, of_f64: off, f64: false, ..SOFTWARE };
                cases().hold(exactness, &elements());
            }

            /// Of sums whose rounding errors, other sums and products are taken.
            fn add_simplified(cases: &mut Cases, ty: Type) {
                let bits = |x: $float| Bits::from(x.to_bits());
                let binary =
                    |graph: &mut Graph, op, a, b| graph.add(Operation::Binary(op, a, b), ty);
                cases.add(
                    "a + b - a",
                    ty,
                    |graph, x| {
                        let sum = binary(graph, Binary::Add, x[0], x[1]);
                        Operation::Binary(Binary::Sub, sum, x[0])
                    },
                    move |x| bits(float(x[0]) + float(x[1]) - float(x[0])),
                );
                cases.add(
                    "a b + c",
                    ty,
                    |graph, x| {
                        let product = binary(graph, Binary::Mul, x[0], x[1]);
                        Operation::Binary(Binary::Add, product, x[2])
                    },
                    move |x| bits(float(x[0]) * float(x[1]) + float(x[2])),
                );
                cases.add(
                    "a + (-a)",
                    ty,
                    |graph, x| {
                        let opposite = graph.add(Operation::Unary(Unary::Neg, x[0]), ty);
                        Operation::Binary(Binary::Add, x[0], opposite)
                    },
                    move |x| bits(float(x[0]) + -float(x[0])),
                );
                cases.add(
                    "a - floor a",
                    ty,
                    |graph, x| {
                        let floor = graph.add(Operation::Unary(Unary::Floor, x[0]), ty);
                        Operation::Binary(Binary::Sub, x[0], floor)
                    },
                    move |x| bits(float(x[0]) - float(x[0]).floor()),
                );
                cases.add(
                    "a b + a c",
                    ty,
                    |graph, x| {
                        let (left, right) = (
                            binary(graph, Binary::Mul, x[0], x[1]),
                            binary(graph, Binary::Mul, x[0], x[2]),
                        );
                        Operation::Binary(Binary::Add, left, right)
                    },
                    move |x| bits(float(x[0]) * float(x[1]) + float(x[0]) * float(x[2])),
                );
            }

            /// Each special value as a constant, alone and beside an operand.
            fn add_constants(cases: &mut Cases, ty: Type, special: &[Bits]) {
                let bits = |x: $float| Bits::from(x.to_bits());
                for &constant in special.iter().take(40) {
                    let mut binary = |name: &str, op, expected: fn($float, $float) -> $float| {
                        let of = move |x: &[Bits]| bits(expected(float(x[0]), float(constant)));
                        cases.add(
                            format!("{name} of {:?}", float(constant)),
                            ty,
                            |graph, x| Operation::Binary(op, x[0], graph.constant(constant, ty)),
                            of,
                        );
                    };
                    binary("add", Binary::Add, |a, b| a + b);
                    binary("mul", Binary::Mul, |a, b| a * b);
                    binary("div", Binary::Div, |a, b| a / b);
                    binary("maximum", Binary::Maximum, Ordered::maximum);
                }
            }
        }
    };
}

float!(single, f32, u32, Type::F32);
float!(double, f64, u64, Type::F64);

/// Comparisons, their opposites, and what they choose.
pub(crate) fn add_flags(cases: &mut Cases, ty: Type, holds: fn(Compare, Bits, Bits) -> bool) {
    for compare in [Compare::Less, Compare::LessOrEqual, Compare::Equal] {
        let node = |graph: &mut Graph, a: Id, b: Id| {
            graph.add(Operation::Compare(compare, a, b), Type::Flag)
        };
        cases.add(
            format!("{compare:?}"),
            Type::Flag,
            |_, x| Operation::Compare(compare, x[0], x[1]),
            move |x| holds(compare, x[0], x[1]).into(),
        );
        cases.add(
            format!("{compare:?} of one"),
            Type::Flag,
            |_, x| Operation::Compare(compare, x[0], x[0]),
            move |x| holds(compare, x[0], x[0]).into(),
        );
        cases.add(
            format!("not {compare:?}"),
            Type::Flag,
            |graph, x| Operation::Unary(Unary::Not, node(graph, x[0], x[1])),
            move |x| (!holds(compare, x[0], x[1])).into(),
        );
        for (yes, no) in [(0, 1), (1, 0)] {
            cases.add(
                format!("{yes} if {compare:?} else {no}"),
                ty,
                |graph, x| Operation::Select(node(graph, x[0], x[1]), x[yes], x[no]),
                move |x| if holds(compare, x[0], x[1]) { x[yes] } else { x[no] },
            );
        }
    }
}
