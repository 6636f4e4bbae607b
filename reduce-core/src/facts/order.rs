//! All numbers that decide in which order elements are combined, and so the last bits of float results.
//!
//! Users are told of each change of them, since their results change with it. The rules that these numbers are part of
//! stand in `docs/numerics.md`. What may be tuned stands elsewhere and cannot change a bit: which path reads
//! memory, what is fetched ahead, where work is split.
//!
//! A *lane* is one of several accumulators that work side by side. A *strand* is an accumulator that takes some of the
//! elements of one result.

/// Steps of a block: how many elements a strand takes one after another before it is merged with others. More would
/// let the error of a float sum grow; fewer would make merging cost more than it does.
pub(crate) const STEPS: usize = 64;

/// Blocks of a running reduction that are combined one after another, before they are combined with all that is in front of
/// them. A block has [`STEPS`] elements.
pub(crate) const SCAN_BLOCKS: usize = 64;

/// Elements of all blocks of a running reduction that are so combined.
pub(crate) const GROUP: usize = STEPS * SCAN_BLOCKS;

/// Up to this many elements of a result go to one strand.
pub(crate) const ONE_STRAND: usize = 16;

/// Up to this many elements a selection has one strand.
pub(crate) const ONE_STRAND_OF_SELECTION: usize = 32;

/// Up to this many elements of packed blocks are folded as one, since they have to stay in the nearest cache.
pub(crate) const PACKED_BLOCK: usize = 2048;

/// One row is folded by itself if it fills at least this many eighths of its groups of lanes.
pub(crate) const FILLED: usize = 6;

/// Rows that are folded side by side fill at least this many eighths of theirs.
pub(crate) const FILLED_BY_MORE: usize = 7;

/// To fold `k` rows side by side, there must be at least this many times `k` rows.
pub(crate) const TIMES: usize = 8;

/// The longest run of neighbours in a row, as a multiple of the number of lanes.
pub(crate) const LONGEST_RUN: usize = 16;

/// From this many rows on, each of several neighbours in a row has a strand of its own.
pub(crate) const ROWS: usize = 16;

/// From this many rows on, each of several neighbours of a selection has a strand of its own. It takes more rows to
/// make up for these strands, which are combined one by one.
pub(crate) const ROWS_OF_SELECTIONS: usize = 48;

/// From this many rows on, neighbours that are fewer than lanes, and yet no short run, have strands of their own. Every
/// other way is worse for them.
pub(crate) const ROWS_OF_LITTLE: usize = 4;

/// The longest run that is short where a result has several runs.
pub(crate) const SHORT_RUN: usize = 128;

/// The number of lanes in which any operator combines elements in their order.
pub(crate) const ORDERED: usize = 1;

/// The largest number of lanes of an operator that is not commutative. Each takes a part of a block, and the elements of
/// a step are brought together before.
pub(crate) const MOST_PARTS: usize = 32;

/// Bytes of accumulators that a block keeps in all its lanes.
///
/// This was measured: with twice the bytes, lanes spill out of AVX2's registers; with half, they wait for the latency
/// of an addition.
const LANE_BYTES: usize = 256;

/// The fewest bytes of the lanes of one scalar, in accumulators of up to [`FEW_SCALARS`] bytes. They fill two registers of
/// AVX-512; with less, each step would wait for the one before it.
const SCALAR_BYTES: usize = 128;
const FEW_SCALARS: usize = 64;

/// From this many bytes on, several accumulators would fill the nearest cache.
const LARGE: usize = 2048;

/// Lanes of accumulators that change in place, if all of them are in the nearest cache. There is more than one, so that an
/// element need not wait until the count that the one before it changed is in memory.
const IN_PLACE_LANES: usize = 4;

/// This many blocks of one lane are folded as one where elements change accumulators in place.
const IN_PLACE_BLOCKS: usize = 4096;

/// The same number where few elements enter, which makes 2²⁰ elements. An accumulator that begins empty lets many in before it
/// asks for much, so each block costs some microseconds.
const RARE_BLOCKS: usize = 16384;

/// This many blocks of a selection are folded as one. Values are only compared, so no sum grows long; more of them
/// would take longer to search.
pub(crate) const SELECTED_BLOCKS: usize = 4;

