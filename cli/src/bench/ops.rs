//! The operators, and the one call of each that is measured.

use std::hint::black_box;

use reduce_core::bounds::{Emits, Reduces, Stored};
use reduce_core::{Element, Level, Reduction, View};
use reduce_gallery::{Cosine, Dot, MeanVariance, Variance, softmax};
use reduce_specs::{
    ArgMax, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin,
    ReduceProd, ReduceSum, ReduceSumSquare,
};

use super::cases::Case;
use super::data::{Class, Data, buffer, reversed};
use super::measure::{Effort, Samples, measure};
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
    /// The name by which nodes ask for it, if they can.
    pub(crate) operator: Option<&'static str>,
    pub(crate) class: Class,
    /// Several statistics in one, which others need several passes for.
    pub(crate) fused: bool,
    /// Inputs of the case's size that are read.
    pub(crate) inputs: usize,
    /// Times a call. It returns nothing if the operator does not take the type.
    pub(crate) run: fn(&Data, &Job<'_>) -> Result<Option<Samples>, Error>,
}

/// An operator of one result for each type listed.
macro_rules! op {
    ($name:literal, $op:ty, $class:ident, floats) => {
        op!($name, $op, $class, call, [F32, F64, F16, BF16])
    };
    ($name:literal, $op:ty, $class:ident, numbers) => {
        op!($name, $op, $class, call, [F32, F64, F16, BF16, I32, I64])
    };
    ($name:literal, $op:ty, $class:ident, $call:ident, [$($dtype:ident),+]) => {
        BenchOp {
            name: $name,
            operator: Some($name),
            class: Class::$class,
            fused: false,
            inputs: 1,
            run: |data, job| {
                $(if let Data::$dtype(values) = data {
                    return $call(<$op>::default(), values, job);
                })+
                Ok(None)
            },
        }
    };
}

/// An operator that takes part in the cases of several statistics only.
macro_rules! fused {
    ($name:literal, $op:ty, $class:ident, $call:ident, $inputs:literal) => {
        BenchOp { fused: true, inputs: $inputs, ..op!($name, $op, $class, $call, [F32, F64, F16]) }
    };
}

/// Every operator, in the order of the rows.
pub(crate) static OPS: [BenchOp; 16] = [
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
    fused!("Var", Variance, Signed, call, 1),
    BenchOp {
        operator: Some("MeanVariance"),
        ..fused!("VarMean", MeanVariance, Signed, call_for_two, 1)
    },
    fused!("Dot", Dot, Signed, call_on_two, 2),
    fused!("Cosine", Cosine, Signed, call_on_two, 2),
    BenchOp {
        name: "Softmax",
        operator: None,
        class: Class::Exponent,
        fused: true,
        inputs: 1,
        run: |data, job| match data {
            Data::F32(values) => call_emitting(softmax(), values, job),
            Data::F64(values) => call_emitting(softmax(), values, job),
            Data::F16(values) => call_emitting(softmax(), values, job),
            _ => Ok(None),
        },
    },
];

/// The view of a case.
pub(super) fn view<'v, T: Element>(values: &'v [T], case: &Case) -> Result<View<'v, T>, Error> {
    let view = View::new(values, &case.shape)?;
    if !case.transposed {
        return Ok(view);
    }
    let reversed: Vec<usize> = (0..case.shape.len()).rev().collect();
    Ok(view.permute(&reversed)?)
}

/// The reduction of a case.
fn prepared<Op>(reduction: Reduction<Op>, job: &Job<'_>) -> Reduction<Op> {
    let reduction = reduction.level(job.level).threads(job.workers.threads());
    match &job.case.axes {
        Some(axes) => reduction.axes(axes.clone()),
        None => reduction,
    }
}

/// A buffer for results.
fn results<O: Element>(count: usize) -> Result<Vec<O>, Error> {
    let mut output = buffer(count)?;
    output.resize(count, O::default());
    Ok(output)
}

/// The time of something that was tried once: what fails, fails there.
pub(super) fn timed<E: Into<Error>>(
    job: &Job<'_>,
    mut run: impl FnMut() -> Result<(), E>,
) -> Result<Option<Samples>, Error> {
    run().map_err(Into::into)?;
    Ok(Some(measure(job.effort, &mut |number| {
        for _ in 0..number {
            let _ = black_box(run().is_ok());
        }
    })))
}

/// The time of a call: planned before, and into a buffer that is there already.
fn call<Op, T, O>(op: Op, values: &[T], job: &Job<'_>) -> Result<Option<Samples>, Error>
where
    T: Element,
    O: Element,
    Op: Reduces<T, Output = O> + Clone,
{
    let view = view(values, job.case)?;
    let planned = prepared(Reduction::new(op), job).planned(&view)?;
    let mut output = results::<O>(planned.output_shape().count())?;
    timed(job, || planned.run_into(black_box(&view), black_box(&mut output)))
}

/// Does what [`call`] does, for an operator of two results.
fn call_for_two<Op, T, O>(op: Op, values: &[T], job: &Job<'_>) -> Result<Option<Samples>, Error>
where
    T: Element,
    O: Element,
    Op: Reduces<T, Output = (O, O)> + Clone,
{
    let view = view(values, job.case)?;
    let planned = prepared(Reduction::new(op), job).planned(&view)?;
    let count = planned.output_shape().count();
    let (mut first, mut second) = (results::<O>(count)?, results::<O>(count)?);
    timed(job, || planned.run_into(black_box(&view), black_box((&mut first[..], &mut second[..]))))
}

/// Does what [`call`] does, for an operator of two inputs. It times lists only, as in other libraries.
fn call_on_two<Op, T, O>(op: Op, values: &[T], job: &Job<'_>) -> Result<Option<Samples>, Error>
where
    T: Element,
    O: Element,
    Op: Reduces<(T, T), Output = O> + Clone,
{
    if job.case.shape.len() > 1 {
        return Ok(None);
    }
    // Another buffer, of other values.
    let other = reversed(values)?;
    let views = (view(values, job.case)?, view(&other, job.case)?);
    let planned = prepared(Reduction::new(op), job).planned(&views)?;
    let mut output = results::<O>(planned.output_shape().count())?;
    timed(job, || planned.run_into(black_box(&views), black_box(&mut output)))
}

/// The time of an operator that emits, into a buffer that is there already; of one axis
/// only, as in other libraries.
fn call_emitting<Op, T>(
    reduction: Reduction<Op>,
    values: &[T],
    job: &Job<'_>,
) -> Result<Option<Samples>, Error>
where
    T: Element + Stored<First = T>,
    Op: Emits<T>,
{
    if job.case.axes.as_ref().is_none_or(|axes| axes.len() != 1) {
        return Ok(None);
    }
    let view = view(values, job.case)?;
    let reduction = prepared(reduction, job);
    let mut output = results::<T>(values.len())?;
    timed(job, || reduction.emit_into(black_box(&view), black_box(&mut output)))
}
