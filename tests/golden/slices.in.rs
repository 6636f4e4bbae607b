use reduce_core::Real;
use reduce_core::bounds::{Indices, ReduceSlice};

#[derive(Clone, Copy, Debug)]
pub struct Powers {
    n: i64,
}

impl Default for Powers {
    fn default() -> Self {
        Powers { n: 2 }
    }
}

/// The means of the first powers of the elements.
#[reduce_core::reduce_op(
    dtypes = [f32 => f64, f64],
    attrs = [axes: ints = all, n: int = 2 in 1..],
    length = n,
    output = f64,
)]
impl<A: Real> ReduceSlice<A> for Powers {
    type Cell = A;
    type Output = A;

    fn identity(&self, _index: usize) -> A {
        A::ZERO
    }

    fn push(&self, sums: &mut [A], elements: &[A], _indices: Indices<'_>) {
        for &x in elements {
            let mut power = A::ONE;
            for sum in &mut *sums {
                power = power * x;
                *sum = *sum + power;
            }
        }
    }

    fn combine(&self, sums: &mut [A], later: &[A]) {
        for (sum, &more) in sums.iter_mut().zip(later) {
            *sum = *sum + more;
        }
    }

    fn finalize(&self, sums: &[A], index: usize, count: usize) -> A {
        sums[index].div_count(count)
    }

    fn refuses(&self) -> Option<String> {
        (self.n > 100).then(|| "`n` is above 100; give less".to_owned())
    }
}
