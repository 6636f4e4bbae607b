//! Elements that leave: `remove` is the inverse of `push`.

use super::sample::Sample;
use super::{Laws, is_specified, same};
use crate::front::spec::OpSpec;
use crate::values::element::Store;
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
use crate::values::written::Written;

impl<R, Op, T, O> Laws<'_, R, Op, T, O>
where
    R: Reader<T>,
    Op: OpSpec + ReduceOp<R::Element>,
    T: Sample,
    O: Written + Store<Op::Output>,
{
    /// `remove(push(a, x), x)` is `a`, for every value behind some others. In whatever order elements came, the
    /// earliest may leave.
    pub(super) fn remove(&self) -> Option<String> {
        if !Op::REMOVES {
            return None;
        }
        let mut all = [T::ordinary(), T::zeros(), T::special(), T::nans()].concat();
        all.retain(is_specified::<Op, T>);
        let behind = self.after_some().filter(|(before, x)| {
            !before.is_empty() && before.iter().chain([x]).all(is_specified::<Op, T>)
        });
        behind.into_iter().find_map(|(before, x)| self.last_leaves(before, x)).or_else(|| {
            let lists = (2..=all.len()).flat_map(|length| all.windows(length));
            lists.into_iter().find_map(|xs| self.earliest_leave(xs))
        })
    }

    fn last_leaves(&self, before: &[T], x: T) -> Option<String> {
        let (at, count) = (|| R::read(x, before.len() as u64), before.len());
        let pushed = self.op.push(self.fold(before, 0), at());
        let found = self.result(self.op.remove(pushed, at()), count);
        let expected = self.result(self.fold(before, 0), count);
        (!same::<T, O>(found, expected)).then(|| {
            format!(
                "remove is not the inverse of push: {x:?}, pushed after {before:?} and removed, leaves \
                 {found:?} of {expected:?}"
            )
        })
    }

    /// One after the other, from the first on, until one is left.
    fn earliest_leave(&self, xs: &[T]) -> Option<String> {
        let mut acc = self.fold(xs, 0);
        (1..xs.len()).find_map(|first| {
            let (gone, left) = xs.split_at(first);
            acc = self.op.remove(acc, R::read(xs[first - 1], first as u64 - 1));
            let found = self.result(acc, left.len());
            let expected = self.result(self.fold(left, first), left.len());
            (!same::<T, O>(found, expected)).then(|| {
                format!(
                    "remove is not the inverse of push: without {gone:?}, which were removed, {xs:?} give \
                     {found:?}, but {left:?} alone {expected:?}"
                )
            })
        })
    }
}
