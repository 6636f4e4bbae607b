//! Macros over all storage types: code that is written once and compiled for each of them.
//!
//! ```
//! use reduce_core::dtypes::with_any;
//! use reduce_core::{AnyTensor, Tensor};
//!
//! let any: AnyTensor = Tensor::new(vec![1i64, -2], &[2])?.into();
//! let texts = with_any!(AnyTensor, any, tensor => {
//!     tensor.data().iter().map(|x| x.to_string()).collect::<Vec<_>>()
//! });
//! assert_eq!(texts, ["1", "-2"]);
//! # Ok::<(), reduce_core::Error>(())
//! ```

#[doc(inline)]
pub use crate::facts::dtype::{for_storage_types, with_any, with_dtype, with_float};
