//! Models: operators found by name, and their uses in a model.
//!
//! This is the highest floor. A [`Node`](crate::nodes::Node) is one use of an operator as a model holds it. It is held
//! against the schema of its version, and its axes are read. It becomes a [`Call`](crate::nodes::Call), which runs or
//! tells the shape of its result; or it is converted to another version.

mod attrs;
mod axes;
mod convert;
pub(crate) mod node;
pub(crate) mod registry;
mod suggest;
mod validate;
