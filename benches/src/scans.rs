//! Times of running reductions over 10^7 elements of `f32`, from kept buffers into kept buffers: the least of five, in
//! milliseconds, with one thread and with two.

use std::sync::Arc;
use std::time::Instant;

use reduce_core::{OnePass, Reduction, Threads, View};
use reduce_gallery::Variance;
use reduce_specs::{ReduceLogSumExp, ReduceMax, ReduceProd, ReduceSum};

const ELEMENTS: usize = 10_000_000;

/// Name, shape and axis.
const FORMS: [(&str, &[usize], i64); 4] = [
    ("list", &[ELEMENTS], 0),
    ("rows", &[1000, ELEMENTS / 1000], 1),
    ("short rows", &[ELEMENTS / 100, 100], 1),
    ("columns", &[ELEMENTS / 1000, 1000], 0),
];

fn main() {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from_bits(0x3f80_0000 | state >> 9) - 1.0
    };
    let data: Vec<f32> = (0..ELEMENTS).map(|_| next()).collect();
    let pool = rayon_pool();
    println!("| operator | form | one thread | two |\n|---|---|---|---|");
    time("sum", ReduceSum, &data, &pool);
    time("max", ReduceMax, &data, &pool);
    time("product", ReduceProd, &data, &pool);
    time("log-sum-exp", ReduceLogSumExp, &data, &pool);
    time("variance", Variance::default(), &data, &pool);
}

fn rayon_pool() -> Threads {
    Threads::Pool(Arc::new(
        rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads"),
    ))
}

fn time<Op: OnePass<f32, Result = f32> + Clone>(name: &str, op: Op, data: &[f32], pool: &Threads) {
    let mut out = vec![0.0; ELEMENTS];
    for (form, shape, axis) in FORMS {
        let view = View::new(data, shape).expect("all elements");
        let times = [Threads::One, pool.clone()].map(|threads| {
            let scan = Reduction::new(op.clone()).axes([axis]).threads(threads).mended(false);
            let run = |out: &mut [f32]| {
                let start = Instant::now();
                scan.scan_into(&view, out).expect("a scan");
                start.elapsed().as_secs_f64() * 1e3
            };
            (0..6).map(|_| run(&mut out)).fold(f64::INFINITY, f64::min)
        });
        println!("| {name} | {form} | {:.1} | {:.1} |", times[0], times[1]);
    }
}
