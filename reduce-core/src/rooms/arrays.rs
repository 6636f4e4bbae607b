//! Arrays of `ndarray`: reductions as methods of them.
//!
//! [`View::of_array`](crate::View::of_array) makes a view of an array, for what these methods do not do.

pub use crate::front::arrays::ReduceArray;
