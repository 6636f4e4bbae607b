//! Each operator against what one would write by hand with iterators, on 100,000 floats.
//!
//! The iterators are compiled for the CPU at hand only if the whole build is. On Intel's servers that
//! makes vectors half as long, ours too, so the loops are to be taken from the second build, and ours
//! from the first (`docs/performance.md`):
//!
//! ```text
//! cargo bench -p reduce-gallery
//! RUSTFLAGS="-C target-cpu=native" cargo bench -p reduce-gallery
//! ```
//!
//! For each operator `reduce` is ours. `iterator` is the shortest loop; `unrolled` keeps 16
//! sums of each kind in an array, which is what the compiler needs to use vectors at all.

#![allow(clippy::cast_precision_loss, clippy::wildcard_imports, reason = "timings")]

mod lists;
mod moments;
mod pairs;

use divan::Bencher;
use divan::counter::BytesCount;
use reduce_core::bounds::{Input, Written};
use reduce_core::{OnePass, Reduction, Threads, View};
use reduce_gallery::{
    Bins, Cosine, CrossEntropy, Dot, Histogram, MeanVariance, PolynomialHash, Shape, SquaredError,
    Summary, Top, TopK, WeightedMean,
};

const COUNT: usize = 100_000;
/// Sums that are kept side by side.
const LANES: usize = 16;

fn main() {
    divan::main();
}

fn numbers(factor: usize) -> Vec<f32> {
    (0..COUNT).map(|index| (index * factor % 1009) as f32 / 1009.0 + 0.1).collect()
}

fn view<T: reduce_core::Element>(data: &[T]) -> View<'_, T> {
    View::new(data, &[data.len()]).expect("its shape")
}

/// Times the one result of an operator.
fn ours<Op, I>(bencher: Bencher<'_, '_>, op: Op, input: &I)
where
    I: Input,
    Op: OnePass<I::Stored>,
    <Op::Result as Written>::Tensors: Sized,
{
    let reduction = Reduction::new(op).threads(Threads::One);
    bencher.counter(bytes::<I>()).bench_local(|| reduction.run(input).expect("elements"));
}

fn bytes<I: Input>() -> BytesCount {
    BytesCount::new(COUNT * size_of::<I::Stored>())
}

/// Sums kept in lanes, added up at the end.
fn sums<const N: usize>(lanes: &[[f32; LANES]; N]) -> [f32; N] {
    lanes.map(|lane| lane.iter().sum())
}
