//! Plans: how the memory of an input would be walked, for those who want to know why a reduction is fast or slow; and
//! an emission whose plan is kept.
//!
//! ```
//! use reduce_core::planning::Path;
//! use reduce_core::{Reduction, View};
//! use reduce_specs::ReduceMean;
//!
//! let data = vec![1.0f32; 60_000];
//! let image = View::new(&data, &[200, 300])?;
//! let path = |axis| Reduction::new(ReduceMean).axes([axis]).plan(&image).map(|plan| plan.path());
//! assert_eq!((path(0)?, path(1)?), (Path::Columns, Path::Lanes));
//! # Ok::<(), reduce_core::Error>(())
//! ```

pub use crate::facts::axes::AxisSet;
pub use crate::front::emit::PlannedEmission;
pub use crate::kernel::Kernel;
pub use crate::plan::{Path, Plan};
pub use crate::values::layout::Layout;
