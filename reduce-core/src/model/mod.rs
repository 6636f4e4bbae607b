//! Models: operators found by name, and their uses in a model.
//!
//! The highest floor. A [`Node`](crate::Node) is one use of an operator as a model holds it. It is held
//! against the schema of its version, its axes are read, and it becomes a [`Call`](crate::Call), which
//! runs or tells the shape of its result; or it is converted to another version.

mod attrs;
mod axes;
mod convert;
pub(crate) mod node;
pub(crate) mod registry;
mod suggest;
mod validate;
