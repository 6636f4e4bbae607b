//! Matrices that are much wider than a panel: read in longer pieces, their columns give
//! the same bits as those of narrower ones.

use reduce_core::{Element, Reduces, Reduction, Tensor, View};
use reduce_specs::{ArgMax, ReduceLogSumExp, ReduceSum};
use reduce_tests::cases::{Levels, Random, available};

/// Three blocks of rows, with columns for several long panels and a part of one.
const ROWS: usize = 131;
const COLUMNS: usize = 65_701;

/// Columns of a narrow matrix.
const NARROW: usize = 9_000;

fn check<Op, O>(op: &Op, matrix: &[f32], levels: &Levels)
where
    Op: Reduces<f32, Output = O> + Clone,
    O: Element,
{
    let view = View::new(matrix, &[ROWS, COLUMNS]).expect("a matrix");
    for level in available() {
        let reduction = Reduction::new(op.clone()).axes([0]).level(level);
        let wide = reduction.run(&view).expect("elements");
        let narrow: Vec<O> = (0..COLUMNS)
            .step_by(NARROW)
            .flat_map(|first| {
                let last = COLUMNS.min(first + NARROW);
                let part: Vec<f32> =
                    matrix.chunks(COLUMNS).flat_map(|row| &row[first..last]).copied().collect();
                let part = View::new(&part, &[ROWS, last - first]).expect("a matrix");
                let narrow: Tensor<O> = reduction.run(&part).expect("elements");
                narrow.data().to_vec()
            })
            .collect();
        let differs = wide.data().iter().zip(&narrow).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{} at {level}", Op::SCHEMA.name);
        levels.ran(level, 1);
    }
}

#[test]
fn columns_of_very_wide_matrices() {
    let levels = Levels::new("very wide matrices");
    let mut random = Random::new(3);
    #[allow(clippy::cast_precision_loss, reason = "any value will do")]
    let matrix: Vec<f32> =
        (0..ROWS * COLUMNS).map(|_| (random.bits() >> 40) as f32 / 1e6 - 8.0).collect();
    check(&ReduceSum, &matrix, &levels);
    check(&ReduceLogSumExp, &matrix, &levels);
    check(&ArgMax::default(), &matrix, &levels);
    levels.finish();
}
