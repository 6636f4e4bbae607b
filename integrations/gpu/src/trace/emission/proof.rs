//! What is emitted held against its trace: both are computed on the CPU, of elements of all kinds.

use reduce_core::backend::Scalars as _;
use reduce_core::bounds::Store;
use reduce_core::{Element, Emit};

use super::EmissionSteps;
use crate::graph::{Bits, Given, evaluate};
use crate::trace::element::Symbolic;
use crate::trace::error::{Reason, Untraceable};
use crate::trace::proof::{ELEMENTS, Kind, ROUNDS, Random, bits};
use crate::trace::scalars::Bare;

/// That a trace emits what its operator does.
///
/// # Errors
/// If it does not, of some elements.
pub(super) fn holds<X, O, Op>(
    op: &Op,
    count: usize,
    emission: &EmissionSteps,
) -> Result<(), Untraceable>
where
    X: Symbolic,
    O: Element + Store<<Op as Emit<X>>::Emitted>,
    Op: Emit<X>,
{
    let EmissionSteps { steps, emitted, .. } = emission;
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let parameters = &steps.parameters;
    for round in 0..ROUNDS {
        let mut accumulator = op.identity();
        let mut elements = Vec::new();
        for position in 0..ELEMENTS {
            let x: Vec<Bits> =
                steps.element.iter().map(|ty| random.scalar(*ty, round, position)).collect();
            accumulator = op.push(accumulator, X::of_bits(&mut x.iter().copied()));
            elements.push(first_place(steps, x));
        }
        let result = op.finalize(accumulator, count);
        let left = bits(&steps.accumulator, accumulator);
        let of_left = Given { left: &left, parameters, ..Given::default() };
        let kept = evaluate(&steps.graph, &steps.finalize, &of_left);
        for x in elements {
            let given = Given { element: &x, kept: &kept, parameters, ..Given::default() };
            let of_trace = evaluate(&steps.graph, steps.emit.as_slice(), &given)[0];
            let of_trace = emitted.stored(of_trace);
            let mut stored = O::store(op.emit(X::of_bits(&mut x.iter().copied()), &result));
            let mut of_step = Bare::default();
            of_step.scalar(&mut stored);
            if !Kind::Stored(emitted.dtype).is_same(of_step.bits[0], of_trace) {
                let reason = Reason::Differs {
                    given: format!("{left:x?} and {x:x?}"),
                    step: format!("{:x}", of_step.bits[0]),
                    trace: format!("{of_trace:x}"),
                };
                return Err(Untraceable { operator: steps.name, step: "emit", reason });
            }
        }
    }
    Ok(())
}

/// An element as it is emitted over: its position is 0.
fn first_place(steps: &crate::graph::Steps, mut x: Vec<Bits>) -> Vec<Bits> {
    for (bits, input) in x.iter_mut().zip(&steps.inputs) {
        if input.is_none() {
            *bits = 0;
        }
    }
    x
}
