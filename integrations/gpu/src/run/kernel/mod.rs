//! The text of kernels: what surrounds the steps of an operator.

mod mains;
mod reading;
mod uniform;
mod walk;

pub(crate) use mains::{Mains, State};
pub(crate) use reading::{buffers, element, kept};
pub(crate) use uniform::Uniform;
pub(crate) use walk::{Walk, scattered_numbers, scattered_text};
