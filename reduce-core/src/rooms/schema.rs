//! Schemas: the facts of an operator, version by version.
//!
//! `#[reduce_op]` writes an [`OpSchema`] as plain data. [`OpSchema::at`] reads it at one version;
//! [`OpEntry::prepare`](crate::nodes::OpEntry::prepare) holds a caller's node against it.
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

pub use crate::facts::schema::{
    AttrDefault, AttrKind, AttrRange, AttrSchema, DTypeSchema, Empty, NanPolicy, OpSchema,
    ParamField, Params, ResultLength, VersionSchema,
};
pub use crate::facts::window::Window;
