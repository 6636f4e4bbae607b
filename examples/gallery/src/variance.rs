//! Mean and variance, accurate wherever the elements lie.

use reduce_core::{Accumulator, Emit, Real, ReduceOp, Store, bf16, f16, reduce_op};

/// The variance; with `correction: 1` that of a sample. NaN if the correction is as large as the number of
/// elements, or larger.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Variance;
/// let data = View::new(&[1.0f32, 2.0, 3.0, 4.0], &[4])?;
/// assert_eq!(Reduction::new(Variance::default()).run(&data)?.data(), [1.25]);
/// assert_eq!(Reduction::new(Variance { correction: 1 }).run(&data)?.data(), [5.0 / 3.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Variance {
    /// What is subtracted from the number of elements.
    pub correction: i64,
}

/// The mean, and the variance; emits elements less the mean, over the deviation.
///
/// A mean that is rounded to `f32` lies up to half a step of its size away, for elements around 10⁶ by
/// 0.03, and all that were emitted with it. So it is kept in two parts, [`Mean`]. Over up to 10⁶ elements
/// in `f32`, the first of them within five deviations of the mean, what is emitted is within
/// `1e-4 (1 + |e|)` of the exact `e`; a tenth of that was measured. Elements beyond 10¹⁹, whose squares are no `f32`,
/// are as others, though their variance is stored as infinity:
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::MeanVariance;
/// let data = View::new(&[1e30f32, -1e30, 1e30, -1e30], &[4])?;
/// let standardised = Reduction::new(MeanVariance).emit(&data)?;
/// assert_eq!(standardised.data(), [1.0, -1.0, 1.0, -1.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MeanVariance;

/// Elements counted from a shift: how many, their sum, the sum of their squares.
///
/// The shift is one of the elements. So the two sums are those of small numbers,
/// and their difference loses little, however far the elements are from zero.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Shifted<A> {
    shift: A,
    count: A,
    sum: A,
    squares: A,
}

impl<A: Real> Shifted<A> {
    #[inline(always)]
    fn none() -> Self {
        Shifted { shift: A::ZERO, count: A::ZERO, sum: A::ZERO, squares: A::ZERO }
    }

    /// One more element; the first is the shift.
    #[inline(always)]
    fn push(self, x: A) -> Self {
        let shift = if self.count == A::ZERO { x } else { self.shift };
        let distance = x - shift;
        let squares = distance.mul_add(distance, self.squares);
        Shifted { shift, count: self.count + A::ONE, sum: self.sum + distance, squares }
    }

    /// Another set, counted from this shift: with its elements moved by `d`, a sum `s` of
    /// `n` gains `n d`, and the squares `2 d s + n d²`.
    #[inline(always)]
    fn merge(self, other: Self) -> Self {
        let shift = if self.count == A::ZERO { other.shift } else { self.shift };
        let distance = other.shift - shift;
        let moved = other.count.mul_add(distance, other.sum);
        Shifted {
            shift,
            count: self.count + other.count,
            sum: self.sum + moved,
            squares: self.squares + distance.mul_add(other.sum + moved, other.squares),
        }
    }

    #[inline(always)]
    fn mean(self, count: usize) -> Mean<A> {
        Mean { shift: self.shift, offset: self.sum.div_count(count) }
    }

    /// Whether a sum has overflowed. Squares that underflow are no part of the variance either.
    #[inline(always)]
    fn has_overflowed(self) -> bool {
        !(self.sum.is_finite() & self.squares.is_finite())
    }

    /// The sum of squared distances from the mean.
    #[inline(always)]
    fn spread(self, count: usize) -> A {
        let mean = self.sum.div_count(count);
        // NaN for an infinite element: it has no distance from any.
        (-mean).mul_add(self.sum, self.squares) + self.shift * A::ZERO
    }
}

/// A mean, as the sum of an element and a small number, of which nothing is lost; stored as one number.
#[derive(Clone, Copy, Debug)]
pub struct Mean<A> {
    shift: A,
    offset: A,
}

/// A variance, stored alone, and the inverse of the deviation, since a product is faster than a division.
#[derive(Clone, Copy, Debug)]
pub struct Spread<A> {
    variance: A,
    inverse: A,
}

/// Writes how the two are stored as a type.
macro_rules! stored_as {
    ($($type:ty),*) => {$(
        impl<A: Real> Store<Mean<A>> for $type
        where
            $type: Store<A>,
        {
            #[inline(always)]
            fn store(mean: Mean<A>) -> $type {
                <$type>::store(mean.shift + mean.offset)
            }
        }

        impl<A> Store<Spread<A>> for $type
        where
            $type: Store<A>,
        {
            #[inline(always)]
            fn store(spread: Spread<A>) -> $type {
                <$type>::store(spread.variance)
            }
        }
    )*};
}

stored_as!(f16, bf16, f32, f64);

/// The mean of the squared distances from the mean.
#[reduce_op(
    dtypes = [f16 => f32, bf16 => f32, f32, f64],
    attrs = [axes: ints = all, keepdims: bool = true, correction: int = 0 in 0..],
)]
impl<A: Real> ReduceOp<A> for Variance {
    type Acc = Shifted<A>;
    type Output = A;

    fn identity(&self) -> Shifted<A> {
        Shifted::none()
    }

    fn map(&self, x: A) -> Shifted<A> {
        Shifted::none().push(x)
    }

    fn push(&self, acc: Shifted<A>, x: A) -> Shifted<A> {
        acc.push(x)
    }

    fn combine(&self, a: Shifted<A>, b: Shifted<A>) -> Shifted<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: Shifted<A>, count: usize) -> A {
        let correction = usize::try_from(self.correction).unwrap_or(0);
        let freedom = count.saturating_sub(correction);
        if freedom == 0 { A::NAN } else { acc.spread(count).div_count(freedom) }
    }

    fn doubts(&self, acc: &Shifted<A>, _count: usize) -> bool {
        acc.has_overflowed()
    }
}

/// The mean, and the mean of the squared distances from it.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64])]
impl<A: Real> ReduceOp<A> for MeanVariance {
    type Acc = Shifted<A>;
    type Output = (Mean<A>, Spread<A>);

    fn identity(&self) -> Shifted<A> {
        Shifted::none()
    }

    fn map(&self, x: A) -> Shifted<A> {
        Shifted::none().push(x)
    }

    fn push(&self, acc: Shifted<A>, x: A) -> Shifted<A> {
        acc.push(x)
    }

    fn combine(&self, a: Shifted<A>, b: Shifted<A>) -> Shifted<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: Shifted<A>, count: usize) -> (Mean<A>, Spread<A>) {
        let variance = acc.spread(count).div_count(count);
        let inverse = A::ONE / (variance + A::from_f64(1e-5)).sqrt();
        (acc.mean(count), Spread { variance, inverse })
    }

    fn doubts(&self, acc: &Shifted<A>, _count: usize) -> bool {
        acc.has_overflowed()
    }
}

/// Standardised, as layer norm does before it scales.
impl<A: Real> Emit<A> for MeanVariance {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, (mean, spread): &(Mean<A>, Spread<A>)) -> A {
        // The first difference is exact, or nearly so: the shift is an element.
        ((x - mean.shift) - mean.offset) * spread.inverse
    }
}
