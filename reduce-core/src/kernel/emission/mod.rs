//! Emission: the result of a reduction sent back over the elements it was made of.
//!
//! Elements are taken in *groups*, small enough to stay in a cache ([`slices`]). Each group is reduced by the ordinary
//! kernel, as a part of the plan of all elements, so that results are those of a run. Then each element, with its
//! result, becomes another one ([`lines`]). What is emitted may be reduced again, and so on: all *stages* are done for
//! one group before the next ([`stage`]).
//!
//! All of this is compiled once. An operator has a microkernel of its own for what becomes of an
//! element, [`micro::emit`](super::micro::emit).

mod again;
mod doubtful;
mod lines;
mod over;
mod repeat;
mod run;
mod slices;
mod stage;

use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use super::micro::{EmitsEach, emit};
use super::{Kernel, MadeOf};
use crate::facts::dtype::DType;
use crate::machine::LINE;
use crate::values::element::{Element, Slot, Store};
use crate::values::stored::Stored;

pub use again::{Again, EmitsAgain};
use stage::Stage;

/// An operator that emits by results which can be kept as they are computed.
pub trait Keeps<T: Stored, O>: EmitsEach<T, O> {
    /// The kernel that does not round results.
    fn keeping() -> &'static Kernel<Self, T, Kept<Self::Kept>>;

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

/// The operators of an emission from storage type `T` to type `O`, one after another.
#[allow(missing_debug_implementations, reason = "named by hidden items alone")]
pub struct Stages<'a, T, O> {
    all: Vec<Stage>,
    ops: PhantomData<&'a ()>,
    types: PhantomData<fn(T) -> O>,
}

impl<'a, T: Stored, O: Slot> Stages<'a, T, O> {
    /// One operator.
    pub(crate) fn of<Op: Keeps<T, O>>(op: &'a Op) -> Self {
        const { assert!(align_of::<Op::Kept>() <= LINE, "results are aligned to lines of the cache") };
        let (kernel, filter) = Op::keeping().untyped().with_filter();
        let MadeOf::Tables(tables, sizes) = &kernel.made_of else {
            unreachable!("made of the operator's fold")
        };
        let stage = Stage {
            op: std::ptr::from_ref(op).cast(),
            kernel,
            tables,
            sizes,
            filter,
            inputs: T::DTYPES.len(),
            elements: T::SIZES,
            needs: Op::keeping().needs(),
            emit: emit::<Op, T, O>,
            again: Op::again(),
            emitted: (O::DTYPE, size_of::<O>()),
        };
        Stages { all: vec![stage], ops: PhantomData, types: PhantomData }
    }
}

impl<'a, T: Stored, E: Element> Stages<'a, T, E> {
    /// These stages, and behind them others, which go over what these emit.
    pub(crate) fn then<O>(mut self, next: Stages<'a, E, O>) -> Stages<'a, T, O> {
        self.all.extend(next.all);
        Stages { all: self.all, ops: PhantomData, types: PhantomData }
    }
}
