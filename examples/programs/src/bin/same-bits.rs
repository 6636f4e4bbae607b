//! A sum that may serve as a checksum: the same bits whatever the number of threads, and whatever the CPU.
//!
//! Sums of floats depend on the order of the additions. A sum that is cut among threads in the usual way therefore has
//! other bits with another number of them. Here the order follows from the length alone. The program shows both, and fails
//! if its claim does.
//!
//! ```text
//! cargo run --release -p reduce-programs --bin same-bits             a million numbers, 1 to 8 threads
//! cargo run --release -p reduce-programs --bin same-bits -- 5000000  five million
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;

use rayon::ThreadPoolBuilder;
use reduce_core::{Error, Level, Reduction, Threads, View};
use reduce_programs::{Failure, noise, size};
use reduce_specs::ReduceSum;

fn main() -> Result<(), Failure> {
    let count = size(1, "numbers", 1_000_000, 1..=100_000_000)?;
    // Numbers of very different sizes and both signs, where rounding shows.
    let numbers: Vec<f32> = noise(7).take(count).map(|x| x * x * x * x * x).collect();
    let view = View::new(&numbers, &[count])?;
    let sum = Reduction::new(ReduceSum);
    let bits = |sum: Reduction<ReduceSum>| Ok::<u32, Error>(sum.run(&view)?.data()[0].to_bits());

    println!("threads   this crate    cut among threads");
    let (mut found, mut naive) = (BTreeSet::new(), BTreeSet::new());
    for threads in 1..=8 {
        let pool = Arc::new(ThreadPoolBuilder::new().num_threads(threads).build()?);
        let ours = bits(sum.clone().threads(Threads::Pool(pool)))?;
        let theirs = cut_among(threads, &numbers).to_bits();
        println!("{threads:7}   0x{ours:08x}    0x{theirs:08x}");
        found.insert(ours);
        naive.insert(theirs);
    }
    println!("level     this crate");
    for level in Level::available() {
        let ours = bits(sum.clone().level(level))?;
        println!("{level:7}   0x{ours:08x}");
        found.insert(ours);
    }

    let exact: f64 = numbers.iter().map(|&x| f64::from(x)).sum();
    let ours = sum.run(&view)?.data()[0];
    println!(
        "the sum is {ours}, in `f64` {exact}; cut among threads there are {} sums",
        naive.len()
    );
    match found.len() {
        1 => Ok(()),
        several => Err(format!("{several} results, where there should be one").into()),
    }
}

/// What one writes first: each thread adds its part, and then the parts are added.
fn cut_among(threads: usize, numbers: &[f32]) -> f32 {
    let part = numbers.len().div_ceil(threads);
    thread::scope(|scope| {
        let sums = numbers.chunks(part).map(|part| scope.spawn(|| part.iter().sum::<f32>()));
        let sums: Vec<_> = sums.collect();
        sums.into_iter().map(|sum| sum.join().expect("a sum does not panic")).sum()
    })
}
