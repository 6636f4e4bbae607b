//! `.npy` files: numpy's format for one array.
//!
//! [`guard`] keeps what `npyz` cannot digest away from it. `npyz` parses and writes headers.

mod guard;
mod header;
mod names;
mod read;
mod write;

pub(super) use header::Header;
pub(super) use npyz::Order;
pub(super) use read::{from_stream, in_place, read, strides_of};
pub(super) use write::write;
