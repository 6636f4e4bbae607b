//! The driver of operators of slices.

#![allow(unsafe_code, reason = "operators and buffers have their types erased")]

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use smallvec::SmallVec;

use super::super::chosen::{Filter, Flag, Results, choose, pack, pack_positions};
use super::super::read::{Chunk, ChunkSources, IN_TURN, Room, Scratch, Source, SourcePlaces};
use super::{RawCells, SliceElements, SliceEnd, SliceTable};
use crate::facts::error::{Error, ErrorKind};
use crate::facts::order::slice_part;
use crate::facts::progress::Stopped;
use crate::facts::schema::Empty;
use crate::machine::LINE;
use crate::machine::level::Available;
use crate::machine::memory::caught;
use crate::machine::team::{GRAIN, Team};
use crate::plan::Plan;
use crate::values::slices::Indices;
use crate::values::stored::{Buffers, INPUTS};
use crate::values::written::{MOST_RESULTS, ResultPart};

/// Accumulators of results that are folded in turn have up to this many bytes, which a thread keeps for its next calls.
const IN_TURN_BYTES: usize = 1 << 16;

/// What a kernel is given.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct SliceGiven<'a> {
    pub(in crate::kernel) table: &'a SliceTable,
    pub(in crate::kernel) op: *const (),
    /// The inputs of the operator, and the mask behind them.
    pub(in crate::kernel) buffers: Buffers,
    pub(in crate::kernel) filter: Filter,
    /// A plan that takes elements in row-major order.
    pub(in crate::kernel) plan: &'a Plan,
    pub(in crate::kernel) level: Available,
    /// Where each result lies in that of all, and the length of each.
    pub(in crate::kernel) parts: &'a [ResultPart],
    pub(in crate::kernel) length: usize,
}

/// Writes the results of a plan, in its order.
///
/// # Errors
/// If there is not enough memory, or if all elements of a result are left out and the operator has no value over none. Some
/// results may be written then.
///
/// # Safety
/// *operator*, *types*, *buffers*, *sharing* and *places*, for this table and this plan. Masks are behind the inputs.
pub(in crate::kernel) unsafe fn run(
    given: SliceGiven<'_>,
    results: Results,
    team: Team<'_>,
) -> Result<(), Error> {
    // SAFETY: *operator*, *types*, *buffers*, *sharing* and *places*, which the caller keeps.
    let pass = unsafe { SlicePass::new(given, results) };
    caught(|| pass.split(team))??;
    match pass.lacks_value.into_inner() {
        true => Err(ErrorKind::NoneCounts { dtype: given.table.dtypes[0] }.into()),
        false => Ok(()),
    }
}

/// A pass over all elements.
struct SlicePass<'a> {
    given: SliceGiven<'a>,
    results: Results,
    sources: ChunkSources<'a>,
    cells: usize,
    /// Bytes from one accumulator to the next: whole lines of the cache.
    apart: usize,
    /// The number of elements that have an accumulator of their own.
    part: usize,
    /// Whether all elements of some result are left out, and the operator has no value over none.
    lacks_value: AtomicBool,
}

// SAFETY: *sharing*, which the caller of `new` keeps; and *places*, since each result is written by one thread.
unsafe impl Sync for SlicePass<'_> {}

/// What a thread needs for its work.
struct SliceRooms {
    chunk: Chunk,
    flags: Vec<Flag>,
    /// Elements that count, and their positions.
    packed: [Room; INPUTS],
    positions: Vec<u64>,
}

impl SliceRooms {
    fn new() -> Self {
        let (flags, positions) = (Vec::new(), Vec::new());
        SliceRooms { chunk: Chunk::new(), flags, packed: Default::default(), positions }
    }
}

/// Some neighbouring results: where the elements of each begin, and how many of them were added.
type Neighbours = SmallVec<[(SourcePlaces, usize); IN_TURN]>;

/// Accumulators, one behind the other.
#[derive(Clone, Copy)]
struct RawStates(*mut u8);

// SAFETY: *states*: each accumulator is written by the one thread that folds its part, and read when all are done.
unsafe impl Sync for RawStates {}

