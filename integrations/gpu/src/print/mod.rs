//! Graphs as WGSL, the language of kernels.
//!
//! A value of a [`Type`] is computed as follows. What lies in buffers is words of 32 bits, the lowest first.
//!
//! | type | WGSL | words |
//! |---|---|---|
//! | `f32`, `f64` | `f32`, `f64` | 1, 2 |
//! | integers of up to 32 bits | `i32`, `u32`, brought back to their width after each operation that may leave it | 1 |
//! | integers of 64 and 128 bits | `vec2<u32>`, `vec4<u32>`, the lowest word first | 2, 4 |
//! | a flag | `bool` | 1 |
//! | a place | `u32` | 1 |
//!
//! So integers need no feature of a device, and `f64` needs two: `SHADER_F64`, and `SHADER_INT64`, since the bits of an `f64`
//! are to be had by a cast to an integer of 64 bits alone.
//!
//! The text of a kernel begins with the [records](record) and [steps] of an operator. Then comes what the kernel does
//! with them, and last come the functions that [`support`] adds to both. All of it reads a uniform `u`, whose fields
//! [`uniform`] gives.

mod conversions;
mod exactness;
mod functions;
mod integers;
mod library;
mod literals;
mod stored;
mod terms;
mod types;

pub use exactness::{Exactness, Operations};
pub(crate) use functions::values;
pub use functions::{elementary, record, steps};
pub use library::support;
pub use stored::reader;
pub use types::{
    bits_of_words, construct, from_words, name, record_from_words, record_to_words, to_words,
    words, words_of_bits,
};

#[cfg(doc)]
use crate::graph::Type;

/// The fields of the uniform `u` that kernels read besides their own. One is a word that must be 0, which no compiler
/// knows. The others are parameters, with room for `parameter_words` words. A struct that ends with these fields has
/// its parameters at a multiple of 16 bytes.
pub fn uniform(parameter_words: usize) -> String {
    let vectors = parameter_words.div_ceil(4).max(1);
    format!("zero: u32,\n  parameters: array<vec4<u32>, {vectors}>,\n")
}
