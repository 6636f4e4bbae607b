//! Emission: the result of a reduction sent back over the elements it was made of.
//!
//! Elements are taken in *groups*, small enough to stay in a cache ([`slices`]). Each group is reduced by the ordinary
//! kernel, as a part of the plan of all elements, so that results are those of a run. Then each element, with its
//! result, becomes another one ([`lines`]). What is emitted may be reduced again, and so on: all *stages* are done for
//! one group before the next ([`stage_plan`]).
//!
//! All of this is compiled once. An operator has a microkernel of its own for what becomes of an
//! element, [`micro::emit`](super::micro::emit).

mod again;
mod any;
mod doubtful;
mod lines;
mod over;
mod places;
mod repeat;
mod run;
mod slices;
mod stage;
mod stage_plan;
mod template;
mod turned;

use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use super::Untyped;
use super::micro::EmitsEach;
use crate::facts::dtype::DType;
use crate::values::element::{Element, Slot, Store};
use crate::values::stored::Stored;

use smallvec::SmallVec;

pub(crate) use again::BESIDE;
pub use again::{Again, EmitsAgain, EmittedAgain};
pub(crate) use any::{AnyEmission, AnyEmissionPlan};
pub use any::{Emissions, OpEmission};
pub(crate) use run::EmissionPlan;
use stage::Stage;

/// An operator that emits by results which can be kept as they are computed.
pub trait Keeps<T: Stored, O>: EmitsEach<T, O> {
    /// The kernel that does not round results. It reads the first inputs of `T`, or all of them. An operator that it is
    /// given may be one of type `Self`.
    fn keeping() -> &'static Untyped;

    /// The function that emits over sets whose results the operator doubts, if there is one.
    fn again() -> Option<Again>;
}

/// A result in the type it is computed in. It is not initialised until a kernel has written it. A kernel writes all
/// results of its plan, except for a spec with mistakes, and no program compiles with that.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Kept<R: Copy>(MaybeUninit<R>);

impl<R: Copy> fmt::Debug for Kept<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").finish_non_exhaustive()
    }
}

impl<R: Copy + Send + Sync + 'static> Slot for Kept<R> {
    const DTYPE: DType = DType::F64;

    #[inline(always)]
    fn blank() -> Self {
        Kept(MaybeUninit::uninit())
    }
}

impl<R: Copy + Send + Sync + 'static> Store<R> for Kept<R> {
    #[inline(always)]
    fn store(result: R) -> Self {
        Kept(MaybeUninit::new(result))
    }
}

/// What is known of the operators of an emission from storage type `T` to type `O`, one after another: all but the
/// operators themselves.
#[allow(missing_debug_implementations, reason = "named by hidden items alone")]
pub struct Stages<T, O> {
    all: SmallVec<[Stage; STACK_STAGES]>,
    types: PhantomData<fn(T) -> O>,
}

impl<T: Stored, O: Slot> Stages<T, O> {
    /// One operator.
    pub(crate) fn of<Op: Keeps<T, O>>() -> Self {
        Stages { all: SmallVec::from_iter([Stage::of::<Op, T, O>()]), types: PhantomData }
    }
}

impl<T, O> Stages<T, O> {
    /// These stages, which make what is emitted by doubtful results again if `mends` is true.
    pub(crate) fn mending(mut self, mends: bool) -> Self {
        for stage in self.all.iter_mut().filter(|_| !mends) {
            stage.again = None;
        }
        self
    }
}

impl<T: Stored, E: Element> Stages<T, E> {
    /// These stages, and behind them others, which go over what these emit.
    pub(crate) fn then<O>(self, next: Stages<E, O>) -> Stages<T, O> {
        self.before(next)
    }

    /// These stages, and behind them others. These go over what the first emit, and read other inputs beside it: those
    /// that `All` has more than `T`.
    pub(crate) fn then_beside<All: Stored, B: Stored, O>(
        self,
        next: Stages<B, O>,
    ) -> Stages<All, O> {
        self.before(next)
    }

    fn before<All, B, O>(mut self, next: Stages<B, O>) -> Stages<All, O> {
        self.all.extend(next.all);
        Stages { all: self.all, types: PhantomData }
    }
}

/// The operators of an emission, one after another, their types erased.
#[allow(missing_debug_implementations, reason = "named by hidden items alone")]
pub struct StageOps<'a> {
    all: SmallVec<[*const (); STACK_STAGES]>,
    ops: PhantomData<&'a ()>,
}

impl<'a> StageOps<'a> {
    /// One operator.
    #[inline]
    pub(crate) fn of<Op>(op: &'a Op) -> Self {
        let op: *const () = std::ptr::from_ref(op).cast();
        StageOps { all: SmallVec::from_iter([op]), ops: PhantomData }
    }

    /// These operators, and behind them others.
    #[inline]
    pub(crate) fn then(mut self, next: Self) -> Self {
        self.all.extend(next.all);
        self
    }
}

/// Up to this many stages need no allocation.
const STACK_STAGES: usize = 2;
