//! The operators of a tuple as one operator.
//!
//! Each member is traced and proven alone. Then their steps are joined:
//!
//! - the scalars of the accumulator and the results are those of the first member, then those of the next one, and so on;
//! - what several members read of the element is read once, and so are parameters that they have in common;
//! - the bits that say which results are doubted follow one another too.
//!
//! So the joined steps do for each member what its own do, and the proof of the members is one of the tuple.

use std::ops::Range;

use super::error::Untraceable;
use super::steps::{TraceFold, Traced};
use crate::graph::{Argument, Binary, Graph, Id, Operation, Shift, Steps, Type};

macro_rules! tuples {
    ($(($First:ident $FirstOp:ident $FirstO:ident $(, $F:ident $Op:ident $O:ident . $index:tt)*))*) => {$(
        impl<T, $First, $FirstOp, $FirstO, $($F, $Op, $O),*>
            TraceFold<($FirstOp, $($Op,)*), T, ($FirstO, $($O,)*)> for ($First, $($F,)*)
        where
            $First: TraceFold<$FirstOp, T, $FirstO>,
            $($F: TraceFold<$Op, T, $O>,)*
        {
            fn trace(op: &($FirstOp, $($Op,)*), count: usize) -> Result<Traced, Untraceable> {
                let together = $First::trace(&op.0, count)?;
                $(let together = joined(together, $F::trace(&op.$index, count)?);)*
                Ok(together)
            }
        }
    )*};
}

tuples! {
    (F P A)
    (F P A, G Q B.1)
    (F P A, G Q B.1, H R D.2)
    (F P A, G Q B.1, H R D.2, I S E.3)
    (F P A, G Q B.1, H R D.2, I S E.3, J U K.4)
    (F P A, G Q B.1, H R D.2, I S E.3, J U K.4, M V N.5)
    (F P A, G Q B.1, H R D.2, I S E.3, J U K.4, M V N.5, W X Y.6)
    (F P A, G Q B.1, H R D.2, I S E.3, J U K.4, M V N.5, W X Y.6, Z Aa Ab.7)
}

/// The members of a tuple up to one of them, and that one.
fn joined(mut before: Traced, member: Traced) -> Traced {
    before.outputs.extend(member.outputs);
    append(&mut before.steps, &member.steps);
    before
}

/// Adds the steps of one more member.
fn append(steps: &mut Steps, member: &Steps) {
    let places = Places {
        accumulator: slot(steps.accumulator.len()),
        results: slot(steps.finalize.len()),
        element: shared_elements(steps, member),
        parameters: shared_parameters(steps, member),
    };
    let ids = copied(&mut steps.graph, &member.graph, &places);
    let of = |id: &Id| ids[*id as usize];
    steps.accumulator.extend(&member.accumulator);
    steps.identity.extend(member.identity.iter().map(of));
    steps.map.extend(member.map.iter().map(of));
    steps.push.extend(member.push.iter().map(of));
    steps.combine.extend(member.combine.iter().map(of));
    steps.finalize.extend(member.finalize.iter().map(of));
    let first = places.accumulator;
    let behind = |slots: &Range<u16>| slots.start + first..slots.end + first;
    steps.selects.extend(member.selects.iter().map(behind));
    if let Some(doubts) = member.doubts.as_ref().map(of) {
        steps.doubts = doubted(&mut steps.graph, steps.doubts, doubts, steps.members);
    }
    steps.members += member.members;
}

/// Where the slots and parameters of a member are among those of all members.
struct Places {
    /// The slot of the first scalar of its accumulator.
    accumulator: u16,
    /// The slot of its first result.
    results: u16,
    /// The slot of each scalar of its element.
    element: Vec<u16>,
    /// The number of each of its parameters.
    parameters: Vec<u16>,
}

/// A number of slots as `u16`. An accumulator has at most as many slots as bytes.
pub(super) fn slot(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// The place of something in a list; a new one at its end if the list does not have it.
fn place<X: PartialEq>(list: &mut Vec<X>, x: X) -> u16 {
    let known = list.iter().position(|known| *known == x);
    slot(known.unwrap_or_else(|| {
        list.push(x);
        list.len() - 1
    }))
}

/// The slots of a member's scalars of the element: the same for the same type read from the same input.
fn shared_elements(steps: &mut Steps, member: &Steps) -> Vec<u16> {
    let of = |steps: &Steps| -> Vec<_> {
        steps.element.iter().copied().zip(steps.inputs.iter().copied()).collect()
    };
    let mut all = of(steps);
    let slots = of(member).into_iter().map(|read| place(&mut all, read)).collect();
    (steps.element, steps.inputs) = all.into_iter().unzip();
    slots
}

/// The numbers of a member's parameters: the same for the same value.
pub(super) fn shared_parameters(steps: &mut Steps, member: &Steps) -> Vec<u16> {
    member.parameters.iter().map(|parameter| place(&mut steps.parameters, *parameter)).collect()
}

/// The nodes of a member's graph in the graph of all members.
fn copied(graph: &mut Graph, member: &Graph, places: &Places) -> Vec<Id> {
    graph.copy(member, |graph, node| {
        let operation = match node.operation {
            Operation::Argument(argument, slot) => {
                let slot = match argument {
                    Argument::Left | Argument::Right => slot + places.accumulator,
                    Argument::Element => places.element[usize::from(slot)],
                    Argument::Kept => slot + places.results,
                };
                Operation::Argument(argument, slot)
            }
            Operation::Parameter(number) => {
                Operation::Parameter(places.parameters[usize::from(number)])
            }
            operation => operation,
        };
        graph.add(operation, node.ty)
    })
}

/// Puts the doubts of a member behind the `bits` bits of those before it. A result has 32 such bits: as on the CPU, no
/// more are mended.
fn doubted(graph: &mut Graph, before: Option<Id>, member: Id, bits: u32) -> Option<Id> {
    let Some(by) = u8::try_from(bits).ok().filter(|&by| by < 32) else { return before };
    let shifted = match by {
        0 => member,
        _ => graph.add(Operation::Shift(Shift::Left, member, by), Type::U32),
    };
    Some(match before {
        Some(before) => graph.add(Operation::Binary(Binary::Or, before, shifted), Type::U32),
        None => shifted,
    })
}
