//! Templates: what the emissions over all planes of a walk have in common.

use super::super::micro::{INPUTS, Ways};
use super::stage::Stage;
use super::turned::{TILE_LINES, TurnedInputs};
use crate::machine::{FAR_AHEAD, Machine};
use crate::plan::{Axis, InOrder};

/// The places of the first element of a plane in each input, that of its result, and where it is emitted to.
pub(super) type First = [usize; INPUTS + 2];

/// What all planes have in common: the ways from one place to the next, in bytes, along a line and from line to line.
#[derive(Clone, Copy)]
pub(super) struct Template {
    pub(super) ways: Ways,
    pub(super) next: Ways,
    pub(super) result_way: isize,
    pub(super) next_result: isize,
    pub(super) out_way: isize,
    pub(super) next_out: isize,
    /// Elements of a line, and lines of a plane.
    pub(super) count: usize,
    pub(super) lines: usize,
    /// The inputs that are turned, if any are.
    pub(super) turned: Option<TurnedInputs>,
    /// The places of the only plane, if there is one.
    pub(super) only: Option<First>,
    /// How many bytes ahead others are fetched; 0 if none are.
    pub(super) ahead: usize,
}

impl Template {
    /// That of a stage whose inputs, results and output are walked so.
    pub(super) fn new(stage: &Stage, walk: &InOrder) -> Self {
        let mut template = Template {
            ways: [0; INPUTS],
            next: [0; INPUTS],
            result_way: 0,
            next_result: 0,
            out_way: 0,
            next_out: 0,
            count: 1,
            lines: 1,
            turned: None,
            only: walk.first_places(2),
            ahead: bytes_ahead(stage.needs.machine),
        };
        for (number, [line, plane]) in walk.innermost().enumerate() {
            (template.count, template.lines) = (line.size, plane.size);
            let bytes = |of: usize, axis: Axis| axis.stride.wrapping_mul(of.cast_signed());
            if number < stage.inputs {
                let size = stage.elements[number];
                template.ways[number] = bytes(size, line);
                template.next[number] = bytes(size, plane);
            } else if number == stage.inputs {
                template.result_way = bytes(stage.sizes.result, line);
                template.next_result = bytes(stage.sizes.result, plane);
            } else {
                template.out_way = bytes(stage.emitted.1, line);
                template.next_out = bytes(stage.emitted.1, plane);
            }
        }
        if template.lines > 1 && template.out_way == stage.emitted.1.cast_signed() {
            template.turned = TurnedInputs::of(stage, &template.ways, &template.next);
        }
        template
    }

    /// Parts of an emission have at least this many elements. If inputs are turned, these fill lines of the cache.
    pub(super) fn least_together(&self) -> usize {
        if self.turned.is_some() { TILE_LINES * self.count } else { 1 }
    }
}

/// How far ahead of elements others are fetched while they are emitted, in bytes, and places of the
/// output; 0 if none are.
///
/// A CPU foresees less of groups than of a sequence, since each group is reduced before it is emitted.
/// This was measured on Emerald Rapids alone; others that look no further are taken for like it.
fn bytes_ahead(machine: Machine) -> usize {
    if machine.is_told() { FAR_AHEAD } else { 0 }
}
