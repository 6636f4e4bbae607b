//! Lanes along results: blocks folded one after the other, and merged in a tree.

use std::ops::Range;

use super::super::micro::{Block, Blocks, End, Filing, INPUTS, ResultElements, Sizes};
use super::super::read::{Lines, Room, Run, Scratch};
use super::tree::{Counter, depth};
use super::units::{InputPlaces, next_of};
use super::{Job, Task};
use crate::machine::LINE;

/// Room for packed blocks of each input, and for their incomplete steps.
pub(super) struct BlockRooms<'a> {
    packed: Option<Box<[Room; INPUTS]>>,
    staged: Scratch<'a>,
}

impl<'a> BlockRooms<'a> {
    #[inline(always)]
    pub(super) fn on(lines: &'a mut Lines) -> Self {
        BlockRooms { packed: None, staged: Scratch::on(lines) }
    }
}

/// Neighbouring results that are folded block by block in turn.
#[derive(Clone, Copy)]
pub(super) struct InTurn<const N: usize> {
    /// The places of the first element of the first result.
    pub(super) places: InputPlaces<N>,
    pub(super) results: usize,
    /// A stack of entries, one state for each result.
    pub(super) stack: *mut u8,
    /// Where results go, if it is not null.
    pub(super) out: *mut u8,
}

/// Elements of a result, or of a run of it, one behind the other, in each input.
struct Runs<const N: usize> {
    of: [Run; N],
    ahead: usize,
}

