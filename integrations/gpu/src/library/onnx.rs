//! The operators of ONNX.

use reduce_core::{bf16, f16};
use reduce_specs::{
    ArgMax, ArgMin, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean,
    ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare,
};

use super::Library;

/// What sums and products are of.
type Numbers = (f16, bf16, f32, f64, i32, i64, u32, u64);

/// What has extremes.
type Ordered = (f16, bf16, f32, f64, bool, i8, i32, i64, u8, u32, u64);

/// What has places of extremes.
type Placed = (f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64);

impl Library {
    /// All operators of [`reduce_specs::ONNX`], over all types that they take there.
    ///
    /// ```
    /// use reduce_core::nodes::Node;
    /// use reduce_core::{DType, View};
    /// use reduce_gpu::{Gpu, Library};
    /// use reduce_specs::ONNX;
    ///
    /// # let Ok(_) = Gpu::new() else { return Ok(()) };
    /// let gpu = Gpu::new()?;
    /// let library = Library::onnx();
    /// let call = ONNX.prepare("ReduceMax", &Node::new(18, DType::F32).axes([-1]).attr("keepdims", 0))?;
    /// let data = View::new(&[1.0f32, 5.0, 3.0, 4.0], &[2, 2])?;
    /// let largest = library.run(&gpu, &call, &data.into())?;
    /// assert_eq!(largest.downcast::<f32>().expect("as the data").data(), [5.0, 4.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn onnx() -> Self {
        Library::new()
            .with::<ReduceSum, Numbers>()
            .with::<ReduceMean, Numbers>()
            .with::<ReduceProd, Numbers>()
            .with::<ReduceL1, Numbers>()
            .with::<ReduceL2, Numbers>()
            .with::<ReduceSumSquare, Numbers>()
            .with::<ReduceLogSum, Numbers>()
            .with::<ReduceLogSumExp, Numbers>()
            .with::<ReduceMax, Ordered>()
            .with::<ReduceMin, Ordered>()
            .with::<ArgMax, Placed>()
            .with::<ArgMin, Placed>()
    }
}
