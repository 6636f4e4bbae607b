#![doc = include_str!("../../README.md")]
#![cfg_attr(
    not(all(reduce_level = "neon", reduce_level = "avx2", reduce_level = "avx512")),
    allow(dead_code, unreachable_code, reason = "what is for levels that are not compiled")
)]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod accumulator;
#[cfg(feature = "ndarray")]
mod arrays;
mod axes;
mod compensated;
mod computed;
mod dtype;
mod element;
mod emit;
mod error;
mod initial;
mod input;
mod kernel;
mod laws;
mod level;
mod math;
mod number;
mod one_pass;
mod op;
mod plan;
mod planned;
mod reduction;
mod registry;
pub mod schema;
mod settings;
mod shape;
mod simd;
mod stream;
mod suggest;
mod tensor;
mod threads;
mod tuples;
mod view;

pub use reduce_macros::{Accumulator, reduce_op};

pub use accumulator::Accumulator;
#[cfg(feature = "ndarray")]
pub use arrays::ReduceArray;
pub use axes::{Axes, AxisSet};
pub use compensated::Compensated;
pub use computed::{ComputedIn, Computes};
pub use dtype::DType;
pub use element::{Element, Load, Slot, Store, Unrounded, Widen, Written};
pub use emit::{Emit, Emits, Then};
pub use error::{Error, ErrorKind, Problems};
pub use half::{bf16, f16};
pub use initial::{Initial, Starts};
pub use input::Input;
pub use kernel::{Indexed, Kernel, Reader, Stored};
pub use level::Level;
pub use number::{ConstOne, ConstZero, Num, Ordered, Real};
pub use one_pass::{OnePass, Operators};
pub use op::{OpSpec, ReduceOp, Reduces};
pub use plan::{Path, Plan};
pub use planned::Planned;
pub use reduction::Reduction;
pub use registry::{Call, OpEntry, Registry, Row};
pub use schema::{AttrValue, AxesInput, Node};
pub use shape::{Dim, PartialShape, Shape};
pub use stream::{State, Stream, Streams};
pub use tensor::{AnyTensor, AnyView, Tensor};
pub use threads::{Progress, Threads};
pub use view::View;

/// Compiles the examples of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../docs/spec-language.md")]
mod spec_language {}
