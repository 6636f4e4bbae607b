//! Operators that emit, traced: what becomes of an element once the result over its set is known.
//!
//! `emit` is traced together with `finalize`, whose result is of any type and need not be known here: one graph computes what is
//! emitted, from an accumulator and an element. It is cut into two. The part that depends on the accumulator alone is
//! computed once for each result and *kept* ([`cut`](cut::cut)). The rest is computed for each element, from it and
//! from the kept values.

mod chain;
mod cut;
mod inline;
mod proof;

pub use chain::TraceEmit;
pub(crate) use inline::inlined;

use reduce_core::adapt::ComputedIn;
use reduce_core::backend::{Combine, Combining, Holds, OpSteps, Reader, Selecting, Through};
use reduce_core::bounds::{Store, Stored};
use reduce_core::{DType, Element, Emit, ReduceOp};

use super::arena::{Arena, arena};
use super::element::Symbolic;
use super::error::Untraceable;
use super::explore::explore;
use super::scalars::Stored as Parts;
use super::steps::{Output, SymbolOf, Trace, Traced, argument_of};
use crate::graph::{Argument, Steps, Type};
use reduce_core::backend::Scalars;

/// An operator that emits, traced.
#[derive(Clone, Debug)]
pub struct EmissionSteps {
    /// Its steps. `finalize` makes what is kept.
    pub steps: Steps,
    /// The types of the values that are kept of a result.
    pub kept: Vec<Type>,
    /// The emitted element.
    pub emitted: Output,
    /// The types of the inputs, as they are stored.
    pub inputs: &'static [DType],
}

/// How an operator that emits `O` is traced, by how its kernels fold.
pub trait EmitFold<Op, T, O> {
    /// Its steps, for a number of elements.
    #[doc(hidden)]
    fn trace(op: &Op, count: usize) -> Result<EmissionSteps, Untraceable>;
}

macro_rules! folds {
    ($($fold:ident)*) => {$(
        impl<Op, T, O, R> EmitFold<Op, T, O> for $fold<R, Op, T>
        where
            T: Stored,
            R: Reader<T, Element: Symbolic>,
            Op: Trace<T> + Emit<R::Element> + Emit<SymbolOf<R, T>>,
            O: Element
                + Store<<Op as Emit<R::Element>>::Emitted>
                + Store<<Op as Emit<SymbolOf<R, T>>>::Emitted>,
        {
            fn trace(op: &Op, count: usize) -> Result<EmissionSteps, Untraceable> {
                let traced = Trace::<T>::trace(op, count)?;
                let emission = emission::<R::Element, O, Op>(op, count, traced, T::DTYPES)?;
                proof::holds::<R::Element, O, Op>(op, count, &emission)?;
                Ok(emission)
            }
        }
    )*};
}

folds! { Combining Selecting }

/// An operator that is computed in another type emits as the one it holds.
impl<Op, A, R, T, O> EmitFold<ComputedIn<Op, A>, T, O>
    for Combine<Through<ComputedIn<Op, A>, OpSteps<R, Op, T, false>>>
where
    T: Stored,
    R: Reader<T, Element: Symbolic>,
    ComputedIn<Op, A>: Trace<T> + Holds<Op>,
    Op: Emit<R::Element> + Emit<SymbolOf<R, T>>,
    O: Element
        + Store<<Op as Emit<R::Element>>::Emitted>
        + Store<<Op as Emit<SymbolOf<R, T>>>::Emitted>,
{
    fn trace(op: &ComputedIn<Op, A>, count: usize) -> Result<EmissionSteps, Untraceable> {
        let (traced, op) = (Trace::<T>::trace(op, count)?, op.held());
        let emission = emission::<R::Element, O, Op>(op, count, traced, T::DTYPES)?;
        proof::holds::<R::Element, O, Op>(op, count, &emission)?;
        Ok(emission)
    }
}

/// An operator's steps, with what it emits.
fn emission<X, O, Op>(
    op: &Op,
    count: usize,
    traced: Traced,
    inputs: &'static [DType],
) -> Result<EmissionSteps, Untraceable>
where
    X: Symbolic,
    O: Element + Store<<Op as Emit<X::Symbol>>::Emitted>,
    Op: Emit<X::Symbol>,
{
    let Traced { mut steps, .. } = traced;
    let error = |reason| Untraceable { operator: steps.name, step: "emit", reason };
    arena(|arena| {
        *arena = Arena {
            graph: std::mem::take(&mut steps.graph),
            parameters: std::mem::take(&mut steps.parameters),
            ..Arena::default()
        };
    });
    let template = ReduceOp::<X::Symbol>::identity(op);
    let outputs = std::cell::RefCell::default();
    let emit = || {
        arena(|arena| arena.stored.clear());
        let result = op.finalize(argument_of(template, Argument::Left), count);
        let mut stored = O::store(op.emit(X::fresh(&mut 0), &result));
        let mut parts = Parts::default();
        parts.scalar(&mut stored);
        *outputs.borrow_mut() = parts.outputs;
        parts.scalars
    };
    let made = explore(&emit).map_err(error)?;
    let Arena { graph, parameters, .. } = arena(std::mem::take);
    (steps.graph, steps.parameters) = (graph, parameters);
    let (kept, emit) = cut::cut(&mut steps.graph, made[0]);
    let types = kept.iter().map(|&id| steps.graph.node(id).ty).collect();
    (steps.finalize, steps.emit) = (kept, Some(emit));
    Ok(EmissionSteps { steps, kept: types, emitted: outputs.into_inner()[0], inputs })
}
