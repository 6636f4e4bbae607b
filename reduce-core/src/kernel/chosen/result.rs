//! One result: its elements that count, packed and folded block by block.

#![allow(unsafe_code, reason = "microkernels are called with pointers")]

use super::super::micro::{Block, Blocks, Data, End, Few, Filing, INPUTS, ResultElements, Sizes};
use super::super::read::{Chunk, Room, Scratch, SourcePlaces};
use super::super::walk::tree::{Counter, depth};
use super::flags::Flag;
use super::pack::{pack, pack_positions};
use super::pass::{ChoosingPass, Flags, MemberPass, choose_for};

/// Elements that count, one behind the other. Some of them wait to be folded.
pub(super) struct Packed {
    rooms: [Room; INPUTS],
    /// The elements that wait are those from `begin` to `end` in the rooms.
    begin: usize,
    end: usize,
    /// The positions of the elements, if they are kept.
    positions: Vec<u64>,
}

impl Packed {
    pub(super) fn new() -> Self {
        Packed { rooms: Default::default(), begin: 0, end: 0, positions: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        (self.begin, self.end) = (0, 0);
        self.positions.clear();
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.end - self.begin
    }

    /// Packs the elements of a chunk that count, in rooms for `room_for` elements and a step. If `keeps`, their
    /// positions are packed too.
    pub(super) fn take(
        &mut self,
        sizes: &Sizes,
        (chunk, flags): (&Chunk, &[Flag]),
        room_for: usize,
        keeps: bool,
    ) {
        let mut packed = 0;
        for input in 0..sizes.inputs {
            let size = sizes.elements[input];
            let room = self.rooms[input].bytes((room_for + sizes.lanes) * size);
            assert!(self.end + flags.len() <= room_for, "room for a chunk");
            let to = room.wrapping_add(self.end * size);
            // SAFETY: *elements*: there is one for each flag of the chunk. *room*: the assertion above says that as
            // many fit.
            packed = unsafe { pack(to, chunk.data[input], size, flags) };
        }
        if keeps {
            pack_positions(&mut self.positions, chunk.position, flags);
        }
        self.end += packed;
    }

    /// Where those that wait begin, in each input.
    pub(super) fn data(&mut self, sizes: &Sizes) -> Data {
        let mut data = [std::ptr::null(); INPUTS];
        for input in 0..sizes.inputs {
            let begin = self.begin * sizes.elements[input];
            data[input] = self.rooms[input].bytes(0).wrapping_add(begin).cast_const();
        }
        data
    }

    /// Moves those that wait to the beginnings of the rooms.
    fn move_to_front(&mut self, sizes: &Sizes) {
        if self.begin == 0 {
            return;
        }
        for input in 0..sizes.inputs {
            let size = sizes.elements[input];
            let room = self.rooms[input].bytes(0);
            let from = room.wrapping_add(self.begin * size);
            // SAFETY: *room*: the elements that wait lie in it, and may overlap with where they go.
            unsafe { from.copy_to(room, self.len() * size) };
        }
        self.positions.drain(..self.begin.min(self.positions.len()));
        (self.begin, self.end) = (0, self.len());
    }

    /// How many of the elements that wait, from the first on, have consecutive positions: at most `most`.
    fn neighbours(&self, most: usize) -> usize {
        let positions = &self.positions[self.begin..];
        let are_neighbours = |pair: &&[u64]| pair[0] + 1 == pair[1];
        let more = positions.windows(2).take(most - 1).take_while(are_neighbours).count();
        self.len().min(more + 1)
    }
}

/// A result that is being folded.
pub(super) struct ChosenResult {
    packed: Packed,
    /// States of blocks that wait to be merged.
    stack: Scratch<'static>,
    counter: Counter,
    /// How many blocks were folded, and how many elements they had.
    blocks: u64,
    folded: usize,
    /// Where the blocks are, if one of them is searched in the end.
    known: Known,
}

/// Where the blocks of a result are.
#[derive(Default)]
struct Known {
    /// For each chunk, how many elements count in it and in all chunks before it.
    counted: Vec<usize>,
    /// For each block, how many elements the blocks before it have. At last there is the number of all that count.
    blocks: Vec<usize>,
}

impl ChosenResult {
    pub(super) fn new() -> Self {
        ChosenResult {
            packed: Packed::new(),
            stack: Scratch::new(),
            counter: Counter::default(),
            blocks: 0,
            folded: 0,
            known: Known::default(),
        }
    }

    /// Begins another result.
    pub(super) fn begin(&mut self) {
        self.packed.clear();
        self.counter = Counter::default();
        (self.blocks, self.folded) = (0, 0);
        self.known.counted.clear();
        self.known.blocks.clear();
    }

    /// Takes a chunk of its elements. A block is folded when it is known that it is not the last.
    pub(super) fn take(&mut self, pass: &MemberPass<'_>, chunk: &Chunk, flags: &[Flag]) {
        self.packed.take(pass.sizes, (chunk, flags), pass.room_for(), pass.sizes.positioned);
        if pass.sizes.searched {
            self.known.counted.push(self.folded + self.packed.len());
        }
        while let Some(count) = self.complete(pass) {
            self.fold(pass, count, None, std::ptr::null_mut());
        }
        self.packed.move_to_front(pass.sizes);
    }

    /// How many of the elements that wait make a block, if there are more behind it.
    fn complete(&self, pass: &MemberPass<'_>) -> Option<usize> {
        if self.packed.len() == 0 {
            return None;
        }
        let count = match pass.sizes.positioned {
            true => self.packed.neighbours(pass.piece),
            false => pass.piece,
        };
        (count < self.packed.len()).then_some(count)
    }

