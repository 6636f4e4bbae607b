//! How the elements of results are spread over threads: passes, and the tile of each workgroup.
//!
//! A strand of a block is folded by one thread, so neighbouring threads read neighbours in memory. They read along the
//! strands of a result, or along results where these lie nearer to one another. Workgroups merge blocks by aligned
//! groups of a power of two. Such groups are what the binary tree of the [`Order`] consists of, whatever the number of
//! blocks.
//!
//! | pass | a thread has | it leaves |
//! |---|---|---|
//! | fold | a strand of a block | a state for each group of blocks; results, if each has one group |
//! | merge | a state | a state for each group of states |
//! | halve | a strand, of too many for a workgroup | half as many strands |
//! | finish | a strand | results |

use reduce_core::backend::Order;

use super::error::DeviceError;

/// The most threads of a workgroup.
const MOST_THREADS: u32 = 256;

/// Results side by side in a tile, where they lie nearer than elements do.
const RESULTS_ACROSS: u32 = 32;

/// The tile of a workgroup: how many threads, results, blocks and strands it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) threads: u32,
    pub(crate) results: u32,
    /// A power of two.
    pub(crate) blocks: u32,
    /// Strands of a result: rows, and neighbours in each.
    pub(crate) rows: u32,
    pub(crate) neighbours: u32,
    /// Whether neighbouring threads have neighbouring results.
    pub(crate) across: bool,
}

/// The numbers of a reduction, as kernels count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) results: u32,
    pub(crate) count: u32,
    pub(crate) strands: u32,
    pub(crate) rows: u32,
    pub(crate) block: u32,
    pub(crate) run: u32,
    pub(crate) blocks_of_run: u32,
    pub(crate) blocks: u32,
    pub(crate) first: u32,
}

impl Numbers {
    /// Of an order.
    ///
    /// # Errors
    /// If kernels cannot count so far.
    pub(crate) fn of(order: &Order) -> Result<Self, DeviceError> {
        Numbers::counted(order).ok_or(DeviceError::TooMany {
            what: "elements or results",
            found: order.count.max(order.results),
            most: u32::MAX as usize - 1,
        })
    }

    fn counted(order: &Order) -> Option<Self> {
        let number = |x: usize| u32::try_from(x).ok().filter(|&x| x < u32::MAX);
        let run = order.run.max(1);
        let block = order.block.min(run).max(1);
        let blocks_of_run = run.div_ceil(block);
        // Positions are counted too, and the last number is none.
        let end = order.first.checked_add(u64::try_from(order.count).ok()?)?;
        number(usize::try_from(end).ok()?)?;
        Some(Numbers {
            results: number(order.results)?,
            count: number(order.count)?,
            strands: number(order.strands)?,
            rows: number(order.rows)?,
            block: number(block)?,
            run: number(run)?,
            blocks_of_run: number(blocks_of_run)?,
            blocks: number(order.count.div_ceil(run).checked_mul(blocks_of_run)?)?,
            first: u32::try_from(order.first).ok()?,
        })
    }

    pub(crate) fn neighbours(&self) -> u32 {
        self.strands / self.rows
    }
}

/// Threads of a workgroup whose states fit its memory: a power of two, at most as many as are allowed.
pub(crate) fn threads(state_bytes: u32, memory: u32, most: u32) -> u32 {
    let fit = memory / state_bytes.max(1);
    let threads = MOST_THREADS.min(most).min(fit.max(1));
    1 << threads.ilog2()
}

impl Tile {
    /// The tile of the first pass; nothing if the strands of a result are more than the threads.
    pub(crate) fn of_fold(numbers: &Numbers, across: bool, threads: u32) -> Option<Self> {
        let strands = numbers.strands;
        let slots = threads / strands;
        if slots == 0 {
            return None;
        }
        let results = match (numbers.blocks, across) {
            (1, _) => slots.min(numbers.results),
            (_, true) => RESULTS_ACROSS.min(slots).min(numbers.results),
            (_, false) => 1,
        };
        let blocks = (slots / results).min(numbers.blocks.next_power_of_two());
        let (rows, neighbours) = (numbers.rows, numbers.neighbours());
        Some(Tile { threads, results, blocks: 1 << blocks.ilog2(), rows, neighbours, across })
    }

