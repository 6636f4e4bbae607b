//! Distances between distributions.

use reduce_core::{Accumulator, Real, ReduceOp, reduce_op};

use crate::softmax::MaxSum;

/// The cross-entropy of logits, against the class that a mask marks.
///
/// It is what [`LogSoftmax`](crate::LogSoftmax) gives that class, with the other sign. So it has the accuracy of its own size for
/// logits of any size. It is 0 where the marked logit is +∞, and +∞ where all are −∞. If several are marked, all are subtracted.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::CrossEntropy;
/// let logits = View::new(&[0.0f32, 0.0, 0.0, 0.0], &[2, 2])?;
/// let labels = View::new(&[true, false, false, true], &[2, 2])?;
/// let losses = Reduction::new(CrossEntropy).axes([1]).run(&(logits, labels))?;
/// assert!(losses.data().iter().all(|loss| (loss - 2f32.ln()).abs() < 1e-6));
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CrossEntropy;

/// The logits' exponentials, and the sum of the marked logits.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Logits<A> {
    exponentials: MaxSum<A>,
    marked: A,
}

/// The logarithm of the sum of exponentials, less the marked logit.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64])]
impl<A: Real> ReduceOp<(A, bool)> for CrossEntropy {
    type Acc = Logits<A>;
    type Output = A;

    fn identity(&self) -> Logits<A> {
        Logits { exponentials: MaxSum::none(), marked: A::ZERO }
    }

    fn map(&self, (x, is_marked): (A, bool)) -> Logits<A> {
        let marked = if is_marked { x } else { A::ZERO };
        Logits { exponentials: MaxSum::of(x), marked }
    }

    fn combine(&self, a: Logits<A>, b: Logits<A>) -> Logits<A> {
        let exponentials = a.exponentials.merge(b.exponentials);
        Logits { exponentials, marked: a.marked + b.marked }
    }

    fn finalize(&self, acc: Logits<A>, _count: usize) -> A {
        -acc.exponentials.total().share(acc.marked)
    }
}

/// The Kullback–Leibler divergence of one distribution, the first input, from another, in nats.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Divergence;
/// let p = View::new(&[1.0f32, 0.0], &[2])?;
/// let q = View::new(&[0.5f32, 0.5], &[2])?;
/// let divergence = Reduction::new(Divergence).run(&(p, q))?;
/// assert!((divergence.data()[0] - 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Divergence;

/// The sum of `p ln(p / q)`; a share `p` of 0 adds nothing.
#[reduce_op(dtypes = [f32, f64])]
impl<A: Real> ReduceOp<(A, A)> for Divergence {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, (p, q): (A, A)) -> A {
        // The logarithm of 0 is -∞, and 0 times that is no number.
        let term = p * (p.ln() - q.ln());
        if p == A::ZERO { q * A::ZERO } else { term }
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}
