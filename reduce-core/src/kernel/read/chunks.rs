//! Chunks: some elements of a result at a time, in row-major order, one behind the other.

use smallvec::SmallVec;

use super::{Room, Source};
use crate::plan::Plan;
use crate::values::stored::{Data, INPUTS};

/// This many elements of a result are read at a time.
pub(in crate::kernel) const CHUNK: usize = 1024;

/// If the elements of neighbouring results lie between one another, up to [`IN_TURN`] results are read in turn,
/// [`CHUNK_IN_TURN`] elements of each at a time. Few are read, so that a line of the cache stays near until the last
/// result has read its part of it.
pub(in crate::kernel) const IN_TURN: usize = 16;
const CHUNK_IN_TURN: usize = 128;

/// Where the elements of a result begin in each input and each mask.
pub(in crate::kernel) type SourcePlaces = SmallVec<[usize; INPUTS]>;

/// Some elements of a result.
pub(in crate::kernel) struct Chunk {
    rooms: [Room; INPUTS],
    /// For each input that was read for neighbouring results at once, where the elements of the first result lie.
    of_all: [Option<*const u8>; INPUTS],
    /// Where those of each input, and of each mask, begin; and how many they are.
    pub(in crate::kernel) data: Data,
    pub(in crate::kernel) count: usize,
    /// The position of the first.
    pub(in crate::kernel) position: u64,
}

impl Chunk {
    pub(in crate::kernel) fn new() -> Self {
        let data = [std::ptr::null(); INPUTS];
        Chunk { rooms: Default::default(), of_all: [None; INPUTS], data, count: 0, position: 0 }
    }
}

/// The inputs of a pass over a plan, and the masks behind them, read chunk by chunk.
pub(in crate::kernel) struct ChunkSources<'a> {
    pub(in crate::kernel) sources: SmallVec<[Source<'a>; INPUTS]>,
    pub(in crate::kernel) plan: &'a Plan,
    /// The number of elements of a result that are read at a time.
    pub(in crate::kernel) chunk: usize,
    /// The number of neighbouring results that are read in turn.
    pub(in crate::kernel) at_once: usize,
}

impl<'a> ChunkSources<'a> {
    /// Sources of a plan that takes elements in row-major order.
    pub(in crate::kernel) fn new(sources: SmallVec<[Source<'a>; INPUTS]>, plan: &'a Plan) -> Self {
        let run = plan.run().stride.unsigned_abs();
        let lie_between = plan.lane.size > 1 && plan.lane.stride.unsigned_abs() < run;
        let (chunk, at_once) = if lie_between { (CHUNK_IN_TURN, IN_TURN) } else { (CHUNK, 1) };
        ChunkSources { sources, plan, chunk, at_once }
    }

    /// Sources that are read for one result after another.
    pub(in crate::kernel) fn one_by_one(
        sources: SmallVec<[Source<'a>; INPUTS]>,
        plan: &'a Plan,
    ) -> Self {
        ChunkSources { sources, plan, chunk: CHUNK, at_once: 1 }
    }

    /// Where the elements of a result begin.
    pub(in crate::kernel) fn places(&self, number: usize) -> SourcePlaces {
        self.sources.iter().map(|source| source.plan().place(number)).collect()
    }

    /// Reads a chunk of the elements of `results` neighbouring results, from the `first` of each on, if they lie side
    /// by side.
    pub(in crate::kernel) fn read_all(
        &self,
        chunk: &mut Chunk,
        places: &SourcePlaces,
        (first, results): (usize, usize),
    ) {
        let some = (first, self.chunk.min(self.plan.count - first));
        for (number, (source, &place)) in self.sources.iter().zip(places).enumerate() {
            chunk.of_all[number] = match results {
                1 => None,
                _ => source.some_of_each(&mut chunk.rooms[number], place, some, results),
            };
        }
    }

    /// Reads a chunk of the elements of a result, from its `first` on. It is result number `of_all` of those that were
    /// read at once.
    pub(in crate::kernel) fn read(
        &self,
        chunk: &mut Chunk,
        places: &SourcePlaces,
        first: usize,
        of_all: usize,
    ) {
        let count = self.chunk.min(self.plan.count - first);
        chunk.position = self.plan.first + first as u64;
        chunk.count = count;
        for (number, (source, &place)) in self.sources.iter().zip(places).enumerate() {
            chunk.data[number] = match chunk.of_all[number] {
                Some(all) => all.wrapping_add(of_all * count * source.size()),
                None => source.some(&mut chunk.rooms[number], place, (first, count)),
            };
        }
    }
}
