//! Operators that emit one after another may read the elements anew, in place of those that were emitted.
//!
//! What one operator emits would be written for the next one to read: two passes over memory. Instead the next one computes it
//! once more, from the element that was read and what is kept of the result in front. Both are inputs of its graphs then.

use super::EmissionSteps;
use crate::graph::{Argument, Graph, Id, Node, Operation, Steps};
use crate::trace::together::{shared_parameters, slot};

/// The stages over the elements of the first; nothing if one reads something else than the number that is emitted in front of it.
pub(crate) fn inlined(stages: &[EmissionSteps]) -> Option<Vec<EmissionSteps>> {
    let mut all: Vec<EmissionSteps> = Vec::new();
    for stage in stages {
        let next = match all.last() {
            None => stage.clone(),
            Some(before) => behind(before, stage)?,
        };
        all.push(next);
    }
    Some(all)
}

/// A stage over the elements of the stage in front of it.
fn behind(before: &EmissionSteps, stage: &EmissionSteps) -> Option<EmissionSteps> {
    let reads_emitted = stage.steps.inputs == [Some(0)]
        && stage.steps.element == [before.emitted.ty]
        && before.emitted.is_stored();
    let emit = before.steps.emit.filter(|_| reads_emitted)?;
    let mut steps = Steps {
        graph: Graph::default(),
        element: before.steps.element.iter().chain(&before.kept).copied().collect(),
        inputs: before.steps.inputs.clone(),
        before: before.steps.before.iter().chain([&before.kept]).cloned().collect(),
        parameters: before.steps.parameters.clone(),
        ..stage.steps.clone()
    };
    let read = slot(before.steps.element.len());
    let of_before = |graph: &mut Graph, Node { operation, ty }: Node| match operation {
        Operation::Argument(Argument::Kept, kept) => {
            graph.add(Operation::Argument(Argument::Element, read + kept), ty)
        }
        operation => graph.add(operation, ty),
    };
    let emitted = steps.graph.copy(&before.steps.graph, of_before)[emit as usize];
    let parameters = shared_parameters(&mut steps, &stage.steps);
    let of_stage = |graph: &mut Graph, Node { operation, ty }: Node| match operation {
        Operation::Argument(Argument::Element, _) => emitted,
        Operation::Parameter(number) => {
            graph.add(Operation::Parameter(parameters[usize::from(number)]), ty)
        }
        operation => graph.add(operation, ty),
    };
    let ids = steps.graph.copy(&stage.steps.graph, of_stage);
    let of = |id: &mut Id| *id = ids[*id as usize];
    let Steps { identity, map, push, combine, finalize, emit, doubts, .. } = &mut steps;
    let lists = [identity, map, push, combine, finalize];
    lists.into_iter().flatten().chain(emit).chain(doubts).for_each(of);
    Some(EmissionSteps { steps, inputs: before.inputs, ..stage.clone() })
}
