//! The largest or smallest elements, as many as are asked for when the program runs.
//!
//! They are kept in a *heap*: a tree in a slice, where the children of cell `i` are the cells `2i + 1` and `2i + 2`. Each cell
//! comes, in the order of the result, behind its children, so the last of all is in front. An element that comes before that
//! one takes its place, and sinks down to where the order is right again: `log2 k` steps. Most elements do not, and are passed
//! over many at a time.

use std::cmp::Ordering;

use reduce_core::bounds::{Indices, ReduceSlice};
use reduce_core::{Indexed, Ordered, reduce_op};

/// The `k` largest elements, descending, or the `k` smallest, ascending, and their positions; of equal ones the first comes first.
/// NaN is the largest of all. Where elements are fewer, the position is -1.
///
/// [`TopK`](crate::TopK) is for a number that is known when the program is compiled.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Top;
/// let rows = View::new(&[3.0f32, 9.0, 1.0, 9.0, 5.0, 7.0, 2.0, 4.0], &[2, 4])?;
/// let least = Reduction::new(Top { k: 2, largest: false }).axes([1]);
/// let (values, places) = least.arrays(&rows)?;
/// assert_eq!(values.shape().dims(), [2, 2]);
/// assert_eq!(values.data(), [1.0, 3.0, 2.0, 4.0]);
/// assert_eq!(places.data(), [2, 0, 2, 3]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Top {
    /// How many.
    pub k: i64,
    /// Whether they are the largest, or else the smallest.
    pub largest: bool,
}

impl Default for Top {
    fn default() -> Self {
        Top { k: 1, largest: true }
    }
}

/// So many elements are asked at once whether one of them enters.
const GROUP: usize = 32;

/// Whether a value comes before another one in the result. NaN is the largest.
#[inline(always)]
fn precedes<A: Ordered, const LARGEST: bool>(a: A, b: A) -> bool {
    match LARGEST {
        true => (a > b) | (a.is_nan() & !b.is_nan()),
        false => (a < b) | (b.is_nan() & !a.is_nan()),
    }
}

/// Whether a cell holds no element.
#[inline(always)]
fn is_none<A>(cell: &Indexed<A>) -> bool {
    cell.index == u64::MAX
}

/// The order of two cells in the result: the first of equal elements first, and none behind all.
#[inline(always)]
fn order<A: Ordered, const LARGEST: bool>(a: &Indexed<A>, b: &Indexed<A>) -> Ordering {
    if is_none(a) | is_none(b) {
        return is_none(a).cmp(&is_none(b));
    }
    if precedes::<A, LARGEST>(a.value, b.value) {
        return Ordering::Less;
    }
    match a.value.is_same(b.value) {
        true => a.index.cmp(&b.index),
        false => Ordering::Greater,
    }
}

/// Puts a cell in the place of the first one, and lets it sink.
#[inline(always)]
fn replace_first<A: Ordered, const LARGEST: bool>(heap: &mut [Indexed<A>], cell: Indexed<A>) {
    let mut place = 0;
    loop {
        let mut child = 2 * place + 1;
        if child >= heap.len() {
            break;
        }
        let other = child + 1;
        if other < heap.len() && order::<A, LARGEST>(&heap[other], &heap[child]).is_gt() {
            child = other;
        }
        if order::<A, LARGEST>(&heap[child], &cell).is_lt() {
            break;
        }
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = cell;
}

/// Adds elements that are later than all others, so that they lose every tie.
#[inline(always)]
fn add<A: Ordered, const LARGEST: bool>(
    heap: &mut [Indexed<A>],
    elements: &[A],
    indices: Indices<'_>,
) {
    let Some(&last) = heap.first() else { return };
    let mut last = last;
    for (number, group) in elements.chunks(GROUP).enumerate() {
        let enters = |last: &Indexed<A>, x| precedes::<A, LARGEST>(x, last.value) | is_none(last);
        let mut any = false;
        for &x in group {
            any |= enters(&last, x);
        }
        if !any {
            continue;
        }
        for (place, &value) in (number * GROUP..).zip(group) {
            if enters(&last, value) {
                let index = indices.get(place);
                replace_first::<A, LARGEST>(heap, Indexed { value, index });
                last = heap[0];
            }
        }
    }
}

/// Adds the cells of another heap.
fn merge<A: Ordered, const LARGEST: bool>(heap: &mut [Indexed<A>], others: &[Indexed<A>]) {
    for other in others {
        if order::<A, LARGEST>(other, &heap[0]).is_lt() {
            replace_first::<A, LARGEST>(heap, *other);
        }
    }
}

/// The largest elements, descending, or the smallest, ascending, and the position of each, which is -1 where there is none.
#[reduce_op(
    name = "TopK",
    dtypes = [
        f16 => f32, bf16 => f32, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64,
    ],
    attrs = [axes: ints = all, keepdims: bool = true, k: int = 1 in 1.., largest: bool = true],
    length = k,
    nan = unspecified,
    empty = error,
)]
impl<A: Ordered> ReduceSlice<A> for Top {
    type Cell = Indexed<A>;
    type Output = (A, i64);

    fn identity(&self, _index: usize) -> Indexed<A> {
        Indexed { value: if self.largest { A::LOWEST } else { A::HIGHEST }, index: u64::MAX }
    }

    fn push(&self, heap: &mut [Indexed<A>], elements: &[A], indices: Indices<'_>) {
        match self.largest {
            true => add::<A, true>(heap, elements, indices),
            false => add::<A, false>(heap, elements, indices),
        }
    }

    fn combine(&self, heap: &mut [Indexed<A>], later: &[Indexed<A>]) {
        match self.largest {
            true => merge::<A, true>(heap, later),
            false => merge::<A, false>(heap, later),
        }
    }

    fn finish(&self, heap: &mut [Indexed<A>], _count: usize) {
        match self.largest {
            true => heap.sort_unstable_by(order::<A, true>),
            false => heap.sort_unstable_by(order::<A, false>),
        }
    }

    fn finalize(&self, sorted: &[Indexed<A>], index: usize, _count: usize) -> (A, i64) {
        (sorted[index].value, sorted[index].index.cast_signed())
    }
}
