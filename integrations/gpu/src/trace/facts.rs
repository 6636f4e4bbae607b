//! Earlier answers decide some comparisons.
//!
//! Two values are related in one of four ways: less, equal, greater, or not at all because one is NaN. Each answer leaves
//! some of the four. A comparison whose ways are all left, or none of them, has its answer.

#![allow(clippy::cast_possible_truncation, reason = "bits of numbers of their width")]

use super::arena::Fact;
use crate::graph::{Argument, Compare, Graph, Id, Operation};

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const UNRELATED: u8 = 8;
const ALL: u8 = 15;

/// The ways in which a comparison holds.
fn ways(compare: Compare) -> u8 {
    match compare {
        Compare::Less => LESS,
        Compare::LessOrEqual => LESS | EQUAL,
        Compare::Equal => EQUAL,
    }
}

/// The ways as they are seen from the other value.
fn turned(ways: u8) -> u8 {
    let less = if ways & GREATER != 0 { LESS } else { 0 };
    let greater = if ways & LESS != 0 { GREATER } else { 0 };
    (ways & (EQUAL | UNRELATED)) | less | greater
}

/// The answer to a condition, if it follows from a path.
pub(super) fn implied(graph: &Graph, path: &[Fact], condition: Id) -> Option<bool> {
    if let Some(fact) = path.iter().find(|fact| fact.condition == condition) {
        return Some(fact.holds);
    }
    match graph.node(condition).operation {
        Operation::Compare(compare, a, b) => {
            let (left, holds) = (related(graph, path, a, b), ways(compare));
            match (left & !holds, left & holds) {
                (0, _) => Some(true),
                (_, 0) => Some(false),
                _ => None,
            }
        }
        Operation::IsNan(a) => is_nan(graph, path, a),
        _ => None,
    }
}

/// The ways in which two values may be related.
fn related(graph: &Graph, path: &[Fact], a: Id, b: Id) -> u8 {
    let mut left = match (is_nan(graph, path, a), is_nan(graph, path, b)) {
        (Some(true), _) | (_, Some(true)) => UNRELATED,
        (Some(false), Some(false)) => ALL & !UNRELATED,
        _ => ALL,
    };
    if a == b {
        left &= EQUAL | UNRELATED;
    }
    for fact in path {
        let Operation::Compare(compare, x, y) = graph.node(fact.condition).operation else {
            continue;
        };
        let holds = if fact.holds { ways(compare) } else { ALL & !ways(compare) };
        if (x, y) == (a, b) {
            left &= holds;
        } else if (y, x) == (a, b) {
            left &= turned(holds);
        }
    }
    left
}

/// Whether a value is NaN, if that is known.
fn is_nan(graph: &Graph, path: &[Fact], id: Id) -> Option<bool> {
    let node = graph.node(id);
    if !node.ty.is_float() {
        return Some(false);
    }
    if let Some(bits) = graph.known(id) {
        let magnitude = bits & !(1 << (node.ty.bits() - 1));
        let infinity = if node.ty.bits() == 32 { 0x7f80_0000 } else { 0x7ff << 52 };
        return Some(magnitude > infinity);
    }
    path.iter().find_map(|fact| match graph.node(fact.condition).operation {
        Operation::IsNan(a) if a == id => Some(fact.holds),
        Operation::Compare(_, a, b) if fact.holds && (a == id || b == id) => Some(false),
        _ => None,
    })
}

/// A condition as people write it.
pub(super) fn in_words(graph: &Graph, condition: Id) -> String {
    match graph.node(condition).operation {
        Operation::Compare(compare, a, b) => {
            let sign = match compare {
                Compare::Less => "<",
                Compare::LessOrEqual => "<=",
                Compare::Equal => "==",
            };
            format!("{} {sign} {}", value_in_words(graph, a, 2), value_in_words(graph, b, 2))
        }
        Operation::IsNan(a) => format!("{} is NaN", value_in_words(graph, a, 2)),
        _ => value_in_words(graph, condition, 2),
    }
}

/// A value in words, to a depth of `depth` operations.
fn value_in_words(graph: &Graph, id: Id, depth: usize) -> String {
    let node = graph.node(id);
    let part = |id: Id| match depth {
        0 => "..".to_owned(),
        _ => value_in_words(graph, id, depth - 1),
    };
    match node.operation {
        Operation::Constant(bits) => match node.ty.bits() {
            32 if node.ty.is_float() => f32::from_bits(bits as u32).to_string(),
            _ if node.ty.is_float() => f64::from_bits(bits as u64).to_string(),
            _ => bits.to_string(),
        },
        Operation::Argument(Argument::Left, slot) => format!("a.{slot}"),
        Operation::Argument(Argument::Right, slot) => format!("b.{slot}"),
        Operation::Argument(Argument::Element, slot) => format!("x.{slot}"),
        Operation::Argument(Argument::Kept, slot) => format!("result.{slot}"),
        Operation::Parameter(place) => format!("parameter {place}"),
        Operation::Binary(op, a, b) => {
            let name = format!("{op:?}").to_lowercase();
            format!("{name}({}, {})", part(a), part(b))
        }
        operation => {
            let parts: Vec<String> = operation.operands().map(part).collect();
            let name = format!("{operation:?}");
            let name = name.split(['(', ' ']).next().unwrap_or_default().to_lowercase();
            format!("{name}({})", parts.join(", "))
        }
    }
}
