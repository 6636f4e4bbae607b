//! Arrays in `.safetensors` files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reduce_fuzz::arrays::round_trip;

fuzz_target!(init: reduce_fuzz::prepare(), |bytes: &[u8]| round_trip(bytes, "safetensors", 1));
