//! Specs as a crate of any edition writes them; compiled under each.

use reduce_core::reduce_op;
use reduce_core::{Accumulator, Emit, Indexed, Num, Ordered, Real, ReduceOp, Reduction, View};

#[derive(Clone, Copy, Debug, Accumulator)]
struct Moments<A> {
    sum: A,
    squares: A,
}

/// The power mean, of an exponent that is spelt with a word of the language.
#[derive(Clone, Copy, Debug)]
struct PowerSum {
    r#dyn: i64,
}

impl Default for PowerSum {
    fn default() -> Self {
        PowerSum { r#dyn: 1 }
    }
}

#[reduce_op(
    dtypes = { 1.. => [f32, i32 => i64], 13.. => [f16 => f32] },
    attrs = { 1.. => [axes: ints = all, keepdims: bool = false], 13.. => [dyn: int = 1 in 1..=2] },
    nan = unspecified,
)]
impl<A: Num> ReduceOp<A> for PowerSum {
    type Acc = Moments<A>;
    type Output = A;

    fn identity(&self) -> Moments<A> {
        Moments { sum: A::ZERO, squares: A::ZERO }
    }

    fn map(&self, x: A) -> Moments<A> {
        Moments { sum: x, squares: x * x }
    }

    fn combine(&self, a: Moments<A>, b: Moments<A>) -> Moments<A> {
        Moments { sum: a.sum + b.sum, squares: a.squares + b.squares }
    }

    fn finalize(&self, moments: Moments<A>, _count: usize) -> A {
        if self.r#dyn == 2 {
            moments.squares
        } else {
            moments.sum
        }
    }
}

/// The first of the largest.
#[derive(Clone, Copy, Debug, Default)]
struct Largest;

#[reduce_op(dtypes = [f32], output = i64, empty = error)]
impl<A: Ordered> ReduceOp<Indexed<A>> for Largest {
    type Acc = Indexed<A>;
    type Output = i64;

    fn identity(&self) -> Indexed<A> {
        Indexed { value: A::LOWEST, index: u64::MAX }
    }

    fn map(&self, x: Indexed<A>) -> Indexed<A> {
        x
    }

    fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
        let first = b.index < a.index;
        let larger = (b.value > a.value) | (b.value.is_nan() & !a.value.is_nan());
        let wins = (larger & !a.value.is_nan()) | (b.value.is_same(a.value) & first);
        if wins {
            b
        } else {
            a
        }
    }

    fn finalize(&self, best: Indexed<A>, _count: usize) -> i64 {
        best.index.cast_signed()
    }
}

/// Subtracts the mean.
#[derive(Clone, Copy, Debug, Default)]
struct Centre;

#[reduce_op(dtypes = [f64])]
impl<A: Real> ReduceOp<A> for Centre {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, count: usize) -> A {
        sum.div_count(count)
    }
}

impl<A: Real> Emit<A> for Centre {
    type Emitted = A;

    fn emit(&self, x: A, mean: &A) -> A {
        x - *mean
    }
}

#[test]
fn specs_of_any_edition_run() {
    let data = [1.0f32, 3.0, 3.0, 2.0];
    let view = View::new(&data, &[2, 2]).expect("valid");
    let powers = Reduction::new(PowerSum { r#dyn: 2 }).axes([1]).run(&view).expect("valid");
    assert_eq!(powers.data(), [10.0, 13.0]);
    let largest = Reduction::new(Largest).run(&view).expect("valid");
    assert_eq!(largest.data(), [1]);
    let data = [1.0f64, 3.0];
    let centred =
        Reduction::new(Centre).emit(&View::new(&data, &[2]).expect("valid")).expect("valid");
    assert_eq!(centred.data(), [-1.0, 1.0]);
}
