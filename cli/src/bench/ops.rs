//! The operators, and the one call of each that is measured.

use std::hint::black_box;

use reduce_core::{Element, Level, Reduces, Reduction, View};
use reduce_specs::{
    ArgMax, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin,
    ReduceProd, ReduceSum, ReduceSumSquare,
};

use super::cases::Case;
use super::data::{Class, Data, buffer};
use super::measure::{Effort, Samples, measure};
use super::variance::Variance;
use super::workers::Workers;
use crate::error::Error;

/// What a measurement needs to know besides operator and input.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) case: &'a Case,
    pub(crate) level: Level,
    pub(crate) workers: &'a Workers,
    pub(crate) effort: Effort,
}

/// An operator that is measured.
#[derive(Debug)]
pub(crate) struct BenchOp {
    pub(crate) name: &'static str,
    pub(crate) class: Class,
    /// Several statistics in one, which others need several passes for.
    pub(crate) fused: bool,
    /// The time of a call; none for a type that the operator does not take.
    pub(crate) run: fn(&Data, &Job<'_>) -> Result<Option<Samples>, Error>,
}

macro_rules! op {
    ($name:literal, $op:ty, $class:ident, [$($dtype:ident),+]) => {
        BenchOp {
            name: $name,
            class: Class::$class,
            fused: false,
            run: |data, job| {
                $(if let Data::$dtype(values) = data {
                    return call(<$op>::default(), values, job).map(Some);
                })+
                Ok(None)
            },
        }
    };
    ($name:literal, $op:ty, $class:ident, floats) => {
        op!($name, $op, $class, [F32, F64, F16, BF16])
    };
    ($name:literal, $op:ty, $class:ident, numbers) => {
        op!($name, $op, $class, [F32, F64, F16, BF16, I32, I64])
    };
}

/// Every operator, in the order of the rows.
pub(crate) static OPS: [BenchOp; 12] = [
    op!("Sum", ReduceSum, Positive, numbers),
    op!("Mean", ReduceMean, Positive, numbers),
    op!("Prod", ReduceProd, Factor, numbers),
    op!("L1", ReduceL1, Signed, numbers),
    op!("L2", ReduceL2, Signed, numbers),
    op!("SumSquare", ReduceSumSquare, Signed, numbers),
    op!("LogSumExp", ReduceLogSumExp, Exponent, floats),
    op!("LogSum", ReduceLogSum, Positive, floats),
    op!("Max", ReduceMax, Signed, numbers),
    op!("Min", ReduceMin, Signed, numbers),
    op!("ArgMax", ArgMax, Signed, numbers),
    BenchOp { fused: true, ..op!("Var", Variance, Signed, floats) },
];

/// Names that a list of operators may hold, but that there is nothing for yet.
pub(crate) const LATER: [&str; 4] = ["VarMean", "Dot", "Cosine", "Softmax"];

/// The time of a call: planned before, and into a buffer that is there already.
fn call<Op, T, O>(op: Op, values: &[T], job: &Job<'_>) -> Result<Samples, Error>
where
    T: Element,
    O: Element,
    Op: Reduces<T, Output = O> + Clone,
{
    let case = job.case;
    let mut view = View::new(values, &case.shape)?;
    if case.transposed {
        let reversed: Vec<usize> = (0..case.shape.len()).rev().collect();
        view = view.permute(&reversed)?;
    }
    let mut reduction = Reduction::new(op).level(job.level).threads(job.workers.threads());
    if let Some(axes) = &case.axes {
        reduction = reduction.axes(axes.clone());
    }
    let planned = reduction.planned(&view)?;
    let count = planned.output_shape().count();
    let mut output = buffer(count)?;
    output.resize(count, O::default());
    // What fails, fails here.
    planned.run_into(&view, &mut output)?;
    Ok(measure(job.effort, |number| {
        for _ in 0..number {
            let done = planned.run_into(black_box(&view), black_box(&mut output));
            let _ = black_box(done.is_ok());
        }
    }))
}

#[cfg(test)]
mod tests {
    use reduce_core::{Reduction, View};

    use super::super::variance::Variance;

    /// Around a mean of 10⁴ with a deviation of about 1: a difference of the mean
    /// of squares and the square of the mean would keep no digit.
    #[test]
    fn the_variance_is_accurate() {
        let mut state = 1u32;
        let mut uniform = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 24)
        };
        let normal = |uniform: &mut dyn FnMut() -> f64| (0..12).map(|_| uniform()).sum::<f64>();
        #[allow(clippy::cast_possible_truncation, reason = "the data of the test")]
        let values: Vec<f32> = (0..300_000).map(|_| (1e4 + normal(&mut uniform)) as f32).collect();
        let wide: Vec<f64> = values.iter().map(|&x| f64::from(x)).collect();
        let count = wide.len() as f64;
        let mean = wide.iter().sum::<f64>() / count;
        let exact = wide.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
        for shape in [[1, 300_000], [300_000, 1], [3, 100_000], [100_000, 3]] {
            let view = View::new(&values, &shape).expect("fits");
            let found = Reduction::new(Variance).run(&view).expect("runs").data()[0];
            let error = (f64::from(found) - exact).abs() / exact;
            assert!(error < 1e-5, "{shape:?}: {found} for {exact}, {error:e} off");
        }
    }
}
