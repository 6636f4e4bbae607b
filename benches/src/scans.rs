//! Times of running reductions over elements of `f32`, from kept buffers into kept buffers: the least of several, in
//! nanoseconds for each element, with one thread and with two. There are 10^7 elements, or as many as the argument says.

use std::sync::Arc;
use std::time::Instant;

use reduce_core::{OnePass, Reduction, Threads, View};
use reduce_gallery::Variance;
use reduce_specs::{ReduceLogSumExp, ReduceMax, ReduceProd, ReduceSum};

/// Name, shape and axis of each form.
fn forms(elements: usize) -> [(&'static str, Vec<usize>, i64); 4] {
    [
        ("list", vec![elements], 0),
        ("rows", vec![(elements / 10_000).max(1), elements.min(10_000)], 1),
        ("short rows", vec![elements / 100, 100], 1),
        ("columns", vec![elements / 1000, 1000], 0),
    ]
}

fn main() {
    let elements =
        std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(10_000_000);
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from_bits(0x3f80_0000 | state >> 9) - 1.0
    };
    let data: Vec<f32> = (0..elements).map(|_| next()).collect();
    let pool = rayon_pool();
    println!("| operator | form | one thread | two |\n|---|---|---|---|");
    time("sum", &ReduceSum, &data, &pool);
    time("max", &ReduceMax, &data, &pool);
    time("product", &ReduceProd, &data, &pool);
    time("log-sum-exp", &ReduceLogSumExp, &data, &pool);
    time("variance", &Variance::default(), &data, &pool);
}

fn rayon_pool() -> Threads {
    Threads::Pool(Arc::new(
        rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads"),
    ))
}

fn time<Op: OnePass<f32, Result = f32> + Clone>(name: &str, op: &Op, data: &[f32], pool: &Threads) {
    for (form, shape, axis) in forms(data.len()) {
        let count = shape.iter().product();
        let view = View::new(&data[..count], &shape).expect("all elements");
        let mut out = vec![0.0; count];
        let times = [Threads::One, pool.clone()].map(|threads| {
            let scan = Reduction::new(op.clone()).axes([axis]).threads(threads).mended(false);
            let run = |out: &mut [f32]| {
                let start = Instant::now();
                scan.scan_into(&view, out).expect("a scan");
                start.elapsed().as_secs_f64() * 1e9 / count as f64
            };
            let times = 6.max(60_000_000 / count);
            (0..times).map(|_| run(&mut out)).fold(f64::INFINITY, f64::min)
        });
        println!("| {name} | {form} | {:.2} | {:.2} |", times[0], times[1]);
    }
}
