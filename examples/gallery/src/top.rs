//! The largest elements, and where they are.

use reduce_core::{Indexed, Ordered, ReduceOp, reduce_op};

/// The `K` largest elements, descending, and their positions; of equal ones the first comes first. NaN
/// is the largest of all. Where elements are fewer, the position is -1.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::TopK;
/// let rows = View::new(&[3.0f32, 9.0, 1.0, 9.0, 5.0, 7.0, 2.0, 4.0], &[2, 4])?;
/// let (values, places) = Reduction::new(TopK::<3>).axes([1]).run(&rows)?;
/// assert_eq!(values.shape().dims(), [2, 3]);
/// assert_eq!(values.data(), [9.0, 9.0, 3.0, 7.0, 5.0, 4.0]);
/// assert_eq!(places.data(), [1, 3, 0, 1, 0, 3]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TopK<const K: usize>;

/// What stands where there is no element: less than all, and later.
#[inline(always)]
fn none<A: Ordered>() -> Indexed<A> {
    Indexed { value: A::LOWEST, index: u64::MAX }
}

/// Whether a value is larger, NaN being the largest.
#[inline(always)]
fn is_larger<A: Ordered>(a: A, b: A) -> bool {
    (a > b) | (a.is_nan() & !b.is_nan())
}

/// Whether `a` stands before `b`.
#[inline(always)]
fn beats<A: Ordered>(a: Indexed<A>, b: Indexed<A>) -> bool {
    is_larger(a.value, b.value) | (a.value.is_same(b.value) & (a.index < b.index))
}

/// The largest elements, descending, and the position of each, which is -1 where there is none.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64, i32, i64], nan = unspecified, empty = error)]
impl<A: Ordered, const K: usize> ReduceOp<Indexed<A>> for TopK<K> {
    type Acc = [Indexed<A>; K];
    type Output = ([A; K], [i64; K]);

    fn identity(&self) -> [Indexed<A>; K] {
        [none(); K]
    }

    fn map(&self, x: Indexed<A>) -> [Indexed<A>; K] {
        let mut first = [none(); K];
        first[0] = x;
        first
    }

    /// Whether it is larger than the last of the largest, or the last is none. One comparison for each
    /// element: NaN is not at most a number.
    #[allow(clippy::neg_cmp_op_on_partial_ord, reason = "true of NaN")]
    fn enters(&self, acc: &[Indexed<A>; K], x: Indexed<A>) -> bool {
        let last = acc[K - 1];
        (!(x.value <= last.value) & !last.value.is_nan()) | (last.index == u64::MAX)
    }

    /// An element later than all others, so that it loses every tie. Smaller ones move one place down.
    fn push_into(&self, acc: &mut [Indexed<A>; K], x: Indexed<A>) {
        if !self.enters(acc, x) {
            return;
        }
        let mut place = K - 1;
        while place > 0 {
            let other = acc[place - 1];
            if !(is_larger(x.value, other.value) | (other.index == u64::MAX)) {
                break;
            }
            acc[place] = other;
            place -= 1;
        }
        acc[place] = x;
    }

    /// Both lists merged, as far as there are places.
    fn combine(&self, a: [Indexed<A>; K], b: [Indexed<A>; K]) -> [Indexed<A>; K] {
        let (mut of_a, mut of_b) = (0, 0);
        let mut merged = a;
        for place in &mut merged {
            if beats(b[of_b], a[of_a]) {
                *place = b[of_b];
                of_b += 1;
            } else {
                *place = a[of_a];
                of_a += 1;
            }
        }
        merged
    }

    fn finalize(&self, acc: [Indexed<A>; K], _count: usize) -> ([A; K], [i64; K]) {
        (acc.map(|x| x.value), acc.map(|x| x.index.cast_signed()))
    }
}
