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
