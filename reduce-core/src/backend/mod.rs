//! What another engine, such as one for GPUs, must know of a reduction to compute it with the same bits.
//!
//! An engine calls the steps of an operator, or finds out what they compute, and reads elements where they lie. Beside
//! that it needs:
//!
//! - [`Reduction::parts`](crate::Reduction::parts): the operator, its axes, and whether they are kept;
//! - [`Reduction::order`](crate::Reduction::order): in which [`Order`] elements are combined; and for what is not in memory
//!   [`Reduction::order_in_rows`](crate::Reduction::order_in_rows);
//! - `OnePass::Fold`, a type that says how an operator reads stored elements. For operator `Op` and storage type `T` it is
//!   [`Combining<R, Op, T>`](Combining) or [`Selecting<R, Op, T>`](Selecting). Their `R` is a [`Reader`], such as
//!   [`Value<A>`](Value) or [`Positioned<R>`](Positioned), or a tuple of readers, one of each input. The fold of a tuple of
//!   operators is a tuple of theirs. The fold of an adaptor, such as [`Initial`](crate::adapt::Initial) or
//!   [`ComputedIn`](crate::adapt::ComputedIn), takes the steps of the operator that it [holds](Holds)
//!   [through](Through) itself. So an engine's own trait, implemented for these types, knows the element;
//! - `Accumulator::each_scalar` and `Written::each_element`, which hand [`Scalars`] what accumulators and results consist of;
//! - [`spans`] and [`bytes`], for an engine with a memory of its own: which part of each buffer it has to copy, as bytes;
//! - [`Mending`], for results that the operator doubts;
//! - of operators that emit, [`Parts::elements`], and [`Chained`] with [`Emitting`], to take [several](crate::adapt::Then) apart;
//! - `functions`, hidden from this documentation: the elementary functions, generic over the float, for an engine that records what they compute.

mod chain;
mod elements;
#[doc(hidden)]
pub mod functions;
mod mending;
mod order;
mod parts;
mod span;

pub use crate::front::emit::Emitting;
pub use crate::kernel::{Combine, Combining, Select, Selecting};
pub use crate::values::element::accumulator::Scalars;
pub use crate::values::reader::{Positioned, Reader, Value};
pub use crate::values::steps::{Holds, OpSteps, Through};
pub use chain::{Chained, Pair, Single};
pub use elements::Elements;
pub use mending::Mending;
pub use order::{Order, OrderAxis, Scattered};
pub use parts::Parts;
pub use span::{bytes, spans};