    /// Folds a block of `count` elements that wait. `last` is the number of elements of the result, if this is its last
    /// block. The result is then stored at `out`, unless that is null.
    fn fold(&mut self, pass: &MemberPass<'_>, count: usize, last: Option<usize>, out: *mut u8) {
        let sizes = pass.sizes;
        let position = match self.packed.positions.get(self.packed.begin) {
            Some(&position) => position,
            None => pass.plan.first + self.folded as u64,
        };
        let (data, number) = (self.packed.data(sizes), self.blocks);
        let mut block = Block { data, number, position, ..Block::NONE };
        block.cut(count, sizes.lanes, &sizes.elements[..sizes.inputs]);
        let depth = match pass.sizes.positioned {
            true => depth(pass.plan.count),
            false => depth(pass.plan.count.div_ceil(pass.piece)),
        };
        let top = self.stack.bytes(depth * sizes.state);
        let top = top.wrapping_add(self.counter.newest() * sizes.state);
        let merges = self.counter.merges(last.is_some());
        let (apart, of_all) = (sizes.state, last.unwrap_or(0));
        let filing = Filing { merges, apart, out, count: of_all };
        sizes.assert_block(top, &block, &filing);
        // SAFETY: *operator* and *types*, which the caller of `ChoosingPass::new` keeps. *steps*: each room has place
        // for one behind all that is packed. *states*: the stack has one for each subtree that `depth` counts, and
        // those below `top` were written. *places*: each result has its own.
        unsafe { (pass.table.along)(pass.op, top, &block, &filing) };
        if sizes.searched {
            self.known.blocks.push(self.folded);
        }
        self.blocks += 1;
        self.folded += count;
        self.packed.begin += count;
    }

    /// Stores the result, whose elements begin at `places`.
    pub(super) fn end<'p>(
        &mut self,
        (chosen, pass): (&ChoosingPass<'p>, &MemberPass<'p>),
        places: &SourcePlaces,
        out: *mut u8,
    ) {
        let waiting = self.packed.len();
        let count = self.folded + waiting;
        if count == 0 {
            return pass.none(out);
        }
        if count <= pass.few() {
            return self.few(pass, count, out);
        }
        if !pass.sizes.searched {
            return self.fold(pass, waiting, Some(count), out);
        }
        self.fold(pass, waiting, Some(count), std::ptr::null_mut());
        self.known.blocks.push(count);
        let (known, packed, chunk) = (&self.known, Packed::new(), Chunk::new());
        let flags = Flags::new();
        let mut blocks = Searched { chosen, pass, places, known, packed, chunk, flags };
        let mut end = End { blocks: &mut blocks, count, out };
        let state = self.stack.bytes(0);
        pass.sizes.assert_end(state, &end);
        // SAFETY: *operator*, *types* and *places*, as in `fold`. *states*: all blocks were merged into the first of
        // the stack. *elements*: `Searched` reads those of the result.
        unsafe { (pass.table.end)(pass.op, state, &mut end) };
    }

    /// Stores a result of few elements, which are taken one after another.
    fn few(&mut self, pass: &MemberPass<'_>, elements: usize, out: *mut u8) {
        let ways = pass.ways.as_ptr();
        let data = self.packed.data(pass.sizes);
        let few = Few { data, next: [0; INPUTS], results: 1, ways, elements, position: 0, out };
        pass.sizes.assert_few(&few);
        // SAFETY: *operator*, *types* and *places*, as in `fold`. *elements*: `elements` of them wait, and `pass.ways`
        // has a way to each but the first.
        unsafe { (pass.table.few)(pass.op, &few) };
    }
}

/// The blocks of a selection, in which its element is searched for.
struct Searched<'a, 'p> {
    chosen: &'a ChoosingPass<'p>,
    pass: &'a MemberPass<'p>,
    places: &'a SourcePlaces,
    known: &'a Known,
    packed: Packed,
    chunk: Chunk,
    flags: Flags,
}

impl Blocks for Searched<'_, '_> {
    fn count(&self) -> usize {
        self.known.blocks.len() - 1
    }

    fn block(&mut self, number: u64) -> ResultElements {
        let Known { counted, blocks } = self.known;
        let number = usize::try_from(number).unwrap_or(usize::MAX).min(self.count() - 1);
        let (first, end) = (blocks[number], blocks[number + 1]);
        // The chunk in which the block begins.
        let chunk = counted.partition_point(|&counted| counted <= first);
        let before = if chunk == 0 { 0 } else { counted[chunk - 1] };
        let mut index = chunk * self.pass.chunk;
        self.packed.clear();
        while before + self.packed.len() < end && index < self.pass.plan.count {
            self.chosen.sources.read(&mut self.chunk, self.places, index, 0);
            choose_for(self.pass.member, &self.chunk, &mut self.flags);
            index += self.chunk.count;
            let room_for = self.pass.room_for() + self.pass.chunk;
            let chosen = (&self.chunk, &self.flags[..]);
            self.packed.take(self.pass.sizes, chosen, room_for, true);
        }
        self.packed.begin = first - before;
        let data = self.packed.data(self.pass.sizes);
        let positions = &self.packed.positions[first - before..end - before];
        // SAFETY: *elements*: one of each input was packed for each position. The rooms stay as they are until another
        // block is asked for.
        unsafe { ResultElements::at_positions(data, positions) }
    }
}
