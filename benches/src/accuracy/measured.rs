//! What is measured: each float operator of ONNX and of the gallery for which there is an exact result to compare with.

use reduce_core::bounds::Streams;
use reduce_core::numbers::Compensated;
use reduce_core::{Reduction, View};
use reduce_gallery::{
    Correlation, Cosine, Covariance, Divergence, Dot, ExactDot, ExactMean, ExactSum, LayerNorm,
    LogSoftmax, MeanVariance, Regression, RmsNorm, Shape, SquaredError, StandardDeviation,
    UnitLength, Variance, WeightedDeviation, WeightedVariance, softmax,
};
use reduce_specs::{
    ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMean, ReduceProd, ReduceSum,
    ReduceSumSquare,
};

use crate::data::Scalar;
use crate::ways::{Case, Found, One, Results, Two, emitted, every_way};

/// What layer norm and RMS norm add to the variance: a number of any float type.
const ADDED: f64 = 1.0 / 131_072.0;

/// A type that operators are measured with.
pub(crate) trait Measured: Sized {
    /// Over lists of any elements.
    fn sums(case: &Case<Self>) -> Vec<Found<Self>>;
    /// Over factors.
    fn products(case: &Case<Self>) -> Vec<Found<Self>>;
    /// Over arguments of exponentials.
    fn exponentials(case: &Case<Self>) -> Vec<Found<Self>>;
}

/// Writes the functions for a type: operators have their rows for types, and not for any type.
macro_rules! measured {
    ($($T:ty),*) => { $(
        impl Measured for $T {
            fn sums(case: &Case<$T>) -> Vec<Found<$T>> {
                let mut found = case.results();
                let magnitudes = |list: &[$T]| list.iter().map(|x| x.abs()).collect();
                let (x, y) = (&case.x, &case.y);
                let (of_x, of_y): (Vec<$T>, Vec<$T>) = (magnitudes(x), magnitudes(y));
                let out = &mut found;
                one(out, x, "ReduceSum", &ReduceSum);
                one(out, x, "ReduceMean", &ReduceMean);
                one(out, x, "ReduceL1", &ReduceL1);
                one(out, x, "ReduceL2", &ReduceL2);
                one(out, x, "ReduceSumSquare", &ReduceSumSquare);
                one(out, &of_x, "ReduceLogSum", &ReduceLogSum);
                one(out, x, "Variance", &Variance::default());
                one(out, x, "StandardDeviation", &StandardDeviation::default());
                one(out, x, "ExactSum", &ExactSum);
                one(out, x, "ExactMean", &ExactMean);
                two(out, [x, y], "Dot", &Dot);
                two(out, [x, y], "ExactDot", &ExactDot);
                two(out, [x, y], "SquaredError", &SquaredError);
                two(out, [x, y], "Cosine", &Cosine::default());
                two(out, [x, y], "Covariance", &Covariance::default());
                two(out, [x, y], "Correlation", &Correlation);
                two(out, [&of_x, &of_y], "Divergence", &Divergence);
                two(out, [x, &of_y], "WeightedVariance", &WeightedVariance::default());
                two(out, [x, &of_y], "WeightedDeviation", &WeightedDeviation::default());
                let list = View::new(x, &[x.len()]).expect("a list");
                let other = View::new(y, &[x.len()]).expect("a list");
                let mut once = |operator, value: $T| out.add(operator, "list", &[value]);
                let (mean, _) = Reduction::new(MeanVariance).run(&list).expect("results");
                once("MeanVariance: mean", mean.data()[0]);
                let shape = Reduction::new(Shape::default()).run(&list).expect("results");
                once("Shape: skewness", shape.0.data()[0]);
                once("Shape: kurtosis", shape.1.data()[0]);
                let line = Reduction::new(Regression).run(&(list.clone(), other)).expect("results");
                once("Regression: slope", line.0.data()[0]);
                let sum = Reduction::new(ReduceSum);
                let wide = sum.clone().computing_in::<f64>().run(&list).expect("a result");
                once("ReduceSum, in f64", wide.data()[0]);
                let kept = sum.computing_in::<Compensated<$T>>().run(&list).expect("a result");
                once("ReduceSum, compensated", kept.data()[0]);
                emitted("LayerNorm", &Reduction::new(LayerNorm { epsilon: ADDED }), x, out);
                emitted("RmsNorm", &Reduction::new(RmsNorm { epsilon: ADDED }), x, out);
                emitted("UnitLength", &Reduction::new(UnitLength::default()), x, out);
                found.found
            }

            fn products(case: &Case<$T>) -> Vec<Found<$T>> {
                let mut found = case.results();
                one(&mut found, &case.x, "ReduceProd", &ReduceProd);
                found.found
            }

            fn exponentials(case: &Case<$T>) -> Vec<Found<$T>> {
                let mut found = case.results();
                one(&mut found, &case.x, "ReduceLogSumExp", &ReduceLogSumExp);
                emitted("softmax", &softmax(), &case.x, &mut found);
                emitted("LogSoftmax", &Reduction::new(LogSoftmax), &case.x, &mut found);
                found.found
            }
        }
    )* };
}

measured!(f32, f64);

fn one<T, Op>(found: &mut Results<T>, x: &Vec<T>, operator: &'static str, op: &Op)
where
    T: Scalar,
    Op: Streams<T, Result = T> + Clone,
{
    every_way::<One, T, Op>(operator, op, &[x], found);
}

fn two<T, Op>(found: &mut Results<T>, lists: [&Vec<T>; 2], operator: &'static str, op: &Op)
where
    T: Scalar,
    Op: Streams<(T, T), Result = T> + Clone,
{
    every_way::<Two, T, Op>(operator, op, &lists, found);
}
