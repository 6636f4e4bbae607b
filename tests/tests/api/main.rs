//! The public API: what a caller can do beyond one reduction of one view. Several inputs, several
//! operators in one pass, plans that are kept, streams, emission, arrays of other crates; and the
//! errors that all of them give.

mod arrays;
mod emission;
mod errors;
mod inputs;
mod one_pass;
mod planned;
mod stream;
