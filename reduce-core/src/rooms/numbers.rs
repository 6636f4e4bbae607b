//! Numbers to compute in that tensors do not hold, and constants for all numbers.
//!
//! [`Compensated`] and [`Extended`] go to [`Reduction::computing_in`](crate::Reduction::computing_in). An [`Exact`] sum is
//! an accumulator. [`Int128`] and [`Uint128`] are what `i32 => i128` and `u32 => u128` in a spec compute in.
//!
//! ```
//! use reduce_core::numbers::Compensated;
//! use reduce_core::{Reduction, View};
//! use reduce_specs::ReduceSum;
//!
//! let numbers = View::new(&[1.0f32, 1e8, 1.0, -1e8], &[4])?;
//! let sum = Reduction::new(ReduceSum);
//! assert_eq!(sum.clone().run(&numbers)?.data(), [0.0]);
//! assert_eq!(sum.computing_in::<Compensated<f32>>().run(&numbers)?.data(), [2.0]);
//! # Ok::<(), reduce_core::Error>(())
//! ```

pub use crate::values::compensated::Compensated;
pub use crate::values::exact::{Exact, ExactFloat};
pub use crate::values::extended::Extended;
pub use crate::values::int128::{Int128, Uint128};
pub use crate::values::number::{ConstOne, ConstZero, Least, LeastFloat};
