//! Several inputs, walked together; types that differ from input to input.

use reduce_core::{Accumulator, Indexed, Num, Ordered, Real, ReduceOp, Reduction, View, f16, reduce_op};

#[derive(Clone, Copy, Debug, Default)]
struct Dot;

/// The sum of products.
#[reduce_op(dtypes = [f32, f64, i32, (f16, f32) => f32, f16 => f32])]
impl<A: Num> ReduceOp<(A, A)> for Dot {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, (x, y): (A, A)) -> A { x * y }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, sum: A, _count: usize) -> A { sum }
}

#[derive(Clone, Copy, Debug, Default)]
struct MaskedMean;

#[derive(Clone, Copy, Debug, Accumulator)]
struct Chosen<A> {
    sum: A,
    count: A,
}

/// The mean where the mask is true.
#[reduce_op(dtypes = [f32, f64], nan = unspecified)]
impl<A: Real> ReduceOp<(A, bool)> for MaskedMean {
    type Acc = Chosen<A>;
    type Output = A;
    fn identity(&self) -> Chosen<A> { Chosen { sum: A::ZERO, count: A::ZERO } }
    fn map(&self, (x, chosen): (A, bool)) -> Chosen<A> {
        if chosen { Chosen { sum: x, count: A::ONE } } else { self.identity() }
    }
    fn combine(&self, a: Chosen<A>, b: Chosen<A>) -> Chosen<A> {
        Chosen { sum: a.sum + b.sum, count: a.count + b.count }
    }
    fn finalize(&self, acc: Chosen<A>, _count: usize) -> A { acc.sum / acc.count }
}

#[derive(Clone, Copy, Debug, Default)]
struct NearestPair;

/// Where two lists are nearest to each other, and how near.
#[reduce_op(dtypes = [f32], empty = error)]
impl<A: Real + Ordered> ReduceOp<Indexed<(A, A)>> for NearestPair {
    type Acc = Indexed<A>;
    type Output = (A, i64);
    fn identity(&self) -> Indexed<A> { Indexed { value: A::HIGHEST, index: u64::MAX } }
    fn map(&self, x: Indexed<(A, A)>) -> Indexed<A> {
        Indexed { value: (x.value.0 - x.value.1).abs(), index: x.index }
    }
    fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
        let less = (b.value < a.value) | (b.value.is_nan() & !a.value.is_nan());
        let is_b = less | (b.value.is_same(a.value) & (b.index < a.index));
        if is_b { b } else { a }
    }
    fn finalize(&self, acc: Indexed<A>, _count: usize) -> (A, i64) {
        (acc.value, acc.index.cast_signed())
    }
}

pub fn main() {
    run().expect("valid");
}

fn run() -> Result<(), reduce_core::Error> {
    let (x, y) = ([1.0f32, 2.0, 3.0, 4.0], [10.0f32, 1.0]);
    let (rows, weights) = (View::new(&x, &[2, 2])?, View::new(&y, &[2])?);
    let dot = Reduction::new(Dot).axes([1]).run(&(rows.clone(), weights.clone()))?;
    assert_eq!(dot.data(), [12.0, 34.0]);

    let halves = x.map(f16::from_f32);
    let other = View::new(&halves, &[2, 2])?;
    let mixed = Reduction::new(Dot).axes([1]).run(&(other, weights.clone()))?;
    assert_eq!(mixed.data().iter().map(|x| x.to_f32()).collect::<Vec<_>>(), [12.0, 34.0]);

    let mask = [true, false, true, true];
    let mean = Reduction::new(MaskedMean).run(&(rows.clone(), View::new(&mask, &[2, 2])?))?;
    assert_eq!(mean.data(), [8.0f32 / 3.0]);

    let (distance, place) = Reduction::new(NearestPair).axes([1]).run(&(rows, weights))?;
    assert_eq!((distance.data(), place.data()), (&[1.0f32, 3.0][..], &[1i64, 1][..]));
    Ok(())
}
