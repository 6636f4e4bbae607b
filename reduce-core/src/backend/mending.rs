//! Results that an operator doubts, as `run` mends them.

use std::fmt;

use super::order::plan;
use crate::facts::error::Error;
use crate::front::one_pass::OnePass;
use crate::front::reduction::Reduction;
use crate::machine::level::Available;
use crate::plan::Plan;
use crate::values::input::Input;

/// Mends results over an input that were computed elsewhere. A result that
/// [`ReduceOp::doubts`](crate::ReduceOp::doubts) says is doubtful becomes what [`Reduction::run`] writes there,
/// with the same bits.
///
/// ```
/// use reduce_core::{Num, Real, ReduceOp, Reduction, View, backend::Mending, reduce_op};
///
/// /// The root of the sum of squares.
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Length;
///
/// #[reduce_op(dtypes = [f32])]
/// impl<A: Real> ReduceOp<A> for Length {
///     type Acc = A;
///     type Output = A;
///     fn identity(&self) -> A { A::ZERO }
///     fn map(&self, x: A) -> A { x * x }
///     fn combine(&self, a: A, b: A) -> A { a + b }
///     fn finalize(&self, sum: A, _count: usize) -> A { sum.sqrt() }
///     fn doubts(&self, sum: &A, _count: usize) -> bool { !sum.is_finite() }
/// }
///
/// let view = View::new(&[3e30f32, 4e30], &[2])?;
/// let reduction = Reduction::new(Length);
/// let mut length = f32::INFINITY; // The squares overflowed.
/// Mending::new(&reduction, &view)?.mend(0, 1, &mut length);
/// assert_eq!(length, 5e30);
/// # Ok::<(), reduce_core::Error>(())
/// ```
pub struct Mending<'a, Op, I> {
    reduction: &'a Reduction<Op>,
    input: &'a I,
    plan: Plan,
    level: Available,
}

impl<'a, Op, I> Mending<'a, Op, I>
where
    I: Input,
    Op: OnePass<I::Stored>,
{
    /// For a reduction of an input.
    ///
    /// # Errors
    /// If [`Reduction::order`] fails, or the CPU lacks the level asked for.
    pub fn new(reduction: &'a Reduction<Op>, input: &'a I) -> Result<Self, Error> {
        let level = reduction.settings.level.check()?;
        Ok(Mending { reduction, input, plan: plan(reduction.parts(), input)?, level })
    }

    /// Mends result number `number`, as an [`Order`](super::Order) numbers results. One that stands stays as it is, and so does
    /// everything if there is no such result.
    ///
    /// In `doubts`, bit 0 says that the operator doubts the result. For a tuple of operators, bit `i` says so
    /// of the `i`th, where the members of a tuple within it are counted one by one. Results of the others stay
    /// as they are.
    pub fn mend(&self, number: usize, doubts: u32, result: &mut Op::Result) {
        let kernel = <Op as OnePass<I::Stored>>::kernel().bound(&self.reduction.op);
        kernel.mend(self.input.data(), (&self.plan, number), doubts, self.level, result);
    }
}

impl<Op: fmt::Debug, I> fmt::Debug for Mending<'_, Op, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mending { reduction, plan, .. } = self;
        f.debug_struct("Mending")
            .field("reduction", reduction)
            .field("plan", plan)
            .finish_non_exhaustive()
    }
}
