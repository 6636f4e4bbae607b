//! Numbers that stand for positions and counters.
//!
//! A step sees them as any `u64`. They are so large, and so far apart, that what the step makes of them tells what it did: kept
//! one, added two, or added a small number to one.

use std::collections::{HashMap, HashSet};

use super::arena::{Fact, arena, node};
use crate::graph::{Argument, Binary, Compare, Graph, Id, Operation, Type};

/// The position of nothing, which is behind all others.
pub(super) const LAST: u64 = u64::MAX;

/// Numbers up to this are themselves.
const SMALL: u64 = 1 << 20;

/// Between the numbers of two places.
const APART: u64 = 1 << 40;

/// The numbers of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// What is to be taken for some of the positions.
    pub(super) chosen: HashMap<Id, u64>,
    /// Positions, in the order in which the step was given them.
    pub(super) positions: Vec<(Id, u64)>,
    counters: Vec<(Id, u64)>,
    by_number: HashMap<u64, Id>,
}

/// The form of a number that a step made of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    Constant(u64),
    Sum(Id, i64),
    SumOfTwo(Id, Id),
}

/// A number for the position that is a scalar of an argument.
pub(super) fn position(argument: Argument, slot: u16) -> u64 {
    let id = node(Operation::Argument(argument, slot), Type::Place);
    arena(|arena| {
        let places = &mut arena.places;
        if let Some(&(_, number)) = places.positions.iter().find(|(known, _)| *known == id) {
            return number;
        }
        let next = number(places.positions.len() as u64 + 64);
        let number = places.chosen.get(&id).copied().unwrap_or(next);
        places.positions.push((id, number));
        places.by_number.insert(number, id);
        number
    })
}

/// A number for a counter.
pub(super) fn counter(argument: Argument, slot: u16) -> u64 {
    let id = node(Operation::Argument(argument, slot), Type::Place);
    arena(|arena| {
        let places = &mut arena.places;
        if let Some(&(_, number)) = places.counters.iter().find(|(known, _)| *known == id) {
            return number;
        }
        let number = number(places.counters.len() as u64 + 4096);
        places.counters.push((id, number));
        places.by_number.insert(number, id);
        number
    })
}

/// The number of a rank: larger ranks have larger numbers, and the low bits of each are its own.
pub(super) fn number(rank: u64) -> u64 {
    // Not linear, or the sum of two numbers would be a third one.
    let mixed = (rank ^ rank << 21).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    rank * APART + ((mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 26)
}

impl Places {
    /// Forgets the numbers of the last run.
    pub(super) fn clear(&mut self) {
        self.positions.clear();
        self.counters.clear();
        self.by_number.clear();
    }

    /// What a number is made of, if it is a sum.
    pub(super) fn made(&self, found: u64) -> Option<Made> {
        if found == LAST || found <= SMALL {
            return Some(Made::Constant(found));
        }
        if let Some(&id) = self.by_number.get(&found) {
            return Some(Made::Sum(id, 0));
        }
        self.positions.iter().chain(&self.counters).find_map(|&(id, number)| {
            let rest = found.wrapping_sub(number);
            let offset = rest.cast_signed();
            if offset.unsigned_abs() <= SMALL {
                return Some(Made::Sum(id, offset));
            }
            self.by_number.get(&rest).map(|&other| Made::SumOfTwo(id, other))
        })
    }

    /// What the same sum is of the numbers of this run.
    pub(super) fn value(&self, made: Made) -> u64 {
        let number = |id: Id| {
            let all = self.positions.iter().chain(&self.counters);
            all.clone().find(|(known, _)| *known == id).map_or(0, |(_, number)| *number)
        };
        match made {
            Made::Constant(value) => value,
            Made::Sum(id, offset) => number(id).wrapping_add_signed(offset),
            Made::SumOfTwo(id, other) => number(id).wrapping_add(number(other)),
        }
    }
}

/// The node of a number that was made of places.
pub(super) fn node_of(graph: &mut Graph, made: Made) -> Id {
    let mut sum = |a: Id, b: Id, op: Binary| graph.add(Operation::Binary(op, a, b), Type::Place);
    match made {
        Made::SumOfTwo(a, b) => sum(a.min(b), a.max(b), Binary::Add),
        Made::Sum(id, 0) => id,
        Made::Constant(value) => graph.constant(value.into(), Type::Place),
        Made::Sum(id, offset) => {
            let op = if offset < 0 { Binary::Sub } else { Binary::Add };
            let by = graph.constant(offset.unsigned_abs().into(), Type::Place);
            graph.add(Operation::Binary(op, id, by), Type::Place)
        }
    }
}

/// The condition that a position is that of nothing.
pub(super) fn is_last(graph: &mut Graph, id: Id) -> Id {
    let last = graph.constant(LAST.into(), Type::Place);
    graph.add(Operation::Compare(Compare::Equal, id, last), Type::Flag)
}

/// The condition that one position is before another.
pub(super) fn is_before(graph: &mut Graph, a: Id, b: Id) -> Id {
    graph.add(Operation::Compare(Compare::Less, a, b), Type::Flag)
}

/// What facts say of places.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Pairs whose first place is before the second.
    before: Vec<(Id, Id)>,
    /// Pairs whose first place is not before the second.
    not_before: Vec<(Id, Id)>,
    last: HashSet<Id>,
    not_last: HashSet<Id>,
}

