// The README's links in rustdoc; those at its end hold in the repository.
//! [operators]: reduce_core::guide::operators
//! [serve-onnx-nodes]: reduce_core::guide::serve_onnx_nodes
//!
#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! A spec here says what an operator computes. It also lists its versions and types. How it is computed is
//! `reduce-core`'s. Operators of one history share a file. [`ONNX`] finds them by name.
//!
//! Nine operators take their axes as an attribute up to version 17 and as an input from 18 on, and each of
//! them says so in full. A macro around their blocks would save thirteen of six hundred lines, and hide
//! what one looks for when one holds a spec against the standard.

mod extrema;
mod index;
mod logsum;
mod product;
mod sum;

pub use extrema::{ReduceMax, ReduceMin};
pub use index::{ArgMax, ArgMin};
pub use logsum::{ReduceLogSum, ReduceLogSumExp};
pub use product::ReduceProd;
pub use sum::{ReduceL1, ReduceL2, ReduceMean, ReduceSum, ReduceSumSquare};

#[cfg(feature = "by-name")]
use reduce_core::nodes::Registry;
use reduce_core::nodes::{KernelTypes, OpEntry};

/// The newest opset of the operator set `ai.onnx` that these specs know.
pub const NEWEST_OPSET: u32 = 28;

/// Every operator of this crate, found by its name.
///
/// ```
/// use reduce_core::nodes::Node;
/// use reduce_core::{DType, View};
/// use reduce_specs::ONNX;
///
/// let node = Node::new(11, DType::F32).attr("axes", [0]).attr("keepdims", 0);
/// let call = ONNX.prepare("ReduceMax", &node)?;
/// let largest = call.run(&View::new(&[1.0f32, 5.0, 3.0], &[3])?.into())?;
/// assert_eq!(largest.downcast::<f32>().expect("as the data").data(), [5.0]);
/// assert_eq!(ONNX.ops().len(), 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "by-name")]
pub static ONNX: Registry = Registry::new(&ALL, NEWEST_OPSET);

/// Writes the list of entries, and the one of those for some types.
macro_rules! entries {
    ($($op:ident),*) => {
        #[cfg(feature = "by-name")]
        static ALL: [OpEntry; 12] = [$(OpEntry::of::<$op>()),*];

        /// Storage types for which all operators have kernels, as a tuple: `(f32, i32)`.
        #[diagnostic::on_unimplemented(
            message = "not all operators have kernels for all of `{Self}`",
            label = "a type that some operator lacks, or no tuple of types",
            note = "all have `f16`, `f32`, `f64`, `i32`, `i64`, `u32` and `u64`; a single type is a tuple, too: `(f32,)`"
        )]
        pub trait TypesOfAll: $(KernelTypes<$op> +)* {}

        impl<T: $(KernelTypes<$op> +)*> TypesOfAll for T {}

        /// The entries of every operator of this crate, with kernels for some types. A program that has no others, and
        /// does without the feature `by-name`, is built sooner, and is smaller.
        ///
        /// ```
        /// use reduce_core::DType;
        /// use reduce_core::nodes::{Node, OpEntry, Registry};
        /// use reduce_specs::{NEWEST_OPSET, entries};
        ///
        /// static OPS: [OpEntry; 12] = entries::<(f32, i32)>();
        /// static ENGINE: Registry = Registry::new(&OPS, NEWEST_OPSET);
        ///
        /// assert!(ENGINE.prepare("ReduceMax", &Node::new(18, DType::I32)).is_ok());
        /// assert!(ENGINE.prepare("ReduceMax", &Node::new(18, DType::F64)).is_err());
        /// ```
        pub const fn entries<T: TypesOfAll>() -> [OpEntry; 12] {
            [$(OpEntry::with_types::<$op, T>()),*]
        }
    };
}

entries!(
    ReduceSum,
    ReduceMean,
    ReduceProd,
    ReduceL1,
    ReduceL2,
    ReduceSumSquare,
    ReduceLogSum,
    ReduceLogSumExp,
    ReduceMax,
    ReduceMin,
    ArgMax,
    ArgMin
);
