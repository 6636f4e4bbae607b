//! Operators whose accumulators and results have a length that is known when the program runs.

/// A reduction whose results are arrays, of a length that is a parameter of the operator.
///
/// The accumulator is a slice of *cells*. You say what a cell is, and write four steps as for a
/// [`ReduceOp`](crate::ReduceOp). [`#[reduce_op]`](macro@crate::reduce_op) makes kernels of them. Its key `length` names the
/// parameter that says how long results are.
///
/// ```
/// use reduce_core::bounds::{Indices, ReduceSlice};
/// use reduce_core::{Real, Reduction, View, reduce_op};
///
/// /// The means of the first powers of the elements.
/// #[derive(Clone, Copy, Debug)]
/// struct Powers {
///     n: i64,
/// }
///
/// impl Default for Powers {
///     fn default() -> Self {
///         Powers { n: 2 }
///     }
/// }
///
/// #[reduce_op(
///     dtypes = [f32, f64],
///     attrs = [axes: ints = all, keepdims: bool = true, n: int = 2 in 1..],
///     length = n,
/// )]
/// impl<A: Real> ReduceSlice<A> for Powers {
///     type Cell = A; // the sum of a power
///     type Output = A;
///     fn identity(&self, _index: usize) -> A { A::ZERO }
///     fn push(&self, sums: &mut [A], elements: &[A], _indices: Indices<'_>) {
///         for &x in elements {
///             let mut power = A::ONE;
///             for sum in &mut *sums {
///                 power = power * x;
///                 *sum = *sum + power;
///             }
///         }
///     }
///     fn combine(&self, sums: &mut [A], later: &[A]) {
///         for (sum, &more) in sums.iter_mut().zip(later) {
///             *sum = *sum + more;
///         }
///     }
///     fn finalize(&self, sums: &[A], index: usize, count: usize) -> A { sums[index].div_count(count) }
/// }
///
/// let rows = View::new(&[1.0f64, 3.0, 2.0, 2.0], &[2, 2])?;
/// let powers = Reduction::new(Powers { n: 3 }).axes([1]).arrays(&rows)?;
/// assert_eq!(powers.shape().dims(), [2, 3]);
/// assert_eq!(powers.data(), [2.0, 5.0, 14.0, 2.0, 4.0, 8.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// # Order
///
/// Elements of a result are pushed in row-major order. A long result is cut into parts of a length that follows from the
/// number of cells alone. Each part has an accumulator of its own, and they are combined in their order. So results have the
/// same bits at every CPU level and with any number of threads.
///
/// # Laws
///
/// ```text
/// combine(identity, a)           = a
/// combine(a, identity)           = a
/// combine(a, combine(b, c))      ≈ combine(combine(a, b), c)
/// push(a, [x, .. y, z, ..])      = push(push(a, [x, .. y]), [z, ..])
/// push(a, xs)                    ≈ combine(a, push(identity, xs))
/// ```
///
/// `#[reduce_op]` writes a test of these laws into the crate of the operator. Steps must not panic.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce elements of type `{X}` to arrays",
    label = "no `ReduceSlice<{X}>` for this type"
)]
pub trait ReduceSlice<X> {
    /// One place of the accumulator: plain data, aligned to at most 64 bytes.
    type Cell: Copy + Send + Sync + 'static;

    /// One element of the result, or a tuple of one element of each of several results, which have the same length.
    type Output;

    /// The number of cells of an accumulator, for results of this length. By default, there are as many.
    #[inline(always)]
    fn cells(&self, length: usize) -> usize {
        length
    }

    /// The cell with this index of the accumulator of no elements: combined with another one, on either side, that
    /// accumulator changes nothing.
    fn identity(&self, index: usize) -> Self::Cell;

    /// Adds elements to an accumulator. They follow, in row-major order, all that were added before, and `indices` says where
    /// they stand among all elements of the result. There is no limit to their number; a kernel hands over a few hundred.
    fn push(&self, acc: &mut [Self::Cell], elements: &[X], indices: Indices<'_>);

    /// Adds the accumulator of later elements.
    fn combine(&self, acc: &mut [Self::Cell], later: &[Self::Cell]);

    /// Puts an accumulator in order, once, before results are made of it. Write it where results follow from all cells at
    /// once, as where they are sorted.
    #[inline(always)]
    fn finish(&self, _acc: &mut [Self::Cell], _count: usize) {}

    /// The element with this index of the result, from the finished accumulator of `count` elements. The count is 0 over an
    /// empty set, unless the spec says `empty = error`.
    fn finalize(&self, acc: &[Self::Cell], index: usize, count: usize) -> Self::Output;

    /// What is wrong with the operator's parameters: see [`ReduceOp::refuses`](crate::ReduceOp::refuses). A length of 0 or
    /// less is refused anyway.
    fn refuses(&self) -> Option<String> {
        None
    }
}

/// The indices of some elements among all elements of their result, in row-major order of the reduced axes. They ascend. If
/// only some elements count, others have the indices between them.
///
/// ```
/// use reduce_core::bounds::Indices;
///
/// let indices = Indices::from(7);
/// assert_eq!((indices.get(0), indices.get(2)), (7, 9));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Indices<'a> {
    first: u64,
    listed: Option<&'a [u64]>,
}

impl<'a> Indices<'a> {
    /// The indices in a list.
    pub(crate) fn listed(listed: &'a [u64]) -> Self {
        Indices { first: 0, listed: Some(listed) }
    }

    /// The index of the element in this place among them.
    ///
    /// # Panics
    /// If some elements do not count, and there are fewer elements.
    #[inline(always)]
    pub fn get(self, place: usize) -> u64 {
        match self.listed {
            None => self.first.wrapping_add(place as u64),
            Some(listed) => listed[place],
        }
    }

    /// Those of the elements from this place on, `count` of them.
    #[inline(always)]
    pub(crate) fn part(self, first: usize, count: usize) -> Self {
        match self.listed {
            None => Indices { first: self.first.wrapping_add(first as u64), listed: None },
            Some(listed) => Indices { first: 0, listed: Some(&listed[first..first + count]) },
        }
    }
}

/// Of neighbours, the first of which has this index.
impl From<u64> for Indices<'_> {
    fn from(first: u64) -> Self {
        Indices { first, listed: None }
    }
}
