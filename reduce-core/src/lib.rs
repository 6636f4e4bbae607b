// `links.md` says where the links of the README, and of the guide's pages, lead to in rustdoc. It stands in front, since
// the first definition of a link holds. Those at the end of each page hold in the repository.
#![cfg_attr(not(doctest), doc = include_str!("links.md"))]
#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(reduce_all_levels),
    allow(dead_code, unreachable_code, reason = "what is for levels that are not compiled")
)]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

// The floors. Each imports only those below it; from the top they are `model`, `front`, `kernel`, `plan`,
// `values`, `machine` and `facts`.
mod facts;
mod front;
mod kernel;
mod machine;
mod model;
mod plan;
mod values;

pub mod backend;
pub mod guide;
#[doc(hidden)]
pub mod plumbing;

pub use half::{bf16, f16};
pub use machine::float8::{f8e4m3fn, f8e5m2};
pub use reduce_macros::{Accumulator, reduce_op};

pub use facts::axes::{Axes, AxisSet};
pub use facts::dtype::DType;
pub use facts::error::{Error, ErrorKind, Problems};
pub use facts::level::Level;
pub use facts::schema::AttrValue;
pub use facts::shape::{Dim, PartialShape, Shape};
pub use facts::threads::{Progress, Threads};
pub use front::adapt::{
    Adapted, Adaptor, Adapts, Clamping, ComputedIn, Else, In, Initial, Or, Saturating, Starting,
};
pub use front::chosen::{Masked, SkipNan};
pub use front::emit::{Emit, Emits, LikeInput, Then};
pub use front::groups::{AnyGroups, ByKey, ByOffsets, GroupBy, Groups, GroupsState, Key};
pub use front::numbering::{GroupKey, KeyColumn, KeyValue, Numbering};
pub use front::one_pass::{OnePass, Operators};
pub use front::planned::Planned;
pub use front::reduction::Reduction;
pub use front::signature::Signature;
pub use front::spec::{OpSpec, Reduces, Row};
pub use front::stream::{State, Stream, Streams};
pub use kernel::Kernel;
pub use model::node::{AxesInput, Node};
pub use model::registry::{Call, OpEntry, Registry};
pub use plan::{Path, Plan};
pub use values::any::{AnyTensor, AnyView};
pub use values::compensated::Compensated;
pub use values::element::accumulator::Accumulator;
pub use values::element::{Element, Load, Slot, Store, Unrounded, Widen};
pub use values::exact::{Exact, ExactFloat};
pub use values::extended::Extended;
pub use values::input::Input;
pub use values::number::{ConstOne, ConstZero, Least, LeastFloat, Num, Ordered, Real};
pub use values::op::ReduceOp;
pub use values::permuted::Permuted;
pub use values::reader::{Indexed, Reader};
pub use values::stored::Stored;
pub use values::tensor::Tensor;
pub use values::view::View;
pub use values::view_mut::ViewMut;
pub use values::written::Written;

#[cfg(feature = "ndarray")]
pub use front::arrays::ReduceArray;

#[cfg(feature = "arrow")]
pub mod arrow {
    //! Arrays of Arrow in and out.
    //!
    //! ```
    //! use arrow_array::{Array, Float64Array};
    //! use reduce_core::{AnyGroups, DType, arrow};
    //! use reduce_specs::ReduceMax;
    //!
    //! let heights = Float64Array::from(vec![Some(1.0), None, Some(3.0), Some(7.0)]);
    //! let mut groups = AnyGroups::new(ReduceMax, &[DType::F64])?;
    //! groups.grow(2)?;
    //! let valid = arrow::mask(&heights);
    //! groups.update(&[arrow::view(&heights)?], &[0, 1, 0, 1], valid.as_deref())?;
    //! let largest = arrow::array(groups.finish()?.remove(0));
    //! assert_eq!(*largest, Float64Array::from(vec![3.0, 7.0]));
    //! # Ok::<(), reduce_core::Error>(())
    //! ```

    pub use crate::front::arrow::{array, bools, mask, view};
}

pub mod schema {
    //! Schemas: the facts of an operator, version by version.
    //!
    //! `#[reduce_op]` writes an [`OpSchema`] as plain data. [`OpSchema::at`] reads it at one version;
    //! [`OpEntry::prepare`](crate::OpEntry::prepare) holds a caller's node against it.
    //!
    //! ```
    //! use reduce_core::{DType, OpSpec};
    //! use reduce_specs::ReduceMean;
    //!
    //! let at = |opset| ReduceMean::SCHEMA.at(opset);
    //! assert!(at(11)?.attr("axes").is_some() && !at(11)?.axes_input);
    //! assert!(at(18)?.attr("axes").is_none() && at(18)?.axes_input);
    //! assert!(at(11)?.dtypes.iter().all(|row| row.input != DType::BF16));
    //! # Ok::<(), reduce_core::Error>(())
    //! ```

    pub use crate::facts::schema::*;
    pub use crate::facts::window::Window;
    pub use crate::model::node::{AxesInput, Node};
}

/// Compiles the examples of the workspace's pages, where the workspace is: a package has none (`build.rs`).
#[cfg(all(doctest, reduce_pages))]
#[doc = include_str!("../../README.md")]
mod front_page {}

/// Compiles the examples of the page on kernels.
#[cfg(all(doctest, reduce_pages))]
#[doc = include_str!("../../docs/kernels.md")]
mod kernels {}
