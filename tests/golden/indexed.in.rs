use reduce_core::{Indexed, Ordered, ReduceOp};

#[derive(Clone, Copy, Debug, Default)]
pub struct FirstMax;

#[derive(Clone, Copy, Debug, reduce_core::Accumulator)]
pub struct Best<A> {
    value: A,
    index: u64,
}

/// The position of the first of the largest elements along an axis.
#[reduce_core::reduce_op(
    dtypes = [i32, u8],
    attrs = { 1.. => [axis: int = 0, keepdims: bool = true] },
    output = i64,
    empty = error,
)]
impl<A: Ordered> ReduceOp<Indexed<A>> for FirstMax {
    type Acc = Best<A>;
    type Output = i64;

    fn identity(&self) -> Best<A> {
        Best { value: A::LOWEST, index: u64::MAX }
    }

    fn map(&self, x: Indexed<A>) -> Best<A> {
        Best { value: x.value, index: x.index }
    }

    fn combine(&self, a: Best<A>, b: Best<A>) -> Best<A> {
        let is_first = a.value == b.value && a.index < b.index;
        if a.value > b.value || is_first { a } else { b }
    }

    fn finalize(&self, best: Best<A>, _count: usize) -> i64 {
        best.index.cast_signed()
    }
}