impl Job<'_> {
    /// Stores the results of some units, or merges some blocks of one unit into a tree.
    pub(super) fn along<const N: usize>(&self, task: Task<'_>) {
        let Task { units, blocks, mut tree, output: mut out } = task;
        let mut steps = Lines::uninit();
        let mut rooms = BlockRooms::on(&mut steps);
        let mut states = Lines::uninit();
        let mut states = Scratch::on(&mut states);
        let in_turn = self.plan.interleaved || tree.is_some();
        let mut walk = self.first.plan().units_from(units.start);
        let mut others = self.other_units::<N>(units.start);
        for _ in units {
            let Some((mut places, results)) = next_of::<N>(&mut walk, &mut others, 1) else {
                return;
            };
            let at_once = if in_turn { results } else { 1 };
            let entry = at_once * self.sizes.state;
            let bytes = depth(blocks.len()) * entry;
            let stack = match &mut tree {
                Some(tree) if blocks.is_empty() => tree.merged(self, at_once),
                Some(tree) => tree.stack(entry, bytes),
                None => states.bytes(bytes),
            };
            for _ in (0..results).step_by(at_once) {
                let together = InTurn { places, results: at_once, stack, out };
                self.fold_together(&mut rooms, together, blocks.clone());
                places = self.results_on(places, at_once);
                if !out.is_null() {
                    out = out.wrapping_add(at_once * self.sizes.result);
                }
            }
        }
    }

    /// Folds some blocks of each of some results, and stores the results if there is a place for them.
    pub(super) fn fold_together<const N: usize>(
        &self,
        rooms: &mut BlockRooms<'_>,
        together: InTurn<N>,
        blocks: Range<usize>,
    ) {
        let InTurn { places, results, out, .. } = together;
        let ends = !out.is_null() && !self.sizes.searched;
        let in_place = self.is_in_place();
        let mut counter = Counter::default();
        let mut left = blocks.clone();
        while !left.is_empty() {
            // Blocks up to the end of a run are folded at once, so that neighbours are read in the order of the memory.
            let (mut places, mut after, mut done) = (places, counter, 0);
            for index in 0..results {
                after = counter;
                let runs = self.runs(rooms, places, left.clone(), in_place);
                done =
                    self.fold_runs(rooms, &runs, left.clone(), &together, index, &mut after, ends);
                places = self.results_on(places, 1);
            }
            counter = after;
            left.start += done;
        }
        if !out.is_null() && (self.sizes.searched || blocks.is_empty()) {
            self.end(rooms, together);
        }
    }

    /// The first of some blocks of a result: as many as lie in one run if they are read in place,
    /// else one.
    #[inline(always)]
    fn runs<const N: usize>(
        &self,
        rooms: &mut BlockRooms<'_>,
        places: InputPlaces<N>,
        blocks: Range<usize>,
        in_place: bool,
    ) -> Runs<N> {
        let ahead = if in_place { self.plan.grid.ahead } else { 0 };
        let mut of = [Run::NONE; N];
        for input in 0..self.inputs::<N>() {
            let (source, place) = (self.source(input), places[input]);
            of[input] = match in_place {
                true => source.run(place, blocks.clone()),
                false => {
                    let room = &mut rooms.packed.get_or_insert_default()[input];
                    source.block(room, place, blocks.start, self.sizes.lanes)
                }
            };
        }
        Runs { of, ahead }
    }

    /// Folds the blocks of a run of one of some results, and returns how many they are.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "a step of one loop")]
    fn fold_runs<const N: usize>(
        &self,
        rooms: &mut BlockRooms<'_>,
        runs: &Runs<N>,
        blocks: Range<usize>,
        together: &InTurn<N>,
        index: usize,
        counter: &mut Counter,
        ends: bool,
    ) -> usize {
        let Sizes { state, result, .. } = *self.sizes;
        let InTurn { results, stack, out, .. } = *together;
        let (count, piece) = (runs.of[0].count, self.plan.grid.piece);
        let mut block = Block::NONE;
        let mut filing = Filing {
            merges: 0,
            apart: results * state,
            out: std::ptr::null_mut(),
            count: self.plan.count,
        };
        block.ahead = runs.ahead;
        let (mut first, mut number) = (0, blocks.start);
        while first < count {
            let top = stack.wrapping_add((counter.newest() * results + index) * state);
            let is_last = number + 1 == blocks.end;
            filing.merges = counter.merges(is_last);
            if is_last && ends {
                filing.out = out.wrapping_add(index * result);
            }
            block.number = number as u64;
            block.position = self.plan.first + runs.of[0].position + first as u64;
            self.locate(rooms, runs, (first, piece.min(count - first)), &mut block);
            self.sizes.assert_block(top, &block, &filing);
            // SAFETY: *operator* and *types*, which the caller of `with_inputs` keeps. *steps*: `locate` found or
            // staged them. *states*: the stack has an entry for each subtree that `depth` counts, and those below were
            // written. *places*: `Split` gives each unit its own.
            unsafe { (self.table.along)(self.op, top, &block, &filing) };
            first += piece;
            number += 1;
        }
        number - blocks.start
    }

    /// Says where the steps of a block of a run lie, which begins with its `first` element and has `count`.
    #[inline(always)]
    fn locate<const N: usize>(
        &self,
        rooms: &mut BlockRooms<'_>,
        runs: &Runs<N>,
        (first, count): (usize, usize),
        block: &mut Block,
    ) {
        let Sizes { lanes, ref elements, .. } = *self.sizes;
        let inputs = self.inputs::<N>();
        for input in 0..inputs {
            block.data[input] = runs.of[input].data.wrapping_add(first * elements[input]);
        }
        block.cut(count, lanes, &elements[..inputs]);
        if block.last_lanes == 0 {
            return;
        }
        let rest = first + count - block.last_lanes;
        let is_there = |run: &Run| run.readable >= rest + lanes;
        if !runs.of[..inputs].iter().all(is_there) {
            self.stage_rest(rooms, &runs.of[..inputs], rest, block);
        }
    }

    /// Copies the incomplete step of each input to where a whole one may be read, if it may not be read where it is. The
    /// step begins with element `rest` of the run. There is one room for the steps of all inputs, which is asked for
    /// once: what it was asked for before may not be used any more.
    #[inline(never)]
    fn stage_rest(&self, rooms: &mut BlockRooms<'_>, runs: &[Run], rest: usize, block: &mut Block) {
        let Sizes { lanes, elements, .. } = *self.sizes;
        let longest = elements.into_iter().max().unwrap_or(1);
        let step = (lanes * longest).next_multiple_of(LINE);
        let all = rooms.staged.bytes(runs.len() * step);
        for (input, run) in runs.iter().enumerate() {
            if run.readable < rest + lanes {
                let (room, place) = (all.wrapping_add(input * step), run.place + rest);
                // SAFETY: *room*: there is a step for each input, and this one is `input`'s.
                unsafe { self.source(input).stage(room, place, block.last_lanes, lanes) };
                block.last[input] = room;
            }
        }
    }

    /// Stores the results whose blocks are all merged into states.
    #[inline(never)]
    fn end<const N: usize>(&self, rooms: &mut BlockRooms<'_>, together: InTurn<N>) {
        let InTurn { mut places, results, stack, out } = together;
        let Sizes { state, result, .. } = *self.sizes;
        for index in 0..results {
            let mut end = End {
                blocks: &mut ResultBlocks { job: self, rooms, places },
                count: self.plan.count,
                out: out.wrapping_add(index * result),
            };
            let of_result = stack.wrapping_add(index * state);
            self.sizes.assert_end(of_result, &end);
            // SAFETY: *operator* and *types*, which the caller of `with_inputs` keeps. *states*: all blocks were merged
            // into this one. *places*: there is one for each result. *elements*: `ResultBlocks` reads those of the
            // result.
            unsafe { (self.table.end)(self.op, of_result, &mut end) };
            places = self.results_on(places, 1);
        }
    }
}

/// The blocks of the result that starts at some places.
struct ResultBlocks<'j, 'a, 'r, const N: usize> {
    job: &'j Job<'a>,
    rooms: &'j mut BlockRooms<'r>,
    places: InputPlaces<N>,
}

impl<const N: usize> Blocks for ResultBlocks<'_, '_, '_, N> {
    fn count(&self) -> usize {
        self.job.plan.grid.blocks
    }

    fn block(&mut self, number: u64) -> ResultElements {
        let number = usize::try_from(number).unwrap_or(0);
        let in_place = self.job.is_in_place();
        let runs = self.job.runs(self.rooms, self.places, number..number + 1, in_place);
        let mut data = [std::ptr::null(); INPUTS];
        for (data, run) in data.iter_mut().zip(&runs.of) {
            *data = run.data;
        }
        let Run { count, position, .. } = runs.of[0];
        // SAFETY: *elements*: `runs` found or packed `count` of each input. A room stays as it is until another block
        // is asked for.
        unsafe { ResultElements::new(data, count, self.job.plan.first + position) }
    }
}
