//! A spec where no name outlives the function.

#![allow(unnameable_test_items, reason = "the law test has no name to be run by")]

use reduce_core::{Accumulator, Num, ReduceOp, Reduction, View, reduce_op};

pub fn main() {
    #[derive(Clone, Copy, Debug, Accumulator)]
    struct Total<A>(A, bool);

    #[derive(Default)]
    struct Sum;

    #[reduce_op(dtypes = [i64])]
    impl<A: Num> ReduceOp<A> for Sum {
        type Acc = Total<A>;
        type Output = A;
        fn identity(&self) -> Total<A> {
            Total(A::ZERO, false)
        }
        fn map(&self, x: A) -> Total<A> {
            Total(x, true)
        }
        fn combine(&self, a: Total<A>, b: Total<A>) -> Total<A> {
            Total(a.0 + b.0, a.1 | b.1)
        }
        fn finalize(&self, acc: Total<A>, _count: usize) -> A {
            acc.0
        }
    }

    let view = View::new(&[1i64, 2, 3], &[3]).unwrap();
    assert_eq!(Reduction::new(Sum).run(&view).unwrap().data(), [6]);
}
