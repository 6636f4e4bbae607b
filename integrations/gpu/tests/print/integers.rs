//! Operations on integers, places and flags.

use reduce_core::Ordered;
use reduce_gpu::graph::{Binary, Bits, Compare, Operation, Shift, Type, Unary};

use crate::cases::{Cases, Random, triples};
use crate::device::SOFTWARE;
use crate::floats::add_flags;
use crate::numbers::{Number, random_integer, special_integers};

/// A binary operation of Rust.
type Of<T> = fn(T, T) -> T;

fn add_binary<T: Number>(cases: &mut Cases, ty: Type, operations: &[(Binary, Of<T>)]) {
    for &(op, expected) in operations {
        cases.add(
            format!("{op:?}"),
            ty,
            |_, x| Operation::Binary(op, x[0], x[1]),
            move |x| expected(T::of(x[0]), T::of(x[1])).bits(),
        );
    }
}

macro_rules! integers {
    ($($int:ident)*) => {$(
        #[test]
        fn $int() {
            let ty = <$int as Number>::TYPE;
            let mut cases = Cases::new(&[ty; 3]);
            add_binary::<$int>(&mut cases, ty, &[
                (Binary::Add, $int::wrapping_add),
                (Binary::Sub, $int::wrapping_sub),
                (Binary::Mul, $int::wrapping_mul),
                (Binary::Div, |a, b| if b == 0 { 0 } else { a.wrapping_div(b) }),
                (Binary::Maximum, Ord::max),
                (Binary::Minimum, Ord::min),
                (Binary::And, |a, b| a & b),
                (Binary::Or, |a, b| a | b),
                (Binary::Xor, |a, b| a ^ b),
            ]);
            cases.add("neg", ty, |_, x| Operation::Unary(Unary::Neg, x[0]), |x| {
                Number::bits($int::of(x[0]).wrapping_neg())
            });
            cases.add("abs", ty, |_, x| Operation::Unary(Unary::Abs, x[0]), |x| {
                Number::bits(reduce_core::Num::abs(std::num::Wrapping($int::of(x[0]))).0)
            });
            cases.add("mul_add", ty, |_, x| Operation::MulAdd(x[0], x[1], x[2]), |x| {
                let [a, b, c] = [0, 1, 2].map(|i| $int::of(x[i]));
                Number::bits(a.wrapping_mul(b).wrapping_add(c))
            });
            for by in [0, 1, 7, 15, 16, 31, 32, 33, 52, 63, 64, 65, 100, 127] {
                if u32::from(by) < $int::BITS {
                    let all = Bits::MAX >> (128 - $int::BITS);
                    let node = |shift| move |x: &[u32]| Operation::Shift(shift, x[0], by);
                    let (left, right) = (node(Shift::Left), node(Shift::Right));
                    cases.add(format!("<< {by}"), ty, |_, x| left(x), move |x| x[0] << by & all);
                    cases.add(format!(">> {by}"), ty, |_, x| right(x), move |x| x[0] >> by);
                }
            }
            add_flags(&mut cases, ty, |compare, a, b| match compare {
                Compare::Less => $int::of(a) < $int::of(b),
                Compare::LessOrEqual => $int::of(a) <= $int::of(b),
                Compare::Equal => a == b,
            });
            for constant in special_integers(ty) {
                let operation = move |x: &[Bits]| $int::of(x[0]).wrapping_add($int::of(constant));
                cases.add(format!("+ {constant:x}"), ty, |graph, x| {
                    Operation::Binary(Binary::Add, x[0], graph.constant(constant, ty))
                }, move |x| Number::bits(operation(x)));
            }
            let mut random = Random::new();
            let elements = triples(&special_integers(ty), 5000, || random_integer(&mut random, ty));
            cases.hold(SOFTWARE, &elements);
        }
    )*};
}

integers! { i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 }

/// A place is as many bits of the CPU as the device has, or the last one.
#[test]
fn places() {
    let ty = Type::Place;
    let places = |mut special: Vec<Bits>| {
        special.retain(|bits| *bits < u32::MAX.into());
        special.push(u64::MAX.into());
        special
    };
    let mut cases = Cases::new(&[ty; 3]);
    add_binary::<u64>(&mut cases, ty, &[(Binary::Maximum, Ord::max), (Binary::Minimum, Ord::min)]);
    let sum =
        |x: &[Bits]| if x[0] == u64::MAX.into() { x[0] } else { (x[0] & 0xffff) + (x[1] & 0xffff) };
    cases.add(
        "add",
        ty,
        |graph, x| {
            // No sum of places leaves what the device has.
            let low = graph.constant(0xffff, ty);
            let [a, b] = [0, 1].map(|i| graph.add(Operation::Binary(Binary::And, x[i], low), ty));
            let sum = graph.add(Operation::Binary(Binary::Add, a, b), ty);
            let last = graph.constant(u64::MAX.into(), ty);
            let is_last = graph.add(Operation::Compare(Compare::Equal, x[0], last), Type::Flag);
            Operation::Select(is_last, last, sum)
        },
        sum,
    );
    add_flags(&mut cases, ty, |compare, a, b| match compare {
        Compare::Less => a < b,
        Compare::LessOrEqual => a <= b,
        Compare::Equal => a == b,
    });
    cases.hold(SOFTWARE, &triples(&places(special_integers(Type::U32)), 0, || 0));
}

#[test]
fn flags() {
    let ty = Type::Flag;
    let mut cases = Cases::new(&[ty; 3]);
    let operations: [(Binary, Of<bool>); 5] = [
        (Binary::And, |a, b| a & b),
        (Binary::Or, |a, b| a | b),
        (Binary::Xor, |a, b| a ^ b),
        (Binary::Maximum, Ordered::maximum),
        (Binary::Minimum, Ordered::minimum),
    ];
    for (op, expected) in operations {
        cases.add(
            format!("{op:?}"),
            ty,
            |_, x| Operation::Binary(op, x[0], x[1]),
            move |x| expected(x[0] != 0, x[1] != 0).into(),
        );
    }
    add_flags(&mut cases, ty, |compare, a, b| match compare {
        Compare::Less => a < b,
        Compare::LessOrEqual => a <= b,
        Compare::Equal => a == b,
    });
    cases.hold(SOFTWARE, &triples(&[0, 1], 0, || 0));
}
