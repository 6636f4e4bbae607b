//! Skewness and kurtosis.

use reduce_core::{Accumulator, Real, ReduceOp, reduce_op};

use crate::shifted::half_step;

/// How lopsided a distribution is, and how heavy its tails.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Shape;
/// let data = View::new(&[1.0f64, 2.0, 3.0, 4.0, 5.0], &[5])?;
/// let (skewness, kurtosis) = Reduction::new(Shape::default()).run(&data)?;
/// assert!(skewness.data()[0].abs() < 1e-12 && (kurtosis.data()[0] - 1.7).abs() < 1e-12);
/// let excess = Shape { excess: true, ..Shape::default() };
/// let (_, kurtosis) = Reduction::new(excess).run(&data)?;
/// assert!((kurtosis.data()[0] + 1.3).abs() < 1e-12);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    /// Whether they are estimates from a sample, without the bias of a small one. The skewness of fewer than 3 elements is
    /// then NaN, as the kurtosis of fewer than 4.
    pub sample: bool,
    /// Whether the kurtosis is counted from 3, which is that of a normal distribution.
    pub excess: bool,
}

impl Shape {
    /// The skewness of a sample of `n`, whose own is given.
    #[inline(always)]
    fn of_sample<A: Real>(skewness: A, n: A) -> A {
        let (one, two) = (A::ONE, A::from_int(2));
        if n > two { skewness * (n * (n - one)).sqrt() / (n - two) } else { A::NAN }
    }

    /// The excess of the kurtosis of a sample of `n`, whose own is given.
    #[inline(always)]
    fn excess_of_sample<A: Real>(excess: A, n: A) -> A {
        let (one, two, three) = (A::ONE, A::from_int(2), A::from_int(3));
        let factor = (n - one) / ((n - two) * (n - three));
        if n > three { factor * ((n + one) * excess + two * three) } else { A::NAN }
    }
}

/// How many elements, and sums of powers of their distances from a shift, one of them: as [`Shifted`](crate::shifted::Shifted)
/// has them.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Powers<A> {
    shift: A,
    count: A,
    first: A,
    second: A,
    third: A,
    fourth: A,
}

impl<A: Real> Powers<A> {
    /// Counts the same elements from another shift, by the binomial theorem.
    #[inline(always)]
    fn moved(self, shift: A) -> Self {
        let Powers { count, first: s1, second: s2, third: s3, fourth: s4, .. } = self;
        let d = self.shift - shift;
        let (two, three, six) = (A::from_int(2), A::from_int(3), A::from_int(6));
        Powers {
            shift,
            count,
            first: s1 + d * count,
            second: s2 + d * (two * s1 + d * count),
            third: s3 + d * (three * s2 + d * (three * s1 + d * count)),
            fourth: s4 + d * (two * two * s3 + d * (six * s2 + d * (two * two * s1 + d * count))),
        }
    }

    /// The elements of both, counted from the same shift.
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Powers {
            shift: self.shift,
            count: self.count + other.count,
            first: self.first + other.first,
            second: self.second + other.second,
            third: self.third + other.third,
            fourth: self.fourth + other.fourth,
        }
    }
}

/// The skewness and the kurtosis of the elements: the third and the fourth power of
/// distances from the mean, on average, in units of the deviation.
#[reduce_op(
    dtypes = [f32 => f64, f64],
    attrs = [axes: ints = all, keepdims: bool = true, sample: bool = false, excess: bool = false],
    lanes = 16,
)]
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

    /// Both sets, counted from whichever of their shifts has the smaller fourth powers. A set without elements has none.
    fn combine(&self, a: Powers<A>, b: Powers<A>) -> Powers<A> {
        let (here, there) = (a.plus(b.moved(a.shift)), b.plus(a.moved(b.shift)));
        let is_smaller = (there.fourth < here.fourth) & (b.count != A::ZERO);
        let is_better = is_smaller | (a.count == A::ZERO);
        let either = |here, there| if is_better { there } else { here };
        Powers {
            shift: either(here.shift, there.shift),
            count: here.count,
            first: either(here.first, there.first),
            second: either(here.second, there.second),
            third: either(here.third, there.third),
            fourth: either(here.fourth, there.fourth),
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
        let skewness = third / (variance * variance.sqrt()) + nan;
        let kurtosis = fourth / (variance * variance) + nan;
        if !(self.sample | self.excess) {
            return (skewness, kurtosis);
        }
        let (n, excess) = (A::from_count(count), kurtosis - three);
        let skewness = if self.sample { Shape::of_sample(skewness, n) } else { skewness };
        let excess = if self.sample { Shape::excess_of_sample(excess, n) } else { excess };
        (skewness, if self.excess { excess } else { excess + three })
    }

    /// Elements that are all the same have no shape, however they are computed.
    fn doubts(&self, acc: &Powers<A>, count: usize) -> bool {
        let least = A::MIN_POSITIVE * A::from_count(count);
        let is_small = acc.fourth < least;
        // Fourth powers of distances that are no zeros, at least half a step of the shift's size.
        let step = acc.shift * half_step();
        let are_equal = step * step * (step * step) >= A::MIN_POSITIVE;
        !acc.fourth.is_finite() | (is_small & ((acc.second > A::ZERO) | !are_equal))
    }
}
