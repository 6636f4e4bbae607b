//! All operators of the standard and of the gallery, each with the types that it takes.

/// Calls a macro with all of the standard.
macro_rules! standard {
    ($each:ident) => {
        $each! {
            specs::ReduceSum => [i32, i64, u32, u64, f16, f32, f64, bf16];
            specs::ReduceMean => [i32, i64, u32, u64, f16, f32, f64, bf16];
            specs::ReduceProd => [i32, i64, u32, u64, f16, f32, f64, bf16];
            specs::ReduceL1 => [i32, i64, u32, u64, f16, f32, f64, bf16];
            specs::ReduceL2 => [i32, i64, u32, u64, f16, f32, f64, bf16];
            specs::ReduceSumSquare => [i32, i64, u32, u64, f16, f32, f64, bf16];
            specs::ReduceLogSum => [i32, i64, u32, u64, f16, f32, f64, bf16];
            specs::ReduceLogSumExp => [i32, i64, u32, u64, f16, f32, f64, bf16];
            specs::ReduceMax => [i32, i64, u32, u64, f16, f32, f64, bf16, i8, u8, bool];
            specs::ReduceMin => [i32, i64, u32, u64, f16, f32, f64, bf16, i8, u8, bool];
            specs::ArgMax::default() => [i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, bf16];
            specs::ArgMin { select_last_index: true } =>
                [i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, bf16];
        }
    };
}

/// Calls a macro with all of the gallery.
macro_rules! gallery {
    ($each:ident) => {
        $each! {
            gallery::Variance { correction: 1 } => [f16, bf16, f8e4m3fn, f8e5m2, f32, f64];
            gallery::MeanVariance => [f16, bf16, f32, f64];
            gallery::Shape::default() => [f32, f64];
            gallery::Summary => [f16, f32, f64];
            gallery::Moments::<4> => [f16, bf16, f32, f64];
            gallery::Histogram::<10> { low: -2.0, high: 2.0 } => [f16, bf16, f32, f64];
            gallery::TopK::<4> => [f16, bf16, f32, f64, i32, i64];
            gallery::Dot =>
                [(f16, f16), (bf16, bf16), (f32, f32), (f64, f64), (i32, i32), (i64, i64), (f16, f32)];
            gallery::SquaredError => [(f16, f16), (f32, f32), (f64, f64)];
            gallery::Cosine::default() => [(f16, f16), (f32, f32), (f64, f64)];
            gallery::CrossEntropy => [(f16, bool), (bf16, bool), (f32, bool), (f64, bool)];
            gallery::Divergence => [(f32, f32), (f64, f64)];
            gallery::WeightedMean => [(f16, f16, bool), (f32, f32, bool), (f64, f64, bool)];
            gallery::PolynomialHash::default() => [u8, u64];
            gallery::Exponentials => [f16, bf16, f32, f64];
            gallery::Shares => [f16, bf16, f32, f64];
            gallery::LogSoftmax => [f16, bf16, f32, f64];
        }
    };
}

pub(crate) use {gallery, standard};
