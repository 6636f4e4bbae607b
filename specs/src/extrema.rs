//! The largest and the smallest element.
//!
//! 8-bit integers join at version 12, `bool` at 20: there, the largest is "any"
//! and the smallest "all".

use reduce_core::{Ordered, ReduceOp, reduce_op};

/// The largest element.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_specs::ReduceMax;
/// let data = View::new(&[1.0f32, 5.0, 3.0], &[3])?;
/// assert_eq!(Reduction::new(ReduceMax).run(&data)?.data(), [5.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceMax;

/// The largest element. Over no elements, the least value of the type.
#[reduce_op(
    versions = [1, 11, 12, 13, 18, 20],
    dtypes = {
        1.. => [i32, i64, u32, u64, f16 => f32, f32, f64],
        12.. => [i8, u8],
        13.. => [bf16 => f32],
        20.. => [bool],
    },
    attrs = {
        1..=17 => [axes: ints = all],
        18.. => [axes: input = all, noop_with_empty_axes: bool = false],
        1.. => [keepdims: bool = true],
    },
)]
impl<A: Ordered> ReduceOp<A> for ReduceMax {
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

    fn push_two(&self, max: A, x: A, y: A) -> A {
        max.maximum3(x, y)
    }

    fn finalize(&self, max: A, _count: usize) -> A {
        max
    }
}

/// The smallest element.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_specs::ReduceMin;
/// let data = View::new(&[4.0f32, 1.0, 3.0], &[3])?;
/// assert_eq!(Reduction::new(ReduceMin).run(&data)?.data(), [1.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceMin;

/// The smallest element. Over no elements, the greatest value of the type.
#[reduce_op(
    versions = [1, 11, 12, 13, 18, 20],
    dtypes = {
        1.. => [i32, i64, u32, u64, f16 => f32, f32, f64],
        12.. => [i8, u8],
        13.. => [bf16 => f32],
        20.. => [bool],
    },
    attrs = {
        1..=17 => [axes: ints = all],
        18.. => [axes: input = all, noop_with_empty_axes: bool = false],
        1.. => [keepdims: bool = true],
    },
)]
impl<A: Ordered> ReduceOp<A> for ReduceMin {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::HIGHEST
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a.minimum(b)
    }

    fn push_two(&self, min: A, x: A, y: A) -> A {
        min.minimum3(x, y)
    }

    fn finalize(&self, min: A, _count: usize) -> A {
        min
    }
}
