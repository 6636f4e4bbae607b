//! Reductions along axes: what they give has the shape of the input.
//!
//! ```
//! use reduce_core::{Reduction, View};
//! use reduce_specs::ReduceMean;
//!
//! let days = View::new(&[3.0f32, 5.0, 1.0], &[3])?;
//! assert_eq!(Reduction::new(ReduceMean).scan(&days)?.data(), [3.0, 4.0, 3.0]);
//! # Ok::<(), reduce_core::Error>(())
//! ```

pub use crate::front::scan::{PlannedScan, Scan, ScanStream};
