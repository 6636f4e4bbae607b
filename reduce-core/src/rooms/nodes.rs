//! Nodes of ONNX models: what a model says of an operator's use, and what runs it.
//!
//! A [`Registry`] finds an operator by its name. It holds a [`Node`] against the facts of the operator's version and
//! makes a [`Call`] of it, which runs.
//!
//! ```
//! use reduce_core::nodes::Node;
//! use reduce_core::{DType, Tensor, View};
//! use reduce_specs::ONNX;
//!
//! let node = Node::new(18, DType::F32).axes([1]).attr("keepdims", 0);
//! let call = ONNX.prepare("ReduceMean", &node)?;
//! let rows = View::new(&[1.0f32, 3.0, 5.0, 7.0], &[2, 2])?;
//! assert_eq!(call.run(&rows.into())?, Tensor::new(vec![2.0f32, 6.0], &[2])?.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::facts::schema::AttrValue;
pub use crate::facts::shape::{Dim, PartialShape};
pub use crate::front::spec::{KernelTypes, Row};
pub use crate::model::node::{AxesInput, Node};
pub use crate::model::registry::{Call, OpEntry, PlannedCall, PlannedCallEmission, Registry};
pub use crate::values::erased::{AnyData, AnyDataMut, AnyPlaces};
