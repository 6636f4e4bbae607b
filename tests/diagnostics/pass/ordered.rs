//! An operator that is not commutative.

use reduce_core::{Num, ReduceOp, Reduction, View, reduce_op};

#[derive(Default)]
struct First;

#[reduce_op(dtypes = [i32], commutative = false, empty = error)]
impl<A: Num> ReduceOp<A> for First {
    type Acc = (A, bool);
    type Output = A;
    fn identity(&self) -> (A, bool) {
        (A::ZERO, false)
    }
    fn map(&self, x: A) -> (A, bool) {
        (x, true)
    }
    fn combine(&self, a: (A, bool), b: (A, bool)) -> (A, bool) {
        if a.1 { a } else { b }
    }
    fn finalize(&self, acc: (A, bool), _count: usize) -> A {
        acc.0
    }
}

pub fn main() {
    let data: Vec<i32> = (7..1000).collect();
    let view = View::new(&data, &[data.len()]).unwrap();
    assert_eq!(Reduction::new(First).run(&view).unwrap().data(), [7]);
    let none = View::new(&data[..0], &[0]).unwrap();
    assert!(Reduction::new(First).run(&none).is_err());
}
