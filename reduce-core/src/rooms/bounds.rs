//! Bounds of generic code: the traits that say what an operator, an input or a result can do.
//!
//! Operators, elements and inputs of this crate implement them. The bounds that nearly all generic code needs,
//! [`Element`](crate::Element), [`OnePass`](crate::OnePass) and [`OpSpec`](crate::OpSpec), are at the root.
//!
//! ```
//! use reduce_core::bounds::Streams;
//! use reduce_core::{Element, Error, Stream, View};
//! use reduce_specs::{ReduceMax, ReduceMin};
//!
//! /// How many elements a stream has seen after some pieces.
//! fn seen<Op: Streams<T>, T: Element>(op: Op, pieces: &[&[T]]) -> Result<usize, Error> {
//!     let mut stream = Stream::new(op);
//!     for piece in pieces {
//!         stream.update(&View::new(piece, &[piece.len()])?)?;
//!     }
//!     Ok(stream.count())
//! }
//!
//! assert_eq!(seen((ReduceMax, ReduceMin), &[&[1.0f32, 2.0], &[3.0]])?, 3);
//! # Ok::<(), Error>(())
//! ```

pub use crate::front::emit::{Emits, LikeInput};
pub use crate::front::one_pass::Operators;
pub use crate::front::spec::{Reduces, ReducesSlices};
pub use crate::front::stream::Streams;
pub use crate::values::element::{Load, Slot, Store, Unrounded, Widen};
pub use crate::values::input::Input;
pub use crate::values::layouts::HasLayouts;
pub use crate::values::leading::{Behind, Leading, Loads};
pub use crate::values::slices::{Indices, ReduceSlice};
pub use crate::values::stored::Stored;
pub use crate::values::written::{EachWritten, Written};
