//! What is recorded while a step runs: nodes, parameters, and the answers to comparisons.
//!
//! It belongs to the thread, since operations on numbers have no place for another argument.

use std::cell::RefCell;
use std::panic::resume_unwind;

use super::error::Reason;
use super::facts;
use super::places::Places;
use crate::graph::{Bits, Graph, Id, Operation, Type};

/// The most decisions of one path.
const MOST_DECISIONS: usize = 96;

/// A condition, and the answer that was given or is to be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    /// A node that is a flag.
    pub(super) condition: Id,
    pub(super) holds: bool,
    /// Whether it is of the order of positions, for which no step asks.
    pub(super) is_of_places: bool,
}

/// All that is recorded.
#[derive(Default)]
pub(super) struct Arena {
    pub(super) graph: Graph,
    pub(super) parameters: Vec<(Bits, Type)>,
    /// The answers that this run is to repeat.
    pub(super) prefix: Vec<Fact>,
    /// The answers that this run gave.
    pub(super) path: Vec<Fact>,
    /// The numbers that stand for positions and counters.
    pub(super) places: Places,
    /// Symbols that became stored values.
    pub(super) stored: Vec<super::results::Kept>,
}

impl Arena {
    /// Goes on to the next answer that a comparison waits for: facts of places hold from where they stand.
    pub(super) fn repeat_places(&mut self) {
        while let Some(&fact) = self.prefix.get(self.path.len()).filter(|fact| fact.is_of_places) {
            self.path.push(fact);
        }
    }
}

thread_local!(static ARENA: RefCell<Arena> = RefCell::default());

/// Does something with the arena of this thread.
pub(super) fn arena<R>(f: impl FnOnce(&mut Arena) -> R) -> R {
    ARENA.with(|arena| f(&mut arena.borrow_mut()))
}

/// Leaves the step.
pub(super) fn fail(reason: Reason) -> ! {
    resume_unwind(Box::new(reason))
}

/// A node.
pub(super) fn node(operation: Operation, ty: Type) -> Id {
    arena(|arena| arena.graph.add(operation, ty))
}

/// A parameter: a number that does not stand in the text of a kernel.
pub(super) fn parameter(bits: Bits, ty: Type) -> Id {
    arena(|arena| {
        let known = arena.parameters.iter().position(|known| *known == (bits, ty));
        let place = known.unwrap_or_else(|| {
            arena.parameters.push((bits, ty));
            arena.parameters.len() - 1
        });
        arena.graph.add(Operation::Parameter(u16::try_from(place).unwrap_or(u16::MAX)), ty)
    })
}

/// The answer to a condition: what follows from earlier ones, or what is to be repeated, or else yes.
pub(super) fn decide(operation: Operation) -> bool {
    let condition = node(operation, Type::Flag);
    let answer = arena(|arena| {
        if let Some(bits) = arena.graph.known(condition) {
            return Ok(bits != 0);
        }
        if let Some(known) = facts::implied(&arena.graph, &arena.path, condition) {
            return Ok(known);
        }
        arena.repeat_places();
        let holds = match arena.prefix.get(arena.path.len()) {
            Some(fact) if fact.condition == condition => fact.holds,
            Some(_) => return Err(Reason::Unsteady),
            None => true,
        };
        arena.path.push(Fact { condition, holds, is_of_places: false });
        if arena.path.len() > MOST_DECISIONS {
            let decision = facts::in_words(&arena.graph, condition);
            return Err(Reason::Decisions { most: MOST_DECISIONS, decision });
        }
        Ok(holds)
    });
    answer.unwrap_or_else(|reason| fail(reason))
}