/// Bytes of the lanes of a tuple that AVX-512 keeps in registers, beside what it computes of them.
pub(crate) const TUPLE_BYTES: usize = 1536;

/// The number of lanes in which a result is computed again because it was doubtful.
pub(crate) const LANES_AGAIN: usize = 8;

/// The number of rows of a block of rows by key.
pub(crate) const KEYED_BLOCK: usize = 8192;

/// From this many rows on, a list of one key is reduced by a kernel of its own.
pub(crate) const KEYED_LIST: usize = 32;

/// Whether rows by key are sorted by key, if there are enough for each key, and accumulators have this many scalars.
/// Sorting costs more than it saves for a single number, and for accumulators so large that an element changes little
/// of them.
pub(crate) const fn has_sorted_rows(scalars: usize) -> bool {
    matches!(scalars, 2..=8)
}

/// Rows by key are cut in spans of this many rows, and each span goes into groups of its own.
pub(crate) const SPAN: usize = 1 << 18;

/// Rows are cut in spans if there are at least this many for each group. Adding up the groups of a span then takes a fraction
/// of its time.
pub(crate) const SPAN_ROWS: usize = 1 << 8;

/// How many elements a part of a result has, if its accumulator is a slice of this many cells. Parts are folded apart, and
/// combined in their order. A part has some hundred elements for each cell: to begin and to combine it is then little beside the work
/// on its elements.
pub(crate) fn slice_part(cells: usize) -> usize {
    let least = cells.saturating_mul(SLICE_ELEMENTS);
    least.checked_next_power_of_two().unwrap_or(1 << (usize::BITS - 1)).max(SLICE_PART)
}

/// Such a part has at least this many elements, and this many for each cell.
const SLICE_PART: usize = 1 << 17;
const SLICE_ELEMENTS: usize = 1 << 8;

/// The ways in which elements come into an accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Each element makes another accumulator, in registers.
    Pushed,
    /// Each element changes a part of the accumulator, in memory.
    InPlace,
    /// Each element may change a part of the accumulator, in memory, but most change nothing.
    Rare,
}

/// The number of lanes of accumulators of this many bytes and scalars. It is a power of two and depends on the type alone,
/// so that the order is the same at every CPU level.
pub(crate) const fn lanes(entry: Entry, size: usize, scalars: usize) -> usize {
    match entry {
        // The more an accumulator has seen, the fewer elements enter.
        Entry::Rare => 1,
        Entry::InPlace if size <= LARGE => IN_PLACE_LANES,
        Entry::InPlace => 1,
        Entry::Pushed => lanes_in_registers(size, scalars),
    }
}

const fn lanes_in_registers(size: usize, scalars: usize) -> usize {
    let size = if size == 0 { 1 } else { size };
    let scalar = size.div_ceil(if scalars == 0 { 1 } else { scalars });
    let (count, least) = (LANE_BYTES / size, SCALAR_BYTES / scalar);
    match size {
        _ if count >= least && count > 0 => 1 << count.ilog2(),
        _ if size <= FEW_SCALARS => 1 << least.ilog2(),
        _ if size <= LARGE => 4,
        _ => 1,
    }
}

/// How many blocks are folded as one, of accumulators in this many lanes.
pub(crate) const fn blocks(entry: Entry, lanes: usize) -> usize {
    match entry {
        Entry::Rare => RARE_BLOCKS / lanes,
        Entry::InPlace => IN_PLACE_BLOCKS / lanes,
        Entry::Pushed => 1,
    }
}

/// The number of lanes of a tuple whose members have these numbers of lanes, and one lane of all members this many bytes.
/// It is one if the order of elements matters to any member. Otherwise it is the largest number for which
/// all lanes are in registers at once, between the fewest and the most that a member wants. A member with
/// too few lanes would wait for its own results.
pub(crate) const fn lanes_in_common(lanes: &[usize], bytes: usize) -> usize {
    let (mut most, mut least) = (1, usize::MAX);
    let mut next = 0;
    while next < lanes.len() {
        if lanes[next] == ORDERED {
            return ORDERED;
        }
        if lanes[next] > most {
            most = lanes[next];
        }
        if lanes[next] < least {
            least = lanes[next];
        }
        next += 1;
    }
    while most > least && most * bytes > TUPLE_BYTES {
        most /= 2;
    }
    most
}

