//! All steps of an operator traced.

use reduce_core::adapt::ComputedIn;
use reduce_core::backend::{Combine, Combining, Holds, Reader, Selecting, Through};
use reduce_core::bounds::{Store, Stored, Written};
use reduce_core::{Accumulator, DType, OnePass, ReduceOp};

use super::arena::{Arena, arena};
use super::element::Symbolic;
use super::error::Untraceable;
use super::explore::{Scalar, explore};
use super::proof;
use super::scalars::{Collected, Fresh, Stored as Parts};
use crate::graph::{Argument, Bits, Graph, Id, Int, Operation, Steps, Type, Unary};

/// A result: what the device computes, and what is stored.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// The type in which it is computed.
    pub ty: Type,
    /// The type in which it is stored.
    pub dtype: DType,
    /// The bits of the stored value, from those of the value.
    pub(crate) convert: fn(Bits) -> Bits,
}

impl Output {
    /// The bits of the stored value, from those of the value.
    pub(crate) fn stored(&self, bits: Bits) -> Bits {
        (self.convert)(bits)
    }

    /// Whether a device holds it as it is stored: with the same bits, in whole words.
    pub(crate) fn is_stored(&self) -> bool {
        let int = |bits, signed| Type::Int(Int { bits, signed });
        let stored = match self.dtype {
            DType::F32 => Type::F32,
            DType::F64 => Type::F64,
            DType::I32 => int(32, true),
            DType::U32 => int(32, false),
            DType::I64 => int(64, true),
            DType::U64 => int(64, false),
            _ => return false,
        };
        self.ty == stored
    }
}

/// An operator traced.
#[derive(Clone, Debug)]
pub struct Traced {
    /// Its steps.
    pub steps: Steps,
    /// Its results.
    pub outputs: Vec<Output>,
}

/// An operator, or a tuple of operators, that can be traced over tensors of `T`: any that is generic over the type it computes in.
pub trait Trace<T: Stored>: OnePass<T> {
    /// Its steps, for a number of elements.
    ///
    /// # Errors
    /// If a step cannot be traced; the error says why.
    fn trace(&self, count: usize) -> Result<Traced, Untraceable>;
}

impl<T: Stored, Op> Trace<T> for Op
where
    Op: OnePass<T>,
    Op::Fold: TraceFold<Op, T, Op::Result>,
{
    fn trace(&self, count: usize) -> Result<Traced, Untraceable> {
        <Op::Fold as TraceFold<Op, T, Op::Result>>::trace(self, count)
    }
}

/// How an operator is traced, by how its kernels fold.
///
/// Those that leave elements out have no kernels of their own:
///
/// ```compile_fail
/// use reduce_core::{Masked, Reduction, View};
/// use reduce_gpu::Gpu;
/// use reduce_specs::ReduceSum;
///
/// let gpu = Gpu::new()?;
/// let sums = gpu.prepare(Reduction::new(Masked(ReduceSum)));
/// let (x, mask) = (View::new(&[1.0f32], &[1])?, View::new(&[true], &[1])?);
/// sums.run(&(x, mask))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Op}` cannot be traced, so it runs on the CPU alone",
    label = "not traced",
    note = "write the operator for any type with the traits it needs: `impl<A: Real> ReduceOp<A>`",
    note = "`Masked` and `SkipNan` have no trace, since their order of combination follows from which elements count"
)]
pub trait TraceFold<Op, T, O> {
    /// See [`Trace::trace`].
    #[doc(hidden)]
    fn trace(op: &Op, count: usize) -> Result<Traced, Untraceable>;
}

macro_rules! folds {
    ($($fold:ident: $selects:literal)*) => {$(
        impl<Op, T, O, R> TraceFold<Op, T, O> for $fold<R, Op, T>
        where
            T: Stored,
            R: Reader<T, Element: Symbolic>,
            O: Written
                + Store<<Op as ReduceOp<R::Element>>::Output>
                + Store<<Op as ReduceOp<SymbolOf<R, T>>>::Output>,
            Op: ReduceOp<R::Element> + ReduceOp<SymbolOf<R, T>>,
        {
            fn trace(op: &Op, count: usize) -> Result<Traced, Untraceable> {
                let traced = traced::<R::Element, O, Op>(op, count, $selects)?;
                proof::holds::<R::Element, O, Op>(op, None, count, &traced)?;
                Ok(traced)
            }
        }
    )*};
}

folds! { Combining: false Selecting: true }

/// An operator that is computed in another type is traced as the one it holds.
impl<Op, A, S, T, O> TraceFold<ComputedIn<Op, A>, T, O> for Combine<Through<ComputedIn<Op, A>, S>>
where
    ComputedIn<Op, A>: Holds<Op>,
    Combine<S>: TraceFold<Op, T, O>,
{
    fn trace(op: &ComputedIn<Op, A>, count: usize) -> Result<Traced, Untraceable> {
        <Combine<S> as TraceFold<Op, T, O>>::trace(op.held(), count)
    }
}

