//! The public modules: they hold every name that is not at the root, each for one kind of work.

pub mod adapt;
pub mod along;
#[cfg(feature = "ndarray")]
pub mod arrays;
#[cfg(feature = "arrow")]
pub mod arrow;
pub mod bounds;
pub mod dtypes;
pub mod keys;
pub mod nodes;
pub mod numbers;
pub mod planning;
pub mod schema;
