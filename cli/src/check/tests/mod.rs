//! Models made by hand: broken in one place, their valid neighbours, deep and damaged ones.

mod broken;
pub(super) mod build;
mod functions;
mod hostile;
