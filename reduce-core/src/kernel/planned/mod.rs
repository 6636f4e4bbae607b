//! Kernels that are planned when the program runs: the operator, the types of elements and the number of results are
//! known no sooner.
//!
//! An operator is bound to a kernel of its own as an [`AnyKernel`], which forgets all types. With the layouts of its
//! inputs and outputs it becomes a [`PlannedKernel`]. That is given buffers, and nothing else, as often as one likes. All
//! of this is compiled once for all operators.

#![allow(unsafe_code, reason = "an operator is kept behind a pointer")]

mod at_once;
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
use super::{ErasedKernel, Kernel, Untyped};
use crate::facts::dtype::DType;
use crate::plan::Needs;
use crate::values::stored::Stored;
use crate::values::written::{ResultPart, Written};

pub(crate) use at_once::AnyResults;
pub(crate) use often::{LaidOut, PlannedKernel};
pub(crate) use over::Settled;

/// The kernel of an operator, without the types of its elements and results.
pub(crate) struct OpKernel<Op> {
    untyped: &'static Untyped,
    /// Bytes of a result, and what writes down its parts.
    size: usize,
    lay_out: fn(usize, &mut Parts),
    op: PhantomData<fn(Op)>,
}

impl<Op> fmt::Debug for OpKernel<Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpKernel").finish_non_exhaustive()
    }
}

impl<Op: Sync + 'static, T: Stored, O: Written> Kernel<Op, T, O> {
    /// The kernel, without the types of its elements and results.
    pub(crate) fn of_op(&'static self) -> OpKernel<Op> {
        let untyped = self.untyped();
        OpKernel { untyped, size: size_of::<O>(), lay_out: O::lay_out, op: PhantomData }
    }
}

impl<Op: Send + Sync + 'static> OpKernel<Op> {
    /// The kernel, with an operator of its own.
    pub(crate) fn own(self, op: Arc<Op>) -> AnyKernel<'static> {
        let pointer = Arc::as_ptr(&op).cast();
        AnyKernel { _kept: Some(op), ..self.with(pointer) }
    }

    /// The kernel, with an operator that is somebody else's.
    pub(crate) fn lent(self, op: &Op) -> AnyKernel<'_> {
        self.with(std::ptr::from_ref(op).cast())
    }

    fn with<'a>(self, op: *const ()) -> AnyKernel<'a> {
        let OpKernel { untyped, size, lay_out, .. } = self;
        let mut parts = Parts::new();
        lay_out(0, &mut parts);
        AnyKernel { op, _kept: None, untyped, size, parts, types: PhantomData }
    }
}

/// The parts of a result, each of which is an output.
type Parts = SmallVec<[ResultPart; 1]>;

/// A kernel with an operator, all types erased.
pub(crate) struct AnyKernel<'a> {
    /// The operator, which is that of the kernel.
    op: *const (),
    /// Keeps the operator, unless it is somebody else's.
    _kept: Option<Arc<dyn Any + Send + Sync>>,
    untyped: &'static Untyped,
    /// Bytes of a result.
    size: usize,
    parts: Parts,
    types: PhantomData<&'a ()>,
}

// SAFETY: an operator that threads may share.
unsafe impl Send for AnyKernel<'_> {}

// SAFETY: the same.
unsafe impl Sync for AnyKernel<'_> {}

// An operator is only ever read.
impl UnwindSafe for AnyKernel<'_> {}
impl RefUnwindSafe for AnyKernel<'_> {}

impl AnyKernel<'_> {
    /// The types of its inputs.
    pub(crate) fn inputs(&self) -> &'static [DType] {
        self.untyped.dtypes
    }

    /// What it needs of a plan, on this machine, over the elements that are chosen.
    fn needs(&self, filter: Filter) -> Needs {
        ErasedKernel::new(self.op, self.untyped, true).needs(filter)
    }
}
