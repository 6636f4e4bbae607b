//! Keys: what rows are grouped by, and the reductions of groups that methods of [`Reduction`](crate::Reduction) make.
//!
//! ```
//! use reduce_core::keys::KeyColumn;
//! use reduce_core::{Error, Reduction, View};
//! use reduce_specs::ReduceMean;
//!
//! /// The keys, and the mean height of each.
//! fn means<C: KeyColumn + ?Sized>(heights: &[f32], keys: &C) -> Result<(Vec<C::Key>, Vec<f32>), Error> {
//!     let heights = View::new(heights, &[heights.len()])?;
//!     let (keys, means) = Reduction::new(ReduceMean).group_by(keys).run(&heights)?;
//!     Ok((keys, means.into_data()))
//! }
//!
//! let (species, heights) = means(&[1.0, 5.0, 3.0], &["oak", "fir", "oak"])?;
//! assert_eq!(species, ["oak", "fir"]);
//! assert_eq!(heights, [2.0, 5.0]);
//! # Ok::<(), Error>(())
//! ```

pub use crate::front::groups::{ByKey, ByOffsets, GroupBy, Key};
pub use crate::front::numbering::{GroupKey, KeyColumn, KeyValue};
