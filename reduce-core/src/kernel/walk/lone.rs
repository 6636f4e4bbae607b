//! A single result of one block, of one input, which is read in place: most calls over a thousand
//! elements or fewer. To find it in the way of other results would take longer than to fold it. A sum of 1000 `f32`
//! takes 70 ns, and 110 ns in the way of others.

use super::super::micro::{Block, End, Filing, INPUTS, OneBlock, ResultElements, Sizes, Table};
use super::super::read::{Lines, Scratch, Source};
use crate::machine::team::Team;
use crate::plan::{Path, Plan};

/// Stores the result of a plan that has one result, of one block that may be read in place; says whether it has.
#[inline(always)]
pub(super) fn fold(
    table: &Table,
    sizes: &Sizes,
    op: *const (),
    source: Source<'_>,
    out: *mut u8,
    team: Team<'_>,
) -> bool {
    let (plan, size) = (source.plan(), sizes.elements[0]);
    let is_lone = plan.outputs == 1
        && plan.grid.blocks == 1
        && plan.path == Path::Lanes
        && plan.run().stride == 1
        && plan.count > 0;
    if !is_lone {
        return false;
    }
    let Sizes { lanes, searched, .. } = *sizes;
    let count = plan.count;
    let data = source.at(plan.offset, count);
    let mut block = Block::NONE;
    block.data[0] = data;
    block.position = plan.first;
    block.cut(count, lanes, &[size]);
    let mut step = Lines::uninit();
    let mut step = Scratch::on(&mut step);
    if block.last_lanes > 0 {
        let rest = plan.offset + count - block.last_lanes;
        if source.left(rest) < lanes {
            let room = step.bytes(lanes * size);
            // SAFETY: *room*: it was asked for by the bytes of a step.
            unsafe { source.stage(room, rest, block.last_lanes, lanes) };
            block.last[0] = room;
        }
    }
    let mut state = Lines::uninit();
    let mut state = Scratch::on(&mut state);
    let state = state.bytes(sizes.state);
    let stored = if searched { std::ptr::null_mut() } else { out };
    let filing = Filing { merges: 0, apart: 0, out: stored, count };
    sizes.assert_block(state, &block, &filing);
    // SAFETY: *operator* and *types*, which the caller keeps. *steps*: whole ones lie in the buffer, and the last is
    // staged if it does not. *states*: there is room for one, and nothing is merged. *places*: the only result has one.
    unsafe { (table.along)(op, state, &block, &filing) };
    if searched {
        search(table, sizes, op, (data, plan), state, out);
    }
    team.done(count);
    true
}

/// Searches the one block, and stores the result that is found there.
#[inline(always)]
fn search(
    table: &Table,
    sizes: &Sizes,
    op: *const (),
    (data, plan): (*const u8, &Plan),
    state: *const u8,
    out: *mut u8,
) {
    let (mut places, count) = ([std::ptr::null(); INPUTS], plan.count);
    places[0] = data;
    // SAFETY: *elements*: `Source::at` checked that `count` of them lie in the buffer.
    let mut blocks = OneBlock(unsafe { ResultElements::new(places, count, plan.first) });
    let mut end = End { blocks: &mut blocks, count, out };
    sizes.assert_end(state, &end);
    // SAFETY: *operator*, *types* and *places*, which the caller keeps. *states*: `along` has just written this one.
    unsafe { (table.end)(op, state, &mut end) };
}
