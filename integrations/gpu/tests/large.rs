//! More results, and longer rows, than a dimension of a dispatch has workgroups for.

use reduce_core::{Reduction, View};
use reduce_gallery::Exponentials;
use reduce_gpu::Gpu;
use reduce_specs::{ArgMax, ReduceSum};

/// Beyond 65,535 workgroups of 256 threads.
const MANY: usize = 17_000_000;

/// Numbers of both signs, no two neighbours alike.
fn elements(count: usize) -> Vec<f32> {
    let of =
        |place: u32| f32::from_bits(0x3f80_0000 | (place.wrapping_mul(0x9e37_79b9) >> 9)) - 1.5;
    (0..u32::try_from(count).expect("a count")).map(of).collect()
}

#[test]
fn more_results_than_a_dimension_of_a_dispatch() {
    let gpu = Gpu::new().expect("a device");
    let data = elements(MANY);
    let view = View::new(&data, &[MANY, 1]).expect("a view");
    let sums = Reduction::new(ReduceSum).axes([1]);
    assert!(
        gpu.prepare(sums.clone()).run(&view).expect("sums") == sums.run(&view).expect("sums"),
        "sums of rows of one element"
    );
    let powers = Reduction::new(Exponentials).axes([0]);
    assert!(
        gpu.prepare(powers.clone()).emit(&view).expect("powers")
            == powers.emit(&view).expect("powers"),
        "powers of a column"
    );
}

#[test]
fn one_long_row() {
    let gpu = Gpu::new().expect("a device");
    let data = elements(33_000_000);
    let view = View::new(&data, &[data.len()]).expect("a view");
    let all = Reduction::new((ReduceSum, ArgMax::default()));
    let (sum, place) = gpu.prepare(all.clone()).run(&view).expect("a sum");
    assert_eq!((sum, place), all.run(&view).expect("a sum"));
}
