//! Arrays in `.npz` files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reduce_fuzz::arrays::round_trip;

/// Bytes that deflate makes of one, at most.
const DENSEST: usize = 1032;

fuzz_target!(init: reduce_fuzz::prepare(), |bytes: &[u8]| round_trip(bytes, "npz", DENSEST));
