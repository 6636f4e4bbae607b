//! The two largest elements, and where they are.

use reduce_core::{Accumulator, Indexed, Ordered, Real, ReduceOp, reduce_op};

/// The two largest elements and their positions; of equal ones the first. NaN is the
/// largest of all.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Top2;
/// let data = View::new(&[3.0f32, 9.0, 1.0, 9.0, 4.0], &[5])?;
/// let (first, at, second, then) = Reduction::new(Top2).run(&data)?;
/// assert_eq!((first.data()[0], at.data()[0]), (9.0, 1));
/// assert_eq!((second.data()[0], then.data()[0]), (9.0, 3));
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Top2;

/// The largest, and the next.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Two<A: Accumulator> {
    first: Indexed<A>,
    second: Indexed<A>,
}

/// Whether `a` stands before `b`, without branches.
#[inline(always)]
fn beats<A: Real + Ordered>(a: Indexed<A>, b: Indexed<A>) -> bool {
    let larger = (a.value > b.value) | (a.value.is_nan() & !b.value.is_nan());
    larger | (a.value.is_same(b.value) & (a.index < b.index))
}

#[inline(always)]
fn better<A: Real + Ordered>(a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
    if beats(a, b) { a } else { b }
}

/// The largest element and its position, then the second largest and its position, which
/// is -1 where there is none.
#[reduce_op(dtypes = [f16 => f32, f32, f64], nan = unspecified, empty = error, lanes = 32)]
impl<A: Real + Ordered> ReduceOp<Indexed<A>> for Top2 {
    type Acc = Two<A>;
    type Output = (A, i64, A, i64);

    fn identity(&self) -> Two<A> {
        let none = Indexed { value: A::NEG_INFINITY, index: u64::MAX };
        Two { first: none, second: none }
    }

    fn map(&self, x: Indexed<A>) -> Two<A> {
        Two { first: x, second: Indexed { value: A::NEG_INFINITY, index: u64::MAX } }
    }

    /// An element later than all others, so that it loses every tie.
    fn push(&self, acc: Two<A>, x: Indexed<A>) -> Two<A> {
        let larger =
            |than: Indexed<A>| (x.value > than.value) | (x.value.is_nan() & !than.value.is_nan());
        let none = acc.first.index == u64::MAX;
        let (is_first, is_second) = (larger(acc.first) | none, larger(acc.second));
        // Of elements that are -∞ the first, too, stands before none at all.
        let is_second = is_second | (acc.second.index == u64::MAX);
        let next = if is_second { x } else { acc.second };
        Two {
            first: if is_first { x } else { acc.first },
            second: if is_first { acc.first } else { next },
        }
    }

    /// The winner of both, and the better of the loser and the winner's own second.
    fn combine(&self, a: Two<A>, b: Two<A>) -> Two<A> {
        let a_wins = beats(a.first, b.first);
        let (first, loser) = if a_wins { (a.first, b.first) } else { (b.first, a.first) };
        let second = if a_wins { a.second } else { b.second };
        Two { first, second: better(loser, second) }
    }

    fn finalize(&self, acc: Two<A>, _count: usize) -> (A, i64, A, i64) {
        let place = |x: Indexed<A>| x.index.cast_signed();
        (acc.first.value, place(acc.first), acc.second.value, place(acc.second))
    }
}