/// Lengths up to which rows are short, so that lanes go across them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Short {
    /// The length of rows that are in a cache, and of whatever lies apart.
    pub(crate) rows: Length,
    /// The length of rows that come from memory, in which transposition jumps about. It differs from `rows` only where
    /// results are the same either way: the sum of a row does not depend on how much memory the others take.
    pub(crate) from_memory: Length,
}

/// A length that depends on the number of lanes: `eighths` eighths of it, and `more`, but `least` at least.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length {
    eighths: usize,
    more: usize,
    least: usize,
}

impl Length {
    /// The length for this many lanes.
    pub(crate) const fn of(self, lanes: usize) -> usize {
        let length = lanes * self.eighths / 8 + self.more;
        if length < self.least { self.least } else { length }
    }

    /// A length that is no less than either.
    pub(crate) const fn or(self, other: Self) -> Self {
        const fn larger(a: usize, b: usize) -> usize {
            if a < b { b } else { a }
        }
        Length {
            eighths: larger(self.eighths, other.eighths),
            more: larger(self.more, other.more),
            least: larger(self.least, other.least),
        }
    }
}

impl Short {
    /// The lengths for accumulators of this many scalars. `is_turned` says that an element may be turned by one
    /// instruction. The more work it is to combine lanes with one another, the longer are rows that are better turned.
    /// Lanes of two scalars are joined by some exponentials each, so their rows may be the longest.
    pub(crate) const fn of(scalars: usize, is_turned: bool) -> Self {
        let rows = match scalars {
            1 if is_turned => Length { eighths: 7, more: 0, least: ONE_STRAND },
            1 => Length { eighths: 3, more: 0, least: ONE_STRAND },
            2 => Length { eighths: 0, more: 128, least: ONE_STRAND },
            _ => Length { eighths: 0, more: 40, least: ONE_STRAND },
        };
        Short { rows, from_memory: rows }
    }

    /// The lengths for selections: a few vectors at least. In less, the search for a place takes longer than all else.
    pub(crate) const OF_SELECTION: Short = Short {
        rows: Length { eighths: 8, more: 80, least: 0 },
        from_memory: Length { eighths: 10, more: 0, least: 80 },
    };

    /// The lengths for operators that are not commutative. A result has one strand either way, so that no bit depends on
    /// it where elements are one run.
    pub(crate) const OF_PARTS: Short = {
        let rows = Length { eighths: 0, more: STEPS * MOST_PARTS / 2, least: ONE_STRAND };
        Short { rows, from_memory: rows }
    };

    /// The length for a tuple: the longest of its members'. It is the same wherever rows come from, since a member may
    /// be a sum.
    pub(crate) const fn longest(members: &[Short]) -> Self {
        let mut rows = members[0].from_memory;
        let mut next = 1;
        while next < members.len() {
            rows = Length::or(rows, members[next].from_memory);
            next += 1;
        }
        Short { rows, from_memory: rows }
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, lanes, slice_part};

    fn of<A>(scalars: usize) -> usize {
        lanes(Entry::Pushed, size_of::<A>(), scalars)
    }

    #[test]
    fn lane_counts_fill_the_registers_and_no_more() {
        assert_eq!((of::<f32>(1), of::<bool>(1), of::<i128>(1)), (64, 256, 16));
        assert_eq!((of::<[f32; 2]>(2), of::<[f64; 3]>(3), of::<[f32; 4]>(4)), (32, 16, 32));
        assert_eq!((of::<[f64; 8]>(8), of::<[f64; 9]>(9)), (16, 4));
        assert_eq!((of::<[u64; 64]>(64), of::<[u64; 1024]>(1024)), (4, 1));
    }

    #[test]
    fn parts_of_slices_are_powers_of_two() {
        assert_eq!([1, 512, 513, 1000].map(slice_part), [1 << 17, 1 << 17, 1 << 18, 1 << 18]);
        assert_eq!(slice_part(usize::MAX), 1 << (usize::BITS - 1));
    }
}
