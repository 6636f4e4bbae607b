//! A graph of reductions and of what commonly feeds or surrounds them, as it runs.
//!
//! [`flatten`] makes a [`Program`] of a model, which is one list of nodes. [`operation`] says what each node does.
//! [`types`] finds the types of all values, and [`schedule`] joins chains of nodes that are one reduction. [`execute`]
//! carries out the schedule, with [`elementwise`] and [`shaping`] for all that is no reduction. [`inputs`] holds what is given
//! against what the model declares, and [`plan`] is what users have of all this.

mod attributes;
mod elementwise;
mod execute;
mod flatten;
mod inputs;
mod operation;
mod plan;
mod program;
mod refusal;
mod schedule;
mod shaping;
mod support;
mod types;
mod value;

pub use inputs::{Input, Sizes};
pub use plan::Plan;
pub use program::Program;
pub use value::{Holder, Value};

#[cfg(test)]
mod tests;
