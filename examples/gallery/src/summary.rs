//! Four numbers that describe a set, in one pass.

use reduce_core::{Accumulator, Ordered, Real, ReduceOp, reduce_op};

/// The least, the greatest, the mean, and the root mean square.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Summary;
/// let data = View::new(&[1.0f32, -7.0, 1.0, 7.0], &[4])?;
/// let (least, greatest, mean, rms) = Reduction::new(Summary).run(&data)?;
/// assert_eq!((least.data()[0], greatest.data()[0]), (-7.0, 7.0));
/// assert_eq!((mean.data()[0], rms.data()[0]), (0.5, 5.0));
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary;

/// Extrema and sums.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Sums<A> {
    least: A,
    greatest: A,
    sum: A,
    squares: A,
}

/// The least, the greatest, the mean and the root mean square of the elements.
#[reduce_op(dtypes = [f16 => f32, f32, f64], lanes = 32)]
impl<A: Real + Ordered> ReduceOp<A> for Summary {
    type Acc = Sums<A>;
    type Output = (A, A, A, A);

    fn identity(&self) -> Sums<A> {
        Sums { least: A::HIGHEST, greatest: A::LOWEST, sum: A::ZERO, squares: A::ZERO }
    }

    fn map(&self, x: A) -> Sums<A> {
        Sums { least: x, greatest: x, sum: x, squares: x * x }
    }

    fn combine(&self, a: Sums<A>, b: Sums<A>) -> Sums<A> {
        Sums {
            least: if b.least < a.least { b.least } else { a.least },
            greatest: if b.greatest > a.greatest { b.greatest } else { a.greatest },
            sum: a.sum + b.sum,
            squares: a.squares + b.squares,
        }
    }

    // As `combine` with what `map` makes of `x`, in one operation less.
    fn push(&self, acc: Sums<A>, x: A) -> Sums<A> {
        Sums {
            least: if x < acc.least { x } else { acc.least },
            greatest: if x > acc.greatest { x } else { acc.greatest },
            sum: acc.sum + x,
            squares: x.mul_add(x, acc.squares),
        }
    }

    fn finalize(&self, acc: Sums<A>, count: usize) -> (A, A, A, A) {
        // A NaN among the elements is in the squares, and only then are they NaN.
        let of = |x| if acc.squares.is_nan() { acc.squares } else { x };
        let rms = acc.squares.div_count(count).sqrt();
        (of(acc.least), of(acc.greatest), acc.sum.div_count(count), rms)
    }

    fn doubts(&self, acc: &Sums<A>, count: usize) -> bool {
        let least = A::MIN_POSITIVE * A::from_count(count);
        (acc.squares == A::INFINITY) | (acc.squares < least)
    }
}
