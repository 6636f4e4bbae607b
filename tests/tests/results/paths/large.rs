//! Matrices that are read in another order than small ones: much wider than a panel, in
//! longer pieces; from memory, row by row. Their columns give the same bits as those of
//! narrower and smaller ones.

use reduce_core::bounds::Reduces;
use reduce_core::{Element, Reduction, Tensor, View};
use reduce_specs::{ArgMax, ReduceLogSumExp, ReduceSum};
use reduce_tests::cases::{Levels, Random, available};

/// Rows and columns, and how many of the columns are compared at a time.
struct Shape {
    rows: usize,
    columns: usize,
    narrow: usize,
}

/// Three blocks of rows, with columns for several long panels and a part of one.
const WIDE: Shape = Shape { rows: 131, columns: 65_701, narrow: 9_000 };

/// More bytes than caches hold, with columns for several groups of lanes and a part of one.
const LONG: Shape = Shape { rows: 5_300, columns: 1_003, narrow: 502 };

fn check<Op, O>(op: &Op, matrix: &[f32], shape: &Shape, levels: &Levels)
where
    Op: Reduces<f32, Output = O> + Clone,
    O: Element,
{
    let &Shape { rows, columns, narrow } = shape;
    let view = View::new(matrix, &[rows, columns]).expect("a matrix");
    for level in available() {
        let reduction = Reduction::new(op.clone()).axes([0]).level(level);
        let whole = reduction.run(&view).expect("elements");
        let parts: Vec<O> = (0..columns)
            .step_by(narrow)
            .flat_map(|first| {
                let last = columns.min(first + narrow);
                let part: Vec<f32> =
                    matrix.chunks(columns).flat_map(|row| &row[first..last]).copied().collect();
                let part = View::new(&part, &[rows, last - first]).expect("a matrix");
                let part: Tensor<O> = reduction.run(&part).expect("elements");
                part.data().to_vec()
            })
            .collect();
        let differs = whole.data().iter().zip(&parts).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{} at {level}, {rows} rows", Op::SCHEMA.name);
        levels.ran(level, 1);
    }
}

#[test]
fn columns_of_large_matrices() {
    let levels = Levels::new("large matrices");
    let mut random = Random::new(3);
    for shape in [WIDE, LONG] {
        #[allow(clippy::cast_precision_loss, reason = "any value will do")]
        let matrix: Vec<f32> = (0..shape.rows * shape.columns)
            .map(|_| (random.bits() >> 40) as f32 / 1e6 - 8.0)
            .collect();
        check(&ReduceSum, &matrix, &shape, &levels);
        check(&ReduceLogSumExp, &matrix, &shape, &levels);
        check(&ArgMax::default(), &matrix, &shape, &levels);
    }
    levels.finish();
}
