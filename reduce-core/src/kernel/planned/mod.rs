//! Kernels that are planned when the program runs: the operator, the types of elements and the number of results are
//! known no sooner.
//!
//! An operator is bound to a kernel of its own as an [`AnyKernel`], which forgets all types. With the layouts of its
//! inputs and outputs it becomes a [`PlannedKernel`]. That is given buffers, and nothing else, as often as one likes. An
//! operator that emits becomes a [`PlannedKernelEmission`] in the same way. All of this is compiled once for all
//! operators.

#![allow(unsafe_code, reason = "an operator is kept behind a pointer")]

mod at_once;
mod emitting;
mod often;
mod outputs;
mod over;
mod run;

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use smallvec::SmallVec;

use super::chosen::Filter;
use super::slices::SliceTable;
use super::{Empty, ErasedKernel, Kernel, SliceKernel, Untyped};
use crate::facts::dtype::DType;
use crate::machine::Machine;
use crate::plan::Needs;
use crate::values::stored::Stored;
use crate::values::written::{EachWritten, MOST_RESULTS, ResultPart, Written};

pub(crate) use at_once::AnyResults;
pub(crate) use emitting::PlannedKernelEmission;
pub(crate) use often::{LaidOut, PlannedKernel};
pub(crate) use over::Settled;

/// What walks over elements and folds them, all types erased.
#[derive(Clone, Copy)]
enum Driver {
    /// In lanes.
    Lanes(&'static Untyped),
    /// Into slices, for results of this length.
    Slices(&'static SliceTable, usize),
}

/// The kernel of an operator, without the types of its elements and results.
pub(crate) struct OpKernel<Op>(Typeless<Op>);

enum Typeless<Op> {
    /// In lanes, with the bytes of a result, and what writes down its parts.
    Lanes(&'static Untyped, usize, fn(usize, &mut Parts)),
    /// Into slices, with the length of results.
    Slices(&'static SliceTable, fn(&Op) -> usize),
}

impl<Op> fmt::Debug for OpKernel<Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpKernel").finish_non_exhaustive()
    }
}

impl<Op: Sync + 'static, T: Stored, O: Written> Kernel<Op, T, O> {
    /// The kernel, without the types of its elements and results.
    pub(crate) fn of_op(&'static self) -> OpKernel<Op> {
        OpKernel(Typeless::Lanes(self.untyped(), size_of::<O>(), O::lay_out))
    }
}

impl<Op: Sync + 'static, T: Stored, O: EachWritten> SliceKernel<Op, T, O> {
    /// The kernel, without the types of its elements and results, whose length an operator says.
    pub(crate) fn of_op(&'static self, length: fn(&Op) -> usize) -> OpKernel<Op> {
        OpKernel(Typeless::Slices(self.table(), length))
    }
}

impl<Op: Send + Sync + 'static> OpKernel<Op> {
    /// The kernel, with an operator of its own.
    pub(crate) fn own(self, op: Arc<Op>) -> AnyKernel<'static> {
        let kernel = self.with(&op);
        AnyKernel { _kept: Some(op), ..kernel }
    }

    /// The kernel, with an operator that is somebody else's.
    pub(crate) fn lent(self, op: &Op) -> AnyKernel<'_> {
        self.with(op)
    }

    fn with<'a>(self, op: &Op) -> AnyKernel<'a> {
        let mut parts = Parts::new();
        let (driver, size) = match self.0 {
            Typeless::Lanes(untyped, size, lay_out) => {
                lay_out(0, &mut parts);
                (Driver::Lanes(untyped), size)
            }
            Typeless::Slices(table, length) => {
                let length = length(op);
                let size = lay_out_arrays(table.outputs, length, &mut parts);
                (Driver::Slices(table, length), size)
            }
        };
        let op = std::ptr::from_ref(op).cast();
        AnyKernel { op, _kept: None, driver, size, parts, types: PhantomData }
    }
}

/// Writes down the parts of a result, arrays of this length, and says how many bytes it has.
fn lay_out_arrays(dtypes: &[DType], length: usize, parts: &mut Parts) -> usize {
    // What is longer fits in no memory, and is an error when places for it are asked for.
    let most = isize::MAX.cast_unsigned() / (2 * MOST_RESULTS * WORD);
    let (mut at, places) = (0, length.min(most));
    for &dtype in dtypes {
        at = usize::next_multiple_of(at, dtype.size());
        parts.push(ResultPart { dtype, at, length: Some(length) });
        at += places * dtype.size();
    }
    // One array after the other is an output as it is.
    if dtypes.len() == 1 { at } else { at.next_multiple_of(WORD) }
}

/// Bytes of the largest element.
const WORD: usize = size_of::<u64>();

/// The parts of a result, each of which is an output.
type Parts = SmallVec<[ResultPart; 1]>;

/// A kernel with an operator, all types erased.
pub(crate) struct AnyKernel<'a> {
    /// The operator, which is that of the kernel.
    op: *const (),
    /// Keeps the operator, unless it is somebody else's.
    _kept: Option<Arc<dyn Any + Send + Sync>>,
    driver: Driver,
    /// Bytes of a result.
    size: usize,
    parts: Parts,
    types: PhantomData<&'a ()>,
}

// SAFETY: *sharing*: the operator is `Send` and `Sync`, which `OpKernel` asks for, and is only read.
unsafe impl Send for AnyKernel<'_> {}

// SAFETY: *sharing*: the operator is `Sync`, which `OpKernel` asks for, and is only read.
unsafe impl Sync for AnyKernel<'_> {}

// An operator is only ever read.
impl UnwindSafe for AnyKernel<'_> {}
impl RefUnwindSafe for AnyKernel<'_> {}

impl AnyKernel<'_> {
    /// The types of its inputs.
    pub(crate) fn inputs(&self) -> &'static [DType] {
        match self.driver {
            Driver::Lanes(untyped) => untyped.dtypes,
            Driver::Slices(table, _) => table.dtypes,
        }
    }

    /// Its value over no elements.
    fn empty(&self) -> Empty {
        match self.driver {
            Driver::Lanes(untyped) => untyped.empty,
            Driver::Slices(table, _) => table.empty,
        }
    }

    /// What it needs of a plan, on this machine, over the elements that are chosen.
    fn needs(&self, filter: Filter) -> Needs {
        match self.driver {
            Driver::Lanes(untyped) => ErasedKernel::new(self.op, untyped, true).needs(filter),
            Driver::Slices(..) => Needs { machine: Machine::this(), ..Needs::IN_ORDER },
        }
    }
}
