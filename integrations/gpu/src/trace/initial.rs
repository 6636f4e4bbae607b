//! Operators that start from a value.
//!
//! The value is taken in where a result is finished: `finalize` of `combine(map(value), accumulator)`. So these three steps of the
//! operator, traced as always, are put together. What `map` makes of the value is parameters: kernels are the same for all values.

use reduce_core::ReduceOp;
use reduce_core::adapt::{Initial, Starting};
use reduce_core::backend::{Combine, Combining, OpSteps, Reader, Select, Selecting, Through};
use reduce_core::bounds::{Store, Stored, Written};

use super::element::Symbolic;
use super::error::Untraceable;
use super::proof;
use super::steps::{TraceFold, Traced};
use crate::graph::{Argument, Bits, Graph, Id, Operation, Steps};

macro_rules! folds {
    ($($fold:ident $lanes:ident $selects:literal)*) => {$(
        impl<Op, T, O, R> TraceFold<Initial<Op, T>, T, O>
            for $lanes<Through<Initial<Op, T>, OpSteps<R, Op, T, $selects>>>
        where
            T: Stored,
            R: Reader<T, Element: Symbolic>,
            O: Written + Store<<Op as ReduceOp<R::Element>>::Output>,
            Op: ReduceOp<R::Element>,
            $fold<R, Op, T>: TraceFold<Op, T, O>,
        {
            fn trace(op: &Initial<Op, T>, count: usize) -> Result<Traced, Untraceable> {
                let (operator, Starting(value)) = op.parts();
                let mut traced = <$fold<R, Op, T> as TraceFold<Op, T, O>>::trace(operator, count)?;
                let first = operator.map(R::read(value, u64::MAX));
                let bits = proof::bits(&traced.steps.accumulator, first);
                start(&mut traced.steps, &bits);
                proof::holds::<R::Element, O, Op>(operator, Some(first), count, &traced)?;
                Ok(traced)
            }
        }
    )*};
}

folds! { Combining Combine false Selecting Select true }

/// Lets results start from an accumulator. None is doubted.
fn start(steps: &mut Steps, first: &[Bits]) {
    let mut values = Vec::with_capacity(first.len());
    for (&bits, &ty) in first.iter().zip(&steps.accumulator) {
        let number = u16::try_from(steps.parameters.len()).unwrap_or(u16::MAX);
        steps.parameters.push((bits, ty));
        values.push(steps.graph.add(Operation::Parameter(number), ty));
    }
    let accumulator = &steps.accumulator;
    let first_and_rest = |graph: &mut Graph, argument, slot: u16| match argument {
        Argument::Left => values[usize::from(slot)],
        _ => {
            let rest = Operation::Argument(Argument::Left, slot);
            graph.add(rest, accumulator[usize::from(slot)])
        }
    };
    let both = replaced(&mut steps.graph, &steps.combine, first_and_rest);
    let finished = |_: &mut Graph, _, slot: u16| both[usize::from(slot)];
    steps.finalize = replaced(&mut steps.graph, &steps.finalize, finished);
    steps.doubts = None;
}

/// Nodes of a step, its arguments replaced by other nodes.
fn replaced(
    graph: &mut Graph,
    nodes: &[Id],
    of: impl Fn(&mut Graph, Argument, u16) -> Id,
) -> Vec<Id> {
    let all = graph.nodes().to_vec();
    let mut is_needed = vec![false; all.len()];
    nodes.iter().for_each(|&id| is_needed[id as usize] = true);
    // Operands stand before what is made of them.
    for id in (0..all.len()).rev() {
        if is_needed[id] {
            let operands = all[id].operation.operands();
            operands.for_each(|operand| is_needed[operand as usize] = true);
        }
    }
    let mut ids: Vec<Id> = Vec::with_capacity(all.len());
    for (node, is_needed) in all.into_iter().zip(is_needed) {
        ids.push(match node.operation {
            _ if !is_needed => Id::MAX,
            Operation::Argument(argument, slot) => of(graph, argument, slot),
            operation => graph.add(operation.on(|operand| ids[operand as usize]), node.ty),
        });
    }
    nodes.iter().map(|&id| ids[id as usize]).collect()
}
