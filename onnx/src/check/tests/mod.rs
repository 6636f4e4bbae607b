//! Models made by hand: broken in one place, and their valid neighbours.

mod broken;
pub(crate) mod build;
mod functions;
