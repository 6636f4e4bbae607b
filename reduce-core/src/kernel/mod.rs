//! Kernels: the loops that carry a reduction out.
//!
//! There is one generic kernel; `#[reduce_op]` names it once per storage type
//! with concrete types and a lane count, and [`crate::level`] compiles it once
//! per CPU level.

mod gather;
mod lanes;
mod reader;
mod tree;

pub use reader::{Indexed, Positioned, Reader, Stored, Value};

use std::marker::PhantomData;

use crate::element::{Element, Store};
use crate::error::{Error, ErrorKind};
use crate::level::{Available, Work};
use crate::op::ReduceOp;
use crate::plan::{Path, Places, Plan};
use crate::schema::Empty;
use crate::view::View;

use gather::gather;
use tree::Tree;

/// Bytes of accumulators that a block keeps in all its lanes.
///
/// Measured: twice as many spill out of AVX2's registers, half as many wait for
/// the latency of an addition.
const LANE_BYTES: usize = 256;

/// The number of lanes for accumulators of type `Acc`: a power of two that
/// depends on the type alone, so that the order of combination is the same at
/// every CPU level.
pub const fn lanes<Acc>() -> usize {
    let size = if size_of::<Acc>() == 0 { 1 } else { size_of::<Acc>() };
    let count = LANE_BYTES / size;
    if count < 4 { 4 } else { 1 << count.ilog2() }
}

/// The number of lanes of an operator that is not commutative: with one lane,
/// elements are combined in their order.
pub const ORDERED: usize = 1;

/// The kernel of operator `Op` from storage type `T` to storage type `O`.
pub struct Kernel<Op, T, O> {
    run: fn(&Op, &View<'_, T>, &Plan, &mut [O], Available),
    empty: Empty,
    ordered: bool,
}

impl<Op, T: Element, O: Element> Kernel<Op, T, O> {
    /// The kernel that reads through `R` and has `L` lanes, [`ORDERED`] for an
    /// operator that is not commutative.
    pub const fn new<R, const L: usize>(empty: Empty) -> Self
    where
        R: Reader<T>,
        Op: ReduceOp<R::Element>,
        O: Store<Op::Output>,
    {
        const { assert!(L.is_power_of_two(), "the number of lanes must be a power of two") };
        Kernel { run: run::<R, Op, T, O, L>, empty, ordered: R::POSITIONED || L == ORDERED }
    }

    /// A kernel that leaves its output as it is: what a spec with errors gets.
    pub const fn inert() -> Self {
        Kernel { run: |_, _, _, _, _| {}, empty: Empty::Error, ordered: false }
    }

    /// The value over no elements.
    pub(crate) const fn empty(&self) -> Empty {
        self.empty
    }

    /// Whether elements are walked in row-major order.
    pub(crate) fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// Writes the results of a plan over a view, in row-major order.
    ///
    /// # Errors
    /// If there are results over no elements and the operator has no value for
    /// them, or the output is not of the plan's length.
    pub(crate) fn run(
        &self,
        op: &Op,
        input: &View<'_, T>,
        plan: &Plan,
        output: &mut [O],
        level: Available,
    ) -> Result<(), Error> {
        if output.len() != plan.outputs {
            let (expected, found) = (plan.outputs, output.len());
            return Err(ErrorKind::LengthMismatch { what: "the output", expected, found }.into());
        }
        if plan.count == 0 && plan.outputs > 0 && self.empty == Empty::Error {
            return Err(
                ErrorKind::EmptySet { dtype: T::DTYPE, shape: input.shape().to_vec() }.into()
            );
        }
        (self.run)(op, input, plan, output, level);
        Ok(())
    }
}

impl<Op, T, O> Clone for Kernel<Op, T, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Op, T, O> Copy for Kernel<Op, T, O> {}

impl<Op, T: Element, O: Element> std::fmt::Debug for Kernel<Op, T, O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Kernel({} -> {}, empty: {:?})", T::DTYPE, O::DTYPE, self.empty)
    }
}

fn run<R, Op, T, O, const L: usize>(
    op: &Op,
    input: &View<'_, T>,
    plan: &Plan,
    output: &mut [O],
    level: Available,
) where
    R: Reader<T>,
    Op: ReduceOp<R::Element>,
    T: Element,
    O: Store<Op::Output>,
{
    let data = input.data();
    level.run(Pass::<R, Op, T, O, L> { op, data, plan, output, reader: PhantomData });
}

/// One pass over the data: everything a kernel needs, to be compiled per level.
struct Pass<'a, R, Op, T, O, const L: usize> {
    op: &'a Op,
    data: &'a [T],
    plan: &'a Plan,
    output: &'a mut [O],
    reader: PhantomData<R>,
}

impl<R, Op, T, O, const L: usize> Work for Pass<'_, R, Op, T, O, L>
where
    R: Reader<T>,
    Op: ReduceOp<R::Element>,
    T: Element,
    O: Store<Op::Output>,
{
    #[inline(always)]
    fn run(self) {
        let Pass { op, data, plan, output, .. } = self;
        if plan.count == 0 {
            return output.fill_with(|| O::store(op.finalize(op.identity(), 0)));
        }
        let mut tree = Tree::<R, Op, T, L>::new(op);
        for (result, start) in output.iter_mut().zip(Places::new(&plan.kept, plan.offset)) {
            let acc = match plan.path {
                Path::Elements => op.map(R::read(data[start], 0)),
                Path::Lanes => tree.fold(&data[start..start + plan.count]),
                Path::Gather => gather(&mut tree, data, start, &plan.reduced),
            };
            *result = O::store(op.finalize(acc, plan.count));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lanes;

    #[test]
    fn lane_counts_fill_the_registers_and_no_more() {
        assert_eq!(lanes::<f32>(), 64);
        assert_eq!(lanes::<(f32, f32)>(), 32);
        assert_eq!(lanes::<(f64, f64, f64)>(), 8);
        assert_eq!(lanes::<i128>(), 16);
        assert_eq!(lanes::<bool>(), 256);
        assert_eq!(lanes::<[f64; 100]>(), 4);
        assert_eq!(lanes::<()>(), 256);
    }
}
