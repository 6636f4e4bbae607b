//! The shortest spec: one key.

use reduce_core::{Num, OpSpec, ReduceOp, Reduction, View, reduce_op};

#[derive(Default)]
struct Sum;

#[reduce_op(dtypes = [f32, f64])]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A {
        A::ZERO
    }
    fn map(&self, x: A) -> A {
        x
    }
    fn combine(&self, a: A, b: A) -> A {
        a + b
    }
    fn finalize(&self, acc: A, _count: usize) -> A {
        acc
    }
}

pub fn main() {
    let view = View::new(&[1.0f32, 2.0, 4.0, 8.0], &[2, 2]).unwrap();
    let rows = Reduction::new(Sum).axes([1]).run(&view).unwrap();
    assert_eq!(rows.data(), [3.0, 12.0]);
    assert_eq!((Sum::SCHEMA.name, Sum::SCHEMA.versions), ("Sum", &[1][..]));
}
