use reduce_core::{Ordered, ReduceOp};

#[derive(Clone, Copy, Debug, Default)]
pub struct Largest;

/// The largest element, two at once.
#[reduce_core::reduce_op(dtypes = [f64])]
impl<A: Ordered> ReduceOp<A> for Largest {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::LOWEST
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a.maximum(b)
    }

    #[cfg(not(miri))]
    fn push_two(&self, max: A, x: A, y: A) -> A {
        max.maximum3(x, y)
    }

    fn finalize(&self, max: A, _count: usize) -> A {
        max
    }
}
