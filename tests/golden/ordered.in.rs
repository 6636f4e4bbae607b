use reduce_core::{Num, ReduceOp};

#[derive(Clone, Copy, Debug, Default)]
pub struct Last;

/// The last element.
#[reduce_core::reduce_op(dtypes = [i64, f32], commutative = false, empty = error, nan = unspecified)]
impl<A: Num> ReduceOp<A> for Last {
    type Acc = (A, bool);
    type Output = A;

    fn identity(&self) -> (A, bool) {
        (A::ZERO, false)
    }

    fn map(&self, x: A) -> (A, bool) {
        (x, true)
    }

    fn combine(&self, a: (A, bool), b: (A, bool)) -> (A, bool) {
        if b.1 { b } else { a }
    }

    fn finalize(&self, (last, _): (A, bool), _count: usize) -> A {
        last
    }
}
