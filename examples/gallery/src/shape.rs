//! Skewness and kurtosis.

use reduce_core::{Accumulator, Real, ReduceOp, reduce_op};

/// How lopsided a distribution is, and how heavy its tails.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Shape;
/// let data = View::new(&[1.0f64, 2.0, 3.0, 4.0, 5.0], &[5])?;
/// let (skewness, kurtosis) = Reduction::new(Shape).run(&data)?;
/// assert!(skewness.data()[0].abs() < 1e-12 && (kurtosis.data()[0] - 1.7).abs() < 1e-12);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape;

/// How many elements, and sums of powers of their distances from a shift, one of them.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Powers<A> {
    shift: A,
    count: A,
    first: A,
    second: A,
    third: A,
    fourth: A,
}

/// The skewness and the kurtosis of the elements: the third and the fourth power of
/// distances from the mean, on average, in units of the deviation.
#[reduce_op(dtypes = [f32 => f64, f64], lanes = 16)]
impl<A: Real> ReduceOp<A> for Shape {
    type Acc = Powers<A>;
    type Output = (A, A);

    fn identity(&self) -> Powers<A> {
        let zero = A::ZERO;
        Powers { shift: zero, count: zero, first: zero, second: zero, third: zero, fourth: zero }
    }

    fn map(&self, x: A) -> Powers<A> {
        Powers { shift: x, count: A::ONE, ..ReduceOp::<A>::identity(self) }
    }

    /// An element is counted from the shift, which the first one sets.
    fn push(&self, acc: Powers<A>, x: A) -> Powers<A> {
        let shift = if acc.count == A::ZERO { x } else { acc.shift };
        let distance = x - shift;
        let square = distance * distance;
        Powers {
            shift,
            count: acc.count + A::ONE,
            first: acc.first + distance,
            second: acc.second + square,
            third: square.mul_add(distance, acc.third),
            fourth: square.mul_add(square, acc.fourth),
        }
    }

    /// The second set moved to the shift of the first, by the binomial theorem.
    fn combine(&self, a: Powers<A>, b: Powers<A>) -> Powers<A> {
        let shift = if a.count == A::ZERO { b.shift } else { a.shift };
        let d = b.shift - shift;
        let (two, three) = (A::ONE + A::ONE, A::ONE + A::ONE + A::ONE);
        let (six, four) = (three + three, two + two);
        let first = b.first + d * b.count;
        let second = b.second + d * (two * b.first + d * b.count);
        let third = b.third + d * (three * b.second + d * (three * b.first + d * b.count));
        let rest = six * b.second + d * (four * b.first + d * b.count);
        let fourth = b.fourth + d * (four * b.third + d * rest);
        Powers {
            shift,
            count: a.count + b.count,
            first: a.first + first,
            second: a.second + second,
            third: a.third + third,
            fourth: a.fourth + fourth,
        }
    }

    fn finalize(&self, acc: Powers<A>, count: usize) -> (A, A) {
        let [m, s2, s3, s4] =
            [acc.first, acc.second, acc.third, acc.fourth].map(|sum| sum.div_count(count));
        let (two, three) = (A::ONE + A::ONE, A::ONE + A::ONE + A::ONE);
        let variance = s2 - m * m;
        let third = s3 - m * (three * s2 - two * m * m);
        let fourth = s4 - m * (two * two * s3 - m * (three * two * s2 - three * m * m));
        // NaN for an infinite element: it has no distance from any.
        let nan = acc.shift * A::ZERO;
        (third / (variance * variance.sqrt()) + nan, fourth / (variance * variance) + nan)
    }

    /// Elements that are all the same have no shape, however they are computed.
    fn doubts(&self, acc: &Powers<A>, count: usize) -> bool {
        let least = A::MIN_POSITIVE * A::from_count(count);
        !acc.fourth.is_finite() | ((acc.fourth < least) & (acc.second > A::ZERO))
    }
}
