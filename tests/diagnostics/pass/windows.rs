//! A table of windows, read version by version.

use reduce_core::{DType, Num, OpSpec, ReduceOp, Reduction, View, reduce_op};

#[derive(Default)]
struct Sum;

/// The sum
/// of the elements.
///
/// Not of the summary.
#[reduce_op(
    name = "ReduceSum",
    versions = [1, 11, 13, 18],
    dtypes = { 1.. => [f32], 13.. => [bf16 => f32], 1..=12 => [i32] },
    attrs = {
        1..=12 => [axes: ints = all],
        13.. => [axes: input = all, noop_with_empty_axes: bool = false],
        1.. => [keepdims: bool = true],
    },
    nan = propagate,
    empty = { floats => identity, ints => error },
)]
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
    let view = View::new(&[1.0f32, 2.0], &[2]).unwrap();
    assert_eq!(Reduction::new(Sum).run(&view).unwrap().data(), [3.0]);
    assert_eq!(Sum::SCHEMA.summary, "The sum of the elements.");
    let dtypes = |version| -> Vec<DType> {
        Sum::SCHEMA.at(version).unwrap().dtypes.iter().map(|row| row.input).collect()
    };
    assert_eq!(dtypes(12), [DType::F32, DType::I32]);
    assert_eq!(dtypes(28), [DType::F32, DType::BF16]);
    assert!(Sum::SCHEMA.at(13).unwrap().axes_input);
}
