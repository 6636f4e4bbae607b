//! Every shape of accumulator: named, tuple, nested, generic, bounded.

use reduce_core::{Accumulator, Num, Real, ReduceOp, Reduction, View, reduce_op};

#[derive(Clone, Copy, Debug, PartialEq, Accumulator)]
struct Pair<A, B>(A, B)
where
    A: Num;

#[derive(Clone, Copy, Debug, Accumulator)]
struct Nested<A: Num> {
    pair: Pair<A, bool>,
    extremes: (A, A),
    r#type: u8,
}

#[derive(Default)]
struct Range;

/// The distance of the extremes.
#[reduce_op(dtypes = [f64])]
impl<A: Real> ReduceOp<A> for Range {
    type Acc = Nested<A>;
    type Output = A;
    fn identity(&self) -> Nested<A> {
        Nested { pair: Pair(A::ZERO, false), extremes: (A::INFINITY, A::NEG_INFINITY), r#type: 0 }
    }
    fn map(&self, x: A) -> Nested<A> {
        Nested { pair: Pair(x, x < A::ZERO), extremes: (x, x), r#type: 1 }
    }
    fn combine(&self, a: Nested<A>, b: Nested<A>) -> Nested<A> {
        let low = if a.extremes.0 < b.extremes.0 { a.extremes.0 } else { b.extremes.0 };
        let high = if a.extremes.1 > b.extremes.1 { a.extremes.1 } else { b.extremes.1 };
        let pair = Pair(a.pair.0 + b.pair.0, a.pair.1 | b.pair.1);
        Nested { pair, extremes: (low, high), r#type: a.r#type | b.r#type }
    }
    fn finalize(&self, acc: Nested<A>, _count: usize) -> A {
        acc.extremes.1 - acc.extremes.0 + acc.pair.0 - acc.pair.0
    }
}

pub fn main() {
    let view = View::new(&[1.0, -2.0, 8.0], &[3]).unwrap();
    assert_eq!(Reduction::new(Range).run(&view).unwrap().data(), [10.0]);
    let lanes = Pair(1.0, 2u8).splat::<4>();
    assert_eq!(Pair::<f64, u8>::get(&lanes, 3), Pair(1.0, 2));
}
