//! The public API: what a caller can do beyond one reduction of one view. Several inputs, several
//! operators in one pass, plans that are kept, streams, groups of rows by key, emission, arrays of other crates; and the
//! errors that all of them give.

mod adapted;
mod arrays;
mod backend;
mod calls;
mod chosen;
mod emission;
mod errors;
mod exact;
mod groups;
mod inputs;
mod lengths;
mod one_pass;
mod permuted;
mod planned;
mod stopped;
mod stream;
mod strided;
mod unwinding;

/// Small integers of both signs, many of them equal.
fn numbers(count: usize) -> Vec<i32> {
    let number_at = |index: usize| i32::try_from(index * 31 % 97).expect("small") - 40;
    (0..count).map(number_at).collect()
}
