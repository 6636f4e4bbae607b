//! From what a device made of the trials to what it computes as it should.
//!
//! A wrong result tells of the operation only if all values on the way to it are ordinary. If one is subnormal, or infinite, it may
//! be that alone which the device loses, in any operation.

use std::collections::HashSet;

use super::trials::{Of, Trial, Trials};
use crate::graph::{Bits, Given, Id, Type, evaluate};
use crate::print::{Exactness, Operations};

/// The least ordinary kind of value on the way to a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kind {
    Ordinary,
    /// A zero, an infinity or no number.
    Special,
    Subnormal,
}

/// The values of all nodes on the CPU, of each row.
pub(super) fn values(trials: &Trials, rows: &[Vec<Bits>]) -> Vec<Vec<Bits>> {
    let nodes: Vec<Id> = (0..).zip(trials.graph.nodes()).map(|(id, _)| id).collect();
    let given = |row| Given { element: row, ..Given::default() };
    rows.iter().map(|row| evaluate(&trials.graph, &nodes, &given(row))).collect()
}

/// What the device does as it should, from the values and its results of each row.
pub(super) fn verdict(trials: &Trials, values: &[Vec<Bits>], results: &[Vec<Bits>]) -> Exactness {
    let mut wrong = HashSet::new();
    for (values, results) in values.iter().zip(results) {
        for (trial, &result) in trials.all.iter().zip(results) {
            if !is_same(result, values[trial.result as usize], trials.ty(trial)) {
                wrong.insert((trial.of, trial.float, kind(trials, trial, values)));
            }
        }
    }
    let never = |of: Of| !wrong.iter().any(|wrong| wrong.0 == of);
    Exactness {
        keep: false,
        f64: trials.element.contains(&Type::F64),
        of_f32: operations(&wrong, Type::F32),
        of_f64: operations(&wrong, Type::F64),
        conversions: never(Of::Conversion),
        integers: never(Of::Integers),
        mended: true,
    }
}

/// What is right of one float.
fn operations(wrong: &HashSet<(Of, Type, Kind)>, float: Type) -> Operations {
    let right = |of: Of, kind: Kind| !wrong.contains(&(of, float, kind));
    let kept = |kind| right(Of::Arithmetic, kind) && right(Of::Whole, kind);
    let subnormal = kept(Kind::Subnormal);
    // What is exact but for subnormal numbers need not be, on a device that loses them everywhere.
    let rounds = |of| {
        right(of, Kind::Ordinary)
            && right(of, Kind::Special)
            && (!subnormal || right(of, Kind::Subnormal))
    };
    Operations {
        fused: rounds(Of::Fused),
        division: rounds(Of::Division),
        sqrt: rounds(Of::Sqrt),
        arithmetic: right(Of::Arithmetic, Kind::Ordinary),
        whole: right(Of::Whole, Kind::Ordinary),
        special: kept(Kind::Special),
        subnormal,
    }
}

fn kind(trials: &Trials, trial: &Trial, values: &[Bits]) -> Kind {
    let of = |&id: &Id| kind_of(values[id as usize], trials.graph.node(id).ty);
    trial.way.iter().map(of).max().unwrap_or(Kind::Ordinary)
}

fn kind_of(bits: Bits, ty: Type) -> Kind {
    let category = match ty {
        Type::F32 => f32::from_bits(low(bits)).classify(),
        Type::F64 => {
            f64::from_bits(u64::from(low(bits >> 32)) << 32 | u64::from(low(bits))).classify()
        }
        _ => return Kind::Ordinary,
    };
    match category {
        std::num::FpCategory::Normal => Kind::Ordinary,
        std::num::FpCategory::Subnormal => Kind::Subnormal,
        _ => Kind::Special,
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the lowest word is asked for")]
fn low(bits: Bits) -> u32 {
    bits as u32
}

/// Whether values are the same, or both NaN.
pub(super) fn is_same(a: Bits, b: Bits, ty: Type) -> bool {
    a == b || ty.is_nan(a) && ty.is_nan(b)
}
