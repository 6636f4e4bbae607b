//! Adaptors: what a reduction's operator becomes when one thing about it is changed, or another operator follows.
//!
//! Methods of [`Reduction`](crate::Reduction) make them. Their names stand in the types of reductions that are kept or
//! returned.
//!
//! ```
//! use reduce_core::adapt::Or;
//! use reduce_core::{Reduction, View};
//! use reduce_specs::ReduceMax;
//!
//! /// The largest of some prices, which is 0 if there are none.
//! fn largest() -> Reduction<Or<ReduceMax, i32>> {
//!     Reduction::new(ReduceMax).or(0)
//! }
//!
//! assert_eq!(largest().run(&View::new(&[3i32, 8, 5], &[3])?)?.data(), [8]);
//! assert_eq!(largest().run(&View::<i32>::new(&[], &[0])?)?.data(), [0]);
//! # Ok::<(), reduce_core::Error>(())
//! ```

pub use crate::front::adapt::{
    Adapted, Adaptor, Adapts, At, Binned, Bins, Clamping, ComputedIn, Else, In, Initial, Or,
    Saturating, Starting, Where,
};
pub use crate::front::emit::{Beside, Then};
