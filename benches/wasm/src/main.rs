//! Nanoseconds per element of some operators at the best level, of the fastest of several runs. `run.sh` builds and runs this
//! for both levels of WebAssembly.

use std::hint::black_box;
use std::time::Instant;

use reduce_core::bounds::Reduces;
use reduce_core::{Element, Error, Level, Reduction, View};
use reduce_gallery::Dot;
use reduce_specs::{ArgMax, ReduceL2, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceSum};

const COUNT: usize = 1_000_000;
const RUNS: usize = 40;

/// Prints the time per element of what is done to all of them.
fn time(what: &str, mut run: impl FnMut() -> Result<(), Error>) -> Result<(), Error> {
    let mut fastest = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        run()?;
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    println!("| {what} | {:.2} |", fastest / COUNT as f64 * 1e9);
    Ok(())
}

fn reduce<T: Element, Op: Reduces<T> + Copy>(
    what: &str,
    op: Op,
    data: &[T],
    shape: &[usize],
    axis: i64,
) -> Result<(), Error> {
    let view = View::new(data, shape)?;
    time(what, || Reduction::new(op).axes([axis]).run(&view).map(|result| drop(black_box(result))))
}

fn main() -> Result<(), Error> {
    println!("level {}, ns per element of 10^6 `f32`", Level::best());
    let data: Vec<f32> = (0..COUNT).map(|i| (i * 7919 % 10_007) as f32 * 1e-3 - 4.0).collect();
    let wide: Vec<f64> = data.iter().map(|&x| x.into()).collect();
    reduce("`ReduceSum`", ReduceSum, &data, &[COUNT], 0)?;
    reduce("`ReduceSum` of rows of 1000", ReduceSum, &data, &[1000, 1000], 1)?;
    reduce("`ReduceSum` of columns of 1000", ReduceSum, &data, &[1000, 1000], 0)?;
    reduce("`ReduceSum` of rows of 8", ReduceSum, &data, &[COUNT / 8, 8], 1)?;
    reduce("`ReduceMax`", ReduceMax, &data, &[COUNT], 0)?;
    reduce("`ReduceMean`", ReduceMean, &data, &[COUNT], 0)?;
    reduce("`ReduceL2`", ReduceL2, &data, &[COUNT], 0)?;
    reduce("`ArgMax`", ArgMax::default(), &data, &[COUNT], 0)?;
    let both = (View::new(&data, &[COUNT])?, View::new(&data, &[COUNT])?);
    time("the gallery's `Dot`", || Reduction::new(Dot).run(&both).map(|dot| drop(black_box(dot))))?;
    reduce("`ReduceLogSumExp`", ReduceLogSumExp, &data, &[COUNT], 0)?;
    reduce("`ReduceSum` of `f64`", ReduceSum, &wide, &[COUNT], 0)?;
    reduce("`ReduceLogSumExp` of `f64`", ReduceLogSumExp, &wide, &[COUNT], 0)
}
