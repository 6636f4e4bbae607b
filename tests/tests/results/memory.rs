//! Memory: microkernels read and write through pointers, and nothing beyond what drivers give them. Each
//! buffer here ends with its last element, on the heap, where valgrind sees a read beyond it.

use reduce_core::{OnePass, Reduction, View};
use reduce_specs::{ArgMax, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceSum};
use reduce_tests::cases::{Case, Random, available, path_cases, spelled};
use reduce_tests::valgrind;

/// Elements of the largest buffer: enough for several blocks of most operators.
const MOST: usize = 9000;

/// Runs an operator over each case whose buffer is not large, at every level; says how many there were.
fn run<Op, T>(op: fn() -> Op, element: fn(f64) -> T) -> usize
where
    Op: OnePass<T>,
    T: reduce_core::Element,
{
    let mut cases = 0;
    let one_axis = std::any::type_name::<Op>().contains("ArgMax");
    for Case { recipe, axes } in path_cases() {
        if recipe.count() > MOST || one_axis && axes.len() != 1 {
            continue;
        }
        let mut random = Random::new(recipe.count() as u64);
        let data: Vec<T> =
            (0..recipe.count()).map(|_| element(random.between(-9.0, 9.0))).collect();
        let data = data.into_boxed_slice();
        let view: View<'_, T> = recipe.view(&data);
        let axes = spelled(&axes, view.shape().rank());
        for level in available() {
            // Over nothing there may be no result.
            drop(Reduction::new(op()).axes(axes.clone()).level(level).run(&view));
        }
        cases += 1;
    }
    cases
}

/// Accumulators of one and of two scalars, selections, tuples; elements of one to eight bytes.
#[test]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "any values will do")]
fn every_microkernel_is_run() {
    let cases = [
        run(|| ReduceSum, |x| x as f32),
        run(|| ReduceSum, reduce_core::f16::from_f64),
        run(|| ReduceMax, |x| x as u8),
        run(|| ReduceLogSumExp, |x| x),
        run(ArgMax::default, |x| x as f32),
        run(|| (ReduceMean, ReduceMax), |x| x),
    ];
    assert!(cases.into_iter().all(|cases| cases > 150), "{cases:?} cases");
}

#[test]
fn no_microkernel_reads_or_writes_elsewhere() {
    valgrind::check("memory::every_microkernel_is_run");
}