impl<'a> SlicePass<'a> {
    /// # Safety
    /// As for [`run`].
    unsafe fn new(given: SliceGiven<'a>, results: Results) -> Self {
        let SliceGiven { table, op, buffers: (data, lengths), filter, plan, level, length, .. } =
            given;
        let inputs = table.dtypes.len();
        let source = |number: usize| {
            let size = if number < inputs { table.sizes[number] } else { size_of::<bool>() };
            let plan = plan.inputs.get(number).unwrap_or(plan);
            // SAFETY: *types* and *buffers*, which the caller keeps for each input and for the mask behind them.
            unsafe { Source::new(data[number], lengths[number], size, plan, level) }
        };
        let mut sources = ChunkSources::new((0..inputs + filter.masks).map(source).collect(), plan);
        // SAFETY: *operator*, which the caller keeps: it is that of the table.
        let cells = unsafe { (table.cells)(op, length) };
        // More than can be had is an error when room is asked for.
        let most = usize::MAX / 2;
        let apart = cells.saturating_mul(table.cell).min(most).next_multiple_of(LINE);
        sources.at_once = (IN_TURN_BYTES / apart.max(1)).clamp(1, sources.at_once);
        let (part, lacks_value) = (slice_part(cells), AtomicBool::new(false));
        SlicePass { given, results, sources, cells, apart, part, lacks_value }
    }

    /// Writes all results, split among a team: whole results, or the parts of each, where results are fewer than threads.
    fn split(&self, team: Team<'_>) -> Result<(), Stopped> {
        let Plan { outputs, count, .. } = *self.given.plan;
        if count > self.part && outputs < team.threads() {
            return (0..outputs).try_for_each(|number| self.in_parts(number, team));
        }
        let together = (GRAIN / count.max(1)).max(1).next_multiple_of(self.sources.at_once);
        let ranges = (0..outputs).step_by(together);
        let mut ranges = ranges.map(|first| first..outputs.min(first + together));
        // One thread needs no list of them.
        if team.threads() == 1 {
            return ranges.try_for_each(|range| self.some(range, team));
        }
        let is_cut = AtomicBool::new(false);
        team.each_unless_stopped(ranges.collect(), |range| {
            if self.some(range, team).is_err() {
                is_cut.store(true, Ordering::Relaxed);
            }
        })?;
        // What is to stop once is to stop ever after.
        if is_cut.into_inner() { team.check() } else { Ok(()) }
    }

    /// Writes some results.
    fn some(&self, numbers: Range<usize>, team: Team<'_>) -> Result<(), Stopped> {
        let (mut rooms, mut states, mut later) =
            (SliceRooms::new(), Scratch::new(), Scratch::new());
        let Range { start: mut first, end } = numbers;
        while first < end {
            // Neighbours along one axis.
            let size = self.given.plan.lane.size;
            let count = self.sources.at_once.min(end - first).min(size - first % size);
            let room = states.bytes(count * self.apart);
            let mut some = self.neighbours(first, count);
            self.whole(&mut rooms, &mut some, (room, &mut later), team)?;
            for (place, (_, counted)) in some.iter().enumerate() {
                self.end(self.state(room, place), first + place, *counted);
            }
            first += count;
        }
        Ok(())
    }

    fn neighbours(&self, first: usize, count: usize) -> Neighbours {
        (first..first + count).map(|number| (self.sources.places(number), 0)).collect()
    }

