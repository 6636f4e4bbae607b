//! The largest or smallest elements, as many as are asked for when the program runs.
//!
//! Elements that may be among them are *candidates*, and are written into a list as they come. When the list is full, the best
//! `k` are selected, the others are dropped, and the last one that is left becomes the *limit*: whatever does not come before it
//! is no candidate. So most elements are compared with the limit alone, many at a time. Of `n` elements in no order, some
//! `k log2(n / k)` become candidates.

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

/// So many elements are asked at once whether one of them comes before the limit, in so many lanes.
const GROUP: usize = 64;
const LANES: usize = 16;

/// There is room for at least this many candidates beside those that are kept.
const LEAST_ROOM: usize = 2 * LANES;

/// Whether a value comes before another one in the result. NaN is the largest.
#[inline(always)]
fn precedes<A: Ordered, const LARGEST: bool>(a: A, b: A) -> bool {
    match LARGEST {
        true => (a > b) | (a.is_nan() & !b.is_nan()),
        false => (a < b) | (b.is_nan() & !a.is_nan()),
    }
}

/// The order of two elements in the result: of equal ones the first comes first. No two have one index.
#[inline(always)]
fn order<A: Ordered, const LARGEST: bool>(a: &Indexed<A>, b: &Indexed<A>) -> Ordering {
    let is_first = a.value.is_same(b.value) & (a.index < b.index);
    match precedes::<A, LARGEST>(a.value, b.value) | is_first {
        true => Ordering::Less,
        false => Ordering::Greater,
    }
}

/// Whether one of some elements may come before the limit: the first of them in the order of the result, if NaN counts there.
#[inline(always)]
fn has_candidate<A: Ordered, T: Copy, const LARGEST: bool>(
    group: &[T; GROUP],
    value: impl Fn(T) -> A,
    limit: A,
) -> bool {
    let mut best = [if LARGEST { A::LOWEST } else { A::HIGHEST }; LANES];
    for some in group.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            let x = value(some[lane]);
            best[lane] = match LARGEST {
                true => best[lane].maximum(x),
                // NaN is less than nothing.
                false if x < best[lane] => x,
                false => best[lane],
            };
        }
    }
    let mut any = false;
    for x in best {
        any |= precedes::<A, LARGEST>(x, limit);
    }
    any
}

/// An accumulator: its first cell has the limit, and how many candidates there are; the candidates are behind it. There is a
/// limit once there are `k` of them.
struct Candidates<'a, A> {
    k: usize,
    limit: A,
    count: usize,
    room: &'a mut [Indexed<A>],
    first: &'a mut Indexed<A>,
}

impl<'a, A: Ordered> Candidates<'a, A> {
    /// Those of an accumulator, unless it is too short for one.
    #[inline(always)]
    fn of(k: i64, acc: &'a mut [Indexed<A>]) -> Option<Self> {
        let k = usize::try_from(k).ok().filter(|&k| k > 0)?;
        let (first, room) = acc.split_first_mut()?;
        let count = usize::try_from(first.index).ok().filter(|_| room.len() >= k + LEAST_ROOM)?;
        Some(Candidates { k, limit: first.value, count, room, first })
    }

    /// Adds elements that are later than all others, so that they lose every tie.
    #[inline(always)]
    fn add<T: Copy, const LARGEST: bool>(
        &mut self,
        elements: &[T],
        value: impl Fn(T) -> A,
        cell: impl Fn(usize, T) -> Indexed<A>,
    ) {
        let few = elements.len().min(self.k.saturating_sub(self.count));
        for (place, &x) in elements[..few].iter().enumerate() {
            self.room[self.count + place] = cell(place, x);
        }
        self.count += few;
        if few > 0 && self.count == self.k {
            let kept = self.room[..self.k].iter().map(|cell| cell.value);
            let last = |a, b| if precedes::<A, LARGEST>(a, b) { b } else { a };
            self.limit = kept.reduce(last).unwrap_or(self.limit);
        }
        let (groups, rest) = elements[few..].as_chunks::<GROUP>();
        for (number, group) in groups.iter().enumerate() {
            if has_candidate::<A, T, LARGEST>(group, &value, self.limit) {
                self.add_some::<T, LARGEST>(few + number * GROUP, group, &value, &cell);
            }
        }
        self.add_some::<T, LARGEST>(few + groups.len() * GROUP, rest, &value, &cell);
    }

