//! A hash of a sequence, for which order matters.

use reduce_core::{Accumulator, Num, ReduceOp, reduce_op};

/// A polynomial hash: elements are the coefficients, `base` the argument, modulo 2⁶⁴.
///
/// ```
/// use reduce_core::{Reduction, Stream, View};
/// use reduce_gallery::PolynomialHash;
/// let hash = Reduction::new(PolynomialHash { base: 31 });
/// let text = View::new(b"ab", &[2])?;
/// assert_eq!(hash.run(&text)?.data(), [31 * 97 + 98]);
///
/// let mut stream = Stream::over(hash);
/// stream.update(&View::new(b"a", &[1])?)?;
/// stream.update(&View::new(b"b", &[1])?)?;
/// assert_eq!(stream.finish()?.data(), [31 * 97 + 98]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PolynomialHash {
    /// The argument of the polynomial.
    pub base: i64,
}

impl Default for PolynomialHash {
    fn default() -> Self {
        PolynomialHash { base: 1_099_511_628_211 }
    }
}

/// The hash of some elements, and the power of the base by which what stands before them
/// is multiplied.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Hash<A> {
    hash: A,
    power: A,
}

/// The sum of each element times the base to the number of elements behind it.
#[reduce_op(
    dtypes = [u8 => u64, u64],
    output = u64,
    attrs = [axes: ints = all, keepdims: bool = true, base: int = 1_099_511_628_211],
    commutative = false,
)]
impl<A: Num> ReduceOp<A> for PolynomialHash {
    type Acc = Hash<A>;
    type Output = A;

    fn identity(&self) -> Hash<A> {
        Hash { hash: A::ZERO, power: A::ONE }
    }

    fn map(&self, x: A) -> Hash<A> {
        Hash { hash: x, power: A::from_int(self.base) }
    }

    fn push(&self, acc: Hash<A>, x: A) -> Hash<A> {
        let base = A::from_int(self.base);
        Hash { hash: acc.hash * base + x, power: acc.power * base }
    }

    fn combine(&self, a: Hash<A>, b: Hash<A>) -> Hash<A> {
        Hash { hash: a.hash * b.power + b.hash, power: a.power * b.power }
    }

    fn finalize(&self, acc: Hash<A>, _count: usize) -> A {
        acc.hash
    }
}
