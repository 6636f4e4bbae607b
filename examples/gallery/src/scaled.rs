//! Elements over a norm of theirs: RMS norm, and vectors of length 1.

use reduce_core::adapt::Beside;
use reduce_core::bounds::Store;
use reduce_core::{Emit, EmitBeside, Real, ReduceOp, Reduction, bf16, f16, reduce_op};

/// Emits elements over the root of their mean square; with a scale beside them, this is [`rms_norm`]. The result is the root.
///
/// Squares that no number of the type can hold do no harm, as in `ReduceL2`.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::RmsNorm;
/// let rows = View::new(&[3.0f32, -3.0, 1e30, 1e30], &[2, 2])?;
/// let roots = Reduction::new(RmsNorm::default()).axes([1]);
/// assert_eq!(roots.run(&rows)?.data(), [3.0, 1e30]);
/// assert_eq!(roots.emit(&rows)?.data()[2..], [1.0, 1.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RmsNorm {
    /// What is added to the mean square before the root is taken of it, which elements are divided by. No result has it.
    pub epsilon: f64,
}

impl Default for RmsNorm {
    /// With an epsilon of 1e-5.
    fn default() -> Self {
        RmsNorm { epsilon: 1e-5 }
    }
}

/// RMS norm: over each set, elements over the root of their mean square, times a scale. What is added to the mean square
/// is `epsilon`.
///
/// The two inputs are the elements and the scale, which broadcasts with them.
///
/// ```
/// use reduce_core::View;
/// use reduce_gallery::rms_norm;
/// let rows = View::new(&[3.0f32, -3.0, 0.5, 0.5], &[2, 2])?;
/// let scale = View::new(&[1.0f32, 10.0], &[2])?;
/// let norm = rms_norm(0.0).axes([1]).emit(&(rows, scale))?;
/// assert_eq!(norm.data(), [1.0, -10.0, 1.0, 10.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
pub fn rms_norm(epsilon: f64) -> Reduction<Beside<RmsNorm, 1>> {
    Reduction::new(RmsNorm { epsilon }).beside::<1>()
}

/// Emits the vector of length 1 in the direction of a vector. The result is the length of the vector, the root of its sum of squares.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::UnitLength;
/// let vectors = View::new(&[3.0f32, 4.0, 0.0, 0.0], &[2, 2])?;
/// let lengths = Reduction::new(UnitLength::default()).axes([1]);
/// assert_eq!(lengths.run(&vectors)?.data(), [5.0, 0.0]);
/// let units = lengths.emit(&vectors)?;
/// assert!((units.data()[0] - 0.6).abs() < 1e-6);
/// assert_eq!(units.data()[2..], [0.0, 0.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UnitLength {
    /// The least number that elements are divided by. No result has it.
    pub epsilon: f64,
}

impl Default for UnitLength {
    /// With an epsilon of 1e-12.
    fn default() -> Self {
        UnitLength { epsilon: 1e-12 }
    }
}

/// A norm, stored alone, and the inverse of what elements are divided by, since a product is faster than a division.
#[derive(Clone, Copy, Debug)]
pub struct Norm<A> {
    norm: A,
    inverse: A,
}

/// Writes how it is stored as a type.
macro_rules! stored_as {
    ($($type:ty),*) => {$(
        impl<A> Store<Norm<A>> for $type
        where
            $type: Store<A>,
        {
            #[inline(always)]
            fn store(norm: Norm<A>) -> $type {
                <$type>::store(norm.norm)
            }
        }
    )*};
}

stored_as!(f16, bf16, f32, f64);

/// Whether a sum of squares overflowed, or may have lost bits: a square below the least normal number may have lost all of
/// its own.
#[inline(always)]
fn is_doubtful<A: Real>(squares: A, count: usize) -> bool {
    (squares == A::INFINITY) | (squares < A::MIN_POSITIVE * A::from_count(count))
}

/// The root of the mean square.
#[reduce_op(
    dtypes = [f16 => f32, bf16 => f32, f32, f64],
    attrs = [axes: ints = all, keepdims: bool = true, epsilon: float = 1e-5 in 0.0..],
    emits = [alone, beside(1)],
)]
impl<A: Real> ReduceOp<A> for RmsNorm {
    type Acc = A;
    type Output = Norm<A>;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x * x
    }

    fn push(&self, squares: A, x: A) -> A {
        x.mul_add(x, squares)
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, squares: A, count: usize) -> Norm<A> {
        let mean = squares.div_count(count);
        let inverse = A::ONE / (mean + A::from_f64(self.epsilon)).sqrt();
        Norm { norm: mean.sqrt(), inverse }
    }

    fn doubts(&self, squares: &A, count: usize) -> bool {
        is_doubtful(*squares, count)
    }
}

impl<A: Real> Emit<A> for RmsNorm {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, norm: &Norm<A>) -> A {
        x * norm.inverse
    }
}

/// Scaled: RMS norm.
impl<A: Real> EmitBeside<A> for RmsNorm {
    type Beside = A;
    type Emitted = A;

    #[inline(always)]
    fn emit_beside(&self, x: A, scale: A, norm: &Norm<A>) -> A {
        x * norm.inverse * scale
    }
}

/// The root of the sum of squares.
#[reduce_op(
    dtypes = [f16 => f32, bf16 => f32, f32, f64],
    attrs = [axes: ints = all, keepdims: bool = true, epsilon: float = 1e-12 in 0.0..],
    emits = alone,
)]
impl<A: Real> ReduceOp<A> for UnitLength {
    type Acc = A;
    type Output = Norm<A>;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x * x
    }

    fn push(&self, squares: A, x: A) -> A {
        x.mul_add(x, squares)
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, squares: A, _count: usize) -> Norm<A> {
        let (norm, least) = (squares.sqrt(), A::from_f64(self.epsilon));
        let divisor = if norm < least { least } else { norm };
        Norm { norm, inverse: A::ONE / divisor }
    }

    fn doubts(&self, squares: &A, count: usize) -> bool {
        is_doubtful(*squares, count)
    }
}

impl<A: Real> Emit<A> for UnitLength {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, norm: &Norm<A>) -> A {
        x * norm.inverse
    }
}
