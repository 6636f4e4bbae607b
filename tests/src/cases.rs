//! Inputs, their layouts, and calls: where the oracle's values meet the crates
//! under test.

mod call;
mod layout;
mod levels;
mod native;
mod paths;
mod recipe;
mod rows;
mod run;
mod values;

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use reduce_core::Axes;

pub use call::{Request, label, takes_axes_input, takes_one_axis};
pub use layout::{Layout, Stored, addresses};
pub use levels::{Levels, available};
pub use native::{bits, found, same_bits, tensor, type_of};
pub use paths::{Case, path_cases};
pub use recipe::{Recipe, Walk};
pub use rows::{Row, rows};
pub use values::{Random, neutral, ordinary};

/// Lengths around the edges of lanes and blocks, for any power of two that a
/// kernel may have chosen, and some primes.
pub const LENGTHS: [usize; 31] = [
    0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 255, 256, 257, 511, 512, 513,
    1000, 1023, 1024, 1025, 2047, 2048, 2049, 4099,
];

/// Every subset of the axes of a tensor.
pub fn subsets(rank: usize) -> Vec<Vec<usize>> {
    let bits = |mask: usize| (0..rank).filter(|axis| mask >> axis & 1 == 1).collect();
    (0..1 << rank).map(bits).collect()
}

/// So many threads.
///
/// # Panics
/// If the system refuses them.
pub fn pool(threads: usize) -> Arc<ThreadPool> {
    Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool"))
}

/// What to ask a reduction for: the axes, spelled as a model may; none at all where the list is empty.
///
/// # Panics
/// If the rank is beyond all bounds.
pub fn axes_of(axes: &[usize], rank: usize) -> Axes {
    match axes {
        [] => Axes::none(),
        axes => Axes::of(&spelled(axes, rank)),
    }
}

/// Axes spelled as a model may: the first counted from the front, the others
/// from the end, and the last of them first.
///
/// # Panics
/// If the rank is beyond all bounds.
pub fn spelled(axes: &[usize], rank: usize) -> Vec<i64> {
    let signed = |size: usize| i64::try_from(size).expect("a small rank");
    let spell = |(place, &axis): (usize, &usize)| {
        if place == 0 { signed(axis) } else { signed(axis) - signed(rank) }
    };
    axes.iter().enumerate().map(spell).rev().collect()
}