impl Known {
    pub(super) fn of(graph: &Graph, facts: &[Fact]) -> Self {
        let mut known = Known::default();
        for fact in facts.iter().filter(|fact| fact.is_of_places) {
            match (graph.node(fact.condition).operation, fact.holds) {
                (Operation::Compare(Compare::Equal, id, _), holds) => {
                    if holds { &mut known.last } else { &mut known.not_last }.insert(id);
                }
                (Operation::Compare(_, a, b), true) => known.before.push((a, b)),
                (Operation::Compare(_, a, b), false) => known.not_before.push((a, b)),
                _ => {}
            }
        }
        known.not_last.extend(known.before.iter().map(|(first, _)| *first));
        known
    }

    /// Numbers for some positions that agree with all facts, if there are any: ties are broken by `random`, and with
    /// `lasts` some of those that may be last are.
    pub(super) fn numbers(
        &self,
        positions: &[Id],
        lasts: bool,
        random: &mut impl FnMut(usize) -> usize,
    ) -> Option<HashMap<Id, u64>> {
        let mut last = self.last.clone();
        if lasts {
            let may = positions.iter().filter(|id| !self.not_last.contains(id));
            last.extend(may.filter(|_| random(2) == 0).copied());
            self.spread(&mut last);
            if last.iter().any(|id| self.not_last.contains(id)) {
                last = self.last.clone();
            }
        }
        self.spread(&mut last);
        if last.iter().any(|id| self.not_last.contains(id)) {
            return None;
        }
        let mut waiting: Vec<Id> =
            positions.iter().copied().filter(|id| !last.contains(id)).collect();
        let mut numbers: HashMap<Id, u64> = last.into_iter().map(|id| (id, LAST)).collect();
        for rank in 1.. {
            if waiting.is_empty() {
                break;
            }
            let start = random(waiting.len());
            waiting.rotate_left(start);
            let may_be_next =
                |id: &Id| !waiting.iter().any(|other| other != id && self.has_before(*other, *id));
            let next = waiting.iter().copied().find(may_be_next)?;
            waiting.retain(|&id| id != next);
            numbers.insert(next, number(rank));
        }
        Some(numbers)
    }

    /// What is not before something last is last.
    fn spread(&self, last: &mut HashSet<Id>) {
        for _ in 0..=self.not_before.len() {
            let more = self.not_before.iter().filter(|(_, b)| last.contains(b)).map(|(a, _)| *a);
            last.extend(more.collect::<Vec<_>>());
        }
    }

    /// Whether the first of two positions that are not last has to be before the second.
    fn has_before(&self, a: Id, b: Id) -> bool {
        self.before.contains(&(a, b)) || self.not_before.contains(&(b, a))
    }
}
