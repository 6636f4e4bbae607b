//! Emissions at run time: the operator and the types of elements are known no sooner.
//!
//! An operator with what emits over some storage type is an [`AnyEmission`], which forgets all types. With the strides
//! of its inputs and of its output it becomes an [`AnyEmissionPlan`].

#![allow(unsafe_code, reason = "buffers have their types erased")]

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use super::Keeps;
use super::over::Over;
use super::run::ErasedPlan;
use super::stage::Stage;
use crate::facts::axes::AxisSet;
use crate::facts::dtype::DType;
use crate::facts::error::Error;
use crate::facts::shape::Shape;
use crate::machine::level::Available;
use crate::machine::team::Crew;
use crate::values::element::Slot;
use crate::values::layout::Strided;
use crate::values::stored::{Buffers, Stored};

/// How an operator emits over some storage type, without this type.
pub struct OpEmission<Op> {
    stage: Stage,
    op: PhantomData<fn(Op)>,
}

impl<Op> fmt::Debug for OpEmission<Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OpEmission").field(&self.stage.dtypes).finish()
    }
}

impl<Op> OpEmission<Op> {
    /// How `Op` emits elements of type `O` over storage type `T`, said by `By`: the operator itself, or one that is
    /// represented as it is.
    ///
    /// # Safety
    /// *operator*: a reference to an `Op` may be read as one to a `By`.
    pub(crate) unsafe fn by<By: Keeps<T, O>, T: Stored, O: Slot>() -> Self {
        OpEmission { stage: Stage::of::<By, T, O>(), op: PhantomData }
    }

    /// The types of all inputs.
    pub(crate) fn inputs(&self) -> &'static [DType] {
        self.stage.dtypes
    }

    /// The emission, with an operator of its own.
    pub(crate) fn own(self, op: Arc<Op>) -> AnyEmission
    where
        Op: Send + Sync + 'static,
    {
        AnyEmission { op, stage: self.stage }
    }
}

/// How an operator emits over the types of a row.
#[derive(Debug)]
pub struct Emissions<Op> {
    /// Over the elements alone.
    pub alone: Option<OpEmission<Op>>,
    /// With other inputs beside the elements.
    pub beside: Option<OpEmission<Op>>,
}

/// An operator that emits, all types erased.
pub(crate) struct AnyEmission {
    /// The operator, which is that of the stage.
    op: Arc<dyn Any + Send + Sync>,
    stage: Stage,
}

// An operator is only ever read.
impl UnwindSafe for AnyEmission {}
impl RefUnwindSafe for AnyEmission {}

impl AnyEmission {
    /// The type of what is emitted.
    pub(crate) fn emitted(&self) -> DType {
        self.stage.emitted.0
    }

    /// The plan over inputs and an output of one shape, which has elements. Where results are doubted, what is emitted
    /// is made again if `mends` is true.
    pub(crate) fn plan(
        &self,
        (shape, axes): (&Shape, &AxisSet),
        inputs: &[Strided<'_>],
        out: Strided<'_>,
        mends: bool,
    ) -> AnyEmissionPlan {
        let again = self.stage.again.filter(|_| mends);
        let stage = Stage { again, ..self.stage };
        AnyEmissionPlan(ErasedPlan::new(&[stage], Over { shape, axes, inputs, out }))
    }

    /// Emits over inputs that lie as a plan has it.
    ///
    /// # Errors
    /// If there is not enough memory, or someone who watches wants the work to stop.
    ///
    /// # Safety
    /// *operator*, *types*, *buffers*, *sharing* and *places*, for a plan that was made of this emission. If the output
    /// takes the places of the first input, both lie alike.
    pub(crate) unsafe fn run(
        &self,
        plan: &AnyEmissionPlan,
        inputs: Buffers,
        crew: (Available, Crew<'_>),
        output: *mut u8,
    ) -> Result<(), Error> {
        let op: *const () = Arc::as_ptr(&self.op).cast();
        // SAFETY: *operator*: `OpEmission::own` kept one of the type that the stage was made for. The caller keeps
        // *types*, *buffers* and *places*.
        unsafe { plan.0.run(&[op], inputs, crew, output) }
    }
}

/// An emission over one layout of inputs and output.
pub(crate) struct AnyEmissionPlan(ErasedPlan);
