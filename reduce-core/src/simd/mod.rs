//! Steps of kernels that want particular instructions, whatever the operator:
//! what the compiler does not find by itself in safe code.
//!
//! All are safe to call: a level comes with its proof, and bounds are checked
//! once per call.

mod barrier;
mod code;
mod incomplete;
mod machine;
mod prefetch;
mod transpose;

pub(crate) use barrier::{barrier, opaque, settle, settled};
pub(crate) use incomplete::stage;
pub(crate) use machine::{FAR_AHEAD, Machine};
pub(crate) use prefetch::prefetch;
pub(crate) use transpose::{
    COLUMNS as TURNED_COLUMNS, FETCHED as FETCHED_BY_TRANSPOSITION, ROWS as TURNED_ROWS, transpose,
    turn_plainly,
};
