//! The reductions of whole models, held against the versions that govern them.
//!
//! [`node`] holds one reduction against its version, by what [`value`] and [`reference`] know of its inputs and attributes;
//! [`findings`] goes through all that the map of a model has. [`text`] shows a node, with the place of a [`finding`] in it, and
//! [`report`] tells users what was found.

pub(crate) mod finding;
pub(crate) mod findings;
pub(crate) mod node;
pub(crate) mod reference;
mod report;
pub(crate) mod text;
mod value;

pub use finding::Gravity;
pub(crate) use report::problems_of;
pub use report::{Problem, Report, Used};
pub use text::NodeText;

#[cfg(test)]
pub(crate) mod tests;
