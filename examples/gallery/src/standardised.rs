//! Mean and variance together; layer norm: elements less their mean, over the deviation.

use reduce_core::adapt::Beside;
use reduce_core::bounds::Store;
use reduce_core::{Emit, EmitBeside, Real, ReduceOp, Reduction, bf16, f16, reduce_op};

use crate::shifted::Shifted;

/// The mean, and the variance, which is as accurate as that of [`Variance`](crate::Variance).
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::MeanVariance;
/// let data = View::new(&[1.0f32, 2.0, 3.0, 4.0], &[4])?;
/// let (mean, variance) = Reduction::new(MeanVariance).run(&data)?;
/// assert_eq!((mean.data(), variance.data()), (&[2.5][..], &[1.25][..]));
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MeanVariance;

/// The mean, and the mean of the squared distances from it.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64])]
impl<A: Real> ReduceOp<A> for MeanVariance {
    type Acc = Shifted<A>;
    type Output = (A, A);

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

    fn finalize(&self, acc: Shifted<A>, count: usize) -> (A, A) {
        let weight = A::from_count(count);
        (Mean::of(acc, weight).rounded(), acc.spread(weight) / weight)
    }

    fn doubts(&self, acc: &Shifted<A>, _count: usize) -> bool {
        acc.has_overflowed()
    }
}

/// Emits elements less their mean, over the deviation: standardised, or as layer norm with a scale and a bias beside them. Its
/// results are those of [`MeanVariance`].
///
/// A mean that is rounded to `f32` lies up to half a step of its size away. For elements around 10⁶ that is 0.03, and all that is
/// emitted would be as far off. So the mean is kept in two parts, [`Mean`]. Over up to 10⁶ elements in `f32`, what is emitted is
/// within `1e-4 (1 + |e|)` of the exact `e`, wherever one element lies. `docs/accuracy.md` has what was measured. Elements beyond
/// 10¹⁹, whose squares are no `f32`, are as others, though their variance is stored as infinity:
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::LayerNorm;
/// let data = View::new(&[1e30f32, -1e30, 1e30, -1e30], &[4])?;
/// let standardised = Reduction::new(LayerNorm::default()).emit(&data)?;
/// assert_eq!(standardised.data(), [1.0, -1.0, 1.0, -1.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LayerNorm {
    /// What is added to the variance before the root is taken of it, which elements are divided by. No result has it.
    pub epsilon: f64,
}

impl Default for LayerNorm {
    /// With an epsilon of 1e-5.
    fn default() -> Self {
        LayerNorm { epsilon: 1e-5 }
    }
}

/// Layer norm: over each set, elements less their mean, over the deviation, times a scale, plus a bias. What is added to the
/// variance is `epsilon`.
///
/// The three inputs are the elements, the scale and the bias. The last two broadcast with the first, and need not have its
/// shape. Over the axes of images, it is instance norm, or group norm.
///
/// ```
/// use reduce_core::View;
/// use reduce_gallery::layer_norm;
/// let rows = View::new(&[1.0f32, 3.0, 10.0, 50.0], &[2, 2])?;
/// let (scale, bias) = (View::new(&[2.0f32, 1.0], &[2])?, View::new(&[0.5f32], &[1])?);
/// let norm = layer_norm(1e-12).axes([1]).emit(&(rows, scale, bias))?;
/// assert_eq!(norm.data(), [-1.5, 1.5, -1.5, 1.5]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
pub fn layer_norm(epsilon: f64) -> Reduction<Beside<LayerNorm, 1>> {
    Reduction::new(LayerNorm { epsilon }).beside::<1>()
}

/// A mean, kept as a number near it and the small rest; stored as one number.
#[derive(Clone, Copy, Debug)]
pub struct Mean<A> {
    shift: A,
    offset: A,
}

impl<A: Real> Mean<A> {
    /// NaN with an infinite element, whether that is the shift or not.
    #[inline(always)]
    fn of(acc: Shifted<A>, weight: A) -> Self {
        Mean { shift: acc.shift, offset: acc.offset(weight) + acc.offset(weight) * A::ZERO }
    }

    #[inline(always)]
    fn rounded(self) -> A {
        self.shift + self.offset
    }
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
                <$type>::store(mean.rounded())
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

/// The mean, and the mean of the squared distances from it; elements less the one, over the root of the other.
#[reduce_op(
    dtypes = [f16 => f32, bf16 => f32, f32, f64],
    attrs = [axes: ints = all, keepdims: bool = true, epsilon: float = 1e-5 in 0.0..],
    emits = [alone, beside(2)],
)]
impl<A: Real> ReduceOp<A> for LayerNorm {
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
        let weight = A::from_count(count);
        let variance = acc.spread(weight) / weight;
        let inverse = A::ONE / (variance + A::from_f64(self.epsilon)).sqrt();
        (Mean::of(acc, weight), Spread { variance, inverse })
    }

    fn doubts(&self, acc: &Shifted<A>, _count: usize) -> bool {
        acc.has_overflowed()
    }
}

/// Standardised.
impl<A: Real> Emit<A> for LayerNorm {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, (mean, spread): &(Mean<A>, Spread<A>)) -> A {
        // The first difference is rounded at its own size at most: the shift is near the mean.
        ((x - mean.shift) - mean.offset) * spread.inverse
    }
}

/// Standardised, scaled, and with a bias added.
impl<A: Real> EmitBeside<A> for LayerNorm {
    type Beside = (A, A);
    type Emitted = A;

    #[inline(always)]
    fn emit_beside(&self, x: A, (scale, bias): (A, A), result: &(Mean<A>, Spread<A>)) -> A {
        self.emit(x, result).mul_add(scale, bias)
    }
}
