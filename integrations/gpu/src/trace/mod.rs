//! Tracing: the steps of an operator become graphs.
//!
//! A step, such as `combine`, is generic over the type that it computes in. Here that type is [`Symbol`], a number that
//! stands for a node of a graph: each operation on symbols adds a node and gives its symbol. So one call of the unmodified step
//! records what it computes. Nothing reads the body of a step, and any spec works that is generic.
//!
//! **Decisions.** A comparison has to answer with a `bool`, and there is no number to look at. So the step is run once for each
//! way in which its comparisons may come out (`explore.rs`). The first run answers yes to each. Later runs repeat the
//! answers up to one of them and give the other answer there. The results of all runs are joined by nodes that select.
//! What follows from earlier answers is not asked again: of `a < b` and `b < a`, say, both cannot hold (`facts.rs`).
//!
//! **Positions.** The position of an [`Indexed`](reduce_core::Indexed) element is a plain `u64`, whose comparisons nobody
//! sees. Positions get numbers that mean nothing but their order, and a run is repeated with other ones. Where the outcome
//! changes, the one pair of positions whose order did it is found, and is a decision too (`places.rs`). Counters are traced
//! the same way, by numbers whose sums tell what was added.
//!
//! **Emission.** What an operator emits is traced with its result, and cut where elements come in (`emission/`). **Tuples** are traced one by one and
//! joined (`together.rs`).
//!
//! **Proof.** A step may look at something that is no symbol, which no tracer sees. So each trace is computed on the CPU and
//! compared with the operator itself over elements of all kinds (`proof.rs`); if they differ, the operator is refused.

mod arena;
mod element;
mod emission;
mod error;
mod explore;
mod facts;
mod functions;
mod initial;
mod join;
mod least;
mod number;
mod places;
mod proof;
mod results;
mod scalars;
mod steps;
mod symbol;
mod together;

pub use element::Symbolic;
pub(crate) use emission::inlined;
pub use emission::{EmissionSteps, TraceEmit};
pub use error::Untraceable;
pub use functions::body;
pub use steps::{Output, Trace, Traced};
pub use symbol::{Scalar, Symbol};
