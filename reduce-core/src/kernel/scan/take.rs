//! Tiles: some steps of lanes, for which elements are packed where they lie apart.

use super::super::block::{INPUTS, Ways};
use super::super::read::{Room, Scratch};
use super::pack::{LanePlaces, LanesFrom, pack, unpack};
use super::table::ScanKernel;
use super::tile::{Ends, ScanTile};
use super::walk::Scanning;
use crate::facts::order::{GROUP, SCAN_BLOCKS, STEPS};
use crate::plan::{OUT, ScanPlaces, ScanPlan};

/// Room for tiles, which a thread keeps from one to the next.
pub(super) struct Rooms {
    inputs: [Room; INPUTS],
    results: Scratch<'static>,
    turned: Room,
    pub(super) states: Scratch<'static>,
}

impl Rooms {
    pub(super) fn new() -> Self {
        Rooms {
            inputs: [const { Room::new() }; INPUTS],
            results: Scratch::new(),
            turned: Room::new(),
            states: Scratch::new(),
        }
    }
}

/// Who takes a tile: lanes across lines, a single lane, or lanes over the blocks of a line.
#[derive(Clone, Copy)]
pub(super) enum By {
    Lines,
    Line,
    Blocks,
}

impl Scanning<'_> {
    /// How many elements, from one of a line on, lie at equal distances, and their results too.
    pub(super) fn run_of(&self, next: usize) -> usize {
        let along = &self.plan.along;
        if along.is_even() {
            usize::MAX
        } else {
            along.run(next).min(along.run(next + self.plan.shift))
        }
    }

    /// The places of an element of a line, and of its result.
    pub(super) fn along(&self, mut places: ScanPlaces, next: usize) -> ScanPlaces {
        let ScanPlan { along, shift, .. } = self.plan;
        let mut shifted = places;
        along.add(&mut places, next);
        if *shift > 0 {
            along.add(&mut shifted, next + shift);
            places[OUT] = shifted[OUT];
        }
        places
    }

    /// What ends in front of an element.
    pub(super) fn ends(&self, next: usize) -> Ends {
        match () {
            () if next.is_multiple_of(GROUP) => Ends::Groups,
            () if next.is_multiple_of(STEPS) => Ends::Blocks,
            () => Ends::Nothing,
        }
    }

    /// A tile of so many steps and lanes, from an element on.
    pub(super) fn tile(&self, next: usize, steps: usize, lanes: usize) -> ScanTile {
        let number = self.before() + next;
        ScanTile {
            data: [std::ptr::null(); INPUTS],
            ways: [0; INPUTS],
            steps,
            lanes,
            position: self.plan.position(next, self.before() as u64),
            next_position: self.plan.next_position(),
            next_lane: 0,
            count: number,
            begins: number.is_multiple_of(STEPS),
            ends: self.ends(number + steps),
            has_blocks: !(number / STEPS).is_multiple_of(SCAN_BLOCKS),
            has_groups: number >= GROUP,
            out: std::ptr::null_mut(),
            out_way: 0,
        }
    }

    /// Takes a tile: elements are packed if they lie apart, and results are brought to their places.
    ///
    /// # Safety
    /// As for [`Scanning::run`]. *elements* and *places*: `lanes` has those of each lane.
    pub(super) unsafe fn take(
        &self,
        rooms: &mut Rooms,
        by: By,
        mut tile: ScanTile,
        lanes: LanesFrom<'_>,
        state: *mut u8,
        writes: bool,
    ) -> u8 {
        let ScanKernel { elements, inputs, result, lanes: width, .. } = *self.kernel;
        let (microkernel, is_single) = match by {
            By::Line => (self.kernel.line, true),
            By::Lines => (self.kernel.lines, width == 1),
            By::Blocks => (self.kernel.blocks, width == 1),
        };
        let (_, strides) = self.plan.along.innermost();
        let behind = self.along([0; OUT + 1], tile.count - self.before());
        let steps = tile.steps;
        let of = |tensor: usize| {
            let (behind, way) = (behind[tensor], strides[tensor]);
            LanePlaces { lanes, tensor, behind, way, steps }
        };
        let lie = |places: &LanePlaces<'_>| {
            is_single || lanes.first.len() == width && places.distance() == Some(1)
        };
        let mut data = [std::ptr::null(); INPUTS];
        let mut ways: Ways = [0; INPUTS];
        for input in 0..inputs {
            let (size, from) = (elements[input], of(input));
            let buffer = self.buffers.0[input];
            if lie(&from) {
                data[input] = buffer.wrapping_add(from.first(0) * size);
                ways[input] = from.way.wrapping_mul(size.cast_signed());
                continue;
            }
            let room = rooms.inputs[input].bytes(tile.steps * width * size);
            // SAFETY: *elements* and *room*, which the caller keeps, and as was asked for.
            unsafe { pack(self.level, (buffer, self.buffers.1[input], size), from, (room, width)) };
            data[input] = room;
            ways[input] = (width * size).cast_signed();
        }
        (tile.data, tile.ways) = (data, ways);
        if !writes {
            // SAFETY: *level*, *operator*, *states* and *elements*, which the caller keeps.
            return unsafe { microkernel(self.level, self.op, &tile, state) };
        }
        let to = of(OUT);
        if lie(&to) {
            tile.out = self.out.wrapping_add(to.first(0) * result);
            tile.out_way = to.way.wrapping_mul(result.cast_signed());
            // SAFETY: *level*, *operator*, *states*, *elements* and *places*, which the caller keeps.
            return unsafe { microkernel(self.level, self.op, &tile, state) };
        }
        tile.out = rooms.results.bytes(tile.steps * width * result);
        tile.out_way = (width * result).cast_signed();
        // SAFETY: *level*, *operator*, *states* and *elements*, which the caller keeps. *places*: the room has one for each
        // lane of each step.
        let found = unsafe { microkernel(self.level, self.op, &tile, state) };
        let packed = (tile.out.cast_const(), width, result);
        // SAFETY: *places*, which the caller keeps. *room*: the results were just written.
        unsafe { unpack(self.level, packed, to, self.out, |bytes| rooms.turned.bytes(bytes)) };
        found
    }
}
