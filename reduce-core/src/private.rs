//! Exactly the names that `#[reduce_op]` and `#[derive(Accumulator)]` may use.
//! Outside semver: macro and core are released as a pair.

pub use half::{bf16, f16};

pub use crate::accumulator::Accumulator;
pub use crate::dtype::DType;
pub use crate::element::{Element, Written};
pub use crate::kernel::{
    AsStored, Combining, Indexed, Inert, Kernel, ORDERED, Positioned, Selecting, Stored, Value,
};
pub use crate::laws::check_laws;
pub use crate::op::{OpSpec, ReduceOp, Reduces};
pub use crate::registry::Row;
pub use crate::schema::{
    AttrDefault, AttrKind, AttrRange, AttrSchema, DTypeSchema, Empty, NanPolicy, OpSchema, Params,
    Window,
};

/// Asks for a default.
pub fn has_default<T: Default>() {}