    /// The tile of a pass that merges `states` states of each strand.
    pub(crate) fn of_merge(states: u32, threads: u32) -> Self {
        let blocks = states.next_power_of_two().min(threads);
        let results = threads / blocks;
        Tile { threads, results, blocks, rows: 1, neighbours: 1, across: false }
    }

    /// The tile of the last pass, over `strands` strands.
    pub(crate) fn of_finish(numbers: &Numbers, strands: u32, threads: u32) -> Self {
        let (rows, neighbours) = match strands {
            1 => (1, 1),
            _ => (numbers.rows, numbers.neighbours()),
        };
        let results = (threads / strands).min(numbers.results).max(1);
        Tile { threads, results, blocks: 1, rows, neighbours, across: false }
    }

    pub(crate) fn strands(&self) -> u32 {
        self.rows * self.neighbours
    }

    /// Threads that have something to do.
    pub(crate) fn used(&self) -> u32 {
        self.results * self.blocks * self.strands()
    }

    /// From one block, row or result to the next, in threads; neighbours are neighbours.
    pub(crate) fn steps(&self) -> (u32, u32, u32) {
        match self.across {
            true => {
                (self.strands() * self.results, self.neighbours * self.results, self.neighbours)
            }
            false => (self.strands(), self.neighbours, self.strands() * self.blocks),
        }
    }
}

/// How strands are halved: number `j + h` into number `j`, for `j` below `left - h`, until one is left.
pub(crate) fn halves(mut left: u32) -> Vec<(u32, u32)> {
    let mut halves = Vec::new();
    while left > 1 {
        let half = left.next_power_of_two() / 2;
        halves.push((left, half));
        left = half;
    }
    halves
}

/// Tells whether results lie nearer to one another than the elements of each, in the first input.
pub(crate) fn is_across(order: &Order) -> bool {
    let stride = |axis: &reduce_core::backend::OrderAxis| axis.strides.first().copied();
    let kept =
        order.kept.iter().filter_map(stride).map(isize::unsigned_abs).filter(|way| *way != 0);
    let reduced = order.reduced.last().and_then(stride).map(isize::unsigned_abs);
    match (kept.min(), reduced) {
        (Some(kept), Some(reduced)) => kept < reduced || order.rows > 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Numbers, Tile, halves, threads};

    #[test]
    fn strands_are_halved_as_documented() {
        assert_eq!(halves(1), []);
        assert_eq!(halves(64), [(64, 32), (32, 16), (16, 8), (8, 4), (4, 2), (2, 1)]);
        assert_eq!(halves(3), [(3, 2), (2, 1)]);
    }

    #[test]
    fn states_fit_the_memory_of_a_workgroup() {
        assert_eq!(threads(4, 16384, 1024), 256);
        assert_eq!(threads(400, 16384, 1024), 32);
        assert_eq!(threads(20_000, 16384, 1024), 1);
    }

    #[test]
    fn tiles_fill_workgroups() {
        let numbers = |results, strands, rows, blocks| Numbers {
            results,
            strands,
            rows,
            blocks,
            count: 1,
            block: 64,
            run: 64,
            blocks_of_run: blocks,
            first: 0,
        };
        let tile = |numbers: Numbers, across| Tile::of_fold(&numbers, across, 256);
        let one = tile(numbers(1, 64, 1, 1000), false).expect("64 strands");
        assert_eq!((one.results, one.blocks, one.used()), (1, 4, 256));
        let rows = tile(numbers(1000, 64, 1, 1), false).expect("64 strands");
        assert_eq!((rows.results, rows.blocks, rows.used()), (4, 1, 256));
        let columns = tile(numbers(1000, 1, 1, 16), true).expect("one strand");
        assert_eq!((columns.results, columns.blocks, columns.used()), (32, 8, 256));
        let narrow = tile(numbers(3, 63, 21, 10), true).expect("63 strands");
        assert_eq!((narrow.results, narrow.blocks, narrow.steps()), (3, 1, (189, 9, 3)));
        assert_eq!(tile(numbers(1, 1000, 1, 1), false), None);
    }
}