/// The symbol of the element that a reader makes.
pub(super) type SymbolOf<R, T> = <<R as Reader<T>>::Element as Symbolic>::Symbol;

/// The steps of an operator over elements of type `X`, whose result is stored as `O`.
fn traced<X, O, Op>(op: &Op, count: usize, selects: bool) -> Result<Traced, Untraceable>
where
    X: Symbolic,
    O: Written + Store<<Op as ReduceOp<X::Symbol>>::Output>,
    Op: ReduceOp<X::Symbol>,
{
    arena(|arena| *arena = Arena::default());
    let operator = operator::<Op>();
    let error = |step| move |reason| Untraceable { operator, step, reason };
    let template = op.identity();
    let of = |argument| argument_of(template, argument);
    let element = || X::fresh(&mut 0);
    let identity = explore(&|| scalars(op.identity())).map_err(error("identity"))?;
    let map = explore(&|| scalars(op.map(element()))).map_err(error("map"))?;
    let push = || scalars(op.push(of(Argument::Left), element()));
    let push = explore(&push).map_err(error("push"))?;
    let combine = || scalars(op.combine(of(Argument::Left), of(Argument::Right)));
    let combine = explore(&combine).map_err(error("combine"))?;
    let outputs = std::cell::RefCell::default();
    let finalize = || {
        arena(|arena| arena.stored.clear());
        let mut result = O::store(op.finalize(of(Argument::Left), count));
        let mut parts = Parts::default();
        result.each_element(&mut parts);
        *outputs.borrow_mut() = parts.outputs;
        parts.scalars
    };
    let finalize = explore(&finalize).map_err(error("finalize"))?;
    let doubts = || {
        let doubts = op.doubts(&of(Argument::Left), count);
        vec![Scalar::Value(bit(doubts))]
    };
    let doubts = match Op::DOUBTS {
        true => explore(&doubts).map_err(error("doubts"))?.first().copied(),
        false => None,
    };
    let mut of_element = Vec::new();
    X::scalars(&mut of_element);
    let mut input = 0;
    let inputs = of_element.iter().map(|(_, is_read)| {
        input += u8::from(*is_read);
        is_read.then(|| input - 1)
    });
    let Arena { mut graph, parameters, .. } = arena(std::mem::take);
    let mut outputs = outputs.into_inner();
    let finalize = wide_places(&mut graph, finalize, &mut outputs);
    let accumulator = types(template);
    let slots = u16::try_from(accumulator.len()).unwrap_or(u16::MAX);
    let steps = Steps {
        name: operator,
        members: 1,
        inputs: inputs.collect(),
        before: Vec::new(),
        accumulator,
        element: of_element.iter().map(|(ty, _)| *ty).collect(),
        parameters,
        identity,
        map,
        push,
        combine,
        finalize,
        emit: None,
        doubts,
        selects: selects.then_some(0..slots).into_iter().collect(),
        graph,
    };
    Ok(Traced { steps, outputs })
}

/// Makes the results that are positions integers of 64 bits, as tensors have them.
fn wide_places(graph: &mut Graph, results: Vec<Id>, outputs: &mut [Output]) -> Vec<Id> {
    let wide = |(id, output): (Id, &mut Output)| {
        if output.ty != Type::Place {
            return id;
        }
        output.ty = Type::Int(Int { bits: 64, signed: output.dtype == DType::I64 });
        graph.add(Operation::Unary(Unary::Convert, id), output.ty)
    };
    results.into_iter().zip(outputs).map(wide).collect()
}

/// The name of an operator's type, without modules.
fn operator<Op>() -> &'static str {
    let name = std::any::type_name::<Op>();
    let end = name.find('<').unwrap_or(name.len());
    let start = name[..end].rfind("::").map_or(0, |place| place + 2);
    &name[start..]
}

/// An accumulator whose scalars are those of an argument.
pub(super) fn argument_of<A: Accumulator>(mut template: A, argument: Argument) -> A {
    template.each_scalar(&mut Fresh { argument, next: 0 });
    template
}

/// The scalars of an accumulator.
fn scalars<A: Accumulator>(mut of: A) -> Vec<Scalar> {
    let mut collected = Collected::default();
    of.each_scalar(&mut collected);
    collected.scalars
}

/// Their types.
fn types<A: Accumulator>(mut of: A) -> Vec<Type> {
    let mut collected = Collected::default();
    of.each_scalar(&mut collected);
    collected.types
}

/// The decision of a path as a number: 1 or 0.
fn bit(holds: bool) -> Id {
    arena(|arena| arena.graph.constant(holds.into(), Type::U32))
}
