// `links.md` says where the links of the README, and of the guide's pages, lead to in rustdoc. It stands in front, since
// the first definition of a link holds. Those at the end of each page hold in the repository.
#![cfg_attr(not(doctest), doc = include_str!("links.md"))]
#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(reduce_all_levels),
    allow(
        dead_code,
        unreachable_code,
        unused_imports,
        unused_macros,
        reason = "what is for levels that are not compiled"
    )
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

// At the root is what most programs name; all other names are in modules. Each name is in one place.
mod rooms;
pub use rooms::{adapt, along, bounds, dtypes, keys, nodes, numbers, planning, schema};

#[cfg(feature = "ndarray")]
pub use rooms::arrays;
#[cfg(feature = "arrow")]
pub use rooms::arrow;

pub use half::{bf16, f16};
pub use machine::float8::{f8e4m3fn, f8e5m2};
pub use reduce_macros::{Accumulator, reduce_op};

pub use facts::axes::Axes;
pub use facts::dtype::DType;
pub use facts::error::{Error, ErrorKind, Problems};
pub use facts::level::Level;
pub use facts::progress::Progress;
pub use facts::shape::Shape;
pub use facts::threads::Threads;
pub use front::chosen::{Masked, SkipNan};
pub use front::emit::{Emit, EmitBeside};
pub use front::groups::{AnyGroups, Groups, GroupsState};
pub use front::numbering::Numbering;
pub use front::one_pass::OnePass;
pub use front::planned::Planned;
pub use front::reduction::Reduction;
pub use front::signature::Signature;
pub use front::spec::OpSpec;
pub use front::stream::{State, Stream};
pub use values::any::{AnyTensor, AnyView};
pub use values::element::Element;
pub use values::element::accumulator::Accumulator;
pub use values::number::{Num, Ordered, Real};
pub use values::op::ReduceOp;
pub use values::permuted::Permuted;
pub use values::reader::Indexed;
pub use values::tensor::Tensor;
pub use values::view::View;
pub use values::view_mut::ViewMut;

/// Compiles the examples of the workspace's pages, where the workspace is: a package has none (`build.rs`).
#[cfg(all(doctest, reduce_pages))]
#[doc = include_str!("../../README.md")]
mod front_page {}

/// Compiles the examples of the page on kernels.
#[cfg(all(doctest, reduce_pages))]
#[doc = include_str!("../../docs/kernels.md")]
mod kernels {}