    /// Folds all elements of some results, part by part.
    fn whole(
        &self,
        rooms: &mut SliceRooms,
        some: &mut Neighbours,
        (states, later): (*mut u8, &mut Scratch<'_>),
        team: Team<'_>,
    ) -> Result<(), Stopped> {
        team.check()?;
        let count = self.given.plan.count;
        self.fold(rooms, some, 0..count.min(self.part), states);
        team.done(some.len() * count.min(self.part));
        for first in (self.part..count).step_by(self.part) {
            let elements = first..count.min(first + self.part);
            let (done, room) = (some.len() * elements.len(), later.bytes(some.len() * self.apart));
            self.fold(rooms, some, elements, room);
            for place in 0..some.len() {
                self.combine(self.state(states, place), self.state(room, place));
            }
            team.done(done);
            team.check()?;
        }
        Ok(())
    }

    /// Writes one result, whose parts are split among a team.
    fn in_parts(&self, number: usize, team: Team<'_>) -> Result<(), Stopped> {
        let count = self.given.plan.count;
        let parts = count.div_ceil(self.part);
        let mut room = Scratch::new();
        let states = &RawStates(room.bytes(parts.saturating_mul(self.apart)));
        let counted = AtomicUsize::new(0);
        team.each_unless_stopped((0..parts).collect(), |part: usize| {
            let first = part * self.part;
            let elements = first..count.min(first + self.part);
            let (mut one, done) = (self.neighbours(number, 1), elements.len());
            let RawStates(states) = *states;
            let state = states.wrapping_add(part * self.apart);
            self.fold(&mut SliceRooms::new(), &mut one, elements, state);
            counted.fetch_add(one[0].1, Ordering::Relaxed);
            team.done(done);
        })?;
        for part in 1..parts {
            self.combine(self.state(states.0, 0), self.state(states.0, part));
        }
        self.end(self.state(states.0, 0), number, counted.into_inner());
        Ok(())
    }

    /// Folds some elements of each of some results, in new accumulators.
    fn fold(
        &self,
        rooms: &mut SliceRooms,
        some: &mut Neighbours,
        elements: Range<usize>,
        states: *mut u8,
    ) {
        let SliceGiven { table, op, .. } = self.given;
        for place in 0..some.len() {
            // SAFETY: *operator*, which the caller of `new` keeps; and *room*, which was asked for by the size of all
            // accumulators.
            unsafe { (table.begin)(op, self.state(states, place)) };
        }
        let results = some.len();
        for index in elements.step_by(self.sources.chunk) {
            self.sources.read_all(&mut rooms.chunk, &some[0].0, (index, results));
            for (place, (places, counted)) in some.iter_mut().enumerate() {
                self.sources.read(&mut rooms.chunk, places, index, place);
                *counted += self.push(rooms, self.state(states, place));
            }
        }
    }

    /// Adds the elements of a chunk that count, and says how many they are.
    fn push(&self, rooms: &mut SliceRooms, acc: RawCells) -> usize {
        let SliceGiven { table, op, level, .. } = self.given;
        let Chunk { data, count, position, .. } = rooms.chunk;
        let elements = match self.given.filter.is_all() {
            true => SliceElements { data, count, indices: Indices::from(position) },
            false => self.chosen(rooms),
        };
        // SAFETY: *operator*, *states* and *elements*: `fold` began the accumulator, and the sources read the chunk.
        unsafe { (table.push)(op, acc, &elements, level) };
        elements.count
    }

    /// The elements of a chunk that count.
    fn chosen<'r>(&self, rooms: &'r mut SliceRooms) -> SliceElements<'r> {
        let SliceGiven { table, filter, .. } = self.given;
        let SliceRooms { chunk, flags, packed, positions } = rooms;
        // SAFETY: *elements*: the sources read a chunk of each input, and of each mask behind them.
        unsafe { choose(flags, (&chunk.data, chunk.count), table.dtypes, filter) };
        positions.clear();
        pack_positions(positions, chunk.position, flags);
        let mut data = chunk.data;
        for (input, room) in packed.iter_mut().enumerate().take(table.dtypes.len()) {
            let size = table.sizes[input];
            let to = room.bytes(chunk.count * size);
            // SAFETY: *elements* and *room*: `choose` made a flag for each element of the chunk, and there is room for
            // all of them.
            unsafe { pack(to, chunk.data[input], size, flags) };
            data[input] = to.cast_const();
        }
        SliceElements { data, count: positions.len(), indices: Indices::listed(positions) }
    }

    fn combine(&self, acc: RawCells, later: RawCells) {
        let SliceGiven { table, op, .. } = self.given;
        // SAFETY: *operator* and *states*: `fold` began both accumulators, which lie apart.
        unsafe { (table.combine)(op, acc, later) };
    }

    /// Stores a result over as many elements as counted.
    fn end(&self, acc: RawCells, number: usize, count: usize) {
        let SliceGiven { table, op, parts, length, .. } = self.given;
        if count == 0 && table.empty == Empty::Error {
            return self.lacks_value.store(true, Ordering::Relaxed);
        }
        let first = self.results.first.wrapping_add(number * self.results.apart);
        let mut places = [std::ptr::null_mut(); MOST_RESULTS];
        for (place, part) in places.iter_mut().zip(parts) {
            *place = first.wrapping_add(part.at);
        }
        // SAFETY: *operator*, *states* and *places*: `fold` began the accumulator, and the caller of `new` keeps the
        // other two.
        unsafe { (table.end)(op, acc, &SliceEnd { places, length, count }) };
    }

    /// The accumulator in this place among others.
    fn state(&self, states: *mut u8, place: usize) -> RawCells {
        RawCells { first: states.wrapping_add(place * self.apart), cells: self.cells }
    }
}