    /// Adds those of some elements that come before the limit.
    #[inline(always)]
    fn add_some<T: Copy, const LARGEST: bool>(
        &mut self,
        first: usize,
        some: &[T],
        value: impl Fn(T) -> A,
        cell: impl Fn(usize, T) -> Indexed<A>,
    ) {
        for (number, few) in some.chunks(LANES).enumerate() {
            let mut any = false;
            for &x in few {
                any |= precedes::<A, LARGEST>(value(x), self.limit);
            }
            if any {
                self.add_few::<T, LARGEST>(first + number * LANES, few, &value, &cell);
            }
        }
    }

    /// As [`Candidates::add_some`]. Nobody foretells which elements come before the limit, so there is no branch: each is
    /// written behind the last candidate, and the next one over it, if it is none.
    #[inline(always)]
    fn add_few<T: Copy, const LARGEST: bool>(
        &mut self,
        first: usize,
        few: &[T],
        value: impl Fn(T) -> A,
        cell: impl Fn(usize, T) -> Indexed<A>,
    ) {
        let free = &mut self.room[self.count..][..few.len()];
        let mut added = 0;
        for (place, &x) in (first..).zip(few) {
            free[added] = cell(place, x);
            added += usize::from(precedes::<A, LARGEST>(value(x), self.limit));
        }
        self.count += added;
        if self.count + LANES > self.room.len() {
            self.keep_best::<LARGEST>();
        }
    }

    /// Keeps the best `k`. The last of them is the limit for all elements to come.
    #[inline(never)]
    fn keep_best<const LARGEST: bool>(&mut self) {
        if self.count > self.k {
            let candidates = &mut self.room[..self.count];
            let (_, last, _) = candidates.select_nth_unstable_by(self.k - 1, order::<A, LARGEST>);
            (self.limit, self.count) = (last.value, self.k);
        }
    }

    /// Notes the limit and the number of candidates.
    #[inline(always)]
    fn note(self) {
        *self.first = Indexed { value: self.limit, index: self.count as u64 };
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

    fn cells(&self, length: usize) -> usize {
        // Twice as many as are kept: then half of them are dropped at a time.
        length.saturating_add(length.max(LEAST_ROOM)).saturating_add(1)
    }

    fn identity(&self, _index: usize) -> Indexed<A> {
        Indexed { value: if self.largest { A::LOWEST } else { A::HIGHEST }, index: 0 }
    }

    fn push(&self, acc: &mut [Indexed<A>], elements: &[A], indices: Indices<'_>) {
        let Some(mut candidates) = Candidates::of(self.k, acc) else { return };
        let cell = |place, value| Indexed { value, index: indices.get(place) };
        match self.largest {
            true => candidates.add::<A, true>(elements, |x| x, cell),
            false => candidates.add::<A, false>(elements, |x| x, cell),
        }
        candidates.note();
    }

    fn combine(&self, acc: &mut [Indexed<A>], later: &[Indexed<A>]) {
        let Some(mut candidates) = Candidates::of(self.k, acc) else { return };
        let Some((first, others)) = later.split_first() else { return };
        let others = &others[..usize::try_from(first.index).unwrap_or(0)];
        match self.largest {
            true => candidates.add::<_, true>(others, |cell| cell.value, |_, cell| cell),
            false => candidates.add::<_, false>(others, |cell| cell.value, |_, cell| cell),
        }
        candidates.note();
    }

    fn finish(&self, acc: &mut [Indexed<A>], _count: usize) {
        let Some(mut candidates) = Candidates::of(self.k, acc) else { return };
        match self.largest {
            true => {
                candidates.keep_best::<true>();
                candidates.room[..candidates.count].sort_unstable_by(order::<A, true>);
            }
            false => {
                candidates.keep_best::<false>();
                candidates.room[..candidates.count].sort_unstable_by(order::<A, false>);
            }
        }
        candidates.note();
    }

    fn finalize(&self, acc: &[Indexed<A>], index: usize, _count: usize) -> (A, i64) {
        match index as u64 >= acc[0].index {
            true if self.largest => (A::LOWEST, -1),
            true => (A::HIGHEST, -1),
            false => (acc[index + 1].value, acc[index + 1].index.cast_signed()),
        }
    }
}
